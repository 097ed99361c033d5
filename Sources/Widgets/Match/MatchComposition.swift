// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Settings

/// What a scoreboard has to show. Two matches with equal contents have the same layout.
struct MatchContents: Hashable {
  var teams: Int
  /// The number of cards per team.
  var digits: Int
  var hasNames: Bool
  /// Whether one of the teams has a logo.
  var hasLogos: Bool
  /// The clocks of the match, without that of a break, and whether the current period is shown.
  var clocks: [GameTimer.ID]
  var hasPeriod: Bool
  /// What is counted, and whether there are penalties, in play.
  var counters: [GameRules.Counter]
  var hasPenalties: Bool
  /// Whether the points of the past periods are shown.
  var hasPeriodPoints: Bool
  /// The number of periods for which the table of past periods has lines.
  var periods: Int
  /// Whether a break is shown, with its clock.
  var hasBreak: Bool
  /// Whether it is shown that the match is over.
  var isOver: Bool
  /// Whether space beneath the scores is kept free for what a break or the end of the match shows there.
  var hasFoot: Bool
  var hasPeriodsWon: Bool
  /// Whether sets consist of games.
  var hasGames: Bool
  var hasTime: Bool
  /// Whether it is shown that a team needs one point to win the set or the match.
  var hasWinningPoints: Bool
  var kind: ScoreboardParts.Kind
  var texts = Texts()

  /// The sizes of what depends on texts: the parts are no larger than these need. Lengths are in units.
  struct Texts: Hashable {
    /// The width of the time of day at its widest.
    var time = 0.14
    /// The width of the words after the match.
    var result = 0.7
    /// The width of the name of the break.
    var breakName = longestBreakName
    /// The numbers of cards for the minutes of the game clock during a break, and of the break's clock.
    var gameMinutes = 2
    var breakMinutes = 2
    /// The least width of the caption of the period, and of those of figures.
    var period = 0.0
    var captions: [MatchPart.Figure: Double] = [:]

    static let longestBreakName = 0.5
  }

  /// The table of past periods has at most this many lines. Older periods are not shown.
  private static let periodLimit = 7

  /// - Parameters:
  ///   - now: on the clock of the match.
  ///   - logos: the ids of the teams that have a logo.
  init(
    _ settings: ScoreSettings, _ rules: GameRules, _ scoreboard: Scoreboard?, at now: Int64 = 0, digits: Int,
    logos: Set<String> = [], texts: Texts = Texts()
  ) {
    self.digits = digits
    self.texts = texts
    hasLogos = settings.showNames && !logos.isDisjoint(with: settings.teams)
    teams = settings.teams.count
    hasNames = settings.showNames || settings.showServe && rules.serve != .none
    hasBreak = settings.showClocks && scoreboard?.gameBreak != nil
    isOver = !hasBreak && scoreboard?.isFinished(at: now) == true
    let parts = ScoreboardParts(rules, scoreboard)
    kind = parts.kind
    hasPeriodsWon = settings.showSets && parts.hasPeriodsWon
    hasGames = parts.hasGames
    hasPeriodPoints = settings.showSets && parts.hasPeriodPoints
    hasFoot = kind != .total || parts.clocks.isEmpty
    // The sets won, and the past ones, already show which set is played.
    hasPeriod = settings.showPeriod && parts.hasPeriods && !hasPeriodsWon
    clocks = settings.showClocks ? parts.clocks : []
    counters = settings.showCounters ? Array(parts.counters.prefix(ScoreDetails.counterLimit)) : []
    hasPenalties = parts.hasPenalties
    periods = min(max(rules.periods, scoreboard?.period ?? 1), Self.periodLimit)
    hasTime = settings.showTime
    // In a row they are beneath the name.
    hasWinningPoints = rules.hasWinningPoints && (kind != .rows || hasNames)
  }

  private var isResult: Bool { isOver && kind == .total }
  var shownCounters: [GameRules.Counter] {
    isResult ? counters.filter(ScoreboardParts.isResult) : counters
  }
  var showsPenalties: Bool { hasPenalties && !isResult }

  /// Whether set points and match points have lines of their own. Otherwise they are shown at the place of a
  /// caption, or beneath a name, where they take no space from the scores.
  var hasWinningLines: Bool {
    hasWinningPoints && (kind == .total || kind == .sets && teams != 2)
  }

