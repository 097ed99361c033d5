// SPDX-License-Identifier: Apache-2.0

import Spelling

/// Why another font is used than the one that was asked for.
enum FontSubstitution {
  case family(String, instead: String)
  /// Nil: the built-in outlines are used.
  case file(String, reason: String, instead: String?)
  case anyFont

  /// What is complained of once.
  var key: String {
    switch self {
    case .family(let name, _): "family \(name)"
    case .file(let path, _, _): "path \(path)"
    case .anyFont: "no fonts"
    }
  }

  /// One line for a log.
  var complaint: String {
    switch self {
    case .family(let name, let instead):
      return "no font family \(Complaints.quoted(name)); using \(Complaints.quoted(instead))"
    case .file(let path, let reason, let instead):
      let instead = instead.map(Complaints.quoted) ?? "the built-in outlines"
      return "font file \(Complaints.quoted(path)) is unusable: \(reason); using \(instead)"
    case .anyFont:
      return
        "no usable font is installed; using the built-in outlines (try: apt install fonts-bebas-neue fonts-inter)"
    }
  }
}

/// A font that a config names and the machine does not have.
public struct FontProblem: Hashable, Sendable {
  /// One clause.
  public let message: String
  /// What to do, one clause.
  public let hint: String

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
    "'\(Complaints.quoted(name).dropFirst().dropLast())'"
  }

  /// Debian's packages of some families.
  private static let packages = [
    "bebas neue": "fonts-bebas-neue", "inter": "fonts-inter", "dejavu sans": "fonts-dejavu-core",
    "roboto": "fonts-roboto", "lato": "fonts-lato", "open sans": "fonts-open-sans",
    "noto sans": "fonts-noto-core",
    "liberation sans": "fonts-liberation",
  ]

  /// How to get a family that is not installed; one clause.
  public static func remedy(for family: String) -> String {
    if let package = packages[family.lowercased()] { return "'sudo apt install \(package)'" }
    return "install it, or name a family that 'fc-list : family' prints"
  }
}
