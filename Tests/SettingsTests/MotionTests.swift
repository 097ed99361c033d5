// SPDX-License-Identifier: Apache-2.0

import Languages
import Testing

@testable import Settings
@testable import TOMLConfig

@Suite struct MotionTests {
  /// The motion setting that `line` gives in every type of widget with cards; nil if it is not the same in
  /// all.
  private func motion<Value: Equatable>(_ line: String, _ path: KeyPath<CardMotionSettings, Value>) -> Value?
  {
    let kinds = WidgetSettings.kinds.compactMap { $0 as? any CardWidgetContent.Type }
    let values = kinds.compactMap { kind in
      (widget(kind.typeName, line)?.content as? any CardWidgetContent)?.motion[keyPath: path]
    }
    return values.count == kinds.count && values.allSatisfy { $0 == values[0] } ? values[0] : nil
  }

  private func board(_ line: String) -> BoardSettings? { settings(line) }

  @Test("Every widget with cards accepts the keys of its motion")
  func keys() {
    for transition in DigitTransition.allCases {
      #expect(motion("transition = \"\(transition.rawValue)\"", \.transition) == transition)
    }
    for order in CardMotionSettings.Order.allCases {
      #expect(motion("order = \"\(order.rawValue)\"", \.order) == order)
    }
    for path in CardMotionSettings.Path.allCases {
      #expect(motion("symbols = \"\(path.rawValue)\"", \.symbols) == path)
    }
    #expect(motion("duration = \"300ms\"", \.duration) == 0.3)
    #expect(motion("perspective = 4", \.perspective) == 4)
    #expect(motion("shading = \"0%\"", \.shading) == 0)
    #expect(motion("shading = \"62.5%\"", \.shading) == 0.625)
    #expect(motion("flap-rate = 20", \.flapRate) == 20)
  }

  @Test("By default, a clock flips directly to its digits, as in [flip]; a board passes through its flaps")
  func defaults() {
    #expect(CardMotionSettings().transition == .flip)
    #expect(CardMotionSettings().symbols == .direct)
    #expect(CardMotionSettings().duration == nil)
    #expect(BoardSettings().motion.symbols == .through)
  }

  @Test("An easing is a name, a curve or steps")
  func easings() {
    let table: [(String, EasingSettings)] = [
      ("linear", .curve(0, 0, 1, 1)), ("ease", .curve(0.25, 0.1, 0.25, 1)),
      ("ease-in", .curve(0.42, 0, 1, 1)), ("ease-out", .curve(0, 0, 0.58, 1)),
      ("ease-in-out", .curve(0.42, 0, 0.58, 1)), ("cubic-bezier(0.4, 0, 0.2, 1)", .curve(0.4, 0, 0.2, 1)),
      ("cubic-bezier(0,1,1,0)", .curve(0, 1, 1, 0)), ("steps(1)", .steps(1)), ("steps( 100 )", .steps(100)),
    ]
    for (text, easing) in table {
      #expect(motion("easing = \"\(text)\"", \.easing) == easing)
      let page = load("[page-transition]\neasing = \"\(text)\"\n")
      #expect(page.diagnostics.isEmpty && page.configuration?.pageTransition.easing == easing)
      let clock: AnalogClockSettings? = settings("tick = \"\(text)\"")
      #expect(clock?.tick == .eased(easing))
    }
    #expect(motion("easing = \"auto\"", \.easing) == .some(nil))
  }

