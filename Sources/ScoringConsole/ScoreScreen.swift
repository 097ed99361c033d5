// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import Scoreboard

/// The screen of `flipclockctl score`: lays out the match as lines for the size of a terminal.
struct ScoreScreen: Sendable {
  enum Style: Hashable, Sendable { case plain, bold, dim, title, hint, question, refusal, done }

  /// Text at a column, from 0. Each text is placed separately, because terminals count the columns of some
  /// characters differently.
  struct Cell: Hashable, Sendable {
    var column: Int
    var text: String
    var style: Style
  }

  /// Lines that do not fit into the terminal's rows are omitted in this order, the least important first.
  private enum Weight: Int, Hashable { case gap, moreKeys, history, counters, keys, header, notice, teams }

  private struct Line {
    var weight: Weight
    var cells: [Cell] = []
  }

  /// Nil before the first state has arrived.
  var match: MatchState?
  /// When `match` arrived, in nanoseconds of CLOCK_BOOTTIME.
  var since: Int64 = 0
  /// Why `match` may be out of date: there is no connection to the daemon, or it has sent no state yet. Nil:
  /// it is not.
  var trouble: String?
  /// Why the last changes are not saved; nil: they are.
  var unsaved: String?
  var notice: ScoreKeys.Notice?
  var selected: String?

  /// The next time at which the screen changes without an event; nil if it does not.
  func nextChange(after now: Int64) -> Int64? {
    guard trouble == nil, let match else { return nil }
    let penalties = match.teams.flatMap { $0.penalties ?? [] }.map(MatchState.Timer.init)
    return (Array(match.timers.values) + penalties)
      .compactMap { MatchClock($0, at: since).nextChange(after: now) }.min()
  }

  /// At most `rows` lines, each at most `columns` wide.
  func lines(columns: Int, rows: Int, at now: Int64) -> [[Cell]] {
    guard columns > 0, rows > 0 else { return [] }
    var lines: [Line] = []
    if let match {
      lines.append(header(match, columns, at: now))
      lines.append(Line(weight: .gap))
      lines += teams(match, columns, at: trouble == nil ? now : since)
      lines.append(Line(weight: .gap))
    }
    lines.append(message(columns))
    if let unsaved {
      let text = "not saved, a restart would lose the last changes: \(unsaved.printable)"
      lines.append(Line(weight: .notice, cells: [cell(1, text, .question, columns)]))
    }
    if let match {
      if let undo = match.undo {
        lines.append(Line(weight: .history, cells: [cell(1, "last: \(undo.printable)", .dim, columns)]))
      }
      lines.append(Line(weight: .gap))
      lines += keys(match, columns)
    }
    while lines.count > rows, let least = lines.map(\.weight.rawValue).min() {
      guard let index = lines.lastIndex(where: { $0.weight.rawValue == least }) else { break }
      lines.remove(at: index)
    }
    return lines.map { $0.cells.filter { !$0.text.isEmpty } }
  }

  private func cell(_ column: Int, _ text: String, _ style: Style, _ columns: Int) -> Cell {
    Cell(column: column, text: TextColumns.cut(text, to: columns - column), style: style)
  }

  private func header(_ match: MatchState, _ columns: Int, at now: Int64) -> Line {
    // A narrow terminal lacks those with the least worth.
    var parts: [(text: String, style: Style, worth: Int)] = []
    let isOver = match.next == "new-game"
    if isOver {
      parts.append(("match over: ^N begins the next", .question, 5))
    } else if match.next != nil {
      parts.append(("\(match.periodName.lowercased().printable) over: . begins the next", .question, 5))
    }
    for (name, timer) in match.timers.sorted(by: { $0.key < $1.key }) where !isOver || name != "shot" {
      let clock = MatchClock(timer, at: since).text(at: trouble == nil ? now : since)
      let state = timer.running ? "runs" : timer.ended ? "over" : "paused"
      let style: Style = timer.ended ? .refusal : timer.warning ? .question : .title
      let worth = name == "break" ? 4 : name == "shot" ? 1 : match.gameBreak == nil ? 3 : 2
      parts.append(("\(clockName(name, match)) \(clock) \(state)", style, worth))
    }
    func isTooWide() -> Bool { parts.reduce(-2) { $0 + TextColumns.count($1.text) + 3 } >= columns }
    if match.periods > 1 || match.period > 1 {
      let (period, worth) = (match.shownPeriod.printable, match.gameBreak == nil ? 2 : 3)
      let count = match.period > match.periods ? "" : " of \(match.periods)"
      parts.append((period + count, .title, worth))
      if isTooWide() { parts[parts.count - 1].text = period }
    }
    while isTooWide(), parts.count > 1,
      let least = parts.indices.min(by: { parts[$0].worth < parts[$1].worth })
    {
      parts.remove(at: least)
    }
    var line = Line(weight: .header)
    var column = 1
    for part in parts where column < columns {
      line.cells.append(cell(column, part.text, part.style, columns))
      column += TextColumns.count(part.text) + 3
    }
    return line
  }

