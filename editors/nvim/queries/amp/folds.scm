[
  (frontmatter)
  (legend)
  (primitive)
  (verbatim)
] @fold
