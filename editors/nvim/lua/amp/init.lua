-- AMP memory packs in Neovim. Works as vim.lsp.config/enable on 0.11 and later, vim.lsp.start on 0.8 to 0.10, and
-- vim.lsp.start_client on 0.7.
local pack = require('amp.pack')

local M = {}

M.version = '0.1.0'

local defaults = {
  cmd = { 'amp-lsp' },
  linter = 'amp-lint',
  fix_on_save = false,
  treesitter = true,
  on_attach = nil,
  capabilities = nil,
}

M.config = vim.deepcopy(defaults)
M.how = nil -- which way of starting the server is in use

local statuses = {}
local started = {} -- 0.7: client ids by root
local filetypes = { 'markdown', 'json' }

-- clients -----------------------------------------------------------------------------------------------------------------

--- The amp clients of a buffer.
function M.clients(buf)
  if vim.lsp.get_clients then
    return vim.lsp.get_clients({ bufnr = buf, name = 'amp' })
  end
  local all = vim.lsp.buf_get_clients(buf)
  return vim.tbl_filter(function(c)
    return c.name == 'amp'
  end, vim.tbl_values(all))
end

local function client_of(buf)
  local client = M.clients(buf)[1]
  if not client then
    vim.notify('AMP: no server for this file. See :checkhealth amp', vim.log.levels.ERROR)
  end
  return client
end

-- A method since 0.11; the function form before.
local function request(client, method, params, handler, buf)
  if vim.fn.has('nvim-0.11') == 1 then
    return client:request(method, params, handler, buf)
  end
  return client.request(method, params, handler, buf)
end

local function request_sync(client, method, params, timeout, buf)
  local answer
  request(client, method, params, function(err, result)
    answer = { err = err, result = result }
  end, buf)
  vim.wait(timeout, function()
    return answer ~= nil
  end, 10)
  return answer and not answer.err and answer.result or nil
end

-- Without a message of its own a missing program is a stack trace, once for each file.
local missing_told = false
local function runnable()
  if vim.fn.executable(M.config.cmd[1]) == 1 then
    return true
  end
  if not missing_told then
    missing_told = true
    vim.notify('AMP: ' .. M.config.cmd[1] .. ' is not on PATH and is no program. See :checkhealth amp', vim.log.levels.ERROR)
  end
  return false
end

local function compare_version(client)
  local info = client.server_info or {}
  local theirs = info.version
  if not theirs then
    return
  end
  local function release(v)
    local major, minor = v:match('(%d+)%.(%d+)')
    return major and (major == '0' and major .. '.' .. minor or major) or v
  end
  if release(theirs) ~= release(M.version) then
    vim.notify(
      ('AMP: amp-lsp %s and this plugin (%s) are of different releases. Some features may be missing.'):format(theirs, M.version),
      vim.log.levels.WARN
    )
  end
end

local function client_config(root)
  local capabilities = vim.deepcopy(M.config.capabilities or vim.lsp.protocol.make_client_capabilities())
  if capabilities.textDocument then
    -- 0.10 to 0.12 do not ask for the findings of every file that joins a running server; without this the server sends them.
    capabilities.textDocument.diagnostic = nil
  end
  -- Neovim can do this in every version and does not say so; without it no fix may create a file.
  local edit = capabilities.workspace and capabilities.workspace.workspaceEdit
  if edit and edit.resourceOperations then
    edit.documentChanges = true
  end
  return {
    name = 'amp',
    cmd = M.config.cmd,
    root_dir = root,
    capabilities = capabilities,
    init_options = { packStatus = true, signing = true },
    handlers = {
      ['amp/packStatus'] = function(_, result)
        if result then
          statuses[vim.uri_to_fname(result.uri)] = result
          vim.cmd('silent! doautocmd <nomodeline> User AmpStatus')
          vim.cmd('redrawstatus!')
        end
      end,
    },
    on_init = function(client, result)
      client.server_info = client.server_info or (result and result.serverInfo)
      compare_version(client)
    end,
    on_exit = function(code, signal)
      if code ~= 0 and signal ~= 15 then
        vim.schedule(function()
          vim.notify(('AMP: amp-lsp ended with code %d, signal %d. :AmpRestart starts it again.'):format(code, signal), vim.log.levels.ERROR)
        end)
      end
    end,
    on_attach = function(client, buf)
      if M.config.on_attach then
        M.config.on_attach(client, buf)
      end
    end,
  }
end

local function path_of(buf)
  return (vim.api.nvim_buf_get_name(buf):gsub('\\', '/'))
end

local function attach(buf)
  local root = pack.root(path_of(buf))
  if not root or not runnable() then
    return
  end
  if vim.lsp.start then
    vim.lsp.start(client_config(root), { bufnr = buf })
    return
  end
  local id = started[root]
  if not id or vim.lsp.client_is_stopped(id) then
    id = vim.lsp.start_client(client_config(root))
    started[root] = id
  end
  if id then
    vim.lsp.buf_attach_client(buf, id)
  end