  /// Whether the contents have what a match does not need: space at the foot, or the points of periods that
  /// add up.
  var hasExtras: Bool { hasFoot || hasPeriodPoints && kind == .total }

  /// Whether there are clocks, so that what a break or the end shows is above the scores.
  var hasClocks: Bool { kind == .total && !clocks.isEmpty }

  /// The same contents with names of breaks and times of any length.
  var withLongTexts: MatchContents {
    var contents = self
    let usual = Texts()
    (contents.texts.breakName, contents.texts.gameMinutes) = (usual.breakName, usual.gameMinutes)
    contents.texts.breakMinutes = usual.breakMinutes
    return contents
  }

  /// The same contents in play, in a break, and after the match, without logos.
  var moments: [MatchContents] {
    [(false, false), (true, false), (false, true)].map { isBreak, isEnd in
      var contents = self
      (contents.hasBreak, contents.isOver, contents.hasLogos) = (isBreak, isEnd, false)
      return contents
    }
  }

  static let timeOfDay = "time of day"

  /// What these contents have and `shown` lacks, in the words of `status`.
  func details(missingIn shown: MatchContents) -> [String] {
    var missing: [String] = []
    func note(_ name: String, _ part: KeyPath<MatchContents, Bool>) {
      if self[keyPath: part], !shown[keyPath: part] { missing.append(name) }
    }
    note("names", \.hasNames)
    note("logos", \.hasLogos)
    note("period", \.hasPeriod)
    for timer in clocks where !shown.clocks.contains(timer) { missing.append("\(timer.rawValue) clock") }
    note("break", \.hasBreak)
    note("periods won", \.hasPeriodsWon)
    note("games won", \.hasGames)
    note("set and match points", \.hasWinningPoints)
    note("penalties", \.showsPenalties)
    for counter in shownCounters where !shown.shownCounters.contains(counter) { missing.append(counter.id) }
    note("points of past periods", \.hasPeriodPoints)
    note(Self.timeOfDay, \.hasTime)
    return missing
  }

  /// The same contents without the least important part; nil: only names and scores are left.
  var reduced: MatchContents? {
    var less = self
    if hasFoot {
      less.hasFoot = false
    } else if hasPeriodPoints, kind == .total {
      less.hasPeriodPoints = false
    } else if hasWinningLines {
      less.hasWinningPoints = false
    } else if let last = shownCounters.last {
      less.counters.removeAll { $0 == last }
    } else if showsPenalties {
      less.hasPenalties = false
    } else if hasPeriodPoints {
      less.hasPeriodPoints = false
    } else if !clocks.isEmpty {
      less.clocks.removeLast()
    } else if hasPeriod {
      less.hasPeriod = false
    } else if hasPeriodsWon || hasGames || hasWinningPoints {
      (less.hasPeriodsWon, less.hasGames, less.hasWinningPoints) = (false, false, false)
    } else if hasBreak || isOver {
      (less.hasBreak, less.isOver) = (false, false)
    } else if hasNames {
      less.hasNames = false
    } else {
      return nil
    }
    return less
  }
}

/// The possible arrangements of a game's parts. The layout uses the one in which scores and letters get
/// largest.
struct MatchComposition {
  /// The intended height of the scores' cards, in units.
  let score: Double
  let trees: [MatchTree]
  /// Arrangements that are used only where the others would be much smaller.
  let spareTrees: [MatchTree]

  // The heights of parts, in units.
  static let name = 0.115
  static let clock = 0.23
  static let shotClock = 0.19
  static let period = 0.225
  static let line = 0.069
  static let setCard = 0.176
  static let rowCard = 0.29
  static let duel = 0.125
  static let caption = 0.065
  static let time = 0.05
  /// The clock of a break, and the words after the match, beneath the scores.
  static let foot = 0.11
  static let logo = 0.1
  /// The least width of a name beside a logo.
  static let nameBesideLogo = 0.2
  private static let gap = 0.028
  /// The gap between teams above each other, larger than those between the parts of a team.
  static let teamGap = 0.045

