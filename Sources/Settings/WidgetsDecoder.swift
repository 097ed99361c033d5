// SPDX-License-Identifier: Apache-2.0

import Spelling

/// Reads `[widgets.NAME]`. A widget may have tables in several files, and its keys depend on its type, so the tables of
/// all files are collected first.
struct WidgetsDecoder {
  static let maximumWidgets = 64

  private struct Draft {
    var name: String
    var location: Location
    var type: (any WidgetContent.Type)?
    /// Whether there is a `type` that cannot be used, which was reported.
    var hasBadType = false
    var tables: [Node] = []
  }

  private var drafts: [Draft] = []

  /// Whether the built-in widgets stay, because no table has a `type`.
  var keepsBuiltIn: Bool { !drafts.contains { $0.type != nil || $0.hasBadType } }

  /// The names in the files, in their order.
  var names: [String] { drafts.map(\.name) }

  /// The ids in the `teams` of all tables, whether there are such teams or not.
  var namedTeams: Set<String> {
    var ids: Set<String> = []
    for table in drafts.flatMap(\.tables) {
      guard case .array(let nodes)? = Self.value(of: "teams", in: table) else { continue }
      for case .string(let id) in nodes.map(\.value) { ids.insert(id) }
    }
    return ids
  }

  private static func value(of key: String, in table: Node) -> Node.Value? {
    guard case .table(let entries) = table.value else { return nil }
    return entries.first { $0.key == key }?.value.value
  }

  static let maximumShownTeams = 8

  /// Makes each score widget without the key `teams` show all teams, up to `maximumShownTeams`.
  func showTeams(
    of configuration: inout Configuration, declaredBy teams: TeamsDecoder, _ report: inout Report
  ) {
    let ids = configuration.teams.map(\.id)
    for index in configuration.widgets.indices {
      let name = configuration.widgets[index].name
      let tables = drafts.first { $0.name == name }?.tables ?? []
      guard var score = configuration.widgets[index].content as? ScoreSettings,
        !tables.contains(where: { Self.value(of: "teams", in: $0) != nil })
      else { continue }
      score.teams = Array(ids.prefix(Self.maximumShownTeams))
      configuration.widgets[index].content = score
      guard ids.count > Self.maximumShownTeams, let location = teams.location(of: ids[Self.maximumShownTeams])
      else { continue }
      report.warning(
        location, "[widgets.\(name)] shows the first \(Self.maximumShownTeams) of \(ids.count) teams",
        hint: "name those to show: teams = [\"\(ids[0])\", \"\(ids[1])\"]")
    }
  }

  /// Where a widget is first named.
  func location(of name: String) -> Location? { drafts.first { $0.name == name }?.location }

  mutating func collect(_ node: Node, _ report: inout Report) {
    for entry in node.tables("widgets", example: "clock", keys: ["type"], &report) ?? [] {
      guard Self.isName(entry.key) else {
        report.error(
          entry.keyLocation, "\(entry.key.quoted) is not a name for a widget",
          hint: "names are 1 to 32 letters, digits, '-' and '_'")
        continue
      }
      let title = "widgets.\(entry.key)"
      guard let entries = entry.value.entries(title, &report) else { continue }
      let known = drafts.firstIndex { $0.name == entry.key }
      guard known != nil || drafts.count < Self.maximumWidgets else {
        report.tooMany("widgets.NAME", Self.maximumWidgets, at: entry.keyLocation)
        return
      }
      if known == nil { drafts.append(Draft(name: entry.key, location: entry.keyLocation)) }
      let index = known ?? drafts.count - 1
      drafts[index].tables.append(entry.value)
      for entry in entries where entry.key == "type" {
        let place = Place(key: "type", section: title)
        let word = ValueKind.widgetType.read(entry.value, place, &report)
        drafts[index].type = WidgetSettings.kinds.first { $0.typeName == word }
        drafts[index].hasBadType = drafts[index].type == nil
      }
    }
  }