end

local function enable()
  if vim.lsp.config and vim.lsp.enable and not M.config.legacy then
    M.how = 'config'
    local config = client_config(nil)
    config.name = nil
    config.filetypes = filetypes
    config.root_dir = function(buf, on_dir)
      local root = pack.root(path_of(buf))
      if root and runnable() then
        on_dir(root)
      end
    end
    vim.lsp.config('amp', config)
    vim.lsp.enable('amp')
    return
  end
  M.how = vim.lsp.start and 'start' or 'start_client'
  local group = vim.api.nvim_create_augroup('AmpAttach', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = filetypes,
    callback = function(args)
      attach(args.buf)
    end,
  })
  -- Neovim 0.7 knows no file type for these without `:filetype on`; and a file that was open before setup() has had its event.
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) and vim.tbl_contains(filetypes, vim.bo[buf].filetype) then
      attach(buf)
    end
  end
end

-- fixes -------------------------------------------------------------------------------------------------------------------

--- Applies every safe fix of the buffer and waits for it, at most `timeout` milliseconds.
function M.fix_all(buf, timeout)
  buf = buf == 0 and vim.api.nvim_get_current_buf() or buf or vim.api.nvim_get_current_buf()
  timeout = timeout or 3000
  local client = M.clients(buf)[1]
  if not client then
    return false
  end
  local last = vim.api.nvim_buf_line_count(buf)
  local actions = request_sync(client, 'textDocument/codeAction', {
    textDocument = { uri = vim.uri_from_bufnr(buf) },
    range = { start = { line = 0, character = 0 }, ['end'] = { line = last, character = 0 } },
    context = { only = { 'source.fixAll.amp' }, diagnostics = {} },
  }, timeout, buf)
  local changed = false
  for _, action in ipairs(actions or {}) do
    if not action.edit then
      action = request_sync(client, 'codeAction/resolve', action, timeout, buf) or action
    end
    if action.edit then
      vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding or 'utf-16')
      changed = true
    end
  end
  return changed
end

-- commands ----------------------------------------------------------------------------------------------------------------

local levels = {
  valid = vim.log.levels.INFO,
  unsigned = vim.log.levels.WARN,
  ['intact-untrusted'] = vim.log.levels.WARN,
  stale = vim.log.levels.ERROR,
  invalid = vim.log.levels.ERROR,
}

local function execute(client, command, argument, buf, done)
  request(client, 'workspace/executeCommand', { command = command, arguments = { argument } }, function(err, result)
    if err then
      vim.notify('AMP: ' .. (err.message or vim.inspect(err)), vim.log.levels.ERROR)
    elseif done then
      done(result or {})
    end
  end, buf)
end

function M.verify()
  local buf = vim.api.nvim_get_current_buf()
  local client = client_of(buf)
  if client then
    execute(client, 'amp.verify', { uri = vim.uri_from_bufnr(buf) }, buf, function(result)
      vim.notify('AMP: ' .. (result.message or result.signature), levels[result.signature])
    end)
  end
end

function M.update_counts()
  local buf = vim.api.nvim_get_current_buf()
  local client = client_of(buf)
  if client then
    execute(client, 'amp.updateCounts', { uri = vim.uri_from_bufnr(buf) }, buf)
  end
end

local function modified_in(dir)
  return vim.tbl_filter(function(b)
    return vim.api.nvim_buf_is_loaded(b) and vim.bo[b].modified and vim.startswith(path_of(b), dir .. '/')
  end, vim.api.nvim_list_bufs())
end

--- Signs the pack of the current file after a question.
function M.sign()
  local buf = vim.api.nvim_get_current_buf()
  local client = client_of(buf)
  local dir = client and pack.of(path_of(buf))
  if not dir then
    return
  end
  local unsaved = modified_in(dir)[1]
  if unsaved then
    vim.notify('AMP: not signed, ' .. path_of(unsaved) .. ' has unsaved changes: a signature covers the bytes on disk.', vim.log.levels.ERROR)
    return
  end
  local question = ('Sign the pack %s? Your private key vouches for every file of it as it is now.'):format(vim.fn.fnamemodify(dir, ':t'))
  if vim.fn.confirm(question, '&Sign\n&Cancel', 2) ~= 1 then
    return
  end
  execute(client, 'amp.sign', { uri = vim.uri_from_bufnr(buf), confirmed = true }, buf, function(result)
    -- The server's edit leaves manifest.json and a new signing.pub unsaved; what is not on disk vouches for nothing.
    for _, b in ipairs(result.applied and modified_in(dir) or {}) do
      -- Text put into an empty buffer ends with a line too many, which would be a byte too many under the signature.
      local last = vim.api.nvim_buf_get_lines(b, -2, -1, false)[1]
      if last == '' and path_of(b):match('/signing%.pub$') then
        vim.api.nvim_buf_set_lines(b, -2, -1, false, {})
      end
      vim.api.nvim_buf_call(b, function()
        vim.cmd('silent noautocmd write!')
      end)
    end
    vim.notify('AMP: ' .. (result.message or result.signature), result.applied and vim.log.levels.INFO or vim.log.levels.ERROR)
  end)
