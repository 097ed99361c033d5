// SPDX-License-Identifier: Apache-2.0

#include "CTOML.h"

#define TOML_EXCEPTIONS 1
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 32
#include <toml++/toml.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

static_assert(TOML_MAX_NESTED_VALUES == CTOML_MAXIMUM_NESTING);

struct ctoml_document {
  toml::table table;
  ctoml_node root{};
  // Never moved once filled: nodes point at their children.
  std::deque<std::vector<ctoml_node>> children;
  bool parsed = false;
  std::string message;
  ctoml_position position{1, 1};
};

namespace {

ctoml_text text(std::string_view view) { return {view.data(), view.size()}; }

ctoml_position position(const toml::source_region &region) {
  return {std::max<uint32_t>(region.begin.line, 1), std::max<uint32_t>(region.begin.column, 1)};
}

bool before(const ctoml_position &a, const ctoml_position &b) {
  return a.line != b.line ? a.line < b.line : a.column < b.column;
}

// toml++ 3.3 puts no limit on the parts of a dotted key. This finds the first key that has too many, by
// the little of the grammar that tells a key's dots from those of numbers, strings and comments. Where the
// text is malformed it may lose its way, but there the parser stops.
bool find_long_key(std::string_view source, ctoml_position &found) {
  ctoml_position here{1, 0};
  size_t dots = 0;
  auto starts_with = [&](size_t at, std::string_view what) { return source.substr(at, what.size()) == what; };
  for (size_t i = 0; i < source.size(); i++) {
    char c = source[i];
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) here.column++;
    switch (c) {
      case '\n':
        here.line++;
        here.column = 0;
        [[fallthrough]];
      case '=': case ',': case '[': case ']': case '{': case '}':
        dots = 0;
        break;
      case '.':
        if (++dots >= CTOML_MAXIMUM_KEY_PARTS) {
          found = here;
          return true;
        }
        break;
      case '#':
        while (i + 1 < source.size() && source[i + 1] != '\n') i++;
        break;
      case '"': case '\'': {
        const std::string_view triple = c == '"' ? "\"\"\"" : "'''";
        const bool multi_line = starts_with(i, triple);
        size_t j = i + (multi_line ? 3 : 1);
        for (; j < source.size(); j++) {
          if (c == '"' && source[j] == '\\' && j + 1 < source.size() && source[j + 1] != '\n') {
            j++;
          } else if (source[j] == '\n') {
            if (!multi_line) break;
            here.line++;
            here.column = 0;
          } else if (source[j] == c && (!multi_line || starts_with(j, triple))) {
            break;
          }
        }
        if (j >= source.size()) return false;
        if (source[j] == '\n') {
          i = j - 1;
        } else {
          here.column += static_cast<uint32_t>(std::min<size_t>(j - i, UINT32_MAX - here.column));
          i = j + (multi_line ? 2 : 0);
        }
        break;
      }
      default:
        break;
    }
  }
  return false;
}

ctoml_node convert(ctoml_document &document, const toml::node &source) {
  ctoml_node node{};
  node.position = position(source.source());
  std::vector<ctoml_node> children;
  switch (source.type()) {
    case toml::node_type::table:
      node.kind = CTOML_TABLE;
      for (const auto &[key, value] : *source.as_table()) {
        ctoml_node child = convert(document, value);
        child.key = text(key.str());
        child.key_position = position(key.source());
        children.push_back(child);
      }
      std::stable_sort(children.begin(), children.end(), [](const ctoml_node &a, const ctoml_node &b) {
        return before(a.key_position, b.key_position);
      });
      break;
    case toml::node_type::array:
      node.kind = CTOML_ARRAY;
      for (const auto &value : *source.as_array()) children.push_back(convert(document, value));
      break;
    case toml::node_type::string:
      node.kind = CTOML_STRING;
      node.string = text(source.as_string()->get());
      break;
    case toml::node_type::integer:
      node.kind = CTOML_INTEGER;
      node.integer = source.as_integer()->get();
      break;
    case toml::node_type::floating_point:
      node.kind = CTOML_FLOAT;
      node.number = source.as_floating_point()->get();
      break;
    case toml::node_type::boolean:
      node.kind = CTOML_BOOLEAN;
      node.boolean = source.as_boolean()->get();
      break;
    case toml::node_type::date:
      node.kind = CTOML_DATE;
      break;
    case toml::node_type::time:
      node.kind = CTOML_TIME;
      break;
    default:
      node.kind = CTOML_DATE_TIME;
      break;
  }
  if (!children.empty()) {
    document.children.push_back(std::move(children));
    node.children = document.children.back().data();
    node.child_count = document.children.back().size();
  }
  return node;
}

}  // namespace

extern "C" ctoml_document *ctoml_parse(const char *bytes, size_t length) try {
  auto document = std::make_unique<ctoml_document>();
  try {
    const std::string_view source{length == 0 ? "" : bytes, length};
    if (find_long_key(source, document->position)) {
      document->message = "a key of more than 16 parts";
      return document.release();
    }
    document->table = toml::parse(source);
    document->root = convert(*document, document->table);
    document->parsed = true;
  } catch (const toml::parse_error &error) {
    document->position = position(error.source());
    document->message = error.description();
  } catch (const std::exception &error) {
    document->message = error.what();
  } catch (...) {
    document->message = "the parser failed";
  }
  return document.release();
} catch (...) {
  return nullptr;
}

extern "C" void ctoml_free(ctoml_document *document) { delete document; }

extern "C" const ctoml_node *ctoml_root(const ctoml_document *document) {
  return document->parsed ? &document->root : nullptr;
}

extern "C" ctoml_text ctoml_error_message(const ctoml_document *document) { return text(document->message); }

extern "C" ctoml_position ctoml_error_position(const ctoml_document *document) { return document->position; }
