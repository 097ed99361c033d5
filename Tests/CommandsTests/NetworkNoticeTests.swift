// SPDX-License-Identifier: Apache-2.0

import CommandSamples
import Commands
import TestSupport
import Testing

@Suite("What is shown about the network") struct NetworkNoticeTests {
  /// What a phone reads from the QR code, by the rules of the format; nil if it is malformed.
  private static func read(_ code: String) -> [String: String]? {
    guard code.hasPrefix("WIFI:") else { return nil }
    var (fields, text, isEscaped) = ([String](), "", false)
    for character in code.dropFirst(5) {
      if isEscaped {
        text.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == ";" {
        fields.append(text)
        text = ""
      } else {
        // Only the first colon of a field and quotes around a value are not escaped.
        text.append(character)
      }
    }
    guard !isEscaped, text.isEmpty, fields.last == "" else { return nil }
    var result: [String: String] = [:]
    for field in fields.dropLast() {
      guard let colon = field.firstIndex(of: ":") else { return nil }
      var value = String(field[field.index(after: colon)...])
      if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
        value = String(value.dropFirst().dropLast())
      } else if value.allSatisfy(\.isHexDigit) {
        return nil
      }
      result[String(field[..<colon])] = value
    }
    return result
  }

  @Test("A phone reads the name and the password from the QR code, whatever characters they have")
  func code() throws {
    var random = SplitMix(seed: 31)
    let characters = Array("ab;:,\\\"F09 é本")
    for _ in 0..<5_000 {
      func text(_ range: ClosedRange<Int>) -> String {
        String((0..<random.int(range)).map { _ in characters[random.int(0...(characters.count - 1))] })
      }
      let (name, password) = (text(1...12), text(8...20))
      // A name that is in quotes itself cannot be told from one that the format has put there.
      guard !name.hasPrefix("\""), !password.hasPrefix("\"") else { continue }
      let point = NetworkNotice.AccessPoint(name: name, password: password, url: "http://h/")
      let fields = try #require(Self.read(point.code), "\(point.code)")
      #expect(fields == ["T": "WPA", "S": name, "P": password], "\(point.code)")
    }
    #expect(NetworkNotice.accessPoint.code == "WIFI:T:WPA;S:flipclock-ab12;P:MXK4WQ7R;;")
  }

  @Test("Notices that cannot be shown are refused")
  func unsound() {
    for sample in NetworkNotice.samples { #expect(sample.isSound, "\(sample)") }
    let point = NetworkNotice.accessPoint
    func changed(_ change: (inout NetworkNotice.AccessPoint) -> Void) -> NetworkNotice {
      var point = point
      change(&point)
      return NetworkNotice(.accessPoint, accessPoint: point)
    }
    let refused: [NetworkNotice] =
      [
        NetworkNotice(.accessPoint), NetworkNotice(.joining), NetworkNotice(.joined), NetworkNotice(.failed),
        NetworkNotice(.failed, network: "Home"), NetworkNotice(.failed, problem: .failed),
        NetworkNotice(.joined, network: "Home", problem: .failed),
        NetworkNotice(.joining, network: "Home", accessPoint: point),
        NetworkNotice(.accessPoint, network: "Home", accessPoint: point),
        NetworkNotice(.accessPoint, problem: .failed, accessPoint: point),
        changed { $0.password = "1234567" }, changed { $0.password = String(repeating: "x", count: 64) },
        changed { $0.password = "passwörter" }, changed { $0.password = "12345678\n" },
        changed { $0.password = "MXK4WQ7r" },
        changed { $0.url = "https://h/" }, changed { $0.url = "http://h/\u{202e}" },
        changed { $0.url = "http://" + String(repeating: "x", count: 80) },
      ]
      + ["", "  ", "a\nb", "a\u{202e}b", String(repeating: "x", count: 129)].flatMap { name in
        [NetworkNotice(.joined, network: name), changed { $0.name = name }]
      } + [changed { $0.name = String(repeating: "é", count: 17) }]
    for notice in refused { #expect(!notice.isSound, "\(notice)") }
  }
}
