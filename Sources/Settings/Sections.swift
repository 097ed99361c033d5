// SPDX-License-Identifier: Apache-2.0

import Scoreboard

// The keys of every table of fixed shape. This is the list that parsing, the spelling hints and the test of
// the schema and of config/flipclock.toml go by.

extension Section where Target == DisplaySettings {
  static var display: Section {
    Section(
      title: "display",
      keys: [
        Key("card", \.card, .card),
        Key("connector", \.connector, .connector),
        Key("mode", \.mode, .mode),
        Key("format", \.format, .choice()),
        Key("dither", \.dither, .boolean),
        Key("rotation", \.rotation, .integer(oneOf: [0, 90, 180, 270])),
        Key("brightness", \.brightness, .percent(from: 1)),
      ])
  }
}

extension Section where Target == ThemeSettings {
  static var theme: Section {
    Section(
      title: "theme",
      keys: [
        Key("symbol-font", \.symbolFont, .font),
        Key("label-font", \.labelFont, .font),
        Key("ground-top", \.groundTop, .color),
        Key("ground-bottom", \.groundBottom, .color),
        Key("card-upper-top", \.cardUpperTop, .color),
        Key("card-upper-bottom", \.cardUpperBottom, .color),
        Key("card-lower-top", \.cardLowerTop, .color),
        Key("card-lower-bottom", \.cardLowerBottom, .color),
        Key("symbol", \.symbol, .color),
        Key("label", \.label, .color),
      ])
  }
}

extension Section where Target == FlipSettings {
  static var flip: Section {
    Section(
      title: "flip",
      keys: [
        Key("duration", \.duration, .duration(maximum: 10)),
        Key("stagger", \.stagger, .duration(maximum: 2)),
        Key("perspective", \.perspective, .number(1...20)),
      ])
  }
}

extension Section where Target == TeamSettings {
  static func team(_ id: String) -> Section {
    Section(
      title: "teams.\(id)",
      keys: [
        Key("name", \.name, .name(maximum: ShownText.nameLimit)),
        Key("short-name", \.shortName, .name(maximum: ShownText.shortNameLimit)),
        Key("color", \.color, .color),
      ])
  }
}

extension Section where Target == FlipClockSettings {
  static var flipClock: Section {
    Section(
      title: "",
      keys: [
        Key("hours", \.hours, .choice(numbers: true)),
        Key("seconds", \.seconds, .boolean),
        Key("leading-zero", \.leadingZero, .boolean),
        Key("colon", \.colon, .choice()),
        Key("cards", \.cards, .choice()),
        Key("am-pm", \.amPM, .boolean),
        Key("max-height", \.maxHeight, .percent(from: 1)),
        Key("zone", \.zone, .zone),
      ] + Section<CardMotionSettings>.cardMotion.keys.map { $0.part(of: \.motion) })
  }
}

extension Section where Target == ScoreSettings {
  static var score: Section {
    Section(
      title: "",
      keys: [
        Key("teams", \.teams, .teamIDs),
        Key("digits", \.digits, .integer(oneOf: [2, 3])),
        Key("leading-zero", \.leadingZero, .boolean),
        Key("show-names", \.showNames, .boolean),
        Key("show-period", \.showPeriod, .boolean),
        Key("show-sets", \.showSets, .boolean),
        Key("show-serve", \.showServe, .boolean),
        Key("show-counters", \.showCounters, .boolean),
        Key("style", \.style, .choice()),
        Key("show-clocks", \.showClocks, .boolean),
      ] + Section<CardMotionSettings>.cardMotion.keys.map { $0.part(of: \.motion) })
  }
}

extension Section where Target == DateSettings {
  static var date: Section {
    Section(
      title: "",
      keys: [
        Key("format", \.format, .dateFormat),
        Key("uppercase", \.uppercase, .boolean),
        Key("zone", \.zone, .zone),
      ])
  }
}

extension Section where Target == TextSettings {
  static var text: Section {
    Section(
      title: "",
      keys: [
        Key("text", \.text, .text(maximum: 500)),
        Key("color", \.color, .color),
      ])
  }
}
