// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster
import Scoreboard
import Settings

/// Makes the views of a scoreboard's parts.
struct MatchViews {
  let layout: MatchLayout
  let context: WidgetContext
  let motion: CardMotionSettings
  /// How the time of day is written.
  let clock: FlipClockSettings
  let match: ShownMatch

  // Cap heights, in units.
  static let nameCap = 0.057
  private static let lineCap = 0.04
  private static let captionCap = 0.034
  private static let captionAir = 0.02
  private static let winningCap = 0.036
  private static let tableCap = 0.042
  private static let pastCap = 0.07
  private static let timeCap = 0.037
  private static let penaltyCap = 0.048
  /// Above the scores, and beneath them.
  private static let resultCap = 0.1
  private static let footCap = 0.06

  /// The number of a team's penalties that are shown; the others are counted.
  private static let penaltyLimit = 3

  private var unit: Double { layout.scale.unit }
  private var theme: Theme { context.theme }
  private var language: Language { context.language }
  private var rules: GameRules { context.rules }
  /// The alignment of the beginning and of the end of a line.
  private var start: Double { language.isRightToLeft ? 1 : 0 }

  /// The views of all parts but names and scores.
  func make() -> [any MatchPartView] {
    var cards: [Int: CardImages] = [:]
    func number(_ rect: Rect, _ number: @escaping (ShownMatch) -> Int) -> MatchNumber {
      let metrics = CardMetrics(height: rect.height, aspect: CardMetrics.aspect)
      let images = cards[metrics.height] ?? CardImages(metrics: metrics, theme: theme, digits: language)
      cards[metrics.height] = images
      let frame = rect.wholeMiddle(Size(width: Double(metrics.width), height: Double(metrics.height)))
      return MatchNumber(
        in: frame, images: images, motion: context.motion.applying(motion), scene: context.scene,
        number: number,
        match: match)
    }
    let naming = naming
    var views: [any MatchPartView] = []
    for (part, rect) in layout.places {
      switch part {
      case .name, .score: break
      case .rowName(let team):
        guard layout.contents.hasWinningPoints else { continue }
        // Beneath the name, which is in the middle and begins after the bar.
        let room = TeamName.Look.row.barRoom(cap: Self.nameCap * unit)
        var place = rect.split(0.72).1
        place.width -= room
        if !language.isRightToLeft { place.x += room }
        views.append(text { winningPoint(team, in: place, start, $0) })
      case .winningPoint(let team): views.append(text { winningPoint(team, in: rect, 0.5, $0) })
      case .winningCaption(let figure):
        let name = figure.map {
          line($0.name(rules, in: language), .label, captionBox(rect), Self.captionCap)
        }
        views.append(
          WinningCaption(
            name, line("", .accent, captionBox(rect, air: 0.01), Self.winningCap), context: context))
      case .logo(let team): views.append(MatchLogo(in: rect, team: team, context))
      case .periodsWon(let team):
        views.append(number(rect) { $0.teams.at(team).map($0.scoreboard.periodsWon) ?? 0 })
      case .games(let team): views.append(number(rect) { $0.teams.at(team)?.games ?? 0 })
      case .period:
        let (word, card) = rect.split(MatchComposition.caption / MatchComposition.period)
        views.append(
          text { [line($0.scoreboard.periodParts.name, .label, captionBox(word), Self.captionCap)] })
        views.append(number(card) { $0.scoreboard.periodParts.number })
      case .clock(let id):
        views.append(
          MatchClock(
            id, in: rect, isTight: layout.contents.hasBreak, context: context, motion: motion,
            model: match.model))
      case .line(.counter(let counter), let team):
        let line = CounterLine(
          counter, naming, in: rect, cap: lineCap(rect), look: .board, theme: theme, language: language)
        views.append(CounterLine.Part(line, team: team))
      case .line(let figure, let team): views.append(text { named(figure, team, in: rect, $0) })
      case .duel(let counter): views.append(text { duel(counter, in: rect, $0) })
      case .penalties(let team):
        views.append(text(change: penaltyChange(team)) { penalties(team, in: rect, $0) })
      case .periodPoints(let team): views.append(text { past(team, in: rect, Self.pastCap, 0.5, $0) })
      case .periodTable: views.append(text { table(in: rect, $0) })
      case .breakName: views.append(text { breakName(in: rect, $0) })
      case .periodName:
        views.append(
          text { [line(language.digits(in: $0.scoreboard.periodText), .label, rect, Self.captionCap)] })
      case .clockName:
        let name = line(language.words[.shotClock], .label, captionBox(rect), Self.captionCap)
        views.append(text { _ in [name] })
      case .caption(let figure, let part, _): views.append(caption(figure, over: part, in: rect))
      case .time: views.append(time(in: rect))
      case .result:
        let isAbove = rect.height > 1.5 * MatchComposition.foot * unit
        let cap = isAbove ? Self.resultCap : Self.footCap
        let words = line(language.words[.final], .accent, rect, cap)
        views.append(text { _ in [words] })
      }
    }
    return views
  }