  @Test("Old names of easings are accepted, with a warning that has the new name")
  func oldNames() {
    let page = load("[page-transition]\neasing = \"ease-in-ease-out\"\n")
    #expect(
      found(page) == [
        "warning 2:10 'easing' in [page-transition] has the old name 'ease-in-ease-out'; write \"ease-in-out\""
      ])
    #expect(page.configuration?.pageTransition.easing == .easeInOut)
    let hands = load("[widgets.w]\ntype = \"analog-clock\"\ntick = \"smooth\"\n")
    #expect(
      found(hands) == ["warning 3:8 'tick' in [widgets.w] has the old name 'smooth'; write \"ease-in-out\""])
  }

  @Test(
    "Bad motions are reported at their positions",
    arguments: [
      ("transition", "\"rol\"", "did you mean 'roll'?"),
      ("order", "\"left-to-right\"", "must be \"right-to-left\", \"together\" or \"cascade\""),
      ("duration", "0.3", "needs a unit"),
      ("easing", "\"ease-inout\"", "did you mean 'ease-in-out'?"),
      ("easing", "\"cubic-bezier(0.4, 0, 0.2)\"", "must be an easing"),
      ("easing", "\"cubic-bezier(0.4, -0.1, 0.2, 1)\"", "with numbers from 0 to 1"),
      ("easing", "\"cubic-bezier(0.4, 1.1, 0.2, 1)\"", "with numbers from 0 to 1"),
      ("easing", "\"steps(0)\"", "must be an easing"),
      ("easing", "\"steps(101)\"", "must be an easing"),
      ("easing", "\"steps(2.5)\"", "must be an easing"),
      ("easing", "1", "must be an easing, found the number 1"),
      ("shading", "0.5", "write \"50%\""),
      ("shading", "\"101%\"", "must be from \"0%\" to \"100%\", found the string '101%'"),
      ("perspective", "0.5", "must be from 1 to 20"),
      ("symbols", "\"all\"", "must be \"direct\" or \"through\""),
      ("flap-rate", "0", "must be from 1 to 60"),
      ("columns", "0", "must be a whole number from 1 to 64 or \"auto\", found the number 0"),
      ("columns", "2.5", "must be a whole number"),
      ("rows", "25", "must be a whole number from 1 to 24"),
      ("drum", "\"ABC\"", "has no blank; begin it with a space"),
      ("drum", "\" ABA\"", "has 'A' twice"),
      ("text", "\"a\\u0007b\"", "has a control character"),
      ("columns", "\"Auto\"", "must be a whole number from 1 to 64 or \"auto\", found the string 'Auto'"),
      ("overflow", "\"wrapped\"", "must be \"wrap\" or \"cut\""),
      ("tabs", "[20, 6]", "must be up to 16 whole numbers from 1 to 63, in their order"),
      ("tabs", "[0]", "must be up to 16"), ("tabs", "[64]", "must be up to 16"),
      ("tabs", "[2, 2]", "must be up to 16"),
      ("tabs", "6", "write [6, 16]"),
    ])
  func refuses(key: String, value: String, words: String) {
    let text = "[widgets.w]\ntype = \"board\"\n  \(key) = \(value)\n"
    #expect(problem(Rejection("widgets.w", key, value, words), in: text, line: 3) == nil)
  }

  @Test("A board accepts lines of text, its size and its drum")
  func boards() {
    #expect(board("") == BoardSettings())
    #expect(board("text = \"A\\nB\"")?.text == "A\nB")
    #expect(board("columns = 64")?.columns == 64)
    #expect(board("rows = 24")?.rows == 24)
    #expect(board("columns = \"auto\"").map(\.columns) == .some(nil))
    #expect(board("rows = \"auto\"").map(\.rows) == .some(nil))
    #expect(board("tabs = [6, 20]\ncolumns = 21")?.tabs == [6, 20])
    #expect(board("tabs = []")?.tabs == [])
    #expect(board("overflow = \"cut\"")?.overflow == .cut)
    #expect(board("text = \"A\\tB\"")?.text == "A\tB")
    #expect(board("drum = \" X⬜\u{fe0f}\"")?.drum == .flaps(" X⬜"))
    #expect(board("align = \"right\"")?.align == .right)
    #expect(board("drum = \" XY\"")?.drum == .flaps(" XY"))
    #expect(board("drum = \"auto\"")?.drum == .auto)
  }

  @Test("Letters without a flap cause a warning at the text")
  func missingLetters() {
    let result = load("[widgets.w]\ntype = \"board\"\n  text = \"Aß ß中\"\n  drum = \" AB\"\n")
    #expect(
      found(result) == [
        "warning 3:10 no flap of [widgets.w] shows 'ß', '中': the cards stay blank there; add what is missing to 'drum'"
      ])
    #expect(result.configuration?.widgets.count == 1)
    var settings = BoardSettings()
    settings.drum = .flaps(" AB")
    let letters = ["a", "B", "c", "ß", " ", "\t", "🟥"].map { BoardLetter(character: $0) }
    #expect(letters.map { settings.flap(for: $0) } == ["A", "B", nil, nil, "", "", nil])
  }

  @Test("What of a board's text is not shown causes a warning at the text; a tab stop outside is an error")
  func overflow() {
    func problems(_ lines: String) -> [String] { found(load("[widgets.w]\ntype = \"board\"\n\(lines)\n")) }
    #expect(
      problems("text = \"AB CD\"\ncolumns = 2\nrows = 1") == [
        "warning 3:8 [widgets.w] has no row for 'CD': with columns = 2, the text has 2 lines; write rows = 2, or more 'columns'"
      ])
    #expect(
      problems("text = \"AB CD\"\ncolumns = 2\noverflow = \"cut\"") == [
        "warning 3:8 [widgets.w] has no place for the end of 'AB CD'; write more 'columns', or overflow = \"wrap\""
      ])
    #expect(
      problems("text = \"ABC\\tD\"\ncolumns = 4\ntabs = [2]") == [
        "warning 3:8 [widgets.w] has no place for the end of 'ABC'; write more 'columns', or other 'tabs'"
      ])
    #expect(
      problems("columns = 6\ntabs = [2, 6]") == [
        "error 4:8 the board [widgets.w] has columns = 6, and no column for the tab stop 6; write numbers below 6, or more 'columns'"
      ])
    #expect(problems("text = \"A\\n{red}B{/}\"\ncolumns = \"auto\"\nrows = \"auto\"\ntabs = [20]") == [])
    #expect(
      problems("text = \"\(Array(repeating: "A", count: 25).joined(separator: "\\n"))\"\nrows = \"auto\"")
        == [
          "warning 3:8 [widgets.w] has no row for 'A': with columns = 20, the text has 25 lines; a board has at most 24 rows"
        ])
  }

  @Test("An automatic drum has the letters of the text, in any script")
  func automaticDrum() {
    var settings = BoardSettings()
    let basic = " ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;!?'-+/&()%°€$£@#"
    let squares = "🟥🟧🟨🟩🟦🟪⬜⬛█"
    #expect(settings.flaps() == basic + squares)
    settings.text = "{red}Aä ß{/}\nЖא あñ n\u{303} क्षि\n"
    #expect(settings.fit(of: BoardText(settings.text), in: .english).missing.isEmpty)
    #expect(settings.flaps().hasPrefix(basic + squares))
    #expect(Set(settings.flaps().dropFirst(basic.count + squares.count)) == Set("ÄßЖאあÑक्षि"))
    settings.text = String((0x4e00..<0x5000).compactMap(Unicode.Scalar.init).map(Character.init))
    #expect(settings.flaps().count == 200)
    #expect(settings.fit(of: BoardText(settings.text), in: .english).missing.isEmpty)
  }

  @Test("An automatic drum has the capitals of the language's alphabet, each once, after Z")
  func automaticDrumOfALanguage() throws {
    for (tag, letters) in [
      ("en", ""), ("de", "ÄÖßÜ"), ("de-CH", "ÄÖÜ"), ("es", "ÁÉÍÑÓÚÜ"), ("pl", "ĄĆĘŁŃÓŚŹŻ"), ("tr", "ÇĞİÖŞÜ"),
      ("el", "ΑΒΓΔΕΖΗΘΙΪΚΛΜΝΞΟΠΡΣΤΥΫΦΧΨΩ"), ("ru", "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"),
      ("he", "אבגדהוזחטיכךלמםנןסעפףצץקרשת"), ("ja", ""), ("zh", ""), ("ko", ""),
    ] {
      let language = try #require(Language(tag))
      #expect(
        BoardSettings().flaps(in: language)
          == " ABCDEFGHIJKLMNOPQRSTUVWXYZ\(letters)0123456789.,:;!?'-+/&()%°€$£@#🟥🟧🟨🟩🟦🟪⬜⬛█")
    }
    for tag in LanguageTable.names {
      let flaps = BoardSettings().flaps(in: try #require(Language(tag)))
      #expect(Set(flaps).count == flaps.count && flaps.count < 200, "\(tag)")
    }
  }

  @Test("'motion' is outside of all tables")
  func motionKey() {
    for motion in Motion.allCases {
      #expect(load("motion = \"\(motion.rawValue)\"\n").configuration?.motion == motion)
    }
    #expect(
      found(load("motion = \"off\"\n")) == [
        "error 1:10 'motion' must be \"full\" or \"none\", found the string 'off'"
      ])
    #expect(load("[motion]\n").configuration == nil)
    #expect(found(load("moton = \"none\"\n")).first?.contains("did you mean 'motion'?") == true)
  }
}
