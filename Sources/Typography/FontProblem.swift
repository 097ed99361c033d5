// SPDX-License-Identifier: Apache-2.0

import Spelling

/// Why a font other than the requested one is used.
enum FontSubstitution {
  case family(String, instead: String)
  /// `instead` is nil if the built-in outlines are used.
  case file(String, reason: String, instead: String?)
  case anyFont

  /// Identifies the problem, so that it is reported once.
  var key: String {
    switch self {
    case .family(let name, _): "family \(name)"
    case .file(let path, _, _): "path \(path)"
    case .anyFont: "no fonts"
    }
  }

  /// One line for a log.
  var warning: String {
    switch self {
    case .family(let name, let instead):
      return "font family \(WarnOnce.quoted(name)) is not installed; using \(WarnOnce.quoted(instead))"
    case .file(let path, let reason, let instead):
      let instead = instead.map(WarnOnce.quoted) ?? "the built-in outlines"
      return "font file \(WarnOnce.quoted(path)) is unusable: \(reason); using \(instead)"
    case .anyFont:
      return
        "no usable font is installed; using the built-in outlines (try: apt install fonts-bebas-neue fonts-inter)"
    }
  }
}

/// A font that the config names but that cannot be used.
package struct FontProblem: Hashable, Sendable {
  /// One clause, without a full stop.
  package let message: String
  /// How to fix the problem, in one clause.
  package let hint: String

  init(_ substitution: FontSubstitution, families: () -> [String]) {
    switch substitution {
    case .family(let name, _):
      message = "unknown font \(Self.quoted(name))"
      hint = Spelling.hint(for: name, among: families()) ?? Self.remedy(for: name)
    case .file(let path, let reason, _):
      message = "the font file \(Self.quoted(path)) cannot be used: \(reason)"
      hint = "write the path of a .ttf or .otf file, or a family that 'fc-list : family' prints"
    case .anyFont:
      message = "no usable font is installed"
      hint = "'sudo apt install fonts-bebas-neue fonts-inter'"
    }
  }

  private static func quoted(_ name: String) -> String {
    "'\(WarnOnce.quoted(name).dropFirst().dropLast())'"
  }

  /// Debian packages of common families.
  private static let packages = [
    "bebas neue": "fonts-bebas-neue", "inter": "fonts-inter", "dejavu sans": "fonts-dejavu-core",
    "roboto": "fonts-roboto", "lato": "fonts-lato", "open sans": "fonts-open-sans",
    "noto sans": "fonts-noto-core",
    "liberation sans": "fonts-liberation",
  ]

  /// How to get a family that is not installed; one clause.
  package static func remedy(for family: String) -> String {
    if let package = packages[family.lowercased()] { return "'sudo apt install \(package)'" }
    return "install it, or name a family that 'fc-list : family' prints"
  }
}
