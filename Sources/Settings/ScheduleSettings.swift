// SPDX-License-Identifier: Apache-2.0

import Schedule

/// What `[schedule.NAME]` says before the pages are known.
struct ScheduleDraft {
  var name: String
  var location: Location
  var from: (moment: DayMoment, location: Location)?
  var to: (moment: DayMoment, location: Location)?
  /// The keys whose values could not be used; they are reported already.
  var refused: Set<String> = []
  var days = Weekdays.all
  var values = Schedule.Values()
  /// Whether a key for `values` is written, perhaps with a value that cannot be used.
  var hasValues = false
  var waitsForGame = true
  /// The value of `page` in each file that sets it; `themes` likewise.
  var pages: [(name: String, location: Location)] = []
  var themes: [(name: String, location: Location)] = []

  init(_ name: String, _ location: Location) {
    self.name = name
    self.location = location
  }
}

extension Section where Target == ScheduleDraft {
  static func schedule(_ name: String) -> Section {
    let moment = ValueKind<DayMoment>.dayMoment
    let page = ValueKind<String>.pageName
    let theme = ValueKind<String>.themeName
    return Section(
      title: "schedule.\(name)",
      text: """
        What the displays show at certain times. NAME is yours to choose; `flipclockctl status` prints it. An entry is in
        effect from `from` until `to`, on the next day if that is earlier. Of several entries that are in effect, the one
        that began last determines the brightness, likewise the page and so on; of entries that began at the same time,
        the last one in the config.

        Times are those of the machine's time zone. A time that is skipped when the clocks go forward counts as the moment
        of that change; of a time that occurs twice when they go back, the first counts.

        Sunrise and sunset are computed for `[place]`. The sunset of a day is the one after its noon, perhaps after
        midnight. On days on which the sun does not set, its midnight counts as sunset and as sunrise, and on days on which
        it does not rise, its noon: from sunset to sunrise, an entry is then never or always in effect. From a time of
        day to the sun, or the other way round, an entry ends on the same day unless its end is usually three hours or
        more before its beginning. From `"06:30"` to `"sunrise"` it has no effect on days on which the sun rises before
        06:30.

        A brightness changes gradually within a minute, unless `motion` is `"none"`. What was set with `flipclockctl
        brightness`, `blank`, `unblank` or `show` holds until the schedule next changes the same thing, or as long as
        `--for` says. While an entry has a page, `[rotation]` pauses; afterwards the page before it is shown again. There
        are at most 32 entries.

        The schedule leaves a game alone: while a game clock or a shot clock runs, page, theme and brightness stay as they
        were when it was started, and the displays are on. What the schedule says meanwhile takes effect when the clock is
        paused or has run out; after 12 hours at the latest, in case nobody has paused it.
        """,
      keys: [
        Key(
          name: "from", shape: moment.shape,
          text: """
            When the entry begins: `"22:30"`, `"sunrise"` or `"sunset"`, perhaps with a distance of up to 12 hours, such as
            `"sunset+30m"` or `"sunrise-1h"`.
            """, example: "\"22:30\"", written: { _ in nil }
        ) { draft, node, place, report in
          let value = moment.read(node, place, &report)
          if let value { draft.from = (value, node.location) } else { draft.refused.insert("from") }
        },
        Key(
          name: "to", shape: moment.shape, text: "When it ends, in the same form.", example: "\"sunrise\"",
          written: { _ in nil }
        ) { draft, node, place, report in
          let value = moment.read(node, place, &report)
          if let value { draft.to = (value, node.location) } else { draft.refused.insert("to") }
        },
        Key(
          "days", \.days, .weekdays,
          """
          The weekdays on which it begins: `"mon"`, `"tue"`, `"wed"`, `"thu"`, `"fri"`, `"sat"`, `"sun"`, or ranges such as
          `"mon-fri"`. Without it, all days.
          """, example: "[\"mon-thu\", \"sun\"]"),
        Key(
          "brightness", \.values.brightness, .percent(from: 1),
          "How bright the picture is, on all displays, also on those that have a brightness of their own.",
          example: "\"10%\""),
        Key(
          name: "page", shape: page.shape,
          text: "The page that is shown on the displays without a page of their own.", example: "\"match\"",
          written: { _ in nil }
        ) { draft, node, place, report in
          guard let name = page.read(node, place, &report) else { return }
          draft.values.page = name
          draft.pages.append((name, node.location))
        },
        Key(
          name: "theme", shape: theme.shape,
          text: "The theme of all pages: a built-in one or one of `[themes.NAME]`.", example: "\"night\"",
          written: { _ in nil }
        ) { draft, node, place, report in
          guard let name = theme.read(node, place, &report) else { return }
          draft.values.theme = name
          draft.themes.append((name, node.location))
        },
        Key(
          "display", \.values.light, .choice(),
          """
          Whether the displays are on: `"on"`; `"off"`, switched off like by `flipclockctl blank`; `"black"`, on with a
          black picture, for a display that shows a notice or takes long after it was off; or `"off-and-black"`, which
          shows a black picture and then switches them off, for a display that cannot be switched off on all machines.
          """, example: "\"off\""),
        Key(
          "keep-on-during-game", \.waitsForGame, .boolean,
          """
          Whether the entry leaves a game alone: its page, theme, brightness and `display` take effect when no game clock
          runs. `false`: the entry begins and ends during a game too.
          """),
      ])
  }
}

