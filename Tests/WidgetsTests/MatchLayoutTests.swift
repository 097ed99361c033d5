// SPDX-License-Identifier: Apache-2.0

import Languages
import Raster
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import Layers
@testable import Widgets

/// The layouts of scoreboards, for all games, sizes of displays, teams and digits.
@Suite struct MatchLayoutTests {
  /// The score widget of the page of a config that has only a `[game]` table.
  static func widget(
    _ scoreboard: Scoreboard, _ size: PixelSize, _ change: (inout ScoreSettings) -> Void = { _ in }
  ) throws -> ScoreWidget {
    var configuration = PageFitTests.gamePage
    var settings = try #require(configuration.widgets[0].content as? ScoreSettings)
    settings.teams = scoreboard.teams.map(\.id)
    change(&settings)
    configuration.widgets[0].content = settings
    let plan = try #require(LayoutCheck.plans(configuration, rules: scoreboard.rules, size: size).first)
    _ = Page(plan, in: size.page, model: StageModel(instant: Fixture.instant(9, 41), scoreboard: scoreboard))
    return try #require(plan.places.compactMap { $0.widget as? ScoreWidget }.first)
  }

  private static func scoreboard(_ rules: GameRules, teams: Int) -> Scoreboard {
    var scoreboard = Scoreboard(teams: [])
    scoreboard.adopt((0..<teams).map { .init(id: "team\($0)", name: "TEAM \($0)") }, rules: rules)
    return scoreboard
  }

  private static func layout(
    _ rules: GameRules, teams: Int, digits: Int, _ size: PixelSize, logos: Set<String> = []
  ) -> (MatchLayout, MatchContents, Rect) {
    var settings = ScoreSettings()
    settings.style = .scoreboard
    settings.showTime = true
    settings.teams = (0..<teams).map { "team\($0)" }
    let contents = MatchContents(
      settings, rules, scoreboard(rules, teams: teams), digits: digits, logos: logos)
    let (width, height) = (Double(size.width), Double(size.height))
    // The margins of a page with one widget.
    let rect = Rect(
      x: (0.02 * width).rounded(), y: (0.03 * height).rounded(), width: (0.96 * width).rounded(.down),
      height: (0.94 * height).rounded(.down))
    var layout = MatchLayout(contents, in: rect.size, page: size.page.size)
    layout.place(in: rect, isMirrored: false)
    return (layout, contents, rect)
  }

  /// What is wrong with a layout.
  private static func problems(_ layout: MatchLayout, in rect: Rect) -> [String] {
    var wrong: [String] = []
    let around = Rect(x: rect.x - 0.5, y: rect.y - 0.5, width: rect.width + 1, height: rect.height + 1)
    for (index, place) in layout.places.enumerated() {
      if !place.rect.isWhole || !place.rect.isInside(around) {
        wrong.append("\(place.part) is at \(place.rect)")
      }
      for other in layout.places.dropFirst(index + 1) where place.rect.overlaps(other.rect) {
        wrong.append("\(place.part) is over \(other.part)")
      }
    }
    for (team, frame) in layout.winnerRects.enumerated() {
      for place in layout.places where place.rect.overlaps(frame) && !place.rect.isInside(frame) {
        wrong.append("the frame of team \(team) cuts \(place.part)")
      }
    }
    let parts = Set(layout.places.map(\.part))
    for team in 0..<layout.contents.teams where !parts.contains(.score(team)) {
      wrong.append("team \(team) has no score")
    }
    if layout.contents.hasWinningPoints, !parts.contains(where: \.showsWinningPoints) {
      wrong.append("no place for a set point")
    }
    for team in 0..<layout.contents.teams
    where parts.contains(.logo(team)) != layout.contents.hasLogos {
      wrong.append("team \(team) has a logo too many or none")
    }
    // After the match other words take the place of the clocks.
    for id in layout.contents.clocks where !layout.contents.isOver && !parts.contains(.clock(id)) {
      wrong.append("\(id) has no clock")
    }
    for counter in layout.contents.shownCounters {
      let lines = (0..<layout.contents.teams).map { MatchPart.line(.counter(counter), $0) }
      if !parts.contains(.duel(counter)), !lines.allSatisfy(parts.contains) {
        wrong.append("\(counter.id) is not shown")
      }
    }
    return wrong
  }

