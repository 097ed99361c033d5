// SPDX-License-Identifier: Apache-2.0

import Schedule
import Spelling
import TOMLConfig

/// `[schedule.NAME]` while it is read: an entry whose times may be missing.
struct ScheduleDraft {
  var name: String
  var from: DayMoment?
  var to: DayMoment?
  var days = Weekdays.all
  var values = Schedule.Values()
  var waitsForGame = true

  init(_ name: String) { self.name = name }
}

extension ConfigTable where Draft == SettingsDraft {
  static var schedule: ConfigTable {
    ConfigTable(
      "schedule", noun: "an entry of the schedule", example: "night", maximum: 32, \.schedule, name: \.name,
      section: Section.schedule, start: ScheduleDraft.init,
      shown: .init("schedule.night"),
      check: { draft, files, report in
        draft.configuration.schedule = draft.schedule.compactMap { entry($0, files, &report) }
      })
  }

  private static func entry(
    _ draft: ScheduleDraft, _ files: ConfigFiles, _ report: inout Report
  ) -> Schedule.Entry? {
    let title = "schedule.\(draft.name)"
    guard let table = files.entries("schedule", draft.name).first else { return nil }
    let nodes = files.entries("schedule", draft.name).map(\.value)
    let written = Set(nodes.flatMap(\.entries).map(\.key))
    if written.isDisjoint(with: ["brightness", "page", "theme", "display"]) {
      report.error(
        table.keyLocation, "[\(title)] does nothing",
        hint: "write brightness = \"10%\", or a 'page', 'theme' or 'display'")
    }
    Section.schedule(draft.name).reportMissing(in: nodes, "[\(title)]", at: table.keyLocation, &report)
    guard let from = draft.from, let to = draft.to else { return nil }
    if from == to, let begin = files.entries("schedule", draft.name, "from").last?.value.location,
      let end = files.entries("schedule", draft.name, "to").last?.value.location
    {
      report.error(
        begin.isInFile(before: end) ? begin : end, "'from' and 'to' in [\(title)] are the same time",
        mismatch: .sameTime)
    }
    return Schedule.Entry(
      draft.name, from: from, to: to, days: draft.days, values: draft.values,
      waitsForGame: draft.waitsForGame)
  }
}

extension SettingsDraft {
  /// The location of the first time in the schedule that depends on sunrise or sunset; nil if none does.
  func solarTime(_ files: ConfigFiles) -> Location? {
    for entry in schedule {
      for (key, moment) in [("from", entry.from), ("to", entry.to)] where moment?.isSolar ?? false {
        return files.entries("schedule", entry.name, key).last?.value.location
      }
    }
    return nil
  }
}

extension Section where Target == ScheduleDraft {
  static func schedule(_ name: String) -> Section {
    Section(
      title: "schedule.\(name)",
      text: """
        What the displays show at certain times. NAME is yours to choose; `flipclockctl status` prints it. An entry is in
        effect from `from` until `to`, on the next day if that is earlier. If several entries in effect have a
        brightness, the one that began last determines it; if they began at the same time, the last one in the config
        does. The same applies to the page, the theme and `display`.

        Times are those of the `zone` in `[locale]`. A time that is skipped when the clocks go forward counts as the moment
        of that change. If a time occurs twice when they go back, the first counts.

        Sunrise and sunset are computed for `[place]`. The sunset of a day is the one after its noon, perhaps after
        midnight. On days on which the sun does not set, an entry from sunset to sunrise is never in effect: the middle
        of the night, when the sun is lowest, counts as both. On days on which it does not rise, that entry is always in
        effect: the time when the sun is highest counts as both.

        If one of `from` and `to` is a time of day and the other sunrise or sunset, an entry ends on the day on which it
        begins, or on the next day if `to` is at least three hours before `from`; for this comparison the sun rises at
        06:00 and sets at 18:00. So an entry from `"06:30"` to `"sunrise"` ends on the day on which it begins, and has no
        effect on days on which the sun rises before 06:30.

        A brightness changes gradually within a minute, unless `motion` is `"none"`. What was set with `flipclockctl
        brightness`, `blank`, `unblank` or `show` holds until the schedule next changes the same thing, or as long as
        `--for` says. While an entry has a page, `[rotation]` pauses; afterwards the page before it is shown again. There
        are at most 32 entries.

        The schedule leaves a game alone: while a clock of the match runs, page, theme and brightness stay as they were
        when it was started, and the displays are on. What the schedule says meanwhile takes effect when the clock is
        paused or has run out; after 12 hours at the latest, in case nobody has paused it.
        """,
      keys: [
        Key(
          "from", \.from, .dayMoment,
          """
          When the entry begins: `"22:30"`, `"sunrise"` or `"sunset"`, perhaps with a distance of up to 12 hours, such as
          `"sunset+30m"` or `"sunrise-1h"`.
          """, example: "\"22:30\"", isRequired: true),
        Key(
          "to", \.to, .dayMoment, "When it ends, in the same form.", example: "\"sunrise\"", isRequired: true),
        Key(
          "days", \.days, .weekdays,
          """
          The weekdays on which it begins: `"mon"`, `"tue"`, `"wed"`, `"thu"`, `"fri"`, `"sat"`, `"sun"`, or ranges such as
          `"mon-fri"`. Without it, all days.
          """, example: "[\"mon-thu\", \"sun\"]"),
        Key(
          "brightness", \.values.brightness, .brightness,
          "How bright the picture is, on all displays, also on those that have a brightness of their own.",
          example: "\"10%\""),
        Key(
          "page", \.values.page, .pageName,
          "The page that is shown on the displays without a page of their own.", example: "\"match\""),
        Key(
          "theme", \.values.theme, .themeName,
          "The theme of all pages: a built-in one or one of `[themes.NAME]`.", example: "\"night\""),
        Key(
          "display", \.values.light, .choice(),
          """
          Whether the displays are on: `"on"`; `"off"`, switched off as by `flipclockctl blank`; `"black"`, on with a
          black picture, for a display that shows a notice or takes long after it was off; or `"off-and-black"`, which
          shows a black picture and then switches them off, for a config of several machines, some of which cannot switch
          their displays off.
          """, example: "\"off\""),
        Key(
          "keep-on-during-game", \.waitsForGame, .boolean,
          """
          Whether the entry leaves a game alone: its page, theme, brightness and `display` take effect when no clock of
          the match runs. `false`: the entry begins and ends during a game too.
          """),
      ])
  }
}