  init(_ contents: MatchContents) {
    let parts = Parts(contents: contents)
    // Many teams, or scores with many digits, have smaller scores from the beginning, not smaller letters.
    let most = 1.25 / Double(max((contents.teams + 1) / 2 * contents.digits, 1))
    switch contents.kind {
    case .total:
      spareTrees = []
      score = min(contents.clocks.isEmpty ? 0.52 : 0.4, most)
      trees = parts.total()
    case .sets:
      score = min(0.52, most)
      (trees, spareTrees) = parts.sets()
    case .rows:
      spareTrees = []
      score = contents.teams == 2 ? 0.36 : 0.7 / Double(max(contents.teams, 2))
      trees = parts.rows()
    }
  }

  /// Trees of the parts of one game.
  private struct Parts {
    let contents: MatchContents
    private var teams: Range<Int> { 0..<contents.teams }

    // MARK: Compositions

    /// The clock above the scores, with period and shot clock at its sides; on an upright page these are
    /// beneath it. On a very wide page all are in one row. Where two scores are narrow, the counters are
    /// between them.
    func total() -> [MatchTree] {
      let (head, stack) = heads
      let points: [MatchPart.Figure] = contents.hasPeriodPoints ? [.periodPoints] : []
      let figures = contents.shownCounters.map { MatchPart.Figure.counter($0) } + points
      let full = teams.map { team($0, foot($0, figures)) }
      let trees = groups(full).flatMap { groups in [head, stack].flatMap { pages([$0, groups]) } }
      guard contents.teams == 2 else { return trees }
      let short = teams.map { team($0, foot($0, [])) }
      let duels: MatchTree = .column(
        contents.shownCounters.map { .part(.duel($0), MatchComposition.duel) } + namedTable,
        gap: MatchComposition.gap)
      return trees + pages([.flanked(left: full[0], middle: stack, right: full[1], gap: 0.05)])
        + pages([head, .flanked(left: short[0], middle: duels, right: short[1], gap: 0.03)])
    }

    /// The sets won between two scores, and beneath them the points of the past sets; on a small page these
    /// are lines beneath the scores.
    func sets() -> (usual: [MatchTree], spare: [MatchTree]) {
      let counters = contents.shownCounters.map { MatchPart.Figure.counter($0) }
      let won: [MatchPart.Figure] = contents.hasPeriodsWon ? [.periodsWon] : []
      let points: [MatchPart.Figure] = contents.hasPeriodPoints ? [.periodPoints] : []
      guard contents.teams == 2 else {
        let lines = groups(teams.map { team($0, foot($0, won + counters + points)) })
        return (lines.flatMap { pages([center, $0]) }, [])
      }
      let full = teams.map { team($0, foot($0, counters)) }
      let caption: [MatchTree] =
        contents.hasPeriodsWon || contents.hasWinningPoints
        ? [.part(.winningCaption(won.first), MatchComposition.caption)] : []
      let cards: MatchTree = .column(
        caption
          + won.map { _ in .row(teams.map { .part(.periodsWon($0), MatchComposition.setCard) }, gap: 0.05) },
        gap: 0)
      let lines = teams.map { team($0, winningPoint($0) + foot($0, won + counters + points)) }
      let between = pages([
        .flanked(
          left: full[0], middle: .column([center, cards] + table, gap: MatchComposition.gap), right: full[1],
          gap: 0.02)
      ])
      let upright = pages([
        center,
        .column(
          teams.map { team in
            .row([beside(team, won: won, winningPoint(team), foot(team, counters + points))], gap: 0)
          }, gap: MatchComposition.teamGap),
      ])
      return (between + upright, groups(lines).flatMap { pages([center, $0]) })
    }