  private func lineCap(_ rect: Rect) -> Double { min(Self.lineCap * unit, rect.height / 1.5) }

  /// The box of a caption, which may be wider than its column, up to half of the gaps at the sides.
  private func captionBox(_ rect: Rect, air: Double = captionAir) -> Rect {
    let air = air * unit
    return Rect(x: rect.x - air, y: rect.y, width: rect.width + 2 * air, height: rect.height)
  }

  private func caption(_ figure: MatchPart.Figure, over part: MatchPart, in rect: Rect) -> MatchText {
    text { match in
      if part == .periodTable, match.scoreboard.pastPeriods(of: match.teams, at: match.model.clock).isEmpty {
        return []
      }
      let shown = shown(figure, match)
      let isTieBreak = shown == .points && match.scoreboard.isTieBreak
      let name = isTieBreak ? language.words[.tieBreak] : shown.name(rules, in: language)
      return [line(name, .label, captionBox(rect), Self.captionCap)]
    }
  }

  /// After a match whose sets consist of games, the points are the sets won, beside the games of the sets.
  private func shown(_ figure: MatchPart.Figure, _ match: ShownMatch) -> MatchPart.Figure {
    guard rules.games != nil, match.scoreboard.isMatchOver else { return figure }
    return figure == .points ? .periodsWon : figure == .periodPoints ? .games : figure
  }

  /// `SET POINT` of a team.
  private func winningPoint(
    _ team: Int, in rect: Rect, _ alignment: Double, _ match: ShownMatch
  ) -> [TextLines.Line] {
    match.teams.at(team).flatMap(match.scoreboard.winningPointText).map {
      [line($0, .accent, rect, Self.winningCap, alignment)]
    } ?? []
  }

  private func breakName(in rect: Rect, _ match: ShownMatch) -> [TextLines.Line] {
    guard let name = Self.breakName(match.scoreboard, context: context) else { return [] }
    return [line(name.text, .accent, rect, Self.timeCap)]
  }

  /// The unit of the smallest letters of a page, in pixels.
  private static func leastUnit(_ page: Size) -> Double {
    max(MatchLayout.leastLetters * min(page.width, page.height), MatchLayout.leastUnit)
  }

  /// `TIME-OUT LIONS`, and its width in units; with a name that does not fit, even in smaller letters, a
  /// shorter one. Nil: there is no break.
  static func breakName(_ scoreboard: Scoreboard, context: WidgetContext) -> (text: String, width: Double)? {
    let texts = scoreboard.breakTexts(in: context.language)
    guard let shortest = texts.last else { return nil }
    // What fits in the smallest letters fits in others.
    let unit = leastUnit(context.page)
    let style = context.theme.labelStyle(cap: timeCap * unit, narrowing: 2)
    let longest = MatchContents.Texts.longestBreakName * unit
    let text = texts.first { Label.fits($0, style: style, width: longest - 2) } ?? shortest
    return (text, min(Label.width(of: text, style: style) + 2, longest) / unit)
  }

  /// The least width of a caption, in units: that of its smallest letters.
  static func captionWidth(_ words: String, context: WidgetContext) -> Double {
    let unit = leastUnit(context.page)
    var style = context.theme.labelStyle(cap: 1, narrowing: 2)
    style.capHeight = Label.leastCap(captionCap * unit)
    style.tracking = Label.leastTracking
    return max((Label.width(of: words, style: style) + 2) / unit - 2 * captionAir, 0)
  }

  /// The width of the time of day at its widest, in pixels.
  static func timeWidth(_ clock: FlipClockSettings, unit: Double, context: WidgetContext) -> Double {
    let style = context.theme.figureStyle(cap: timeCap * unit)
    let digits = "0123456789".map { context.language.digits(in: String($0)) }
    let widths = digits.map { Label.width(of: $0, style: style) }
    let widest = zip(digits, widths).max { $0.1 < $1.1 }?.0.first ?? "0"
    let texts = ([0, 10, 12, 22] as [Int64]).map { hour in
      let fields = TimeZone.utc.civil(Instant(seconds: hour * 3_600))
      let text = ClockText(fields, clock, in: context.language).text
      return String(text.map { $0.isNumber ? widest : $0 })
    }
    return texts.map { Label.width(of: $0, style: style) }.max() ?? 0
  }