extension ValueKind where Value == DayMoment {
  /// `"22:30"`, `"sunset"`, `"sunrise-1h"`.
  static var dayMoment: ValueKind {
    ValueKind(
      shape: .form(
        pattern: "^([0-9]{1,2}:[0-9]{2}|(sunrise|sunset)([+-][0-9.]+(h|min|m)([0-9.]+(min|m))?)?)$",
        maximum: 32, example: "22:30"),
      read: { node, place, report in
        let forms = "write \"22:30\", \"sunset\" or \"sunrise-1h\""
        guard case .string(let text) = node.value else {
          report.mismatch(node, place, "a time", hint: forms)
          return nil
        }
        do throws(DayMoment.Problem) { return try DayMoment(text) } catch {
          switch error {
          case .malformed:
            let word = text.split(whereSeparator: { $0 == "+" || $0 == "-" }).first.map(String.init) ?? ""
            let hint = Spelling.hint(for: word, among: DayMoment.SunEvent.allCases.map(\.rawValue))
            report.mismatch(node, place, "a time", hint: text.contains(":") ? forms : hint ?? forms)
          case .noSuchTime:
            report.mismatch(node, place, "a time from \"00:00\" to \"23:59\"")
          case .noUnit:
            report.error(
              node, place, "needs a unit, found \(node.found)",
              hint: "write \"\(text.prefix(24))m\" or \"\(text.prefix(24))h\"")
          case .offset:
            report.error(
              node, place,
              "must be whole minutes, at most 12 hours, from sunrise or sunset, found \(node.found)",
              hint: "write \"sunset+30m\"")
          }
          return nil
        }
      }, write: { Units.string($0.description) })
  }
}

extension ValueKind where Value == Weekdays {
  /// Names of weekdays, or ranges of them.
  static var weekdays: ValueKind {
    let names = Weekdays.names.joined(separator: "|")
    return ValueKind(
      shape: .array(
        of: .form(pattern: "^(\(names))(-(\(names)))?$", maximum: nil), count: 1...7, isUnique: true),
      read: { node, place, report in
        let hint = "write [\"mon-fri\"] or [\"sat\", \"sun\"]"
        let days: [Weekdays]? = node.elements(
          1...7, "1 to 7 weekdays in brackets", "must have 1 to 7 weekdays", hint: hint, countHint: hint,
          place, &report
        ) { node, report in
          if case .string(let text) = node.value, let some = Weekdays(text) { return some }
          report.mismatch(
            node, place, "weekdays", hint: "they are \(Weekdays.names.joined(separator: ", ")); \(hint)")
          return nil
        }
        return days?.reduce(into: Weekdays()) { $0.formUnion($1) }
      })
  }
}

extension ValueKind where Value == Int {
  /// A time of day, `"03:30"`, as minutes since midnight.
  static var timeOfDay: ValueKind {
    ValueKind(
      shape: .form(pattern: "^([01]?[0-9]|2[0-3]):[0-5][0-9]$", maximum: 5), "a time of day",
      hint: "write \"03:30\", from \"00:00\" to \"23:59\"",
      write: { "\"\(DayMoment.clock(minutes: $0))\"" }
    ) {
      guard case .string(let text) = $0, case .clock(let minutes)? = try? DayMoment(text) else { return nil }
      return minutes
    }
  }
}
