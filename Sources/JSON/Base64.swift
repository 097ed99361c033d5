// SPDX-License-Identifier: Apache-2.0

/// Binary data in JSON strings: base64 with padding (RFC 4648 §4).
package enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  package static func text(_ bytes: [UInt8]) -> String {
    let text = [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text, count in
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let size = min(3, bytes.count - start)
        var group: UInt32 = 0
        for index in 0..<3 { group = group << 8 | (index < size ? UInt32(bytes[start + index]) : 0) }
        for index in 0..<4 {
          let digit = digits[Int(group >> UInt32(18 - 6 * index) & 63)]
          text.initializeElement(at: count, to: index <= size ? digit : padding)
          count += 1
        }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns nil if the text is not base64, or contains other characters such as white space.
  package static func bytes(_ text: String) -> [UInt8]? {
    var values = [UInt8](repeating: 0xff, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    var body = Array(text.utf8)[...]
    guard body.count % 4 == 0 else { return nil }
    for _ in 0..<2 where body.last == padding { body.removeLast() }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(body.count / 4 * 3 + 2)
    var group: UInt32 = 0
    var bits = 0
    for digit in body {
      let value = values[Int(digit)]
      guard value < 64 else { return nil }
      group = group << 6 | UInt32(value)
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
    }
    return bytes
  }
}
