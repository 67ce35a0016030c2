-- :checkhealth amp
local M = {}

local health = vim.health or {}
local function reporter(new, old)
  return health[new] or health[old] or require('health')[old]
end

local function version_of(program)
  local out = vim.fn.systemlist({ program, '--version' })
  return vim.v.shell_error == 0 and out[1] or nil
end

function M.check()
  local start, ok, warn, err = reporter('start', 'report_start'), reporter('ok', 'report_ok'), reporter('warn', 'report_warn'), reporter('error', 'report_error')
  local amp = require('amp')
  start('amp')
  if not amp.how then
    err('setup() was not called', { "Put require('amp').setup() into your init.lua" })
  else
    ok('the server is started with vim.lsp.' .. (amp.how == 'config' and 'config and vim.lsp.enable' or amp.how))
  end
  local server = amp.config.cmd[1]
  if vim.fn.executable(server) == 0 then
    err(server .. ' is not on PATH', { 'go install github.com/amp-toolchain/amp/cmd/amp-lsp@latest', "or name it: require('amp').setup({ cmd = { '/path/to/amp-lsp' } })" })
  else
    local version = version_of(server)
    if version then
      ok(vim.fn.exepath(server) .. ': ' .. version)
    else
      err(server .. ' --version fails: it is no amp-lsp, or it cannot run here')
    end
  end
  local linter = amp.config.linter
  if vim.fn.executable(linter) == 0 then
    warn(linter .. ' is not on PATH: :AmpExplain has no pages', { 'go install github.com/amp-toolchain/amp/cmd/amp-lint@latest' })
  else
    ok(vim.fn.exepath(linter) .. ': ' .. (version_of(linter) or 'no version'))
  end
  if #vim.api.nvim_get_runtime_file('parser/amp.*', false) > 0 then
    ok('the tree-sitter parser is installed')
  else
    (health.info or health.report_info or require('health').report_info)('no tree-sitter parser: tags are coloured by the server alone')
  end
end

return M
