-- The colours: groups of our own, each linked to a standard one, and the semantic tokens and tree-sitter captures linked to them.
local M = {}

local groups = {
  AmpType = 'Type',
  AmpForce = 'Keyword',
  AmpScope = 'Constant',
  AmpStability = 'StorageClass',
  AmpValence = 'Boolean',
  AmpKey = 'Identifier',
  AmpLabel = 'String',
  AmpCitation = 'Tag',
  AmpReason = 'Comment',
  AmpMarker = 'Delimiter',
}

-- Captures of queries/amp/highlights.scm.
local captures = {
  ['@type.amp'] = 'AmpType',
  ['@keyword.amp'] = 'AmpForce',
  ['@constant.amp'] = 'AmpScope',
  ['@keyword.modifier.amp'] = 'AmpStability',
  ['@constant.builtin.amp'] = 'AmpValence',
  ['@property.amp'] = 'AmpKey',
  ['@label.amp'] = 'AmpCitation',
  ['@comment.amp'] = 'AmpReason',
  ['@punctuation.bracket.amp'] = 'AmpMarker',
  ['@punctuation.special.amp'] = 'AmpMarker',
}

-- The server's semantic tokens: a type, or a type with a modifier, which says of which facet a value is.
local tokens = {
  ['type.type'] = 'AmpType',
  ['typemod.enumMember.force'] = 'AmpForce',
  ['typemod.enumMember.scope'] = 'AmpScope',
  ['typemod.enumMember.stability'] = 'AmpStability',
  ['typemod.enumMember.valence'] = 'AmpValence',
  ['type.property'] = 'AmpKey',
  ['type.label'] = 'AmpLabel',
  ['type.variable'] = 'AmpCitation',
  ['type.operator'] = 'AmpMarker',
  ['type.comment'] = 'AmpReason',
  ['type.keyword'] = 'AmpForce',
}

local function link(name, target)
  -- `default`: a colour scheme that sets the group wins.
  pcall(vim.api.nvim_set_hl, 0, name, { link = target, default = true })
end

function M.define()
  for name, target in pairs(groups) do
    link(name, target)
  end
  -- Before 0.8 a group's name may hold no `@`.
  if vim.fn.has('nvim-0.8') == 0 then
    return
  end
  for name, target in pairs(captures) do
    link(name, target)
  end
  for token, target in pairs(tokens) do
    link(('@lsp.%s.markdown'):format(token), target)
  end
end

return M