  private func clockName(_ id: String, _ match: MatchState) -> String {
    guard id == "break", let gameBreak = match.gameBreak else {
      return id == "game" ? "clock" : id.printable
    }
    let team = gameBreak.team.map { id in match.teams.first { $0.id == id }?.name ?? id }
    return GameBreak.Kind.text(gameBreak.kind, team: team).printable
  }

  private func message(_ columns: Int) -> Line {
    if let trouble {
      return Line(weight: .notice, cells: [cell(0, " not connected: \(trouble)", .refusal, columns)])
    }
    guard let notice else { return Line(weight: .notice) }
    let style: Style =
      switch notice.kind {
      case .hint: .hint
      case .question: .question
      case .refusal: .refusal
      case .done: .done
      }
    return Line(weight: .notice, cells: [cell(0, " \(notice.text.printable)", style, columns)])
  }

  /// The keys and their meanings, as many on a line as fit.
  private func keys(_ match: MatchState, _ columns: Int) -> [Line] {
    var lines: [Line] = []
    var column = columns
    for entry in ScoreKeyboard(match, selected: selected).legend {
      let width = TextColumns.count(entry.keys) + 1 + TextColumns.count(entry.meaning)
      if column + width > columns {
        // The first two lines have the most important keys.
        lines.append(Line(weight: lines.count < 2 ? .keys : .moreKeys))
        column = 1
      }
      let last = lines.count - 1
      lines[last].cells.append(cell(column, entry.keys, .bold, columns))
      let next = column + TextColumns.count(entry.keys) + 1
      if next < columns { lines[last].cells.append(cell(next, entry.meaning, .plain, columns)) }
      column += width + 2
    }
    return lines
  }
}

extension ScoreScreen {
  /// Two teams side by side, as on the display; otherwise each team on its own line.
  private func teams(_ match: MatchState, _ columns: Int, at now: Int64) -> [Line] {
    match.teams.count == 2 ? pair(match, columns, at: now) : list(match, columns, at: now)
  }

  private func pair(_ match: MatchState, _ columns: Int, at now: Int64) -> [Line] {
    var names = Line(weight: .teams)
    var scores = Line(weight: .teams)
    var counters = Line(weight: .counters)
    let half = columns / 2
    for (index, team) in match.teams.enumerated() {
      let start = index * half + 1
      let end = index == 0 ? half : columns
      guard start < end else { continue }
      names.cells.append(cell(start, name(team, match, room: end - start - 1), .bold, end))
      scores.cells.append(cell(start, score(team, match), .bold, end))
      counters.cells.append(cell(start, counted(team, match, room: end - start - 1, at: now), .plain, end))
    }
    let isEmpty = match.counters.isEmpty && match.penalties?.isEmpty != false
    return isEmpty ? [names, scores] : [names, scores, counters]
  }

  private func list(_ match: MatchState, _ columns: Int, at now: Int64) -> [Line] {
    let scoreWidth = match.teams.map { TextColumns.count(score($0, match)) }.max() ?? 0
    return match.teams.enumerated().map { index, team in
      var line = Line(weight: .teams)
      let mark = team.id == selected && match.teams.count > 1 ? ">" : " "
      let number = match.teams.count > 1 && index < ScoreKeyboard.selectable ? "\(index + 1)" : " "
      line.cells.append(cell(0, "\(mark)\(number)", .bold, columns))
      let nameEnd = min(max(columns / 2, 4), columns)
      guard nameEnd > 3 else { return line }
      line.cells.append(cell(3, name(team, match, room: nameEnd - 4), .bold, nameEnd))
      if nameEnd < columns { line.cells.append(cell(nameEnd, score(team, match), .bold, columns)) }
      let rest = nameEnd + scoreWidth + 2
      if rest < columns {
        line.cells.append(cell(rest, counted(team, match, room: columns - rest, at: now), .plain, columns))
      }
      return line
    }
  }

