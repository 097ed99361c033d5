// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Settings
@testable import TOMLConfig

@Suite struct DiagnosticTests {
  @Test("A diagnostic shows where, what, what to try, the line and a caret")
  func format() {
    let result = load("[display]\n  conector = \"auto\"\n")
    #expect(
      result.diagnostics.first?.description == """
        t.toml:2:3: error: unknown key 'conector' in [display]; did you mean 'connector'?
            conector = "auto"
            ^
        """)
  }

  @Test("Syntax errors are reported at their positions")
  func syntax() {
    for (text, line, column) in [
      ("a = ", 1, 5), ("[display]\ncard = \"auto\nmode = 1\n", 2, 8), ("[display\n", 1, 1),
      ("a = 1\na = 2\n", 2, 1),
      ("a = 99999999999999999999\n", 1, 5), ("=", 1, 1), ("a = \u{7f}", 1, 5),
    ] {
      let result = load(text)
      #expect(result.configuration == nil)
      #expect(result.diagnostics.count == 1)
      #expect(result.diagnostics.first?.line == line, "\(text): \(found(result))")
      #expect(result.diagnostics.first?.column == column, "\(text): \(found(result))")
    }
  }

  @Test("Bytes that are not text are reported at their positions")
  func encoding() {
    for (bytes, expected) in [
      (Array("a = 1\nb = \"".utf8) + [0xff] + Array("\"".utf8), "2:6 not UTF-8 text"),
      (Array("a = \"ü".utf8) + [0xc3], "1:7 not UTF-8 text"),
      (Array("[flip]\n\0".utf8), "2:1 a NUL byte"),
      ([0xff, 0xfe, 0x5b, 0x00], "1:1 not UTF-8 text"),
      ([0xed, 0xa0, 0x80], "1:1 not UTF-8 text"),
      ([0x7f, 0x45, 0x4c, 0x46, 0x02, 0x01, 0x01, 0x00], "1:8 a NUL byte"),
    ] as [([UInt8], String)] {
      let result = SettingsLoader.load(texts: [("t.toml", bytes)], mode: .running)
      #expect(result.configuration == nil)
      #expect(found(result).first?.contains(expected) == true, "\(found(result))")
    }
  }

  @Test("A byte order mark and CRLF are accepted and do not shift positions")
  func windows() {
    let result = load("\u{feff}[display]\r\ncard = 1\r\n")
    #expect(found(result) == ["error 2:8 'card' in [display] must be a string, found the number 1"])
    #expect(result.diagnostics.first?.sourceLine == "card = 1")
    #expect(found(load("\u{feff}car = 1\r\n")).first?.hasPrefix("error 1:1 unknown key") == true)
    #expect(load("\u{feff}[flip]\r\nduration = \"1s\"\r\n").configuration?.flip.duration == 1)
  }

  @Test("Deep nesting and long keys are errors, and do not overflow the stack")
  func nesting() {
    let deep = 200_000
    for text in [
      "a = " + String(repeating: "[", count: deep), "a = " + String(repeating: "{a=", count: deep),
      String(repeating: "a.", count: deep) + "a = 1", "[" + String(repeating: "a.", count: deep) + "a]",
      String(repeating: "\"a\" . ", count: deep) + "a = 1",
      "x = '''\n'''\n" + String(repeating: "a.", count: 16) + "a = 1",
      "x = \"\\\"\"\n" + String(repeating: "a.", count: 16) + "a = 1",
    ] {
      let result = load(text)
      #expect(result.configuration == nil)
      #expect(result.diagnostics.count == 1)
    }
  }

  @Test("Too many keys are an error, and are found quickly")
  func manyKeys() {
    for line in ["a# = 1", "[a#]", "[[a#]]"] {
      let text = (0..<50_000).map { line.replacing("#", with: "\($0)") }.joined(separator: "\n")
      let result = load(text)
      #expect(result.diagnostics.map(\.message) == ["more than 10000 keys and arrays"])
      #expect((result.diagnostics.first?.line ?? 0) > 5_000)
    }
  }

  @Test("Dots in values and comments do not count as parts of a key")
  func dots() {
    let dots = String(repeating: ".", count: 100)
    for text in [
      "# \(dots)\n", "[widgets.a]\ntype = \"text\"\ntext = \"\(dots)\"\n",
      "[widgets.a]\ntype = \"text\"\ntext = '\(dots)'\n",
      "[widgets.a]\ntype = \"text\"\ntext = \"\"\"\(dots)\\\n  \(dots)\"\"\"\n",
      "[widgets.a]\ntype = \"text\"\ntext = '''it's \(dots)'''\n",
      "[widgets.a]\ntype = \"text\"\ntext = \"\\\"\(dots)\"\n",
    ] {
      #expect(found(load(text)) == [])
    }
  }
}