  private func time(in rect: Rect) -> MatchText {
    var clock = clock
    let zone = context.zones(clock.zone)
    if clock.hours.isTwelve(in: language) { clock.leadingZero = false }
    let all = layout.places.dropFirst().reduce(layout.places.first?.rect ?? rect) { $0.union($1.rect) }
    // At the edge of the page.
    let alignment = rect.midX < all.midX ? 0.0 : 1.0
    return text(change: { zone.nextBoundary(after: $1, unit: clock.seconds ? .second : .minute) }) { match in
      let time = ClockText(zone.civil(match.model.instant), clock, in: language).text
      return [
        TextLines.Line(
          text: language.digits(in: time), look: .lesser, box: rect,
          cap: Self.timeCap / MatchComposition.time * rect.height, alignment: alignment)
      ]
    }
  }

  /// How all counters beneath scores are labelled.
  private var naming: CounterLine.Naming {
    let lines = layout.places.compactMap { part, rect -> (GameRules.Counter, Rect)? in
      if case .line(.counter(let counter), _) = part { (counter, rect) } else { nil }
    }
    return CounterLine.naming(
      lines.map(\.0), width: lines.map(\.1.width).min() ?? 0, cap: lineCap(lines.first?.1 ?? .zero),
      look: .board,
      theme: theme)
  }

  // MARK: Lines of text

  private func text(
    change: @escaping (ShownMatch, Instant) -> Instant? = { _, _ in nil },
    _ lines: @escaping (ShownMatch) -> [TextLines.Line]
  ) -> MatchText {
    MatchText(theme: theme, change: change, lines: lines)
  }

  private func line(
    _ text: String, _ look: TextLines.Line.Look, _ box: Rect, _ cap: Double, _ alignment: Double = 0.5
  ) -> TextLines.Line {
    TextLines.Line(
      text: text, look: look, box: box, cap: min(cap * unit, box.height * 0.8), alignment: alignment)
  }

  /// The name of the periods at the beginning of a line, and at its end a team's points in the past ones, or
  /// how many it has won.
  private func named(
    _ figure: MatchPart.Figure, _ team: Int, in rect: Rect, _ match: ShownMatch
  ) -> [TextLines.Line] {
    guard let shown = match.teams.at(team) else { return [] }
    // The sets won are another line of the same name.
    let isSame = figure == .periodPoints && layout.places.contains { $0.part == .line(.periodsWon, team) }
    let words = isSame ? language.words[.points] : self.shown(figure, match).name(rules, in: language)
    var label = line(words, .label, rect, Self.lineCap * 0.85, start)
    let needed = Label.width(of: words, style: theme.style(label)) + 0.7 * label.cap
    let share = figure == .periodPoints ? min(max(needed / max(rect.width, 1), 0.35), 0.6) : 0.7
    let parts = rect.halves(language.isRightToLeft ? 1 - share : share)
    let (name, values) = language.isRightToLeft ? (parts.1, parts.0) : parts
    label.box = name
    if figure == .periodPoints {
      let past = past(team, in: values, Self.lineCap, 1 - start, match)
      return past.isEmpty ? [] : [label] + past
    }
    let won = language.digits(in: String(match.scoreboard.periodsWon(by: shown)))
    return [label, line(won, .figure, values, Self.lineCap * 1.2, 1 - start)]
  }

  /// The left edges of cells of this width at the ends of a line: that of the first team, which is at the
  /// right in a language from right to left, and that of the second.
  private func ends(of rect: Rect, _ width: Double) -> [Double] {
    let ends = [rect.x, rect.maxX - width]
    return language.isRightToLeft ? ends.reversed() : ends
  }

  /// A counter of two teams beneath its name. All names have the same size.
  private func duel(
    _ counter: GameRules.Counter, in rect: Rect, _ match: ShownMatch
  ) -> [TextLines.Line] {
    let (above, below) = rect.split(0.4)
    let style = theme.labelStyle(cap: Self.captionCap * unit, narrowing: 2)
    let widest = layout.contents.shownCounters.map { Label.width(of: $0.name, style: style) }.max() ?? 0
    let name = line(counter.name, .label, above, Self.captionCap * min(rect.width / max(widest, 1), 1))
    let side = 0.45 * rect.width
    return [name]
      + zip(match.teams, ends(of: below, side)).map { team, x in
        line(
          language.digits(in: String(team.counter(counter.id))), .figure,
          Rect(x: x, y: below.y, width: side, height: below.height), 0.052)
      }
  }

