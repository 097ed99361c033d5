// SPDX-License-Identifier: Apache-2.0

import Languages

/// What is shown for people with a phone: QR codes, and texts that say what to do with them.
package struct Notice: Hashable, Sendable {
  /// A line of text, or a few.
  package enum Line: Hashable, Sendable {
    case heading(Word)
    /// In small letters, on several lines if need be. Left out where there is little space.
    case instructions(Word)
    /// A name, and a problem with it.
    case problem(String, Word)
    case name(String)
    case password(String)
    /// An address for people to type, which is never cut.
    case address(String)
    /// What people can type, in groups.
    case code(String)
    /// The time that is left until `ends`, in the minutes and seconds of the notice's panel.
    case countdown
  }

  /// A QR code with its text.
  package struct Part: Hashable, Sendable {
    /// The content of the QR code; nil: there is only the text.
    package var code: String?
    package var lines: [Line]

    package init(code: String? = nil, _ lines: [Line]) {
      (self.code, self.lines) = (code, lines)
    }
  }

  /// One or two, in the order in which people use them. At most one has a countdown.
  package var parts: [Part]
  /// When it disappears, on the scoreboard's clock, in nanoseconds; nil: not by itself, so it must not cover
  /// anything.
  package var ends: Int64?

  package init(_ parts: [Part], ends: Int64? = nil) {
    (self.parts, self.ends) = (parts, ends)
  }
}

extension Notice.Part {
  /// The part with which a phone is paired.
  ///
  /// - Parameters:
  ///   - url: the content of the QR code.
  ///   - address: for people to type, with the port.
  ///   - codes: what people can type, in groups.
  ///   - hasEnd: whether the time that is left is shown.
  package static func pairing(
    url: String, address: String, codes: [String], heading: Word, hasEnd: Bool = false
  ) -> Notice.Part {
    let lines = [Notice.Line.heading(heading), .instructions(.scan), .address(address)]
    return Notice.Part(code: url, lines + codes.map { .code($0) } + (hasEnd ? [.countdown] : []))
  }
}