    /// A row for each team: the name, the past sets, the games won in the current set (or, in a game without
    /// games, the legs won), and the points. On an upright page the name is above the rest.
    func rows() -> [MatchTree] {
      typealias Column = (figure: MatchPart.Figure, part: (Int) -> MatchPart, height: Double)
      var figures: [Column] = []
      // After the match they use the space of the games.
      let past = contents.hasGames && contents.isOver ? 0.36 : 0.2
      if contents.hasPeriodPoints { figures.append((.periodPoints, MatchPart.periodPoints, past)) }
      // After the match, the games of the last set are beside those of the others.
      if contents.hasGames, !contents.isOver {
        figures.append((.games, MatchPart.games, MatchComposition.rowCard))
      } else if contents.hasPeriodsWon, !contents.hasGames {
        figures.append((.periodsWon, MatchPart.periodsWon, MatchComposition.rowCard))
      }
      figures.append((.points, MatchPart.score, 0))
      let captions = figures.map { figure -> MatchTree in
        .part(.caption(figure.figure, over: figure.part(0), figure.height), MatchComposition.caption)
      }
      let counters = contents.shownCounters.map { MatchPart.Figure.counter($0) }
      // As wide as the captions.
      let all = Array(zip(figures, captions))
      func cells(_ team: Int, _ columns: [(Column, MatchTree)]) -> [MatchTree] {
        columns.map { column, caption in
          .column([.shadow(caption), .part(column.part(team), column.height)], gap: 0)
        }
      }
      let names = teams.map { team -> MatchTree in
        let name =
          contents.hasNames
          ? named(team, .part(.rowName(team), contents.teams == 2 ? 0.28 : 0.2), logo: 0.17) : .space
        return .column([name] + foot(team, counters), gap: 0)
      }
      let rows = teams.map { MatchTree.row([names[$0]] + cells($0, all), gap: 0.05) }
      // Without the past sets, which are a line beneath on an upright page.
      let current = all.filter { $0.0.figure != .periodPoints }
      let points: [MatchPart.Figure] = contents.hasPeriodPoints ? [.periodPoints] : []
      let upright = teams.map { team -> MatchTree in
        .column(
          name(team) + winningPoint(team) + [
            .row(current.map(\.1), gap: 0.05),
            .row(cells(team, current), gap: 0.05),
          ] + foot(team, counters + points), gap: 0)
      }
      let heading = MatchTree.row([.shadow(names.first ?? .space)] + captions, gap: 0.05)
      // On a very wide page the teams are side by side.
      let wide =
        contents.teams == 2
        ? pages([.row(rows.map { .column([heading, $0], gap: 0) }, gap: 0.08), center]) : []
      return pages([heading] + rows + [center]) + wide
        + pages([center, .column(upright.map { .row([$0], gap: 0) }, gap: MatchComposition.teamGap)])
    }

    // MARK: Trees

    /// What is above the scores of a game with clocks, in a row, and narrower: the clock of the match, with
    /// the period and the shot clock at its sides. During a break the break's clock is in the middle, and the
    /// others are smaller, at its sides; after the match the words for that replace them.
    private var heads: (row: MatchTree, stack: MatchTree) {
      if contents.isOver, contents.hasClocks {
        let result: MatchTree = .part(.result, MatchComposition.clock)
        return (result, result)
      }
      let (left, center, right) = clocks
      let beside: MatchTree = .row([left, right], gap: 0.08)
      let row: MatchTree =
        contents.hasBreak || contents.clocks.contains(.game)
        ? .row([.flanked(left: left, middle: center, right: right, gap: 0.05)], gap: 0) : beside
      return (row, .column([center, beside], gap: MatchComposition.gap))
    }

    private var clocks: (left: MatchTree, center: MatchTree, right: MatchTree) {
      guard contents.hasBreak else {
        return (period, clock(.game, MatchComposition.clock), clock(.shot, MatchComposition.shotClock))
      }
      let pause: MatchTree = .column(
        [.part(.clock(.breakClock), 0.175), .part(.breakName, 0.055)], gap: 0)
      let name: [MatchTree] = contents.hasPeriod ? [.part(.periodName, MatchComposition.caption)] : []
      let shot: [MatchTree] =
        contents.clocks.contains(.shot) ? [.part(.clockName(.shot), MatchComposition.caption)] : []
      return (
        .column(name + [clock(.game, 0.15)], gap: 0), pause, .column(shot + [clock(.shot, 0.15)], gap: 0)
      )
    }

    /// All parts of a page, in the possible arrangements. Beneath them is the clock of a break, and after the
    /// match the words for that, unless they are above the scores.
    private func pages(_ trees: [MatchTree]) -> [MatchTree] {
      feet.map { .column(trees + $0, gap: MatchComposition.gap) }
    }

    private var feet: [[MatchTree]] {
      if contents.kind != .total, contents.hasBreak {
        let (name, clock) = (MatchTree.part(.breakName, 0.06), MatchTree.part(.clock(.breakClock), foot))
        return [[.row([.before(name, clock, least: 0, gap: 0.03)], gap: 0)], [name, clock]]
      }
      if contents.isOver, !contents.hasClocks { return [[.part(.result, foot)]] }
      return contents.hasFoot ? [[.blank(foot)]] : [[]]
    }