/// Reads `[schedule.NAME]` of all files, then checks the entries.
struct ScheduleDecoder {
  static let maximumEntries = 32

  private var drafts: [ScheduleDraft] = []

  mutating func collect(_ node: Node, _ report: inout Report) {
    for entry in node.tables(
      "schedule", example: "night", keys: Section.schedule("").keys.map(\.name), &report) ?? []
    {
      guard WidgetsDecoder.isName(entry.key) else {
        report.error(
          entry.keyLocation, "\(entry.key.quoted) is not a name for an entry of the schedule",
          hint: "names are 1 to 32 letters, digits, '-' and '_'")
        continue
      }
      let known = drafts.firstIndex { $0.name == entry.key }
      guard known != nil || drafts.count < Self.maximumEntries else {
        report.tooMany("schedule.NAME", Self.maximumEntries, at: entry.keyLocation)
        return
      }
      if known == nil { drafts.append(ScheduleDraft(entry.key, entry.keyLocation)) }
      let index = known ?? drafts.count - 1
      Section.schedule(entry.key).apply(entry.value, to: &drafts[index], &report)
      if case .table(let entries) = entry.value.value {
        let names: Set = ["brightness", "page", "theme", "display"]
        if entries.contains(where: { names.contains($0.key) }) { drafts[index].hasValues = true }
      }
    }
  }

  func decode(
    _ pages: PagesDecoder, _ themes: ThemesDecoder, _ report: inout Report
  ) -> [Schedule.Entry] {
    drafts.compactMap { draft in
      let title = "schedule.\(draft.name)"
      for page in draft.pages { pages.check(page.name, at: page.location, in: title, &report) }
      for theme in draft.themes { themes.check(theme.name, at: theme.location, in: title, &report) }
      if draft.values.isEmpty, !draft.hasValues {
        report.error(
          draft.location, "[\(title)] does nothing",
          hint: "write brightness = \"10%\", or a 'page', 'theme' or 'display'")
      }
      guard let from = draft.from, let to = draft.to else {
        let given = draft.refused.union(draft.from == nil ? [] : ["from"]).union(
          draft.to == nil ? [] : ["to"])
        if let missing = ["from", "to"].first(where: { !given.contains($0) }) {
          report.error(
            draft.location, "[\(title)] has no '\(missing)'",
            hint: "write from = \"22:30\" and to = \"06:30\"")
        }
        return nil
      }
      if from.moment == to.moment {
        report.error(to.location, "'from' and 'to' in [\(title)] are the same time")
      }
      return Schedule.Entry(
        draft.name, from: from.moment, to: to.moment, days: draft.days, values: draft.values,
        waitsForGame: draft.waitsForGame)
    }
  }

  /// Where an entry is first named.
  func location(of name: String) -> Location? { drafts.first { $0.name == name }?.location }

  /// Where the first time that needs the sun is written; nil: none does.
  var sunLocation: Location? {
    drafts.flatMap { [$0.from, $0.to] }.first { $0?.moment.isSolar ?? false }??.location
  }
}
