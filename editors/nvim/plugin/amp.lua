if vim.g.loaded_amp then
  return
end
vim.g.loaded_amp = true

local function command(name, call, options)
  vim.api.nvim_create_user_command(name, call, options)
end

command('AmpVerify', function()
  require('amp').verify()
end, { desc = 'Check the signature of the pack' })
command('AmpSign', function()
  require('amp').sign()
end, { desc = 'Sign the pack, after a question' })
command('AmpUpdateCounts', function()
  require('amp').update_counts()
end, { desc = 'Make primitive_counts true' })
command('AmpExplain', function(args)
  require('amp').explain(args.args)
end, { nargs = '?', desc = 'Show the page of a rule' })
command('AmpFixAll', function()
  require('amp').fix_all(0)
end, { desc = 'Apply every safe fix of this file' })
command('AmpRestart', function()
  require('amp').restart()
end, { desc = 'Start the language server again' })
