// SPDX-License-Identifier: Apache-2.0

/// Emits each warning once. The number of remembered keys is bounded, so that hostile text fills neither the
/// journal nor memory.
struct WarnOnce {
  static let limit = 256
  private let emit: (String) -> Void
  private var keys: Set<String> = []

  init(warn: @escaping (String) -> Void) {
    emit = warn
  }

  /// Warns with `message` unless there was a warning for the same key before, or too many warnings.
  mutating func warn(_ message: String, key: String) {
    guard keys.count < Self.limit, keys.insert(key).inserted else { return }
    emit(message)
    if keys.count == Self.limit { emit("fonts: no more warnings are shown") }
  }

  /// Suppresses warnings for `key`, because the problem is reported elsewhere.
  mutating func suppress(_ key: String) {
    if keys.count < Self.limit - 1 { keys.insert(key) }
  }

  /// A name from outside, made safe for one line of a log: quoted, without control characters, at most 80
  /// scalars.
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
