// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ControlCalls
import Settings

// The texts of boards.
extension Wall {
  mutating func setBoard(_ name: String, to pushed: PushedText) throws(ControlError) -> BoardReply {
    let board = try board(named: name)
    let page = configuration.page(with: name)
    if pushed.showsPage, page == nil { throw .boardNotShown(board: name) }
    let entry = PushedEntry(pushed, at: now.milliseconds)
    if let wait = boards.set(name, to: entry, at: now.clock) {
      throw .tooManyTexts(board: name, milliseconds: Int(wait / 1_000_000) + 1)
    }
    if pushed.showsPage, let page, page != shownPage || pushed.milliseconds != nil {
      show(page: page, for: pushed.milliseconds)
    }
    let fit = board.content.fit(of: entry.shown(at: now.milliseconds), in: configuration.language)
    return BoardReply(
      board: name, page: page, leftOut: fit.leftOut.filter { !$0.isEmpty }, cut: fit.cut,
      missing: fit.missing.map { String($0) })
  }

  mutating func clearBoard(_ name: String) throws(ControlError) -> String? {
    _ = try board(named: name)
    return boards.clear(name)?.text
  }

  mutating func reportProblem(_ problem: String, of name: String) throws(ControlError) {
    _ = try board(named: name)
    boards.report(problem, of: name, at: now.milliseconds)
  }

  private func board(named name: String) throws(ControlError) -> WidgetSettings {
    let known = configuration.boards
    guard let board = known.first(where: { $0.name == name }) else {
      throw .unknownBoard(board: name, known: known.map(\.name))
    }
    return board
  }

  /// The pushed texts, by the names of their widgets.
  var boardTexts: [String: BoardText] {
    boards.entries.mapValues { $0.shown(at: now.milliseconds) }
  }

  /// What the boards show, in the order of the config.
  package var boardStates: [BoardState] {
    configuration.boards.map { board in
      let own = board.content.ownText ?? ""
      let shown = boardTexts[board.name] ?? BoardText(own)
      let fit = board.content.fit(of: shown, in: configuration.language)
      var state = BoardState(
        name: board.name, type: board.typeName, text: own, columns: fit.columns, rows: fit.rows)
      (state.words, state.lines) = (shown.letters.plain, fit.lines)
      let time = { (milliseconds: Int64) in Instant(milliseconds: milliseconds).rfc3339UTC }
      let problem = boards.problems[board.name]
      (state.problem, state.problemSince) = (problem?.text, (problem?.since).map(time))
      guard let entry = boards.entries[board.name] else { return state }
      (state.text, state.plain) = (entry.text, entry.plain)
      (state.from, state.since) = (entry.source, time(entry.since))
      (state.until, state.staleFrom) = (entry.until.map(time), entry.staleFrom.map(time))
      state.stale = entry.isStale(at: now.milliseconds)
      return state
    }
  }
}
