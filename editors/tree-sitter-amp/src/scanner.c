// Line classifier of the AMP grammar. Each function mirrors one rule of Part 5
// of the specification, and the linter's parser is the reference for what the
// specification leaves open: the two are compared block by block in the tests.

#include "tree_sitter/parser.h"

#include <stdlib.h>
#include <string.h>

enum Token {
  LINE_END,
  TO_REASON,
  BLANK_LINE,
  FRONTMATTER_BEGIN,
  YAML,
  FRONTMATTER_END,
  LEGEND_BEGIN,
  KEY,
  TAG_BEGIN,
  STRAY_LINE,
  CONTENT,
  BODY_LEAD,
  BRACE_BEGIN,
  BODY_LINE_END,
  BODY,
  BRACE_END,
  REASON_BEGIN,
  CITATION_BEGIN,
  CITATION_CODE,
  REASON_TEXT,
  LEGEND_CODE,
  LEGEND_TITLE,
  LEGEND_URL,
  ERROR_SENTINEL,
};

// What a token depends on beyond the text in front of it.
typedef struct {
  bool demonstration; // the tag of the current line is a demonstration's
  bool started;       // a line of the body was read: no legend from here on
} Scanner;

static inline int32_t peek(TSLexer *lexer) { return lexer->lookahead; }
static inline void next(TSLexer *lexer) { lexer->advance(lexer, false); }
static inline void skip(TSLexer *lexer) { lexer->advance(lexer, true); }

static inline bool at_line_end(TSLexer *lexer) {
  return lexer->eof(lexer) || peek(lexer) == '\n' || peek(lexer) == '\r';
}

// ECMAScript's \s without the line ends: Part 5 gives its patterns in that dialect.
static bool is_space(int32_t c) {
  switch (c) {
    case ' ': case '\t': case '\v': case '\f':
    case 0xA0: case 0x1680: case 0x2028: case 0x2029:
    case 0x202F: case 0x205F: case 0x3000: case 0xFEFF:
      return true;
    default:
      return c >= 0x2000 && c <= 0x200A;
  }
}

