// SPDX-License-Identifier: Apache-2.0

import JSON
import WebServer

/// A page, as responses. It is sent with the hashes of its style and its script, so that a browser applies no
/// others (Content Security Policy Level 3).
struct WebPage {
  let whole: PreparedResponse
  /// The answer to a client that has the page already.
  let unchanged: PreparedResponse
  let tag: String

  /// The page of scorers.
  static var scorers: [UInt8] { including(PackageResources.page_html) }
  /// The page of spectators, which is also a line over a video.
  static var spectators: [UInt8] { including(PackageResources.board_html) }

  /// The page of the settings.
  static var settings: [UInt8] { including(PackageResources.settings_html) }

  /// The page on which people connect the machine to a network.
  static var setup: [UInt8] { including(PackageResources.setup_html) }

  /// A page with the files that its lines name.
  private static func including(_ page: [UInt8]) -> [UInt8] {
    [
      ("/* common.css */\n", PackageResources.common_css), ("// elements.js\n", PackageResources.elements_js),
      ("// time.js\n", PackageResources.time_js),
      ("// common.js\n", PackageResources.common_js),
      ("// looks.js\n", PackageResources.looks_js),
    ].reduce(page) { page, part in Array(page.parts(between: part.0).joined(separator: part.1)) }
  }

  init(_ source: [UInt8]) {
    let bytes = Self.compact(source)
    tag = "\"\(Base64.text(Array(sha256(bytes).prefix(12))))\""
    let headers =
      Self.common + [
        .init("ETag", tag), .init("Cache-Control", "no-cache"),
        .init("Content-Security-Policy", Self.contentSecurityPolicy(of: bytes)),
      ]
    whole = PreparedResponse(
      HTTPResponse(
        status: 200, headers: headers + [.init("Content-Type", "text/html; charset=utf-8")], body: bytes))
    unchanged = PreparedResponse(HTTPResponse(status: 304, headers: headers))
  }

  /// The page as phones load it: without indentation and comment lines, without optional spaces and line
  /// breaks in its style, without spaces around the most frequent operators of its script, and with its
  /// statements on few lines.
  static func compact(_ page: [UInt8]) -> [UInt8] {
    let lines = page.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }
    let needed = lines.filter { line in
      !line.isEmpty && !line.starts(with: Array("//".utf8))
        && !(line.starts(with: Array("/*".utf8)) && line.reversed().starts(with: Array("/*".utf8)))
    }
    let whole = Array(needed.joined(separator: [UInt8(ascii: "\n")]))
    let end = whole.parts(between: "</style>")[0].endIndex
    var style = Array(whole[..<end])
    for (part, short) in [
      (": ", ":"), ("; ", ";"), (", ", ","), ("{ ", "{"), (" {", "{"), (" }", "}"), ("{\n", "{"),
      ("}\n", "}"),
      (";\n", ";"), (",\n", ","), (" > ", ">"), (";}", "}"),
    ] {
      style = Array(style.parts(between: part).joined(separator: Array(short.utf8)))
    }
    var script = Array(whole[end...])
    for mark in ["=", "=>", "===", "!==", "&&", "||", "??"] {
      script = Array(script.parts(between: " \(mark) ").joined(separator: Array(mark.utf8)))
    }
    for (part, short) in [(";\n", ";"), ("{\n", "{"), (",\n", ","), (") {", "){")] {
      script = Array(script.parts(between: part).joined(separator: Array(short.utf8)))
    }
    return style + script
  }

  /// Header fields of every response.
  static let common: [HTTPResponse.Header] = [
    .init("X-Content-Type-Options", "nosniff"), .init("X-Frame-Options", "DENY"),
    .init("Referrer-Policy", "no-referrer"), .init("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  static func contentSecurityPolicy(of page: [UInt8]) -> String {
    func hashes(_ element: String) -> String {
      let sources = inline(element, in: page).map { "'sha256-\(Base64.text(sha256($0)))'" }
      return sources.isEmpty ? "'none'" : sources.joined(separator: " ")
    }
    return [
      "default-src 'none'", "script-src \(hashes("script"))", "style-src \(hashes("style"))",
      "connect-src 'self'", "img-src data:", "form-action 'none'", "frame-ancestors 'none'",
      "base-uri 'none'",
    ].joined(separator: "; ")
  }

  /// The contents of the elements `<script>` and `<style>`, which are written without attributes.
  static func inline(_ element: String, in page: [UInt8]) -> [[UInt8]] {
    page.parts(between: "<\(element)>").dropFirst().map {
      Array(Array($0).parts(between: "</\(element)>")[0])
    }
  }
}

extension [UInt8] {
  /// The parts between the occurrences of a text, at least one. `Collection.split(separator:)` for
  /// collections would link the regex engine, which is larger than the page.
  fileprivate func parts(between text: String) -> [ArraySlice<UInt8>] {
    let separator = Array(text.utf8)
    var parts: [ArraySlice<UInt8>] = []
    var (start, index) = (0, 0)
    while index + separator.count <= count {
      if self[index] == separator[0], self[index..<index + separator.count].elementsEqual(separator) {
        parts.append(self[start..<index])
        index += separator.count
        start = index
      } else {
        index += 1
      }
    }
    return parts + [self[start...]]
  }
}
