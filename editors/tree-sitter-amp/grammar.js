/**
 * Agent Memory Protocol capability files (v0.4, inline tags).
 *
 * The format is line-based: what a line is depends on its first characters, on
 * whether it holds a `]`, and on the line before it. The external scanner
 * (src/scanner.c) classifies lines and so keeps the block structure equal to
 * the linter's parser; the rules here only give the parts of a line their names.
 * No text makes the parser fail: whatever is no primitive is a stray_line.
 */

// White space as ECMAScript's \s has it, line ends left out.
const SPACE = /[ \t\v\f\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/;

module.exports = grammar({
  name: "amp",

  externals: ($) => [
    $._line_end, // a line break, or the end of the file
    $._to_reason, // a line break that a reason line follows
    $._blank_line,
    $._frontmatter_begin, // `---` on line 1
    $.yaml,
    $._frontmatter_end,
    $._legend_begin, // `sources` as the first line of the body
    $.key, // `illustrates` in front of a colon
    $._tag_begin, // `[` of a line that matches the block-start pattern
    $.stray_line,
    $._content,
    $._body_lead, // text between the tag and the brace of a demonstration
    $._brace_begin,
    $._body_line_end,
    $._body,
    $._brace_end,
    $._reason_begin, // two white-space characters and `>`
    $._citation_begin, // `[` of a reason that is exactly one bracket pair
    $._citation_code,
    $._reason_text,
    $._legend_code,
    $._legend_title,
    $._legend_url,
    $._error_sentinel,
  ],

  extras: (_) => [SPACE],

  rules: {
    source_file: ($) =>
      seq(
        optional($.frontmatter),
        repeat(
          choice($._blank_line, $.legend, seq(choice($.primitive, $.stray_line), $._line_end)),
        ),
      ),

    frontmatter: ($) =>
      seq(
        alias($._frontmatter_begin, "---"),
        $._line_end,
        optional($.yaml),
        optional(seq(alias($._frontmatter_end, "---"), $._line_end)),
      ),

    legend: ($) =>
      prec.right(
        seq(
          alias($._legend_begin, "sources"),
          ":",
          $._line_end,
          repeat(choice($.source, $._blank_line)),
        ),
      ),

    source: ($) =>
      choice(
        seq(
          field("code", alias($._legend_code, $.code)),
          ":",
          optional(field("title", alias($._legend_title, $.title))),
          $._line_end,
        ),
        seq(field("url", alias($._legend_url, $.url)), $._line_end),
      ),

    primitive: ($) =>
      seq(
        field("tag", $.tag),
        optional(
          choice(
            field("content", alias($._content, $.content)),
            seq(optional(field("lead", alias($._body_lead, $.lead))), field("content", $.verbatim)),
          ),
        ),
        repeat(seq($._to_reason, field("reason", $.reason))),
      ),

    tag: ($) =>
      seq(
        alias($._tag_begin, "["),
        field("type", $.type),
        optional($._facet),
        repeat(seq(",", optional($._facet))),
        "]",
      ),

    type: (_) => token(prec(2, /\w+/)),

    _facet: ($) => choice(field("facet", $.facet), field("facet", $.keyed_facet)),

    facet: (_) => token(/[^\s,\]]([^,\]\r\n]*[^\s,\]])?/),

    keyed_facet: ($) => seq($.key, ":", optional(alias($.facet, $.label))),

    verbatim: ($) =>
      seq(
        alias($._brace_begin, "{"),
        $._body_line_end,
        optional(alias($._body, $.body)),
        optional(alias($._brace_end, "}")),
      ),

    reason: ($) =>
      seq(
        alias($._reason_begin, ">"),
        optional(choice($.citation, alias($._reason_text, $.text))),
      ),

    citation: ($) =>
      seq(
        alias($._citation_begin, "["),
        field("code", alias($._citation_code, $.code)),
        optional(alias(token(/ — verbatim/), $.verbatim_mark)),
        "]",
      ),
  },
});