static bool is_word(int32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool next_space(TSLexer *lexer) {
  if (at_line_end(lexer) || !is_space(peek(lexer))) return false;
  next(lexer);
  return true;
}

static void to_line_end(TSLexer *lexer) {
  while (!at_line_end(lexer)) next(lexer);
}

static bool rest_is_blank(TSLexer *lexer) {
  while (next_space(lexer)) {}
  return at_line_end(lexer);
}

// Passes LF, CRLF or a lone CR.
static void line_break(TSLexer *lexer) {
  if (peek(lexer) == '\r') next(lexer);
  else if (peek(lexer) == '\n') { next(lexer); return; }
  if (!lexer->eof(lexer) && peek(lexer) == '\n') next(lexer);
}

static bool is_type(const char *word, const char *type) { return strcmp(word, type) == 0; }

static bool is_demonstration(const char *word) {
  return is_type(word, "demo") || is_type(word, "demonstration");
}

static bool is_known(const char *word) {
  return is_demonstration(word) || is_type(word, "goal") || is_type(word, "claim") ||
         is_type(word, "directive");
}

// Longer than any type, so that a cut-off word equals none of them.
enum { WORD_MAX = 16 };

typedef struct {
  bool tag;     // the line matches the block-start pattern of Part 5.2
  bool cut_tag; // a known type without the closing bracket
  bool demonstration;
} Head;

// Reads on from behind the `[` of a line and tells what the line is.
static Head read_head(TSLexer *lexer) {
  char word[WORD_MAX + 1] = {0};
  int length = 0;
  for (; !at_line_end(lexer) && is_word(peek(lexer)); next(lexer)) {
    if (length < WORD_MAX) word[length] = (char)peek(lexer);
    length++;
  }
  Head head = {false, false, false};
  if (length == 0) return head;
  while (!at_line_end(lexer) && peek(lexer) != ']') next(lexer);
  head.tag = !at_line_end(lexer);
  head.cut_tag = !head.tag && length <= WORD_MAX && is_known(word);
  head.demonstration = length <= WORD_MAX && is_demonstration(word);
  return head;
}

// `---`, white space at its end allowed.
static bool read_fence(TSLexer *lexer) {
  for (int i = 0; i < 3; i++) {
    if (lexer->eof(lexer) || peek(lexer) != '-') return false;
    next(lexer);
    if (i == 2) lexer->mark_end(lexer);
  }
  return rest_is_blank(lexer);
}

static bool accept(TSLexer *lexer, enum Token token) {
  lexer->result_symbol = token;
  return true;
}

static bool tag_begin(Scanner *scanner, TSLexer *lexer, Head head) {
  scanner->started = true;
  scanner->demonstration = head.demonstration;
  return accept(lexer, TAG_BEGIN);
}

static bool stray_line(Scanner *scanner, TSLexer *lexer) {
  to_line_end(lexer);
  lexer->mark_end(lexer);
  scanner->started = true;
  return accept(lexer, STRAY_LINE);
}

// Everything up to the closing fence. Without one the frontmatter ends before
// the first line that opens a block, so that the primitives are still read.
static bool scan_yaml(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  bool any = false;
  while (!lexer->eof(lexer)) {
    lexer->mark_end(lexer);
    if (peek(lexer) == '-') {
      // mark_end moves inside read_fence only on a whole `---`; a fence that is
      // the first line is the token itself, otherwise the text before it is.
      int dashes = 0;
      while (!lexer->eof(lexer) && peek(lexer) == '-' && dashes < 3) {
        next(lexer);
        dashes++;
      }
      if (dashes == 3 && !any && valid[FRONTMATTER_END]) lexer->mark_end(lexer);
      if (dashes == 3 && rest_is_blank(lexer)) {
        return any ? accept(lexer, YAML) : valid[FRONTMATTER_END] && accept(lexer, FRONTMATTER_END);
      }
    } else if (peek(lexer) == '[') {
      next(lexer);
      if (!any) lexer->mark_end(lexer);
      Head head = read_head(lexer);
      if (any && (head.tag || head.cut_tag)) return accept(lexer, YAML);
      if (head.tag) return tag_begin(scanner, lexer, head);
      if (head.cut_tag) return stray_line(scanner, lexer);
    }
    to_line_end(lexer);
    line_break(lexer);
    any = true;
  }
  lexer->mark_end(lexer);
  return any && accept(lexer, YAML);
}

// Lines up to one that is exactly `}`; everything to the end without one.
static bool scan_body(TSLexer *lexer) {
  bool any = false;
  while (!lexer->eof(lexer)) {
    lexer->mark_end(lexer);
    if (peek(lexer) == '}') {
      next(lexer);
      if (!any) lexer->mark_end(lexer);
      if (at_line_end(lexer)) return accept(lexer, any ? BODY : BRACE_END);
    }
    to_line_end(lexer);
    line_break(lexer);
    any = true;
  }
  lexer->mark_end(lexer);
  return any && accept(lexer, BODY);
}

// A line at column 0 outside of bodies, frontmatter and legend.
static bool scan_line(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  if (lexer->eof(lexer)) return false;
  if (at_line_end(lexer) || is_space(peek(lexer))) {
    if (rest_is_blank(lexer)) {
      line_break(lexer);
      lexer->mark_end(lexer);
      return valid[BLANK_LINE] && accept(lexer, BLANK_LINE);
    }
  } else if (peek(lexer) == '[') {
    next(lexer);
    lexer->mark_end(lexer);
    Head head = read_head(lexer);
    if (head.tag) return tag_begin(scanner, lexer, head);
  } else if (!scanner->started && valid[LEGEND_BEGIN] && peek(lexer) == 's') {
    const char *word = "sources";
    while (*word && !lexer->eof(lexer) && peek(lexer) == *word) {
      next(lexer);
      word++;
    }
    if (!*word && peek(lexer) == ':') {
      lexer->mark_end(lexer);
      next(lexer);
      if (rest_is_blank(lexer)) {
        scanner->started = true;
        return accept(lexer, LEGEND_BEGIN);
      }
    }
  }
  return stray_line(scanner, lexer);
}

// An indented line of the legend: `  code: title` at two spaces or, deeper, a URL.
static bool scan_source(TSLexer *lexer, const bool *valid) {
  int indent = 0;
  for (; !at_line_end(lexer) && is_space(peek(lexer)); indent++) skip(lexer);
  if (at_line_end(lexer)) {
    if (lexer->eof(lexer) && indent == 0) return false;
    line_break(lexer);
    lexer->mark_end(lexer);
    return valid[BLANK_LINE] && accept(lexer, BLANK_LINE);
  }
  if (indent > 2) {
    to_line_end(lexer);
    lexer->mark_end(lexer);
    return valid[LEGEND_URL] && accept(lexer, LEGEND_URL);
  }
  while (!at_line_end(lexer)) {
    if (peek(lexer) != ':') {
      next(lexer);
      continue;
    }
    lexer->mark_end(lexer);
    next(lexer);
    if (at_line_end(lexer) || is_space(peek(lexer))) return accept(lexer, LEGEND_CODE);
  }
  // No colon: not an entry, but still a line of the legend.
  lexer->mark_end(lexer);
  return valid[LEGEND_URL] && accept(lexer, LEGEND_URL);
}

// What follows the `]` of a tag.
static bool scan_content(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  while (!at_line_end(lexer) && is_space(peek(lexer))) skip(lexer);
  if (at_line_end(lexer)) return false;
  bool whole = true, brace = false;
  while (!at_line_end(lexer)) {
    brace = peek(lexer) == '{';
    if (brace) lexer->mark_end(lexer);
    next(lexer);
    if (brace && at_line_end(lexer)) break;
    whole = false;
    brace = false;
  }
  if (brace && whole && valid[BRACE_BEGIN]) {
    lexer->mark_end(lexer);
    return accept(lexer, BRACE_BEGIN);
  }
  if (brace && scanner->demonstration && valid[BODY_LEAD]) return accept(lexer, BODY_LEAD);
  lexer->mark_end(lexer);
  return accept(lexer, CONTENT);
}

// A citation is a reason that is exactly one bracket pair, white space around it allowed.
static bool scan_reason(TSLexer *lexer, const bool *valid) {
  if (at_line_end(lexer)) return false;
  if (is_space(peek(lexer))) skip(lexer);
  if (at_line_end(lexer)) return false;
  lexer->mark_end(lexer);
  while (next_space(lexer)) {}
  if (peek(lexer) == '[' && valid[CITATION_BEGIN]) {
    next(lexer);
    lexer->mark_end(lexer);
    bool any = false;
    while (!at_line_end(lexer) && peek(lexer) != ']' && peek(lexer) != '[') {
      any = true;
      next(lexer);
    }
    if (any && !at_line_end(lexer) && peek(lexer) == ']') {
      next(lexer);
      if (rest_is_blank(lexer)) return accept(lexer, CITATION_BEGIN);
    }
  }
  to_line_end(lexer);
  lexer->mark_end(lexer);
  return accept(lexer, REASON_TEXT);
}

// The code ends at ` — verbatim]` or at the bracket.
static bool scan_code(TSLexer *lexer) {
  static const int32_t mark[] = {' ', 0x2014, ' ', 'v', 'e', 'r', 'b', 'a', 't', 'i', 'm'};
  const int length = sizeof mark / sizeof mark[0];
  bool any = false;
  while (!at_line_end(lexer) && peek(lexer) != ']') {
    if (any && peek(lexer) == ' ') {
      lexer->mark_end(lexer);
      int i = 0;
      while (i < length && !at_line_end(lexer) && peek(lexer) == mark[i]) {
        next(lexer);
        i++;
      }
      if (i == length && !at_line_end(lexer) && peek(lexer) == ']') return accept(lexer, CITATION_CODE);
      continue;
    }
    next(lexer);
    any = true;
  }
  lexer->mark_end(lexer);
  return any && accept(lexer, CITATION_CODE);
}

// `illustrates:`; any other word in a facet's place is a value.
static bool scan_key(TSLexer *lexer) {
  while (!at_line_end(lexer) && is_space(peek(lexer))) skip(lexer);
  for (const char *c = "illustrates"; *c; c++) {
    if (at_line_end(lexer) || peek(lexer) != *c) return false;
    next(lexer);
  }
  lexer->mark_end(lexer);
  return !at_line_end(lexer) && peek(lexer) == ':' && accept(lexer, KEY);
}

static bool read_reason_marker(TSLexer *lexer) {
  return next_space(lexer) && next_space(lexer) && !at_line_end(lexer) && peek(lexer) == '>';
}

static bool scan_line_end(TSLexer *lexer, const bool *valid) {
  while (!at_line_end(lexer) && is_space(peek(lexer))) skip(lexer);
  if (!at_line_end(lexer)) return false;
  if (lexer->eof(lexer)) {
    if (!valid[LINE_END] && !valid[BODY_LINE_END]) return false;
    lexer->mark_end(lexer);
    return accept(lexer, valid[BODY_LINE_END] ? BODY_LINE_END : LINE_END);
  }
  line_break(lexer);
  lexer->mark_end(lexer);
  if (valid[BODY_LINE_END]) return accept(lexer, BODY_LINE_END);
  if (valid[TO_REASON] && read_reason_marker(lexer)) return accept(lexer, TO_REASON);
  return valid[LINE_END] && accept(lexer, LINE_END);
}

static bool scan_reason_begin(TSLexer *lexer) {
  if (at_line_end(lexer) || !is_space(peek(lexer))) return false;
  skip(lexer);
  if (at_line_end(lexer) || !is_space(peek(lexer))) return false;
  skip(lexer);
  if (at_line_end(lexer) || peek(lexer) != '>') return false;
  next(lexer);
  lexer->mark_end(lexer);
  return accept(lexer, REASON_BEGIN);
}

void *tree_sitter_amp_external_scanner_create(void) { return calloc(1, sizeof(Scanner)); }
void tree_sitter_amp_external_scanner_destroy(void *payload) { free(payload); }

unsigned tree_sitter_amp_external_scanner_serialize(void *payload, char *buffer) {
  Scanner *scanner = payload;
  buffer[0] = (char)(scanner->demonstration | scanner->started << 1);
  return 1;
}

void tree_sitter_amp_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  Scanner *scanner = payload;
  char bits = length ? buffer[0] : 0;
  scanner->demonstration = bits & 1;
  scanner->started = bits & 2;
}

