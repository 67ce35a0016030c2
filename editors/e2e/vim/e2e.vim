" vim -Nu NONE -i NONE -n -es --not-a-term -S e2e.vim
" env: E2E_SERVER (one path), E2E_PACK, E2E_ORDER, E2E_FIXED, E2E_EXTRA, E2E_PLUGIN (folder of amp.vim)
set nocompatible hidden encoding=utf-8
scriptencoding utf-8
" Debian's package lies outside of the default runtimepath.
set runtimepath^=/usr/share/vim-ale
filetype plugin on
let g:ale_linters_explicit = 1
let g:ale_linters = {'markdown': ['amp-lsp'], 'json': ['amp-lsp']}
let g:ale_lint_delay = 50
let g:amp_lsp_executable = $E2E_SERVER
runtime plugin/ale.vim
exe 'source' fnameescape($E2E_PLUGIN . '/amp.vim')
runtime autoload/ale/util.vim
" The menu of code actions is a question on the command line: the wanted one is answered.
function! ale#util#Input(msg, val, ...) abort
  let l:line = filter(split(a:msg, "\n"), {_, l -> l =~# 'Reorder'})
  return empty(l:line) ? '' : matchstr(l:line[0], '\d\+')
endfunction
let s:fail = ''
function! s:wait(what, expr) abort
  for i in range(800)
    if eval(a:expr) | return 1 | endif
    sleep 50m
  endfor
  let s:fail .= 'timed out: ' . a:what . ' '
  return 0
endfunction
function! s:order() abort
  return filter(copy(getloclist(0)), {_, d -> d.text =~# 'expected force at position 1 for directive, got permanent'})
endfunction
try
  exe 'edit' fnameescape($E2E_PACK . '/../notes.md')
  call setline(1, $E2E_ORDER)
  silent write
  ALELint
  sleep 500m
  if !empty(getloclist(0)) | let s:fail .= 'findings outside of a pack ' | endif
  exe 'edit' fnameescape($E2E_PACK . '/memory/copy-voice.md')
  ALELint
  if s:wait('finding', '!empty(s:order())')
    let s:d = s:order()[0]
    if getline(s:d.lnum) !=# $E2E_ORDER || strpart(getline(s:d.lnum), s:d.col - 1, 9) !=# 'permanent' | let s:fail .= string(s:d) | endif
    if $E2E_EXTRA !=# ''
      let s:e = filter(copy(getloclist(0)), {_, d -> getline(d.lnum) ==# $E2E_EXTRA})
      " ALE shows the column as UTF-16 counts it, so only the line is compared.
      if empty(s:e) | let s:fail .= 'no finding behind the emoji ' | endif
    endif
    call cursor(s:d.lnum, s:d.col)
    ALECodeAction
    if s:wait('code action', 'getline(s:d.lnum) ==# $E2E_FIXED')
      silent write
      call s:wait('finding gone', 'empty(s:order())')
      if index(readfile(expand('%:p')), $E2E_FIXED) < 0 | let s:fail .= 'file ' | endif
    endif
  endif
catch
  let s:fail .= v:exception . ' at ' . v:throwpoint
endtry
call writefile([s:fail ==# '' ? 'PASS vim ' . v:versionlong . ' with ALE' : 'not ok - ' . s:fail], '/dev/stdout')
if s:fail ==# '' | qall! | else | cquit! | endif