    private var foot: Double { MatchComposition.foot }

    private func clock(_ timer: GameTimer.ID, _ height: Double) -> MatchTree {
      contents.clocks.contains(timer) ? .part(.clock(timer), height) : .nothing
    }

    /// The points of the past periods of two teams.
    private var table: [MatchTree] {
      contents.hasPeriodPoints ? [.part(.periodTable, tableHeight)] : []
    }

    /// The same with a caption, where the periods have none.
    private var namedTable: [MatchTree] {
      contents.hasPeriodPoints
        ? [
          .column(
            [.part(.caption(.periodPoints, over: .periodTable, tableHeight), MatchComposition.caption)]
              + table, gap: 0)
        ] : []
    }

    private var tableHeight: Double { Double(contents.periods) * 0.061 }

    private var period: MatchTree {
      contents.hasPeriod ? .part(.period, MatchComposition.period) : .nothing
    }

    /// Period and clocks of a game whose scores are not at their sides.
    private var center: MatchTree {
      .row(
        [period, clock(.game, MatchComposition.shotClock), clock(.shot, MatchComposition.shotClock)],
        gap: 0.08)
    }

    private func name(_ team: Int) -> [MatchTree] {
      contents.hasNames
        ? [named(team, .part(.name(team), MatchComposition.name), logo: MatchComposition.logo)] : []
    }

    /// A team's name with its logo.
    private func named(_ team: Int, _ name: MatchTree, logo: Double) -> MatchTree {
      guard contents.hasLogos else { return name }
      return .before(
        .part(.logo(team), logo), name, least: MatchComposition.nameBesideLogo, gap: MatchComposition.gap)
    }

    private func winningPoint(_ team: Int) -> [MatchTree] {
      contents.hasWinningPoints ? [.part(.winningPoint(team), MatchComposition.caption)] : []
    }

    /// A team's name, its score, and what it has beneath.
    private func team(_ team: Int, _ foot: [MatchTree]) -> MatchTree {
      .column(
        [
          .column(name(team) + [.part(.score(team), 0)], gap: 0),
          .column(foot, gap: 0),
        ], gap: MatchComposition.gap)
    }

    /// A team's name, and beneath it its score with the number of sets won at its side.
    private func beside(
      _ team: Int, won: [MatchPart.Figure], _ winningPoint: [MatchTree], _ foot: [MatchTree]
    ) -> MatchTree {
      let card = MatchPart.periodsWon(team)
      let cards = won.flatMap { figure -> [MatchTree] in
        [
          .part(.caption(figure, over: card, MatchComposition.setCard), MatchComposition.caption),
          .part(card, MatchComposition.setCard),
        ]
      }
      return .column(
        [
          .column(
            name(team) + [
              .before(
                .part(.score(team), 0), .column(winningPoint + cards, gap: 0), least: 0.27,
                gap: MatchComposition.gap)
            ], gap: 0),
          .column(foot, gap: 0),
        ], gap: MatchComposition.gap)
    }

    /// The penalties and the figures beneath a team's score.
    private func foot(_ team: Int, _ figures: [MatchPart.Figure]) -> [MatchTree] {
      (contents.showsPenalties ? [.part(.penalties(team), 1.3 * MatchComposition.line)] : [])
        + (contents.hasWinningLines ? winningPoint(team) : [])
        + figures.map { .part(.line($0, team), MatchComposition.line) }
    }

    /// The teams side by side; and in two rows, if they are more than two, or one above the other.
    private func groups(_ teams: [MatchTree]) -> [MatchTree] {
      let half = (teams.count + 1) / 2
      let rows: [MatchTree] =
        teams.count > 2
        ? [.row(Array(teams.prefix(half)), gap: 0.05), .row(Array(teams.dropFirst(half)), gap: 0.05)] : []
      let single = teams.map { MatchTree.row([$0], gap: 0) }
      let all: [MatchTree] = [.row(teams, gap: 0.05), .column(single, gap: MatchComposition.teamGap)]
      return rows.isEmpty ? all : all + [.column(rows, gap: MatchComposition.teamGap)]
    }
  }
}
