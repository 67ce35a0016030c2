" Vim with ALE: copy to ~/.vim/plugin/amp.vim.
"
" The server runs for the files of a pack only; they keep the file types markdown and json.

if exists('g:loaded_amp_ale')
  finish
endif
let g:loaded_amp_ale = 1

let g:amp_lsp_executable = get(g:, 'amp_lsp_executable', 'amp-lsp')

" The pack that the buffer's file is part of: two of manifest.json, agents.md and memory/. Empty outside of packs.
function! AmpPack(buffer) abort
  let l:file = fnamemodify(bufname(a:buffer), ':p')
  let l:name = fnamemodify(l:file, ':t')
  let l:dir = fnamemodify(l:file, ':h')
  if l:name !=# 'manifest.json' && l:name !=# 'agents.md'
    if fnamemodify(l:dir, ':t') !=# 'memory' || fnamemodify(l:name, ':e') !=# 'md'
      return ''
    endif
    let l:dir = fnamemodify(l:dir, ':h')
  endif
  let l:parts = filereadable(l:dir . '/manifest.json') + filereadable(l:dir . '/agents.md') + isdirectory(l:dir . '/memory')
  return l:parts >= 2 ? l:dir : ''
endfunction

function! s:register() abort
  for l:type in ['markdown', 'json']
    call ale#linter#Define(l:type, {
      \ 'name': 'amp-lsp',
      \ 'lsp': 'stdio',
      \ 'executable': {-> g:amp_lsp_executable},
      \ 'command': '%e',
      \ 'language': l:type,
      \ 'project_root': function('AmpPack'),
      \ })
  endfor
endfunction

if exists('g:loaded_ale') || !has('vim_starting')
  call s:register()
else
  autocmd VimEnter * ++once if exists('*ale#linter#Define') || exists('g:loaded_ale') | call s:register() | endif
endif
