// SPDX-License-Identifier: Apache-2.0

/// The digits on the display that pair a phone, for those who cannot scan the QR code.
package enum PairingCode {
  package static let count = 6

  /// Whether `text` has the form of these digits. They can be guessed, unlike the secret in the QR code, so
  /// attempts with them are limited.
  package static func matches(_ text: String) -> Bool {
    text.utf8.count == count && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
