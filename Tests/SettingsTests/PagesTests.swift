// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Settings
@testable import TOMLConfig

@Suite struct PagesTests {
  private static let widgets = """
    [widgets.time]
    type = "flip-clock"
    [widgets.match]
    type = "score"

    """

  @Test("Pages keep their order and their rows")
  func order() throws {
    let result = load(
      Self.widgets + """
        [pages.match]
        rows = ["match", "time"]
        stack-in-portrait = false
        [pages.clock]
        rows = [["time", "match"]]
        """)
    #expect(found(result) == [])
    let configuration = try #require(result.configuration)
    #expect(configuration.pages.map(\.name) == ["match", "clock"])
    #expect(configuration.pages.map(\.layout.rows) == [[["match"], ["time"]], [["time", "match"]]])
    #expect(configuration.pages.map(\.layout.stackInPortrait) == [false, true])
    #expect(configuration.allPages == configuration.pages)
  }

  @Test("Without [pages], the layout is the only page")
  func onlyPage() throws {
    let configuration = try #require(load(Self.widgets).configuration)
    #expect(configuration.pages == [])
    #expect(configuration.allPages.map(\.name) == ["main"])
    #expect(configuration.allPages.map(\.layout) == [configuration.layout])
    #expect(configuration.page(after: "main") == nil)
  }

  @Test("Built-in widgets can be on pages; those that are not on any page are removed")
  func builtIn() throws {
    let configuration = try #require(load("[pages.a]\nrows = [\"time\", \"date\"]\n").configuration)
    #expect(configuration.widgets.map(\.name) == ["time", "date"])
  }

