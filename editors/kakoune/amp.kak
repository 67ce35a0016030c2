# kakoune-lsp 17 or later: put this into kakrc, behind the line that loads kak-lsp.
hook -group lsp-filetype-amp global BufSetOption filetype=(?:markdown|json) %{
    set-option -add buffer lsp_servers %{
        [amp-lsp]
        command = "amp-lsp"
        root_globs = ["manifest.json", ".git"]
    }
}
