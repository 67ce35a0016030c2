; Only the frontmatter is another language. A demonstration's body is verbatim and stays plain.
((yaml) @injection.content
  (#set! injection.language "yaml"))
