-- What is a pack, and which pack a file belongs to: the same test as the linter's.
local M = {}

local uv = vim.uv or vim.loop

local function exists(path)
  return uv.fs_stat(path) ~= nil
end

local function read_json(path)
  local file = io.open(path, 'r')
  if not file then
    return nil
  end
  local text = file:read('*a')
  file:close()
  local ok, value = pcall(vim.fn.json_decode, text)
  return ok and type(value) == 'table' and value or nil
end

--- Two of manifest.json, agents.md and memory/, or a manifest with a member only packs have.
function M.is_pack(dir)
  local manifest = exists(dir .. '/manifest.json')
  local parts = 0
  for _, found in ipairs({ manifest, exists(dir .. '/agents.md'), exists(dir .. '/memory') }) do
    parts = parts + (found and 1 or 0)
  end
  if parts >= 2 then
    return true
  end
  local value = manifest and read_json(dir .. '/manifest.json')
  return value and (value.layout or value.capability_files or value.primitive_format) ~= nil or false
end

--- The pack of a file, or nil.
function M.of(path)
  local dir = path:match('^(.*)/memory/[^/]+%.md$') or path:match('^(.*)/agents%.md$') or path:match('^(.*)/manifest%.json$')
  return dir and dir ~= '' and M.is_pack(dir) and dir or nil
end

--- Where the server starts: the repository around the pack, so that many packs share one server, or the pack itself.
function M.root(path)
  local pack = M.of(path)
  local dir = pack
  while dir and dir ~= '' do
    if exists(dir .. '/.git') then
      return dir
    end
    local parent = dir:match('^(.*)/[^/]+$')
    dir = parent ~= dir and parent or nil
  end
  return pack
end

return M