  /// The widgets of the configuration.
  ///
  /// - Parameters:
  ///   - teams: the ids that a score may name.
  ///   - isGamePage: whether the built-in page is that of a game.
  func decode(teams: [String], isGamePage: Bool, _ report: inout Report) -> [WidgetSettings] {
    let builtIn = isGamePage ? Configuration.gameWidgets : Configuration.builtInWidgets
    var widgets = keepsBuiltIn ? builtIn : []
    if isGamePage { widgets.removeAll { $0.name == "date" && !names.contains($0.name) } }
    for draft in drafts where !draft.hasBadType {
      let known = builtIn.first { $0.name == draft.name }
      let start = draft.type.map { WidgetSettings(name: draft.name, weight: 1, content: $0.init()) } ?? known
      guard var widget = start else {
        reportMissingType(draft, &report)
        continue
      }
      for table in draft.tables { widget.apply(table, &report) }
      checkTeams(draft, widget, teams, &report)
      checkText(draft, widget, &report)
      checkCountdown(draft, widget, &report)
      if let index = widgets.firstIndex(where: { $0.name == draft.name }) {
        widgets[index] = widget
      } else {
        widgets.append(widget)
      }
    }
    return widgets
  }

  private func reportMissingType(_ draft: Draft, _ report: inout Report) {
    let builtIn = Configuration.builtInWidgets.map(\.name)
    let types = WidgetSettings.kinds.map { "\"\($0.typeName)\"" }.joined(separator: ", ")
    report.error(
      draft.location, "the widget \(draft.name.quoted) has no type",
      hint: Spelling.hint(for: draft.name, among: builtIn) ?? "write type = one of \(types)")
  }

  /// Checks that the teams that a score names exist. Called after all files were read, because any file may declare
  /// a team.
  private func checkTeams(
    _ draft: Draft, _ widget: WidgetSettings, _ teams: [String], _ report: inout Report
  ) {
    guard widget.content is ScoreSettings else { return }
    for table in draft.tables {
      guard case .array(let nodes)? = Self.value(of: "teams", in: table) else { continue }
      for node in nodes {
        guard case .string(let id) = node.value, !teams.contains(id) else { continue }
        report.error(
          node.location, "unknown team \(id.quoted) in [widgets.\(draft.name)]",
          hint: Spelling.hint(for: id, among: teams) ?? "declare it as [teams.ID]; known are "
            + teams.joined(separator: ", "))
      }
    }
  }

  /// Checks that a board has room and flaps for its text. This depends on several keys; a warning has the location of
  /// `text`.
  private func checkText(_ draft: Draft, _ widget: WidgetSettings, _ report: inout Report) {
    guard let board = widget.content as? BoardSettings else { return }
    let texts = draft.tables.compactMap { table -> Node? in
      guard case .table(let entries) = table.value else { return nil }
      return entries.first { $0.key == "text" }?.value
    }
    guard let text = texts.last else { return }
    let lines = board.lines(of: board.text)
    if let last = lines.lastIndex(where: { !$0.isEmpty }), last >= board.rows,
      let first = lines[board.rows...].first(where: { !$0.isEmpty })
    {
      report.warning(
        text.location,
        "[widgets.\(draft.name)] has no row for \(String(first).quoted): with columns = \(board.columns), the text has "
          + "\(last + 1) lines",
        hint: "write rows = \(last + 1), or more 'columns'")
    }
    guard !board.missingLetters(in: report.language).isEmpty else { return }
    let letters = board.missingLetters(in: report.language).prefix(8).map { String($0).quoted }.joined(
      separator: ", ")
    report.warning(
      text.location, "no flap of [widgets.\(draft.name)] shows \(letters): the cards stay blank there",
      hint: "add what is missing to 'drum'")
  }

  /// Checks that a countdown has an end, and nothing else has one.
  private func checkCountdown(_ draft: Draft, _ widget: WidgetSettings, _ report: inout Report) {
    guard let timer = widget.content as? TimerSettings, (timer.source == .countdown) != (timer.until != nil)
    else {
      return
    }
    let entries = draft.tables.flatMap { table -> [Node.Entry] in
      if case .table(let entries) = table.value { entries } else { [] }
    }
    if timer.source != .countdown, let until = entries.last(where: { $0.key == "until" }) {
      report.error(
        until.keyLocation, "[widgets.\(draft.name)] has an 'until' but is not a countdown",
        hint: "write source = \"countdown\"")
    }
    // If a countdown's table has an `until` here, its value is invalid, and was reported when it was read.
    guard timer.source == .countdown, !entries.contains(where: { $0.key == "until" }),
      let source = entries.last(where: { $0.key == "source" })
    else { return }
    report.error(
      source.value.location, "the countdown [widgets.\(draft.name)] has no 'until'",
      hint: "write until = \"2026-12-31T23:59:59\"")
  }

  static func isName(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
