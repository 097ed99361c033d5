// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Settings
@testable import TOMLConfig

@Suite struct ThemesTests {
  private static func configuration(_ text: String) throws -> Configuration {
    let result = load(text)
    #expect(found(result) == [])
    return try #require(result.configuration)
  }

  @Test("Without a table, the theme is `dark`, and all built-in themes can be selected")
  func standard() throws {
    let configuration = try Self.configuration("")
    #expect(configuration.theme == ThemeSettings())
    #expect(configuration.themes == ThemeSettings.builtIn)
    #expect(
      configuration.themes.map(\.name) == ["dark", "paper", "night", "amber", "solari", "high-contrast"])
    #expect(configuration.themes[0].settings == ThemeSettings())
    for theme in ThemeSettings.builtIn {
      #expect(configuration.theme(named: theme.name) == theme.settings)
    }
    #expect(configuration.theme(named: nil) == ThemeSettings())
    #expect(configuration.theme(named: "nonsense") == ThemeSettings())
  }

  @Test("`name` chooses a theme, wherever it is written, and the other keys change it")
  func nameAndKeys() throws {
    for theme in ThemeSettings.builtIn {
      #expect(try Self.configuration("[theme]\nname = \"\(theme.name)\"\n").theme == theme.settings)
      var changed = theme.settings
      changed.symbol = 0x123456
      changed.cornerRadius = 0.1
      let keys = ["symbol = \"#123456\"", "name = \"\(theme.name)\"", "corner-radius = 0.1"]
      #expect(try Self.configuration("[theme]\n" + keys.joined(separator: "\n")).theme == changed)
    }
  }

  @Test("Colours without a name change `dark`, as in versions without themes")
  func olderConfigs() throws {
    var expected = ThemeSettings()
    (expected.groundTop, expected.label) = (0xffffff, 0x000000)
    let text = "[theme]\nground-top = \"#fff\"\nlabel = \"#000\"\n"
    #expect(try Self.configuration(text).theme == expected)
  }

  @Test("The last file that names a theme chooses it, and all files' keys change it")
  func severalFiles() throws {
    let texts = [
      "[theme]\nname = \"paper\"\nsymbol = \"#111\"\n", "[theme]\nlabel = \"#222\"\n",
      "[theme]\nname = \"night\"\nsymbol = \"#333\"\n",
    ]
    let result = SettingsLoader.load(
      texts: texts.enumerated().map { ("\($0).toml", Array($1.utf8)) }, mode: .check)
    var expected = try #require(ThemeSettings.builtIn.first { $0.name == "night" }).settings
    (expected.symbol, expected.label) = (0x333333, 0x222222)
    #expect(result.configuration?.theme == expected)
  }

  @Test("A theme can be based on another one, even on one that is defined later")
  func ownThemes() throws {
    let configuration = try Self.configuration(
      """
      [themes.second]
      base = "first"
      label = "#010203"
      [themes.first]
      base = "paper"
      symbol = "#040506"
      [themes.plain]
      pins = false
      [themes.amber]
      shading = 0
      [themes.night]
      base = "night"
      mark = "#070809"
      [theme]
      name = "second"
      edge-light = 2
      """)
    let paper = try #require(ThemeSettings.builtIn.first { $0.name == "paper" }).settings
    var first = paper
    first.symbol = 0x040506
    var second = first
    second.label = 0x010203
    var plain = ThemeSettings()
    plain.hasPins = false
    #expect(configuration.theme(named: "first") == first)
    #expect(configuration.theme(named: "second") == second)
    #expect(configuration.theme(named: "plain") == plain)
    var amber = try #require(ThemeSettings.builtIn.first { $0.name == "amber" }).settings
    amber.shading = 0
    #expect(configuration.theme(named: "amber") == amber)
    var night = try #require(ThemeSettings.builtIn.first { $0.name == "night" }).settings
    night.mark = 0x070809
    #expect(configuration.theme(named: "night") == night)
    second.edgeLight = 2
    #expect(configuration.theme == second)
    #expect(configuration.themes.count == 9)
  }

  @Test("A changed `dark` is also the theme without a name")
  func changedStandard() throws {
    let configuration = try Self.configuration("[themes.dark]\nsymbol = \"#abc\"\n")
    #expect(configuration.theme.symbol == 0xaabbcc)
  }

  @Test("The fonts of [theme] apply to all themes without a font of their own")
  func fonts() throws {
    let configuration = try Self.configuration(
      """
      [theme]
      symbol-font = "A"
      label-font = "B"
      [themes.mine]
      label-font = "C"
      [themes.yours]
      base = "mine"
      """)
    func fonts(_ name: String?) -> [String] {
      let theme = configuration.theme(named: name)
      return [theme.symbolFont, theme.labelFont]
    }
    #expect(fonts(nil) == ["A", "B"])
    #expect(fonts("paper") == ["A", "B"])
    #expect(fonts("solari") == ["A", "B"])
    #expect(fonts("mine") == ["A", "C"])
    #expect(fonts("yours") == ["A", "C"])
    #expect(try Self.configuration("[theme]\nname = \"solari\"\n").theme.symbolFont == "Inter")
  }

  @Test("Pages have themes")
  func pages() throws {
    let configuration = try Self.configuration(
      """
      [pages.a]
      rows = ["time"]
      theme = "mine"
      [pages.b]
      rows = ["time"]
      theme = "night"
      columns-when-wide = false
      [pages.c]
      rows = ["time"]
      [themes.mine]
      symbol = "#fff"
      """)
    #expect(configuration.pages.map(\.theme) == ["mine", "night", nil])
    #expect(configuration.pages.map(\.layout.columnsWhenWide) == [true, false, true])
  }

  @Test("Mistakes are reported once, at their positions, with a suggestion")
  func mistakes() {
    let cases: [(String, [String])] = [
      ("[theme]\nname = \"papr\"\n", ["error 2:8 unknown theme 'papr' in [theme]; did you mean 'paper'?"]),
      (
        "[theme]\nname = \"xyz\"\n",
        [
          "error 2:8 unknown theme 'xyz' in [theme]; "
            + "known are dark, paper, night, amber, solari, high-contrast"
        ]
      ),
      (
        "[pages.a]\nrows = [\"time\"]\ntheme = \"nigth\"\n",
        ["error 3:9 unknown theme 'nigth' in [pages.a]; did you mean 'night'?"]
      ),
      (
        "[themes.mine]\nbase = \"your\"\n[themes.yours]\n",
        ["error 2:8 unknown theme 'your' in [themes.mine]; did you mean 'yours'?"]
      ),
      (
        "[themes.mine]\nbase = \"mine\"\n",
        ["error 2:8 the theme 'mine' is based on itself; name another base, such as \"dark\""]
      ),
      (
        "[themes.a]\nbase = \"b\"\n[themes.b]\nbase = \"c\"\n[themes.c]\nbase = \"a\"\n",
        ["error 6:8 the theme 'c' is based on itself; name another base, such as \"dark\""]
      ),
      (
        "[themes.paper]\nbase = \"b\"\n[themes.b]\nbase = \"paper\"\n",
        ["error 4:8 the theme 'b' is based on itself; name another base, such as \"dark\""]
      ),
      (
        "[themes.\"a b\"]\n",
        ["error 1:9 'a b' is not a name for a theme; names are 1 to 32 letters, digits, '-' and '_'"]
      ),
      ("themes = 3\n", ["error 1:10 [themes] must be a table, found the number 3"]),
      ("theme = \"paper\"\n", ["error 1:9 [theme] must be a table, found the string 'paper'"]),
      ("[themes]\nmine = 3\n", ["error 2:8 [themes.mine] must be a table, found the number 3"]),
      ("[theme]\nsymbl = \"#fff\"\n", ["error 2:1 unknown key 'symbl' in [theme]; did you mean 'symbol'?"]),
      (
        "[themes.mine]\nsymbl = \"#fff\"\n",
        ["error 2:1 unknown key 'symbl' in [themes.mine]; did you mean 'symbol'?"]
      ),
    ]
    for (text, expected) in cases { #expect(found(load(text)) == expected, "\(text)") }
  }

  @Test("At most 32 themes can be defined")
  func manyThemes() {
    func text(_ count: Int) -> String { (0..<count).map { "[themes.t\($0)]\n" }.joined() }
    #expect(found(load(text(32))) == [])
    #expect(found(load(text(33))) == ["error 33:9 at most 32 tables [themes.NAME] are allowed; remove one"])
  }

  /// Not in the arguments of the macro, because Swift 6.0.3 crashes on a closure there.
  static let rejections: [Rejection] = ["theme", "themes.mine"].flatMap { table in
    [
      Rejection(table, table == "theme" ? "name" : "base", "3", "the name of a theme"),
      Rejection(table, "symbol", "\"red\"", "a colour"), Rejection(table, "gap", "1", "a colour"),
      Rejection(table, "mark", "\"#12345\"", "a colour"), Rejection(table, "warning", "true", "a colour"),
      Rejection(table, "alarm", "[]", "a colour"), Rejection(table, "alarm-symbol", "\"\"", "a colour"),
      Rejection(table, "shadow", "0x0", "a colour"),
      Rejection(table, "shadow-strength", "2.1", "must be from 0 to 2"),
      Rejection(table, "shading", "-0.1", "must be from 0 to 2"),
      Rejection(table, "edge-light", "\"1\"", "a number"),
      Rejection(table, "corner-radius", "0.26", "must be from 0 to 0.25"),
      Rejection(table, "pins", "\"yes\"", "true or false"), Rejection(table, "symbol-font", "\"\"", "font"),
    ]
  }

  @Test("Values that do not fit are refused", arguments: rejections)
  func refusals(_ rejection: Rejection) {
    if let problem = problem(rejection) { Issue.record("\(problem)") }
  }

  // MARK: Burn-in

  @Test("Burn-in protection is off by default, and its keys are read")
  func burnIn() throws {
    #expect(try Self.configuration("").burnIn == BurnInSettings())
    #expect(BurnInSettings().radius == 0 && BurnInSettings().refresh == nil)
    let burnIn = try Self.configuration(
      "[burn-in]\nradius = 8\nrefresh = \"3:30\"\nrefresh-duration = \"2min\"\n"
    ).burnIn
    #expect(burnIn.radius == 8 && burnIn.refresh == 210 && burnIn.refreshDuration == 120)
    for (text, minutes) in [("00:00", 0), ("0:05", 5), ("09:59", 599), ("23:59", 1_439)] {
      #expect(try Self.configuration("[burn-in]\nrefresh = \"\(text)\"\n").burnIn.refresh == minutes)
    }
  }

  @Test(
    "Values that do not fit are refused",
    arguments: [
      Rejection("burn-in", "radius", "-1", "from 0 to 64"),
      Rejection("burn-in", "radius", "65", "from 0 to 64"),
      Rejection("burn-in", "radius", "1.5", "from 0 to 64"),
      Rejection("burn-in", "refresh", "\"24:00\"", "a time of day"),
      Rejection("burn-in", "refresh", "\"3:5\"", "a time of day"),
      Rejection("burn-in", "refresh", "\"03:60\"", "a time of day"),
      Rejection("burn-in", "refresh", "\"+3:30\"", "a time of day"),
      Rejection("burn-in", "refresh", "\"03:30:00\"", "a time of day"),
      Rejection("burn-in", "refresh", "\"\"", "a time of day"),
      Rejection("burn-in", "refresh", "330", "a time of day"),
      Rejection("burn-in", "refresh-duration", "\"9s\"", "must be from \"10s\" to \"1h\""),
      Rejection("burn-in", "refresh-duration", "\"61min\"", "must be from"),
      Rejection("burn-in", "refresh-duration", "30", "needs a unit"),
    ])
  func burnInRefusals(_ rejection: Rejection) {
    if let problem = problem(rejection) { Issue.record("\(problem)") }
  }
}