end

-- The rule of the finding under the cursor, the one that starts nearest before it first.
local function rule_at_cursor()
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local column = vim.api.nvim_win_get_cursor(0)[2]
  local best
  for _, d in ipairs(vim.diagnostic.get(0, { lnum = row })) do
    local code = d.code or (d.user_data and d.user_data.lsp and d.user_data.lsp.code)
    if code and (not best or (d.col <= column and d.col > best.col)) then
      best = { code = tostring(code), col = d.col }
    end
  end
  return best and best.code
end

--- Shows the page of a rule, by default the one found at the cursor.
function M.explain(rule)
  rule = rule and rule ~= '' and rule or rule_at_cursor()
  if not rule then
    vim.notify('AMP: no finding in this line. Name a rule: :AmpExplain facet-order', vim.log.levels.WARN)
    return
  end
  if vim.fn.executable(M.config.linter) == 0 then
    vim.notify('AMP: ' .. M.config.linter .. ' is not on PATH, and it holds the pages of the rules.', vim.log.levels.ERROR)
    return
  end
  local text = vim.fn.systemlist({ M.config.linter, 'explain', rule })
  if vim.v.shell_error ~= 0 then
    vim.notify('AMP: ' .. table.concat(text, '\n'), vim.log.levels.ERROR)
    return
  end
  vim.cmd('botright new')
  local buf = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, text)
  vim.bo[buf].buftype = 'nofile'
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].modifiable = false
  vim.bo[buf].filetype = 'markdown'
  pcall(vim.api.nvim_buf_set_name, buf, 'amp-rule://' .. rule)
end

function M.restart()
  local bufs = {}
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    for _, client in ipairs(vim.api.nvim_buf_is_loaded(buf) and M.clients(buf) or {}) do
      bufs[#bufs + 1] = buf
      if vim.fn.has('nvim-0.11') == 1 then
        client:stop()
      else
        client.stop()
      end
    end
  end
  missing_told = false
  started = {}
  vim.defer_fn(function()
    if #bufs == 0 then
      bufs = { vim.api.nvim_get_current_buf() }
    end
    for _, buf in ipairs(bufs) do
      if vim.api.nvim_buf_is_loaded(buf) then
        attach(buf)
      end
    end
  end, 500)
end

-- status ------------------------------------------------------------------------------------------------------------------

--- The last amp/packStatus of the pack of a buffer, or nil.
function M.pack_status(buf)
  local dir = pack.of(path_of(buf or vim.api.nvim_get_current_buf()))
  return dir and (statuses[dir] or statuses[vim.fn.resolve(dir)]) or nil
end

--- For a status line: "AMP PASS 12" or "AMP FAIL 2", and the signature unless there is none; empty outside of packs.
function M.status(buf)
  local s = M.pack_status(buf)
  if not s then
    return ''
  end
  local text = s.fail > 0 and ('AMP FAIL %d'):format(s.fail) or ('AMP PASS %d'):format(s.pass)
  return s.signature == 'unsigned' and text or text .. ' ' .. s.signature
end

-- set-up ------------------------------------------------------------------------------------------------------------------

local function start_treesitter(buf)
  if not (vim.treesitter and vim.treesitter.start) or not path_of(buf):match('/memory/[^/]+%.md$') or not pack.of(path_of(buf)) then
    return
  end
  if #vim.api.nvim_get_runtime_file('parser/amp.*', false) > 0 then
    pcall(vim.treesitter.start, buf, 'amp')
  end
end

--- Starts everything. Call it once; see |amp-setup| for the options.
function M.setup(options)
  M.config = vim.tbl_extend('force', vim.deepcopy(defaults), options or {})
  if type(M.config.cmd) == 'string' then
    M.config.cmd = { M.config.cmd }
  end
  require('amp.highlight').define()
  enable()
  local group = vim.api.nvim_create_augroup('Amp', { clear = true })
  if M.config.fix_on_save then
    vim.api.nvim_create_autocmd('BufWritePre', {
      group = group,
      pattern = { '*/memory/*.md', '*/agents.md', '*/manifest.json' },
      callback = function(args)
        M.fix_all(args.buf)
      end,
    })
  end
  if M.config.treesitter then
    vim.api.nvim_create_autocmd('FileType', {
      group = group,
      pattern = 'markdown',
      callback = function(args)
        -- After the file type's own plugin, which may have started another parser.
        vim.schedule(function()
          if vim.api.nvim_buf_is_loaded(args.buf) then
            start_treesitter(args.buf)
          end
        end)
      end,
    })
  end
end

return M
