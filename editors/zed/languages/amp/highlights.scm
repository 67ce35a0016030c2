; Frontmatter is YAML by injection.
["---"] @punctuation.special

((type) @type
  (#any-of? @type "goal" "claim" "directive" "demonstration" "demo"))

["[" "]"] @punctuation.bracket
["," ":"] @punctuation.delimiter
["{" "}"] @punctuation.special
">" @punctuation.special

((facet) @keyword
  (#any-of? @keyword "must" "should" "may"))
((facet) @constant
  (#any-of? @constant "session" "project" "user" "org"))
((facet) @keyword.modifier
  (#any-of? @keyword.modifier "permanent" "seasonal" "tactical"))
((facet) @constant.builtin
  (#any-of? @constant.builtin "positive" "negative" "mixed"))

(key) @property
(label) @label

(verbatim (body) @markup.raw)
(lead) @markup.raw

(reason (text) @comment)
(citation (code) @label)
(verbatim_mark) @keyword

"sources" @keyword
(source (code) @label)
(source (title) @string)
(source (url) @string.special.url)