  /// The configured details that are neither shown nor named as left out, and those that are named although
  /// they are shown.
  private static func unnamed(_ layout: MatchLayout, _ contents: MatchContents) -> [String] {
    let parts = layout.places.map(\.part)
    func shows(_ isDetail: (MatchPart) -> Bool) -> Bool { parts.contains(where: isDetail) }
    var details: [(name: String, isShown: Bool)] = [("time of day", shows { $0 == .time })]
    if contents.hasNames { details.append(("names", shows { [.name(0), .rowName(0)].contains($0) })) }
    if contents.hasLogos { details.append(("logos", shows { $0 == .logo(0) })) }
    let isEnd = contents.isOver && contents.hasClocks
    for id in contents.clocks where !isEnd {
      details.append(("\(id.rawValue) clock", shows { $0 == .clock(id) }))
    }
    for counter in contents.shownCounters {
      details.append((counter.id, shows { [.line(.counter(counter), 0), .duel(counter)].contains($0) }))
    }
    if contents.showsPenalties { details.append(("penalties", shows { $0 == .penalties(0) })) }
    if contents.hasPeriod, !isEnd {
      details.append(("period", shows { [.period, .periodName].contains($0) }))
    }
    if contents.hasPeriodsWon, !contents.hasGames {
      details.append(
        ("periods won", shows { [.periodsWon(0), .line(.periodsWon, 0)].contains($0) }))
    }
    if contents.hasGames, !contents.isOver {
      details.append(("games won", shows { $0 == .games(0) }))
    }
    if contents.hasBreak { details.append(("break", shows { $0 == .clock(.breakClock) })) }
    if contents.hasWinningPoints {
      details.append(
        ("set and match points", layout.contents.hasWinningPoints && shows(\.showsWinningPoints)))
    }
    if contents.hasPeriodPoints {
      let places: [MatchPart] = [.periodPoints(0), .periodTable, .line(.periodPoints, 0)]
      details.append(("points of past periods", shows { places.contains($0) }))
    }
    return details.filter { $0.isShown == layout.leftOut.contains($0.name) }.map {
      "\($0.name) is \($0.isShown ? "shown and named as left out" : "neither shown nor named")"
    }
  }

