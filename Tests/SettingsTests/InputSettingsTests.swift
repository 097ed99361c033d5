// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Settings
@testable import TOMLConfig

@Suite struct InputSettingsTests {
  @Test(
    "Keys have the kernel's names",
    arguments: [
      ("KP1", 79), ("kp1", 79), ("KEY_KP1", 79), ("PAGEDOWN", 109), ("A", 30), ("BTN_LEFT", 272),
      ("VOLUMEUP", 115),
    ] as [(String, UInt16)])
  func codes(name: String, code: UInt16) {
    #expect(KeyName.code(name) == code)
  }

  @Test("An unknown key has no code, and a hint if a name is similar")
  func unknown() {
    for name in ["", "KP", "KPP1", "REL_X", "EV_KEY", "KP1\0", "7F"] { #expect(KeyName.code(name) == nil) }
    #expect(KeyName.hint(for: "PAGEDWON") == "did you mean 'PAGEDOWN'?")
    #expect(KeyName.hint(for: "key_spcae") == "did you mean 'SPACE'?")
    #expect(KeyName.hint(for: "xxxxxxxxxxxx") == nil)
  }

  @Test("Keys run commands, and a later table replaces single keys")
  func bindings() {
    let result = load(
      """
      [input]
      enabled = true
      grab = true
      devices = ["*Presenter*", "Number Pad"]
      debounce = "50ms"
      [input.keys]
      KP1 = "add-score home +1"
      PAGEDOWN = { do = "show match", repeat = true }
      """)
    #expect(found(result) == [])
    var wanted = InputSettings()
    wanted.isEnabled = true
    wanted.grab = true
    wanted.devices = ["*Presenter*", "Number Pad"]
    wanted.debounce = 0.05
    wanted.keys = [
      .init(code: 79, command: "add-score home +1"), .init(code: 109, command: "show match", repeats: true),
    ]
    #expect(result.configuration?.input == wanted)
  }

  @Test("Bad keys, devices and commands are reported at their positions")
  func mistakes() {
    let text = """
      [input]
      enable = true
      devices = []
      keys.KPP1 = "show x"
      keys.A = 7
      keys.B = { repeat = true }
      keys.C = "sho x"
      keys.D = { do = "show x", often = true }
      """
    var checks = SettingsChecks()
    checks.command = { words, _ in
      words.hasPrefix("show ") ? nil : Problem("unknown command", isFatal: true)
    }
    let result = SettingsLoader.load(texts: [("t.toml", Array(text.utf8))], mode: .check, checks: checks)
    #expect(result.configuration == nil)
    #expect(
      found(result) == [
        "error 2:1 unknown key 'enable' in [input]; did you mean 'enabled'?",
        "error 3:11 'devices' in [input] must have 1 to 32 names, found 0; write [\"*Presenter*\"]",
        "error 4:6 'KPP1' in [input.keys] is not a key; did you mean 'KP1'?",
        "error 5:10 'A' in [input.keys] must be a string, found the number 7",
        "error 6:10 'B' in [input.keys] has no 'do'; do = \"add-score home +1\"",
        "error 7:10 'C' in [input.keys]: unknown command",
        "error 8:27 unknown key 'often' in [input.keys.D]; known are do, repeat",
      ])
  }
}