  /// A team's points in the past periods that have space, the latest at the end.
  private func past(
    _ team: Int, in rect: Rect, _ cap: Double, _ alignment: Double, _ match: ShownMatch
  ) -> [TextLines.Line] {
    var past = match.scoreboard.pastPeriods(of: match.teams, at: match.model.clock)
    // The games of the current set are on cards.
    if layout.places.contains(where: { $0.part == .games(team) }) {
      past.removeAll { $0.number == match.scoreboard.period }
    }
    let digits = Double(TextLines.Line.digits(ofPastPoints: past))
    return TextLines.Line.pastPoints(
      of: team, in: past, rect: rect, slot: (0.75 * digits + 0.7) * cap * unit,
      cap: min(cap * unit, rect.height * 0.8), alignment: alignment, theme: theme, language: language)
  }

  /// Both teams' points in the past periods, and in the current one when it is over.
  private func table(in rect: Rect, _ match: ShownMatch) -> [TextLines.Line] {
    let count = layout.contents.periods
    let height = rect.height / Double(max(count, 1))
    let side = 0.36 * rect.width
    let past = match.scoreboard.pastPeriods(of: match.teams, at: match.model.clock).suffix(count)
    return past.enumerated().flatMap { row, period -> [TextLines.Line] in
      let y = rect.y + Double(row) * height
      func cell(_ x: Double, _ width: Double) -> Rect { Rect(x: x, y: y, width: width, height: height) }
      let number = line(
        language.digits(in: String(period.number)), .label, cell(rect.x + side, rect.width - 2 * side), 0.03)
      return [number]
        + zip(match.teams.indices, ends(of: rect, side)).map { team, x in
          line(
            language.digits(in: String(period.points.at(team) ?? 0)),
            period.best == team ? .figure : .lesser, cell(x, side), Self.tableCap)
        }
    }
  }

  // MARK: Penalties

  /// The penalties of all teams have the same size.
  private func penalties(_ team: Int, in rect: Rect, _ match: ShownMatch) -> [TextLines.Line] {
    let texts = match.teams.map { penalties(of: $0, match) }
    let style = theme.figureStyle(cap: Self.penaltyCap * unit)
    let widest = texts.map { Label.width(of: $0, style: style) }.max() ?? 0
    return texts.at(team).map {
      [line($0, .figure, rect, Self.penaltyCap * min(rect.width / max(widest, 1), 1))]
    } ?? []
  }

  private func penalties(of team: Scoreboard.Team, _ match: ShownMatch) -> String {
    let penalties = match.scoreboard.penalties(of: team, at: match.model.clock)
    let hidden = max(penalties.count - Self.penaltyLimit, 0)
    let words = penalties.prefix(Self.penaltyLimit).map(Self.text) + (hidden > 0 ? ["+\(hidden)"] : [])
    return language.digits(in: words.joined(separator: "   "))
  }

  /// `#12 1:43`: the player's number and the time left.
  private static func text(_ penalty: Scoreboard.PenaltyReading) -> String {
    let time = TimerText(seconds: (penalty.left + 999_999_999) / 1_000_000_000, .minutes).text
    return penalty.number.map { "#\($0) \(time)" } ?? time
  }

  /// When a penalty of a team shows another second.
  private func penaltyChange(_ team: Int) -> (ShownMatch, Instant) -> Instant? {
    { match, instant in
      guard let shown = match.teams.at(team), let clock = match.model.clock(at: instant) else { return nil }
      return match.scoreboard.penalties(of: shown, at: clock).filter(\.isRunning)
        .map { instant.advanced(nanoseconds: ($0.left - 1) % 1_000_000_000 + 1) }.min()
    }
  }
}

extension Array {
  /// The element at an index; nil: there is none.
  func at(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension Rect {
  /// An upper and a lower part; `fraction` is the height of the upper one.
  fileprivate func split(_ fraction: Double) -> (Rect, Rect) {
    let upper = (height * fraction).rounded()
    return (
      Rect(x: x, y: y, width: width, height: upper),
      Rect(x: x, y: y + upper, width: width, height: height - upper)
    )
  }

  /// A left and a right part; `fraction` is the width of the left one.
  fileprivate func halves(_ fraction: Double) -> (Rect, Rect) {
    let left = (width * fraction).rounded()
    return (
      Rect(x: x, y: y, width: left, height: height),
      Rect(x: x + left, y: y, width: width - left, height: height)
    )
  }
}

extension Scoreboard {
  /// `TIME-OUT LIONS`, with the texts that may be shown for the team, from the fullest to the shortest; empty
  /// if there is no break.
  func breakTexts(in language: Language) -> [String] {
    guard let words = breakText else { return [] }
    guard let index = teams.firstIndex(where: { $0.id == gameBreak?.kind.team }) else { return [words] }
    return Team.shownNames(of: teams, in: language)[index].map { $0.isEmpty ? words : "\(words) \($0)" }
  }
}
