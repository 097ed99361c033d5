// SPDX-License-Identifier: Apache-2.0

/// Passes each complaint on once and remembers a bounded number, so that hostile text fills neither
/// the journal nor the memory.
struct Complaints {
  static let limit = 256
  private let warn: (String) -> Void
  private var told: Set<String> = []

  init(warn: @escaping (String) -> Void) {
    self.warn = warn
  }

  /// Warns with `message` unless something was told under the same key.
  mutating func tell(_ message: String, key: String) {
    guard told.count < Self.limit, told.insert(key).inserted else { return }
    warn(message)
    if told.count == Self.limit { warn("fonts: further complaints are not shown") }
  }

  /// Nothing is said of this key any more: somebody else has.
  mutating func silence(_ key: String) {
    if told.count < Self.limit - 1 { told.insert(key) }
  }

  /// A name from outside, fit for one line of a log: quoted, without controls, cut at 80 scalars.
  static func quoted(_ name: String) -> String {
    var text = "“"
    for (index, scalar) in name.unicodeScalars.enumerated() {
      if index == 80 {
        text += "…"
        break
      }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: text += "\u{fffd}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "”"
  }
}
