// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The program's command line arguments.
package enum ProgramArguments {
  /// The arguments after the program's name. Bytes that are not UTF-8 are replaced.
  package static var words: [String] { all.dropFirst().map { String(decoding: $0, as: UTF8.self) } }

  private static var all: [[UInt8]] {
    var words: [[UInt8]] = []
    while let word = clinux_argument(Int32(words.count)) {
      words.append(UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) })
    }
    return words
  }

  /// An error message if an argument is not valid UTF-8, because `words` would then have a different name or
  /// path; otherwise nil.
  package static var problem: String? { problem(in: all) }

  static func problem(in words: [[UInt8]]) -> String? {
    for (index, word) in words.enumerated() where String(validating: word, as: UTF8.self) == nil {
      // The bytes are escaped, because not every terminal can show them.
      let bytes = word.map {
        $0 >= 0x20 && $0 < 0x7f ? String(UnicodeScalar($0)) : "\\x" + String($0, radix: 16)
      }
      return "argument \(index) is not UTF-8: '\(bytes.joined())'; use a UTF-8 locale, e.g. LANG=C.UTF-8"
    }
    return nil
  }
}

/// The value of an environment variable; nil if it is not set.
package func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