  @Test(
    "Nothing overlaps, nothing is outside, and each detail is shown or named as left out",
    arguments: GameRules.Preset.allCases)
  func layouts(_ preset: GameRules.Preset) {
    var wrong: [String] = []
    for size in CommonDisplays.sizes {
      for digits in 1...4 {
        for teams in 2...4 {
          for hasPenalties in [false, true] {
            var rules = GameRules(preset)
            rules.penalties = hasPenalties ? [120_000_000_000] : []
            let (layout, contents, rect) = Self.layout(rules, teams: teams, digits: digits, size)
            let (other, asked, _) = Self.layout(rules, teams: teams, digits: digits, size, logos: ["team0"])
            wrong +=
              (Self.problems(layout, in: rect) + Self.unnamed(layout, contents)
              + Self.problems(other, in: rect) + Self.unnamed(other, asked))
              .map { "\(size) \(teams) teams, \(digits) digits: \($0)" }
            // Logos take nothing from the match.
            var without = other.contents
            without.hasLogos = false
            if without != layout.contents || other.card < 0.99 * layout.card {
              wrong.append("\(size) \(teams) \(digits): logos replace or shrink parts")
            }
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  @Test("Names do not disappear when scores get more digits", arguments: GameRules.Preset.allCases)
  func manyDigits(_ preset: GameRules.Preset) {
    var wrong: [String] = []
    for size in CommonDisplays.sizes {
      for teams in 2...8 {
        let usual = Self.layout(GameRules(preset), teams: teams, digits: 2, size).0.contents.hasNames
        for digits in 3...4 {
          let layout = Self.layout(GameRules(preset), teams: teams, digits: digits, size).0
          if usual, !layout.contents.hasNames { wrong.append("\(size) \(teams) teams, \(digits) digits") }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(9))")
  }

  @Test(
    "At 16:9 the parts have the heights that are read from the last row", arguments: GameRules.Preset.allCases
  )
  func heights(_ preset: GameRules.Preset) {
    let rules = GameRules(preset)
    for size in [(1280, 720), (1920, 1080), (3840, 2160)].map({ PixelSize(width: $0.0, height: $0.1) }) {
      for logos in [[], ["team1"]] as [Set<String>] {
        let (layout, contents, _) = Self.layout(
          rules, teams: 2, digits: rules.usualDigits, size, logos: logos)
        let height = Double(size.height)
        let score = Double(layout.scale.scoreMetrics.height) / height
        let least = contents.kind == .rows ? 0.35 : contents.clocks.isEmpty ? 0.52 : 0.4
        #expect(score >= least - 0.003, "\(preset) \(size): scores of \(score)")
        // Everything else follows from the unit, which is the display's height.
        #expect(layout.scale.unit >= 0.99 * height, "\(preset) \(size): \(layout.scale.unit)")
        #expect(layout.contents.shownCounters == contents.shownCounters)
        #expect(layout.contents.clocks == contents.clocks)
        #expect(layout.places.contains { $0.part == .time }, "\(preset) \(size)")
        #expect(layout.places.contains { $0.part == .logo(0) } == !logos.isEmpty, "\(preset) \(size)")
      }
    }
  }

  @Test(
    "The pictures of all parts are inside the page, whatever the names", arguments: GameRules.Preset.allCases)
  func names(_ preset: GameRules.Preset) throws {
    for (width, height) in [(640, 360), (320, 240), (240, 400), (960, 200)] {
      let size = PixelSize(width: width, height: height)
      for length in [1, 5, 13, 40] {
        for teams in [2, 3] {
          var scoreboard = Scoreboard(teams: [])
          let name = String("WANDERERS HARBOUR TOWN AND DISTRICT CLUB".prefix(length))
          scoreboard.adopt((0..<teams).map { .init(id: "team\($0)", name: name) }, rules: GameRules(preset))
          let score = try Self.widget(scoreboard, size)
          // The picture of a line of text has space for the marks of letters around it, at most a cap height.
          let air = MatchViews.nameCap * (score.layout?.scale.unit ?? 0)
          let layers = score.columns.map(\.title.layer) + score.parts.map(\.layer)
          let outside = layers.flatMap(\.sublayers).map(\.frame).filter { !$0.inset(air).isInside(size.page) }
          #expect(outside.isEmpty, "\(size) \(length): \(outside)")
        }
      }
    }
  }

  @Test(
    "Names of 1 to 40 letters, or their abbreviations, are whole and stay in their places",
    arguments: GameRules.Preset.allCases)
  func lengthsOfNames(_ preset: GameRules.Preset) throws {
    let rules = GameRules(preset)
    let full = "WANDERERS HARBOUR TOWN AND DISTRICT CLUB"
    var wrong: [String] = []
    for size in CommonDisplays.sizes {
      let context = Fixture.context(size, rules: rules)
      var seen = Set<[Double]>()
      for (teams, logos) in [(2, []), (2, ["team0"]), (3, []), (4, [])] as [(Int, Set<String>)] {
        let (layout, _, _) = Self.layout(rules, teams: teams, digits: rules.usualDigits, size, logos: logos)
        let cap = max(MatchViews.nameCap * layout.scale.unit, 7)
        for (part, rect) in layout.places {
          guard part == .name(0) || part == .rowName(0) else { continue }
          guard seen.insert([rect.width, rect.height, cap]).inserted else { continue }
          for length in 1...full.count {
            let name = String(full.prefix(length))
            let team = Scoreboard.Team(id: "team0", name: name)
            let title = TeamName(
              in: rect, cap: cap, look: part == .rowName(0) ? .row : .underlined, hasName: true,
              hasMark: rules.serve != .none, context: context)
            title.show(
              Scoreboard.Team.shownNames(of: [team], in: .english)[0], color: Color(rgb: 0xe5484d))
            // The picture has space for the marks of letters around it, at most a cap height.
            let labels = [title.label, title.second].filter { !$0.layer.isHidden && !$0.text.isEmpty }
            let letters = labels.map { $0.layer.frame.inset(cap) }
            if !title.isWhole || !letters.allSatisfy({ $0.isInside(rect) }) || !title.bar.frame.isInside(rect)
            {
              wrong.append("\(size), \(length) letters: \(title.label.text) at \(letters) in \(rect)")
            }
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  /// What is shown of the names of teams.
  private static func titles(_ score: ScoreWidget) -> [String] {
    score.columns.map {
      $0.title.second.layer.isHidden ? $0.title.label.text : $0.title.label.text + $0.title.second.text
    }
  }

  @Test(
    "Teams whose names differ in the last word or letter, or only in the middle, are shown differently",
    arguments: GameRules.Preset.allCases)
  func similarNames(_ preset: GameRules.Preset) throws {
    let letters = Array("ABCDEFGH")
    let names: [[String]] = [
      letters.indices.map { "TEAM NUMBER \($0 + 1)" }, letters.map { "WANDERERS HARBOUR TOWN \($0)" },
      letters.map { "INTERNATIONALKICKERS\($0)" }, letters.map { "Club \($0)lpha Wanderers of the Harbour" },
      letters.map { "VAN DER BERG / GONZÁLEZ HERNÁNDEZ \($0)" },
      Array("一二三四五六七八").map { "東京レッドサンダースバスケットボール\($0)" },
      letters.indices.map { String("LIONS REDUX".prefix(3 + $0)) },
    ]
    var wrong: [String] = []
    for (index, size) in CommonDisplays.sizes.enumerated() {
      for teams in 2...8 {
        let set = names[(index + teams) % names.count]
        var scoreboard = Scoreboard(teams: [])
        scoreboard.adopt(
          (0..<teams).map { .init(id: "team\($0)", name: set[$0]) }, rules: GameRules(preset))
        let score = try Self.widget(scoreboard, size)
        guard score.layout?.contents.hasNames == true else { continue }
        let shown = Self.titles(score)
        if Set(shown).count < teams { wrong.append("\(size) \(teams): \(shown)") }
        // Cards of an ordinary width.
        guard min(size.width, size.height) >= 480, teams <= 4 else { continue }
        for column in score.columns where !column.title.isWhole {
          wrong.append("\(size): \(column.title.label.text)")
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  @Test(
    "A name keeps as much as fits in letters of the least size",
    arguments: [
      (GameRules.Preset.basketball, "TEAM NUMBER 1", "TEAM NUMBER 1"),
      (.tennis, "東京レッドサンダースバスケットボール", "東京レッドサンダースバスケットボール"),
      (.tennis, "WOJCIECHOWSKA-NOWAKOWSKA", "WOJCIECHOWSKA-NOWAKOWSKA"),
      (.tennis, "НАЦИОНАЛЬНЫЙ КЛУБ ДИНАМО МОСКВА", "НАЦИОНАЛЬНЫЙ КЛУБДИНАМО МОСКВА"),
      (.basketball, "НАЦИОНАЛЬНЫЙ КЛУБ ДИНАМО МОСКВА", "КЛУБ ДИНАМО МОСКВА"),
      (.basketball, "JEAN-PHILIPPE DE LA FONTAINE", "JEAN-PHILIPPE DE LA FONTAINE"),
      (.volleyball, "van der Berg / González Hernández", "Berg / González Hernández"),
    ])
  func asMuchAsFits(preset: GameRules.Preset, name: String, text: String) throws {
    for (width, height) in [(1280, 720), (1920, 1080)] {
      var scoreboard = Scoreboard(teams: [])
      scoreboard.adopt(
        [.init(id: "home", name: name), .init(id: "guest", name: "SHARKS")], rules: GameRules(preset))
      let score = try Self.widget(scoreboard, PixelSize(width: width, height: height))
      #expect(Self.titles(score).first == text, "\(preset) \(width)x\(height)")
    }
  }

  @Test(
    "A long name in a row has two lines before its letters get small, also with many teams",
    arguments: [GameRules.Preset.tennis, .darts])
  func twoLinesFirst(_ preset: GameRules.Preset) throws {
    let name = "WANDERERS HARBOUR TOWN AND DISTRICT CLUB"
    for size in CommonDisplays.sizes where size.width > size.height && size.height >= 400 {
      for teams in 2...4 {
        var scoreboard = Scoreboard(teams: [])
        scoreboard.adopt(
          (0..<teams).map { .init(id: "team\($0)", name: $0 == 0 ? name : "LIONS \($0)") },
          rules: GameRules(preset))
        let score = try Self.widget(scoreboard, size)
        guard let title = score.columns.first?.title, score.layout?.contents.kind == .rows,
          score.layout?.places.contains(where: { $0.part == .rowName(0) }) == true
        else { continue }
        let place = try #require(score.layout?.places.first { $0.part == .rowName(0) }?.rect)
        let cap = max(MatchViews.nameCap * (score.layout?.scale.unit ?? 0), 7)
        var style = Label.Style(
          face: score.context.theme.nameFace, color: Color(rgb: 0),
          capHeight: (teams == 2 ? 0.84 : 0.6) * cap, tracking: 0.05)
        if title.second.layer.isHidden {
          // Two lines would be smaller.
          #expect(
            title.label.text == name && Label.width(of: name, style: style) <= place.width,
            "\(size) \(teams): \(title.label.text)")
        } else {
          style.capHeight = 0.55 * cap
          // The least letters of the last word do not fit everywhere.
          #expect(name.hasPrefix(title.label.text + " " + title.second.text), "\(size) \(teams)")
          for line in [title.label.text, title.second.text] {
            #expect(Label.width(of: line, style: style) <= place.width, "\(size) \(teams): \(line)")
          }
        }
        #expect(title.isWhole)
        #expect(title.mark.frame.y >= place.y - 1, "\(size) \(teams)")
      }
    }
  }

  @Test(
    "Letters that reach below the line do not touch the bar beneath the name",
    arguments: ["Ünïçödé", "gypsy jq", "สิงโตภูเขาใหญ่", "शेर क्रुद्ध", "نادي الشباب", "ĢĶĻ Ņ", "ホーム", "Ệ Ộ Ự"])
  func lettersBelowTheLine(_ name: String) throws {
    var wrong: [String] = []
    for size in CommonDisplays.sizes where max(size.width, size.height) <= 1366 {
      for preset in [GameRules.Preset.free, .basketball, .volleyball] {
        for teams in [2, 4] {
          var scoreboard = Scoreboard(teams: [])
          scoreboard.adopt((0..<teams).map { .init(id: "team\($0)", name: name) }, rules: GameRules(preset))
          let score = try Self.widget(scoreboard, size)
          for title in score.columns.map(\.title) where score.layout?.contents.hasNames == true {
            let frame = title.label.layer.frame
            guard let image = title.label.layer.contents?.bitmap.buffer else { continue }
            let rows = (0..<image.height).filter { y in
              (0..<image.width).contains { image.row32(y)[$0] >= 0x4000_0000 }
            }
            if frame.y + Double((rows.max() ?? 0) + 1) >= title.bar.frame.y {
              wrong.append("\(size) \(preset) \(teams)")
            }
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  @Test(
    "Counters of three and four teams have their names on displays of an ordinary size",
    arguments: GameRules.Preset.allCases)
  func namesOfCounters(_ preset: GameRules.Preset) throws {
    for (width, height) in [(800, 480), (1280, 720), (1920, 1080), (1080, 1920)] {
      for teams in 2...4 {
        let score = try Self.widget(
          Self.scoreboard(GameRules(preset), teams: teams), PixelSize(width: width, height: height))
        for line in score.parts.compactMap({ $0 as? CounterLine.Part }).map(\.line) {
          #expect(line.name?.text == line.counter.name, "\(width)x\(height) \(teams)")
        }
      }
    }
  }

  @Test(
    "Two players, and names of many words, have two lines in a row",
    arguments: [
      ("VAN DER BERG / GONZÁLEZ", ["VAN DER BERG", "GONZÁLEZ"]),
      ("JEAN-PHILIPPE DE LA FONTAINE", ["JEAN-PHILIPPE", "DE LA FONTAINE"]), ("LIONS", ["LIONS"]),
      ("MÜLLER/LI", ["MÜLLER/LI"]), (" / ", [" / "]),
      ("ANASTASIJA-ALEKSANDROWNA / ", ["ANASTASIJA-ALEKSANDROWNA", ""]),
    ])
  func twoLines(name: String, lines: [String]) throws {
    var scoreboard = Scoreboard(teams: [])
    scoreboard.adopt(
      [.init(id: "home", name: name), .init(id: "guest", name: "SHARKS")], rules: GameRules(.tennis))
    for (width, height) in [(1280, 720), (1920, 1080), (3840, 2160)] {
      let score = try Self.widget(scoreboard, PixelSize(width: width, height: height))
      let title = try #require(score.columns.first?.title)
      let shown = title.second.layer.isHidden ? [title.label.text] : [title.label.text, title.second.text]
      #expect(shown == lines, "\(width)x\(height)")
      #expect(title.isWhole)
    }
  }

  @Test(
    "During a break its clock is shown, with its name, and the game clock beside it",
    arguments: GameRules.Preset.allCases)
  func breaks(_ preset: GameRules.Preset) throws {
    var wrong: [String] = []
    for size in CommonDisplays.sizes {
      var scoreboard = Self.scoreboard(GameRules(preset), teams: 2)
      let score = try Self.widget(scoreboard, size) { $0.showTime = false }
      let before = score.layout?.places.map(\.part) ?? []
      try scoreboard.apply(.startBreak(.interval, length: 60_000_000_000, anyway: false), at: 0)
      func model(at clock: Int64) -> StageModel {
        StageModel(instant: Fixture.instant(9, 41), scoreboard: scoreboard, clock: clock)
      }
      score.update(model(at: 1), at: 1, animated: true)
      let layout = try #require(score.layout)
      let parts = Set(layout.places.map(\.part))
      wrong += Self.problems(layout, in: score.rect).map { "\(size): \($0)" }
      if !parts.isSuperset(of: [.clock(.breakClock), .breakName]) {
        wrong.append("\(size): no clock of the break")
      }
      if before.contains(.clock(.game)) != parts.contains(.clock(.game)) {
        wrong.append("\(size): other clocks")
      }
      if parts.contains(.clock(.shot)) != parts.contains(.clockName(.shot)) {
        wrong.append("\(size): no caption of the shot clock")
      }
      // The name and the clock are in the middle, together.
      let places = layout.places.filter { [.clock(.breakClock), .breakName].contains($0.part) }.map(\.rect)
      if let place = places.first.map({ places.dropFirst().reduce($0) { $0.union($1) } }) {
        if abs(place.midX - score.rect.midX) > 1 { wrong.append("\(size): the break is at \(place)") }
      }
      if let name = layout.places.first(where: { $0.part == .breakName })?.rect,
        let line = Self.texts(score).flatMap(\.shown).first(where: { $0.box == name })
      {
        let style = score.context.theme.style(line)
        let empty = name.width - Label.width(of: line.text, style: style)
        if empty > 3 + 0.015 * layout.scale.unit { wrong.append("\(size): \(empty) beside the name") }
      } else {
        wrong.append("\(size): no name of the break")
      }
      // The clock of a break that has run out is shown for a while, and then the page is as before.
      score.update(model(at: 75_000_000_000), at: 2, animated: true)
      if score.layout?.places.map(\.part) != before { wrong.append("\(size): the break does not end") }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  @Test(
    "The time of day keeps its place in a break and at the end, touches nothing, and is never cut",
    arguments: GameRules.Preset.allCases)
  func timeOfDay(_ preset: GameRules.Preset) throws {
    var wrong: [String] = []
    let rules = GameRules(preset)
    for (index, size) in CommonDisplays.sizes.enumerated() {
      for (teams, hours) in [(2, index % 2 == 0), (3 + index % 2, index % 4 < 2)] {
        var scoreboard = Self.scoreboard(rules, teams: teams)
        let score = try Self.widget(scoreboard, size) { $0.clock.hours = hours ? .twelve : .twentyFour }
        var first: Rect??
        func check(_ moment: String, at clock: Int64) {
          let place = "\(size) \(teams) \(hours) \(moment)"
          // 10:48 PM is wide.
          score.update(
            StageModel(instant: Fixture.instant(22, 48), scoreboard: scoreboard, clock: clock), at: 1,
            animated: false)
          let time = score.layout?.places.first { $0.part == .time }?.rect
          if let first, first != time {
            wrong.append("\(place): at \(String(describing: time)), not \(first as Any)")
          }
          first = .some(time)
          for line in Self.texts(score).flatMap(\.asked) where line.text.contains(":48") {
            let style = score.context.theme.style(line)
            if Label.width(of: line.text, style: style) > line.box.width { wrong.append("\(place): cut") }
          }
          if let layout = score.layout {
            wrong += Self.problems(layout, in: score.rect).map { "\(place): \($0)" }
          }
        }
        check("in play", at: 0)
        try scoreboard.apply(.startBreak(.interval, length: 720_000_000_000, anyway: true), at: 0)
        check("in an interval", at: 1)
        try scoreboard.apply(
          .startBreak(.timeOut(team: "team1"), length: 60_000_000_000, anyway: true), at: 2)
        check("in a time-out", at: 3)
        try scoreboard.apply(.endBreak, at: 4)
        check("after it", at: 5)
        try scoreboard.apply(.addScore(team: "team1", by: preset == .darts ? -20 : 1), at: 6)
        try scoreboard.apply(.endMatch, at: 7)
        check("at the end", at: 8)
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  @Test("Boards with a clock have the time of day in one place, and so have those without")
  func onePlace() throws {
    for (width, height) in [(480, 320), (800, 480), (1280, 720), (1920, 1080)] {
      for hasClock in [false, true] {
        let places = try GameRules.Preset.allCases.compactMap { preset -> Rect? in
          let rules = GameRules(preset)
          let score = try Self.widget(
            Self.scoreboard(rules, teams: 2), PixelSize(width: width, height: height))
          guard score.layout?.contents.hasClocks == hasClock else { return nil }
          let time = score.layout?.places.first { $0.part == .time }?.rect
          #expect(height < 720 || time != nil, "\(width)x\(height) \(preset)")
          return time
        }
        // The letters of a board are a little larger where there is space for them.
        let ys = places.map { ($0.y - Double(height) / 2).sign }
        #expect(Set(ys).count <= 1 && Set(places.map(\.maxX)).count <= 1, "\(width)x\(height): \(places)")
      }
    }
  }

  @Test("The clocks of a break have no empty card", arguments: GameRules.Preset.allCases)
  func emptyCards(_ preset: GameRules.Preset) throws {
    for (width, height) in [(320, 240), (1920, 1080), (1080, 1920)] {
      for seconds in [5, 59, 60, 599, 600, 900] as [Int64] {
        var scoreboard = Self.scoreboard(GameRules(preset), teams: 2)
        if scoreboard.rules.game?.length ?? 0 > 0 {
          try scoreboard.apply(.setTimer(.game, to: seconds * 1_000_000_000), at: 0)
        }
        let score = try Self.widget(scoreboard, PixelSize(width: width, height: height))
        try scoreboard.apply(
          .startBreak(.interval, length: seconds * 1_000_000_000, anyway: true), at: 0)
        score.update(
          StageModel(instant: Fixture.instant(9, 41), scoreboard: scoreboard, clock: 1), at: 1,
          animated: false)
        let clocks = score.parts.compactMap { $0 as? MatchClock }
        #expect(!clocks.isEmpty)
        // The seconds of a clock with tenths keep two cards.
        for clock in clocks where clock.id == .breakClock || clock.id == .game && seconds >= 10 {
          let cards = clock.timer.board?.cards ?? []
          #expect(!cards.isEmpty && cards.allSatisfy { $0.wouldFlip(to: "") }, "\(width) \(seconds)")
        }
      }
    }
  }

  @Test(
    "What a break or the end leaves out is named, and the scores stay side by side or above each other",
    arguments: GameRules.Preset.allCases)
  func moments(_ preset: GameRules.Preset) throws {
    var wrong: [String] = []
    for size in CommonDisplays.sizes {
      for teams in 2...4 {
        let rules = GameRules(preset)
        let (_, asked, rect) = Self.layout(rules, teams: teams, digits: rules.usualDigits, size)
        var sides: [Bool] = []
        for (moment, contents) in asked.moments.enumerated() {
          var layout = MatchLayout(contents, in: rect.size, page: size.page.size)
          layout.place(in: rect, isMirrored: false)
          let scores = (0..<2).compactMap { team in layout.places.first { $0.part == .score(team) }?.rect }
          sides.append(scores[1].x >= scores[0].maxX)
          wrong += (Self.unnamed(layout, contents) + Self.problems(layout, in: rect)).map {
            "\(size) \(teams) \(moment): \($0)"
          }
          // A column of figures has its caption.
          for place in layout.places where layout.contents.kind == .rows {
            let figure: MatchPart.Figure? =
              switch place.part {
              case .score: .points
              case .games: .games
              case .periodsWon: .periodsWon
              case .periodPoints: .periodPoints
              default: nil
              }
            guard let figure else { continue }
            let isNamed = layout.places.contains {
              if case .caption(figure, _, _) = $0.part {
                abs($0.rect.midX - place.rect.midX) < 2
              } else {
                false
              }
            }
            if !isNamed { wrong.append("\(size) \(teams) \(moment): no caption for \(place.part)") }
          }
        }
        let (long, short) = (max(size.width, size.height), min(size.width, size.height))
        let usual = short >= 480 && 2 * long >= 3 * short
        // On an upright display the scores of a result can use the space of the details.
        let compared = size.width < size.height ? sides.prefix(2) : sides[...]
        if usual, Set(compared).count > 1 { wrong.append("\(size) \(teams): \(sides)") }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  @Test(
    "On an upright display each part of a team is nearer to its team, and the sets won are beside its score",
    arguments: GameRules.Preset.allCases)
  func upright(_ preset: GameRules.Preset) {
    let rules = GameRules(preset)
    for (width, height) in [(1080, 1920), (720, 1280), (480, 800), (1200, 1920), (2160, 3840)] {
      let size = PixelSize(width: width, height: height)
      let layout = Self.layout(rules, teams: 2, digits: rules.usualDigits, size).0
      func places(_ team: Int) -> [Rect] { layout.places.filter { $0.part.team == team }.map(\.rect) }
      let (first, second) = (places(0), places(1))
      guard let bottom = first.map(\.maxY).max(), let top = second.map(\.y).min(), bottom <= top else {
        continue
      }
      let sorted = first.sorted { $0.y < $1.y }
      var (end, gap) = (sorted.first?.maxY ?? 0, 0.0)
      for rect in sorted.dropFirst() {
        gap = max(gap, rect.y - end)
        end = max(end, rect.maxY)
      }
      // In rows, captions are between the parts of a team.
      if layout.contents.kind != .rows {
        #expect(top - bottom > 1.3 * gap, "\(size): \(top - bottom), \(gap)")
      }
      for team in 0..<2 {
        guard let score = layout.places.first(where: { $0.part == .score(team) })?.rect,
          let won = layout.places.first(where: { $0.part == .periodsWon(team) })?.rect
        else { continue }
        #expect(won.y >= score.y && won.maxY <= score.maxY && !won.overlaps(score), "\(size)")
      }
      // Rows use the width.
      if layout.contents.kind == .rows {
        #expect(layout.places.map(\.rect.maxY).max() ?? 0 > 0.75 * Double(height), "\(size)")
        #expect(layout.card >= 0.3 * Double(width), "\(size): \(layout.card)")
      }
    }
  }

  @Test(
    "On a very wide display the rows of two players are side by side",
    arguments: [GameRules.Preset.tennis, .darts])
  func veryWide(_ preset: GameRules.Preset) throws {
    let rules = GameRules(preset)
    let layout = Self.layout(
      rules, teams: 2, digits: rules.usualDigits, PixelSize(width: 3840, height: 1080)
    ).0
    let rects = layout.places.map(\.rect)
    let used = (rects.map(\.maxX).max() ?? 0) - (rects.map(\.x).min() ?? 0)
    #expect(used > 0.85 * 3840, "\(used)")
    #expect(layout.card > 0.42 * 1080, "\(layout.card)")
  }

  @Test(
    "The table of past periods has a heading as soon as it has lines", arguments: GameRules.Preset.allCases)
  func headings(_ preset: GameRules.Preset) throws {
    for size in CommonDisplays.sizes {
      var scoreboard = Self.scoreboard(GameRules(preset), teams: 2)
      guard scoreboard.rules.scoring == .total, scoreboard.rules.periods > 1 else { return }
      let name = scoreboard.rules.periodsName
      for period in 1...2 {
        if period == 2 { try scoreboard.apply(.addPeriod(by: 1)) }
        let score = try Self.widget(scoreboard, size)
        guard score.layout?.places.contains(where: { $0.part == .periodTable }) == true else { continue }
        #expect(
          Self.texts(score).flatMap(\.shown).contains { $0.text == name } == (period == 2),
          "\(size) \(period)")
      }
    }
  }

  /// The texts of a scoreboard's parts.
  private static func texts(_ score: ScoreWidget) -> [TextLines] {
    score.parts.compactMap { ($0 as? MatchText)?.text ?? ($0 as? WinningCaption)?.text }
  }

  @Test(
    "No word of a scoreboard is cut in any language: in play, in a time-out, after the match",
    arguments: GameRules.Preset.allCases)
  func words(_ preset: GameRules.Preset) throws {
    var wrong: [String] = []
    // Each size has some of the languages, in each game others.
    let first = GameRules.Preset.allCases.firstIndex(of: preset) ?? 0
    for (index, size) in CommonDisplays.sizes.enumerated() {
      for turn in 0..<TestEffort.rounds(1, long: Words.languages.count) {
        let name = Words.languages[(index + 3 * first + turn) % Words.languages.count]
        var rules = GameRules(preset, words: try #require(Language(name)).words)
        rules.penalties = []
        var scoreboard = Self.scoreboard(rules, teams: 2)
        let score = try Self.widget(scoreboard, size)
        func check(_ moment: String, at clock: Int64) {
          score.update(
            StageModel(instant: Fixture.instant(9, 41), scoreboard: scoreboard, clock: clock), at: 1,
            animated: false)
          let lines = Self.texts(score).flatMap(\.asked)
          wrong += lines.filter { !$0.isWhole(score.context.theme) }.map {
            "\(name) \(size) \(moment): \($0.text) in \($0.box.width)"
          }
          if let layout = score.layout {
            wrong += Self.problems(layout, in: score.rect).map { "\(name) \(size) \(moment): \($0)" }
          }
        }
        check("in play", at: 0)
        try scoreboard.apply(
          .startBreak(.timeOut(team: "team0"), length: 60_000_000_000, anyway: true), at: 0)
        check("in a time-out", at: 1)
        try scoreboard.apply(.endBreak, at: 2)
        check("after it", at: 3)
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  /// What is shown of set points and match points.
  private static func winningPoints(_ score: ScoreWidget, _ names: [String]) -> [TextLines.Line] {
    texts(score).flatMap(\.shown).filter { names.contains($0.text) }
  }

  @Test(
    "A set point is shown whole in all languages, and moves nothing",
    arguments: [GameRules.Preset.free, .volleyball, .tableTennis, .badminton, .tennis])
  func winningPoints(_ preset: GameRules.Preset) throws {
    var wrong: [String] = []
    // Each size has one of the languages.
    for (index, size) in CommonDisplays.sizes.enumerated() {
      let name = Words.languages[index % Words.languages.count]
      var rules = GameRules(preset, words: try #require(Language(name)).words)
      if preset == .free { rules.pointsToWin = 21 }
      // A break has a place of its own.
      rules.breaks.inSet = 0
      let names = [rules.winningPointNames.set, rules.winningPointNames.match]
      for teams in [2, 3] {
        var scoreboard = Self.scoreboard(rules, teams: teams)
        if rules.games != nil { try scoreboard.apply(.setPeriodScore(team: "team1", period: 1, to: 5)) }
        let score = try Self.widget(scoreboard, size)
        let before = score.layout?.places ?? []
        guard score.layout?.contents.hasWinningPoints == true else { continue }
        let last = rules.pointNames == .tennis ? 40 : rules.pointsToWin - 1
        for (points, isPoint) in [(0, false), (last, true), (0, false)] {
          try scoreboard.apply(.setScore(team: "team1", to: points))
          score.update(
            StageModel(instant: Fixture.instant(9, 41), scoreboard: scoreboard), at: 1, animated: true)
          let lines = Self.winningPoints(score, names)
          if lines.count != (isPoint ? 1 : 0) { wrong.append("\(name) \(size): \(lines.count)") }
          for line in lines {
            let style = score.context.theme.labelStyle(cap: line.cap, narrowing: 2)
            if !Label.fits(line.text, style: style, width: line.box.width) {
              wrong.append("\(name) \(size): \(line.text) is cut")
            }
          }
          let places = score.layout?.places ?? []
          if places.map(\.part) != before.map(\.part) || places.map(\.rect) != before.map(\.rect) {
            wrong.append("\(name) \(size): other places")
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  @Test("The frame of the winner touches nothing", arguments: GameRules.Preset.allCases)
  func winnerFrames(_ preset: GameRules.Preset) throws {
    var wrong: [String] = []
    for size in CommonDisplays.sizes {
      for teams in 2...4 {
        var scoreboard = Self.scoreboard(GameRules(preset), teams: teams)
        try scoreboard.apply(.addScore(team: "team1", by: preset == .darts ? -20 : 1))
        try scoreboard.apply(.endMatch)
        let score = try Self.widget(scoreboard, size)
        let layout = try #require(score.layout)
        let frames = score.parts.compactMap { $0 as? WinnerFrame }.filter { $0.layer.contents != nil }
        guard let outer = frames.first?.layer.frame else { continue }
        let rect = try #require(layout.winnerRects.first { $0.isInside(outer) })
        let width = layout.winnerFrame(around: rect).width
        let inner = outer.grown(-width)
        // Only rows have space for more.
        let least = layout.contents.kind == .rows ? max((0.008 * layout.scale.unit).rounded(.down), 2) : 1
        if !rect.grown(least).isInside(inner) { wrong.append("\(size) \(teams): \(rect) in \(inner)") }
        if !outer.isInside(size.page) { wrong.append("\(size) \(teams): \(outer) is outside") }
        for place in layout.places where !place.rect.isInside(rect) {
          if case .name = place.part { continue }
          if place.rect.overlaps(outer) { wrong.append("\(size) \(teams): over \(place.part)") }
        }
        for column in score.columns where layout.contents.kind != .rows && layout.contents.hasNames {
          if column.title.bar.frame.overlaps(outer) { wrong.append("\(size) \(teams): over a bar") }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  @Test(
    "The arrow of a set point is at a distance from the letters, and large",
    arguments: [GameRules.Preset.volleyball, .tableTennis, .badminton])
  func arrows(_ preset: GameRules.Preset) throws {
    for (index, size) in CommonDisplays.sizes.enumerated() {
      let name = Words.languages[index % Words.languages.count]
      var rules = GameRules(preset, words: try #require(Language(name)).words)
      rules.breaks.inSet = 0
      var scoreboard = Self.scoreboard(rules, teams: 2)
      let score = try Self.widget(scoreboard, size)
      try scoreboard.apply(.setScore(team: "team1", to: rules.pointsToWin - 1))
      score.update(
        StageModel(instant: Fixture.instant(9, 41), scoreboard: scoreboard), at: 1, animated: true)
      guard let caption = score.parts.compactMap({ $0 as? WinningCaption }).first else { continue }
      let unit = score.layout?.scale.unit ?? 0
      let arrow = try #require(caption.arrows.first { $0.contents != nil }).frame
      let line = try #require(caption.text.shown.first)
      let letters = Label.width(
        of: line.text, style: score.context.theme.labelStyle(cap: line.cap, narrowing: 2))
      let half = min(letters, line.box.width) / 2
      let distance = max(arrow.x - line.box.midX - half, line.box.midX - half - arrow.maxX)
      #expect(distance >= max(0.012 * unit, 2), "\(size) \(name): \(distance)")
      #expect(arrow.width >= 0.04 * unit && arrow.height >= 0.05 * unit, "\(size): \(arrow)")
    }
  }

  @Test("A clock that has not been started takes no space; when it starts, the layout changes")
  func stopwatch() throws {
    var scoreboard = Fixture.scoreboard(.volleyball)
    let score = try Self.widget(scoreboard, PixelSize(width: 640, height: 360))
    #expect(score.layout?.places.contains { $0.part == .clock(.game) } == false)
    try scoreboard.apply(.startTimer(.game), at: 0)
    score.update(
      StageModel(instant: Fixture.instant(9, 41), scoreboard: scoreboard), at: 1, animated: true)
    #expect(score.layout?.places.contains { $0.part == .clock(.game) } == true)
  }
}

extension MatchPart {
  fileprivate var showsWinningPoints: Bool {
    switch self {
    case .winningCaption, .winningPoint, .rowName: true
    default: false
    }
  }
}

extension Rect {
  fileprivate func inset(_ margin: Double) -> Rect {
    Rect(x: x + margin, y: y + margin, width: max(width - 2 * margin, 0), height: max(height - 2 * margin, 0))
  }
}