  /// The name, truncated if it is too long, and the mark of the serve.
  private func name(_ team: MatchState.Team, _ match: MatchState, room: Int) -> String {
    let mark = match.serving == team.id ? " *" : ""
    return TextColumns.cut(team.name.printable, to: max(room - mark.count, 0)) + mark
  }

  private func score(_ team: MatchState.Team, _ match: MatchState) -> String {
    let points = team.pointsText?.printable ?? "\(team.score)"
    guard match.scoring == "sets" else { return points }
    let over = team.periodScores.dropLast().map { "\($0)" }.joined(separator: " ")
    let games = team.games.map { "   \(match.gameName?.lowercased().printable ?? "game")s \($0)" } ?? ""
    let name = match.periodName.lowercased().printable
    return "\(points)\(games)   \(name)s \(team.periodsWon)" + (over.isEmpty ? "" : " (\(over))")
  }

  /// `pen #17 1:45`
  private func penalties(_ team: MatchState.Team, at now: Int64) -> [String] {
    (team.penalties ?? []).map { penalty in
      let time = MatchClock(MatchState.Timer(penalty), at: since).text(at: now)
      return "pen\(penalty.number.map { " #\($0)" } ?? "") \(time)"
    }
  }

  /// `fouls 3/5  time-outs 0/5`; with abbreviated names if that is too long.
  private func counted(_ team: MatchState.Team, _ match: MatchState, room: Int, at now: Int64) -> String {
    func text(_ name: (MatchState.Counter) -> String) -> String {
      let counted = match.counters.map { "\(name($0)) \(team.counters[$0.id] ?? 0)/\($0.limit)" }
      return (counted + penalties(team, at: now)).joined(separator: "  ")
    }
    let whole = text { $0.name.lowercased().printable }
    return TextColumns.count(whole) <= room
      ? whole : text { String($0.name.printable.prefix(3)).lowercased() }
  }
}

extension ScoreScreen {
  /// Alternate screen, no cursor, no wrapping, bracketed paste.
  static let setUp = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?2004h"
  /// Undoes `setUp`. Begins with CAN, which ends an incomplete sequence.
  static let reset = "\u{18}\u{1b}[?2026l\u{1b}[0m\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

  /// The bytes that draw `lines` on a terminal of `rows` rows; empty when nothing changes.
  ///
  /// - Parameters:
  ///   - shown: the lines on the terminal; only lines that differ are drawn. Nil if unknown.
  ///   - colors: if false (NO_COLOR), only bold, dim and inverse text is used.
  static func bytes(
    _ lines: [[Cell]], over shown: [[Cell]]?, rows: Int, colors: Bool
  ) -> [UInt8] {
    // A synchronized update, so that terminals which support it never show half a picture.
    let start = "\u{1b}[?2026h"
    var text = start
    for row in 0..<max(rows, 0) {
      if let shown, (row < shown.count ? shown[row] : []) == (row < lines.count ? lines[row] : []) {
        continue
      }
      text += "\u{1b}[\(row + 1);1H\u{1b}[0m\u{1b}[2K"
      guard row < lines.count else { continue }
      for cell in lines[row] {
        text += "\u{1b}[\(row + 1);\(cell.column + 1)H\(sequence(cell.style, colors: colors))\(cell.text)"
      }
    }
    guard text != start else { return [] }
    text += "\u{1b}[0m\u{1b}[?2026l"
    return Array(text.utf8)
  }

  private static func sequence(_ style: Style, colors: Bool) -> String {
    let codes =
      switch style {
      case .plain: "0"
      case .bold, .title: "0;1"
      case .dim: "0;2"
      case .hint: "0"
      case .done: colors ? "0;32" : "0"
      case .question: colors ? "0;1;30;43" : "0;1;7"
      case .refusal: colors ? "0;1;37;41" : "0;1;7"
      }
    return "\u{1b}[\(codes)m"
  }
}