  @Test("Mistakes in pages are reported at their positions")
  func mistakes() {
    #expect(
      found(load("[layout]\nrows = [\"time\"]\n[pages.a]\nrows = [\"time\"]\n")) == [
        "error 1:2 [layout] and [pages] exclude each other; "
          + "move the rows of [layout] into a page, [pages.main]"
      ])
    #expect(
      found(load(Self.widgets + "[pages.a]\nrows = [\"tme\"]\n")) == [
        "warning 1:10 the widget 'time' is in no row; name it in rows below [pages.a]",
        "warning 3:10 the widget 'match' is in no row; name it in rows below [pages.a]",
        "error 6:9 unknown widget 'tme' in [pages.a]; did you mean 'time'?",
      ])
    #expect(
      found(load(Self.widgets + "[pages.a]\nrows = [\"time\", \"match\", \"time\"]\n")) == [
        "error 6:26 the widget 'time' is in [pages.a] twice"
      ])
    #expect(
      found(load("[pages.a]\n[pages.b]\nrows = [\"time\", \"date\", \"score\"]\n")) == [
        "error 1:8 the page 'a' has no rows; write rows = [\"time\", \"date\"]"
      ])
    #expect(
      found(load("[pages.\"a b\"]\nrows = [\"time\"]\n")).first
        == "error 1:8 'a b' is not a name for a page; names are 1 to 32 letters, digits, '-' and '_'")
    let many = (0..<40).map { "[pages.p\($0)]\nrows = [\"time\"]\n" }.joined()
    #expect(found(load(many)) == ["error 65:8 at most 32 tables [pages.NAME] are allowed; remove one"])
  }

  @Test("A page is shown during the breaks that it names, and each break has one page")
  func breaks() throws {
    let pages = ["a", "b"].map { "[pages.\($0)]\nrows = [\"time\", \"date\", \"score\"]\nshow-during = " }
    func found(_ first: String, _ second: String) -> [String] {
      SettingsTests.found(load("\(pages[0])\(first)\n\(pages[1])\(second)\n"))
    }
    let good = load("\(pages[0])[\"time-out\", \"interval\"]\n\(pages[1])[]\n").configuration
    #expect(good?.pages.map(\.showDuring) == [["time-out", "interval"], []])
    #expect(
      found("[\"interval\"]", "[\"warm-up\", \"interval\"]") == [
        "error 6:15 the pages 'a' and 'b' are both shown during 'interval'; name it in one of them"
      ])
    #expect(
      found("[\"time-out\", \"time-out\"]", "[\"intervall\"]") == [
        "error 3:28 'show-during' in [pages.a] names 'time-out' twice",
        "error 6:16 'show-during' in [pages.b] must be breaks, found the string 'intervall'; did you mean 'interval'?",
      ])
    #expect(
      found("\"interval\"", "[7]") == [
        "error 3:15 'show-during' in [pages.a] must be an array of breaks, found the string 'interval'; "
          + "write [\"time-out\", \"interval\"]",
        "error 6:16 'show-during' in [pages.b] must be breaks, found the number 7; "
          + "they are \"time-out\", \"interval\", \"half-time\", \"warm-up\"",
      ])
  }

  @Test("The rotation goes through its pages, and from any other page to its first")
  func rotation() throws {
    let pages = ["a", "b", "c"].map { "[pages.\($0)]\nrows = [\"time\"]\n" }.joined()
    let all = try #require(load(pages + "[rotation]\nevery = \"20s\"\n").configuration)
    #expect(all.rotation.every == 20)
    #expect(["a", "b", "c", "x"].map { all.page(after: $0) } == ["b", "c", "a", "a"])
    let some = try #require(
      load(pages + "[rotation]\nevery = \"1500ms\"\npages = [\"c\", \"a\"]\n").configuration)
    #expect(["a", "b", "c"].map { some.page(after: $0) } == ["c", "c", "a"])
    let off = try #require(load(pages + "[rotation]\npages = [\"c\", \"a\"]\n").configuration)
    #expect(off.page(after: "a") == nil)
    let one = try #require(load(pages + "[rotation]\nevery = \"5s\"\npages = [\"c\"]\n").configuration)
    #expect(["a", "c"].map { one.page(after: $0) } == ["c", nil])
  }

  @Test("Mistakes in the rotation are reported at their positions")
  func rotationMistakes() {
    let page = "[pages.clock]\nrows = [\"time\", \"date\", \"score\"]\n"
    #expect(
      found(load(page + "[rotation]\npages = [\"clok\"]\n")) == [
        "error 4:10 unknown page 'clok' in [rotation]; did you mean 'clock'?"
      ])
    #expect(
      found(load(page + "[rotation]\npages = [\"clock\", \"clock\"]\n")) == [
        "error 4:19 'pages' in [rotation] names 'clock' twice"
      ])
    #expect(
      found(load(page + "[rotation]\nevery = \"500ms\"\n")) == [
        "error 4:9 'every' in [rotation] must be at least \"1s\", or \"0s\" for never"
      ])
    #expect(
      found(load("[rotation]\nevery = \"5s\"\n")) == [
        "error 1:2 [rotation] has no pages to go through; declare [pages.NAME]"
      ])
    #expect(load(page + "[rotation]\npages = []\n").configuration == nil)
    #expect(load(page + "[rotation]\npages = [3]\n").configuration == nil)
    #expect(load(page + "[rotation]\npages = \"clock\"\n").configuration == nil)
  }

  @Test("[page-transition] accepts its keys")
  func transition() throws {
    let result = load(
      """
      [page-transition]
      type = "roll"
      duration = "1500ms"
      easing = "ease-in"
      bands = 12
      sides = 8
      """)
    #expect(found(result) == [])
    var expected = PageTransitionSettings()
    expected.kind = .roll
    expected.duration = 1.5
    expected.easing = .easeIn
    expected.bands = 12
    expected.sides = 8
    #expect(result.configuration?.pageTransition == expected)
    for kind in PageTransitionSettings.Kind.allCases {
      #expect(
        load("[page-transition]\ntype = \"\(kind.rawValue)\"\n").configuration?.pageTransition.kind == kind)
    }
  }

  @Test(
    "[page-transition] refuses bad values",
    arguments: [
      Rejection("page-transition", "type", "\"shuter\"", "\"shutter\""),
      Rejection("page-transition", "type", "3", "\"cut\""),
      Rejection("page-transition", "duration", "1", "needs a unit"),
      Rejection("page-transition", "duration", "\"11s\"", "\"10s\""),
      Rejection("page-transition", "easing", "\"bouncy\"", "\"ease-in-out\""),
      Rejection("page-transition", "bands", "1", "from 2 to 64"),
      Rejection("page-transition", "bands", "65", "from 2 to 64"),
      Rejection("page-transition", "bands", "8.5", "whole number"),
      Rejection("page-transition", "sides", "2", "from 3 to 12"),
      Rejection("page-transition", "sides", "13", "from 3 to 12"),
    ])
  func transitionMistakes(rejection: Rejection) {
    #expect(problem(rejection) == nil)
  }
}
