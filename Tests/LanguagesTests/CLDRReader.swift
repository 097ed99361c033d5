// SPDX-License-Identifier: Apache-2.0

import Glibc
import Languages

/// A minimal reader of CLDR's XML, for the tests only. It shares no code with scripts/languages.
struct CLDRReader {
  /// Read once, because it takes seconds.
  static let shared = CLDRReader(
    languages: Set(LanguageTable.names.map { String($0.prefix { $0 != "-" }) } + ["no"]))

  /// The directory of CLDR's files: that of Debian's package, unless FLIPCLOCK_CLDR names another one.
  static let directory =
    getenv("FLIPCLOCK_CLDR").map { String(cString: $0) } ?? "/usr/share/unicode/cldr/common"

  private var files: [String: [String: String]] = [:]
  private var parents: [String: String] = [:]

  /// The version of the installed data; nil if there is none.
  static let version: String? = bytes("dtd/ldml.dtd").flatMap { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    return text.split(separator: "cldrVersion CDATA #FIXED \"").dropFirst().first?.split(separator: "\"")
      .first
      .map(String.init)
  }

  private(set) var locales: [String] = []

  init(languages: Set<String>) {
    for element in elements("supplemental/supplementalData.xml") where element.name == "parentLocale" {
      guard element.attributes["component"] == nil else { continue }
      for locale in (element.attributes["locales"] ?? "").split(separator: " ") {
        parents[String(locale)] = element.attributes["parent"]
      }
    }
    locales = Self.locales(of: languages)
    for locale in locales {
      var current = locale
      while files[current] == nil {
        files[current] = texts(current)
        if current != "root" { current = parent(current) }
      }
    }
  }

  /// The names of the locales of these languages, without variants.
  private static func locales(of languages: Set<String>) -> [String] {
    var names: [String] = []
    guard let directory = opendir(directory + "/main") else { return [] }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let locale = String(name.prefix { $0 != "." })
      let parts = locale.split(separator: "_")
      if let first = parts.first, languages.contains(String(first)), parts.allSatisfy({ $0.count <= 4 }) {
        names.append(locale)
      }
    }
    return names.sorted()
  }

  func parent(_ locale: String) -> String {
    parents[locale] ?? locale.lastIndex(of: "_").map { String(locale[..<$0]) } ?? "root"
  }

  /// The text at the first of `paths` that the locale or one of its parents has. Root is tried last, because
  /// most of its texts are placeholders.
  func text(_ locale: String, _ paths: String...) -> String? {
    for path in paths {
      var current = locale
      while current != "root" {
        if let text = files[current]?[path] { return text }
        current = parent(current)
      }
    }
    return paths.lazy.compactMap { files["root"]?[$0] }.first
  }

  /// The texts of a file, by paths such as `months/monthContext[format]/monthWidth[wide]/month[1]`. Of the
  /// calendars, only the Gregorian one is read.
  private func texts(_ locale: String) -> [String: String] {
    var texts: [String: String] = [:]
    for element in elements("main/\(locale).xml") where !element.isIgnored {
      guard let text = element.text else { continue }
      var path = element.path
      if path.starts(with: ["dates", "calendars"]) {
        guard path.count > 3, path[2] == "calendar[gregorian]" else { continue }
        path.removeFirst(3)
      }
      texts[path.joined(separator: "/")] = text
    }
    return texts
  }

  // MARK: XML

  /// Large elements that no test uses.
  private static let skipped: Set<String> = [
    "localeDisplayNames", "timeZoneNames", "fields", "units", "currencies", "characterLabels",
  ]

  struct Element {
    var name: String
    var attributes: [String: String]
    /// The names of the elements from the root element's child down to this one, each with its type.
    var path: [String]
    /// Whether this element, or one that contains it, is a draft or a variant.
    var isIgnored: Bool
    /// Nil for an element with no text.
    var text: String?
  }

  private static func bytes(_ path: String) -> [UInt8]? {
    guard let file = fopen("\(directory)/\(path)", "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
    }
  }

  func elements(_ path: String) -> [Element] {
    guard let bytes = Self.bytes(path) else { return [] }
    var elements: [Element] = []
    var open: [Element] = []
    var start = 0
    var text: ArraySlice<UInt8> = []
    while let less = bytes[start...].firstIndex(of: UInt8(ascii: "<")) {
      text = bytes[start..<less]
      if bytes[less...].starts(with: "<!--".utf8) {
        var end = less + 4
        while !bytes[end...].starts(with: "-->".utf8) { end += 1 }
        start = end + 3
        continue
      }
      guard let greater = bytes[less...].firstIndex(of: UInt8(ascii: ">")) else { break }
      start = greater + 1
      let tag = String(decoding: bytes[(less + 1)..<greater], as: UTF8.self)
      if tag.hasPrefix("?") || tag.hasPrefix("!") { continue }
      if tag.hasPrefix("/") {
        guard var element = open.popLast() else { break }
        if !text.isEmpty { element.text = Self.decoded(String(decoding: text, as: UTF8.self)) }
        if element.text == "↑↑↑" { element.text = nil }
        elements.append(element)
        continue
      }
      var element = Self.element(tag, in: open.last)
      let calendar = element.name == "calendar" ? element.attributes["type"] ?? "" : "gregorian"
      if !tag.hasSuffix("/"), Self.skipped.contains(element.name) || calendar != "gregorian" {
        let end = Array("</\(element.name)>".utf8)
        while start < bytes.count, !bytes[start...].starts(with: end) {
          start = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        }
        start += end.count
        if start >= bytes.count { break }
        continue
      }
      if tag.hasSuffix("/") {
        elements.append(element)
      } else {
        element.text = nil
        open.append(element)
      }
    }
    return elements
  }

  private static func element(_ tag: String, in parent: Element?) -> Element {
    let body = tag.hasSuffix("/") ? tag.dropLast() : tag[...]
    let name = String(body.prefix { !$0.isWhitespace })
    var attributes: [String: String] = [:]
    var rest = body.dropFirst(name.count)
    while let equals = rest.firstIndex(of: "=") {
      let key = rest[..<equals].filter { !$0.isWhitespace }
      let value = rest[rest.index(equals, offsetBy: 2)...].prefix { $0 != "\"" }
      attributes[String(key)] = decoded(String(value))
      rest = rest[value.endIndex...].dropFirst()
    }
    let type = attributes["type"] ?? attributes["id"]
    let isDraft = ["unconfirmed", "provisional"].contains(attributes["draft"] ?? "")
    return Element(
      name: name, attributes: attributes,
      path: parent == nil ? [] : (parent?.path ?? []) + [name + (type.map { "[\($0)]" } ?? "")],
      isIgnored: parent?.isIgnored == true || isDraft || attributes["alt"] != nil
        || attributes["count"] != nil,
      text: nil)
  }

  private static func decoded(_ text: String) -> String {
    guard text.contains("&") else { return text }
    var result = ""
    var rest = text[...]
    while let ampersand = rest.firstIndex(of: "&") {
      result += rest[..<ampersand]
      let name = rest[ampersand...].dropFirst().prefix { $0 != ";" }
      switch name {
      case "amp": result += "&"
      case "lt": result += "<"
      case "gt": result += ">"
      case "quot": result += "\""
      case "apos": result += "'"
      default:
        let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
        result.unicodeScalars.append(Unicode.Scalar(number ?? 0xfffd) ?? "\u{fffd}")
      }
      rest = rest[name.endIndex...].dropFirst()
    }
    return result + rest
  }
}
