-- The set-up without the plugin, as docs/editors.md gives it for Neovim 0.11 and later: two files of one pack, one after the other.
--   nvim --headless -u NONE -i NONE -n -c 'luafile bare.lua'      env: E2E_SERVER, E2E_PACK, E2E_DOCS (editors.md)
local function main()
  local docs = table.concat(vim.fn.readfile(vim.env.E2E_DOCS), '\n')
  local snippet = docs:match("```lua\n(vim%.lsp%.config%(.-)```")
  assert(snippet, 'no such snippet in editors.md')
  vim.env.PATH = vim.fn.fnamemodify(vim.fn.json_decode(vim.env.E2E_SERVER)[1], ':h') .. ':' .. vim.env.PATH
  vim.cmd('filetype plugin on')
  assert(load(snippet))()
  local seen = {}
  for _, name in ipairs({ 'operating-principles', 'copy-voice' }) do
    vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.E2E_PACK .. '/memory/' .. name .. '.md'))
    assert(vim.wait(20000, function() return #vim.lsp.get_clients({ bufnr = 0 }) == 1 end, 20), 'no client')
    seen[#seen + 1] = vim.lsp.get_clients({ bufnr = 0 })[1].id
  end
  assert(seen[1] == seen[2], 'one client for both files')
  assert(vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20), 'no findings in the second file')
end
local ok, err = xpcall(main, debug.traceback)
io.stdout:write((ok and 'ok - without the plugin' or ('not ok - ' .. tostring(err))) .. '\n')
vim.cmd(ok and 'qall!' or 'cquit!')
