-- The plugin in a real Neovim:   nvim --headless -u NONE -i NONE -n --cmd 'set rtp^=PLUGIN' -c 'luafile e2e.lua'
-- env: E2E_SERVER (JSON array), E2E_PACK (folder of a broken pack), E2E_ORDER, E2E_FIXED, E2E_EXTRA, E2E_LINTER, E2E_LEGACY
local out = function(s)
  io.stdout:write(s .. '\n')
end
local wait = function(what, f, ms)
  assert(vim.wait(ms or 30000, f, 20), 'timed out: ' .. what)
end
local messages = {}
vim.notify = function(text)
  messages[#messages + 1] = text
end
local function said(text)
  for _, m in ipairs(messages) do
    if m:find(text, 1, true) then
      return true
    end
  end
  return false
end
local function code(d)
  return tostring(d.code or (d.user_data and d.user_data.lsp and d.user_data.lsp.code))
end
local function finding(buf, rule)
  for _, d in ipairs(vim.diagnostic.get(buf)) do
    if code(d) == rule then
      return d
    end
  end
end
local function text_of(buf, d)
  return vim.api.nvim_buf_get_lines(buf, d.lnum, d.lnum + 1, false)[1]:sub(d.col + 1, d.end_col)
end

local env = vim.env
local pack = env.E2E_PACK
local real = env.E2E_EXTRA ~= nil and env.E2E_EXTRA ~= ''
local tests = {}

function tests.setup()
  vim.cmd('filetype plugin on')
  vim.cmd('runtime plugin/amp.lua')
  require('amp').setup({ cmd = vim.fn.json_decode(env.E2E_SERVER), linter = env.E2E_LINTER or 'amp-lint', legacy = env.E2E_LEGACY == '1', fix_on_save = true })
end

function tests.one_client_for_a_pack()
  vim.cmd('edit ' .. vim.fn.fnameescape(pack .. '/memory/operating-principles.md'))
  local a = vim.api.nvim_get_current_buf()
  wait('a client', function() return #require('amp').clients(a) == 1 end)
  vim.cmd('edit ' .. vim.fn.fnameescape(pack .. '/memory/copy-voice.md'))
  local b = vim.api.nvim_get_current_buf()
  wait('a second', function() return #require('amp').clients(b) == 1 end)
  assert(require('amp').clients(a)[1].id == require('amp').clients(b)[1].id, 'one client for both files')
  assert(vim.bo.filetype == 'markdown', vim.bo.filetype)
  vim.fn.writefile({ '# Not in a pack', '', '[directive permanent, must, org] In text, never.' }, pack .. '/../notes.md')
  vim.cmd('edit ' .. vim.fn.fnameescape(pack .. '/../notes.md'))
  vim.wait(300)
  assert(#require('amp').clients(vim.api.nvim_get_current_buf()) == 0, 'no client outside of packs')
  vim.cmd('edit ' .. vim.fn.fnameescape(pack .. '/memory/copy-voice.md'))
end

function tests.finding()
  local buf = vim.api.nvim_get_current_buf()
  wait('facet-order', function() return finding(buf, 'facet-order') end)
  local d = finding(buf, 'facet-order')
  assert(d.message == 'expected force at position 1 for directive, got permanent', d.message)
  assert(text_of(buf, d) == 'permanent', vim.inspect(d))
  assert(vim.api.nvim_buf_get_lines(buf, d.lnum, d.lnum + 1, false)[1] == env.E2E_ORDER)
  if not real then
    return
  end
  for _, e in ipairs(vim.diagnostic.get(buf)) do
    if vim.api.nvim_buf_get_lines(buf, e.lnum, e.lnum + 1, false)[1] == env.E2E_EXTRA then
      -- Behind an emoji in its own line: bytes here, UTF-16 on the wire.
      assert(text_of(buf, e) == 'org', vim.inspect(e))
      return
    end
  end
  error('no finding behind the emoji')
end

function tests.status_line()
  wait('a status', function() return require('amp').status():match('^AMP FAIL %d+') end)
end

function tests.code_action()
  local buf = vim.api.nvim_get_current_buf()
  local d = finding(buf, 'facet-order')
  vim.api.nvim_win_set_cursor(0, { d.lnum + 1, d.col })
  local wanted = function(a) return a.title:find('Reorder') ~= nil end
  if vim.fn.has('nvim-0.8') == 1 then
    local one = true
    vim.lsp.buf.code_action({ apply = true, filter = function(a) local w = one and wanted(a); if w then one = false end; return w end })
  else
    vim.ui.select = function(items, _, choose)
      for i, item in ipairs(items) do
        if wanted(item[2]) then return choose(item, i) end
      end
      error('no such action: ' .. vim.inspect(items))
    end
    vim.lsp.buf.code_action()
  end
  wait('the fixed line', function() return vim.api.nvim_buf_get_lines(buf, d.lnum, d.lnum + 1, false)[1] == env.E2E_FIXED end)
  wait('no finding', function() return not finding(buf, 'facet-order') end)
  vim.cmd('undo')
  wait('the finding again', function() return finding(buf, 'facet-order') end)
end

function tests.fix_on_save()
  local buf = vim.api.nvim_get_current_buf()
  vim.cmd('silent write')
  local saved = table.concat(vim.fn.readfile(vim.api.nvim_buf_get_name(buf)), '\n')
  assert(saved:find(env.E2E_FIXED, 1, true), 'not fixed on save')
  wait('no finding', function() return not finding(buf, 'facet-order') end)
end

function tests.hover()
  local buf = vim.api.nvim_get_current_buf()
  local client = require('amp').clients(buf)[1]
  local row = vim.fn.search('^\\[directive')
  local answer
  local params = { textDocument = { uri = vim.uri_from_bufnr(buf) }, position = { line = row - 1, character = 3 } }
  local handler = function(_, result) answer = result or false end
  if vim.fn.has('nvim-0.11') == 1 then client:request('textDocument/hover', params, handler, buf) else client.request('textDocument/hover', params, handler, buf) end
  wait('hover', function() return answer ~= nil end)
  assert(answer and answer.contents, vim.inspect(answer))
end

function tests.commands()
  vim.cmd('AmpVerify')
  wait('verify', function() return said('sign') end)
  if env.E2E_LINTER then
    vim.cmd('AmpExplain facet-order')
    assert(vim.bo.buftype == 'nofile' and #vim.api.nvim_buf_get_lines(0, 0, -1, false) > 3, 'the page of the rule')
    vim.cmd('close')
  end
  -- Sign asks, and does nothing without a yes.
  local asked
  local confirm = vim.fn.confirm
  vim.fn.confirm = function(question) asked = question; return 2 end
  vim.cmd('AmpSign')
  vim.fn.confirm = confirm
  assert(asked and asked:find('Sign the pack'), 'no question')
  assert(not table.concat(vim.fn.readfile(pack .. '/manifest.json'), ''):find('"signed": true'), 'signed without a yes')
end

function tests.sign()
  if not real or not env.E2E_AMP then
    return 'skipped: signing needs the real server'
  end
  assert(vim.fn.system({ env.E2E_AMP, 'keygen' }) and vim.v.shell_error == 0, 'keygen')
  local confirm = vim.fn.confirm
  vim.fn.confirm = function() return 1 end
  vim.cmd('AmpSign')
  vim.fn.confirm = confirm
  local manifest = function() return table.concat(vim.fn.readfile(pack .. '/manifest.json'), '\n') end
  wait('a signed manifest on disk', function() return manifest():find('"signed": true') end)
  assert(vim.fn.filereadable(pack .. '/signing.pub') == 1, 'the public key is in the pack')
  wait('the state', function() return require('amp').pack_status().signature:match('^valid') or require('amp').pack_status().signature:match('^intact') end)
  -- The same by the program that knows nothing of editors: 0 trusted, 3 intact under the key inside.
  vim.fn.system({ env.E2E_AMP, 'verify', pack })
  assert(vim.v.shell_error == 0 or vim.v.shell_error == 3, 'amp verify says ' .. vim.v.shell_error)
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { '', '[claim] The signature is stale now.' })
  vim.cmd('silent write')
  wait('stale', function() return require('amp').pack_status().signature == 'stale' end)
end

function tests.health()
  vim.cmd('checkhealth amp')
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  assert(text:find('the server is started'), text)
  assert(text:find(require('amp').config.cmd[1], 1, true), text)
  assert(not text:find('Failed to run'), text)
  vim.cmd('bwipeout!')
end

function tests.help()
  vim.cmd('helptags ' .. vim.fn.fnameescape(env.E2E_DOC))
  vim.cmd('help amp-setup')
  assert(vim.fn.expand('%:t') == 'amp.txt')
  vim.cmd('close')
end

function tests.semantic_colours()
  if vim.fn.has('nvim-0.9') == 0 or not real then
    return 'skipped: semantic tokens need Neovim 0.9 and the real server'
  end
  local buf = vim.fn.bufnr(pack .. '/memory/copy-voice.md')
  vim.cmd('buffer ' .. buf)
  local row = vim.fn.search('^\\[directive must')
  local groups = function(column)
    local found = {}
    for _, token in ipairs(vim.lsp.semantic_tokens.get_at_pos(buf, row - 1, column) or {}) do
      found[token.type] = token.modifiers
    end
    return found
  end
  wait('tokens', function() return groups(3).type end)
  assert(groups(12).enumMember and groups(12).enumMember.force, vim.inspect(groups(12)))
  local hl = vim.api.nvim_get_hl(0, { name = '@lsp.typemod.enumMember.force.markdown' })
  assert(hl.link == 'AmpForce', vim.inspect(hl))
end

function tests.queries()
  if vim.fn.has('nvim-0.9') == 0 or not env.E2E_PARSER then
    return 'skipped: tree-sitter queries need Neovim 0.9 and the built parser'
  end
  vim.treesitter.language.add('amp', { path = env.E2E_PARSER })
  for _, kind in ipairs({ 'highlights', 'folds', 'injections' }) do
    assert(vim.treesitter.query.get('amp', kind), kind)
  end
  vim.cmd('edit ' .. vim.fn.fnameescape(pack .. '/memory/copy-voice.md'))
  local tree = vim.treesitter.get_parser(0, 'amp'):parse()[1]
  assert(not tree:root():has_error(), 'the tree holds an error')
  local seen = {}
  local query = vim.treesitter.query.get('amp', 'highlights')
  for id in query:iter_captures(tree:root(), 0) do
    seen[query.captures[id]] = true
  end
  for _, capture in ipairs({ 'type', 'keyword', 'constant', 'keyword.modifier', 'comment', 'label' }) do
    assert(seen[capture], 'nothing captured as ' .. capture)
  end
end

function tests.missing_server_is_said()
  messages = {}
  local amp = require('amp')
  local cmd = amp.config.cmd
  amp.config.cmd = { '/no/such/amp-lsp' }
  amp.restart()
  wait('a message', function() return said('/no/such/amp-lsp is not on PATH') end)
  amp.config.cmd = cmd
end

local order = { 'setup', 'one_client_for_a_pack', 'finding', 'status_line', 'code_action', 'fix_on_save', 'hover', 'semantic_colours', 'commands', 'sign', 'health', 'help', 'queries', 'missing_server_is_said' }
local failed, skipped = 0, 0
for _, name in ipairs(order) do
  local ok, err = xpcall(tests[name], debug.traceback)
  if not ok then
    failed = failed + 1
    out('not ok - ' .. name .. ': ' .. tostring(err) .. '\n' .. table.concat(messages, '\n'))
    break
  end
  if err then
    skipped = skipped + 1
  end
  out('ok - ' .. name:gsub('_', ' ') .. (err and ' (' .. tostring(err) .. ')' or ''))
end
local v = vim.version()
out(('%s nvim %d.%d.%d via %s'):format(failed == 0 and 'PASS' or 'FAIL', v.major, v.minor, v.patch, tostring(require('amp').how)))
vim.cmd(failed == 0 and 'qall!' or 'cquit!')