bool tree_sitter_amp_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  Scanner *scanner = payload;
  if (valid[ERROR_SENTINEL]) return false;
  if (valid[FRONTMATTER_BEGIN] && peek(lexer) == '-') {
    lexer->mark_end(lexer);
    return read_fence(lexer) ? accept(lexer, FRONTMATTER_BEGIN) : stray_line(scanner, lexer);
  }
  if (valid[YAML]) {
    return scan_yaml(scanner, lexer, valid);
  }
  if (valid[FRONTMATTER_END] && peek(lexer) == '-') {
    if (read_fence(lexer)) return accept(lexer, FRONTMATTER_END);
    return false;
  }
  if (valid[BODY]) return scan_body(lexer);
  if (valid[BRACE_END] && peek(lexer) == '}') {
    next(lexer);
    lexer->mark_end(lexer);
    return accept(lexer, BRACE_END);
  }
  if (valid[LEGEND_CODE] && (lexer->eof(lexer) || at_line_end(lexer) || is_space(peek(lexer)))) {
    return scan_source(lexer, valid);
  }
  if (valid[LEGEND_TITLE] && !at_line_end(lexer)) {
    while (!at_line_end(lexer) && is_space(peek(lexer))) skip(lexer);
    if (!at_line_end(lexer)) {
      to_line_end(lexer);
      lexer->mark_end(lexer);
      return accept(lexer, LEGEND_TITLE);
    }
  }
  if (valid[KEY]) return scan_key(lexer);
  if (valid[REASON_BEGIN]) return scan_reason_begin(lexer);
  if (valid[CITATION_CODE]) return scan_code(lexer);
  if (valid[REASON_TEXT] && scan_reason(lexer, valid)) return true;
  if (valid[CONTENT] && scan_content(scanner, lexer, valid)) return true;
  if (valid[BRACE_BEGIN] && !valid[CONTENT] && peek(lexer) == '{') {
    next(lexer);
    lexer->mark_end(lexer);
    return accept(lexer, BRACE_BEGIN);
  }
  if (valid[LINE_END] || valid[TO_REASON] || valid[BODY_LINE_END]) return scan_line_end(lexer, valid);
  if (valid[TAG_BEGIN]) return scan_line(scanner, lexer, valid);
  return false;
}
