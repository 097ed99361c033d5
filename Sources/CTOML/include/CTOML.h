// SPDX-License-Identifier: Apache-2.0
//
// A C interface to toml++: it parses bytes into a tree of nodes with their positions. Nothing here throws.
// Everything that a document returns is valid until the document is freed.
#ifndef CTOML_H
#define CTOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Text that exceeds one of these limits is an error. The nesting of arrays and inline tables and the parts of
// a dotted key are limited because the tree is built, read and freed by recursion. The number of keys and
// arrays together (CTOML_MAXIMUM_KEYS) is limited because of the time they take.
enum { CTOML_MAXIMUM_NESTING = 32, CTOML_MAXIMUM_KEY_PARTS = 16, CTOML_MAXIMUM_KEYS = 10000 };

typedef struct ctoml_document ctoml_document;

typedef enum ctoml_kind {
  CTOML_TABLE,
  CTOML_ARRAY,
  CTOML_STRING,
  CTOML_INTEGER,
  CTOML_FLOAT,
  CTOML_BOOLEAN,
  CTOML_DATE,
  CTOML_TIME,
  CTOML_DATE_TIME,
} ctoml_kind;

// UTF-8, without a NUL at the end.
typedef struct ctoml_text {
  const char *bytes;
  size_t length;
} ctoml_text;

// Lines and columns are counted from 1; columns are in code points.
typedef struct ctoml_position {
  uint32_t line;
  uint32_t column;
} ctoml_position;

typedef struct ctoml_node ctoml_node;

struct ctoml_node {
  ctoml_kind kind;
  // The key of this entry of a table; empty for elements of an array and for the root.
  ctoml_text key;
  ctoml_position key_position;
  ctoml_position position;
  // The entries of a table, in the order of the file, or the elements of an array.
  const ctoml_node *children;
  size_t child_count;
  // The value of a string; of a date or date-time, its text as in RFC 3339.
  ctoml_text string;
  int64_t integer;
  // May be infinite or NaN.
  double number;
  bool boolean;
};

// NULL only if there is not enough memory.
ctoml_document *ctoml_parse(const char *bytes, size_t length);
void ctoml_free(ctoml_document *document);

// NULL if the document could not be parsed.
const ctoml_node *ctoml_root(const ctoml_document *document);

// The first error, if the document could not be parsed.
ctoml_text ctoml_error_message(const ctoml_document *document);
ctoml_position ctoml_error_position(const ctoml_document *document);

#ifdef __cplusplus
}
#endif
#endif
