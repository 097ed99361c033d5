// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

/// The score of the match.
package struct ScoreSettings: Hashable, Sendable {
  package enum Style: String, CaseIterable, Hashable, Sendable {
    /// Names and cards, and beneath them in small letters everything else that is counted.
    case plain
    /// Everything that the game needs, as large as the space allows.
    case scoreboard
  }

  /// The largest number of teams that a score shows.
  package static let teamLimit = 8

  /// Ids of teams, in the order in which they are shown.
  package var teams = ["home", "guest"]
  /// The number of cards for each team, 2 or 3; nil: 2, or in the style `scoreboard` as many as the scores of
  /// the game usually have. A score with more digits gets more cards.
  package var digits: Int?
  package var leadingZero = false
  package var showNames = true
  /// `showPeriod`, `showSets`, `showServe`, `showCounters`: whether the current period, the points of the
  /// periods that are over, who serves, and the counters are shown, if the game has them.
  package var showPeriod = true
  package var showSets = true
  package var showServe = true
  package var showCounters = true
  package var style = Style.plain
  /// Whether a scoreboard shows the clocks of the match.
  package var showClocks = true
  /// Whether a scoreboard shows the time of day.
  package var showTime = false
  /// How the time of day is written.
  package var clock = FlipClockSettings()
  package var motion = CardMotionSettings()

  package init() {}
}

extension ScoreSettings: CardWidgetContent {
  package static let typeName = "score"
  package static let text = """
    The score of the match.

    On a display that is too small for everything, the plain style leaves out the counters, the last one first, then
    the points of the periods, then the period. A scoreboard leaves out the time of day first, then the points of past
    periods where points add up, the counters, the penalties, the clocks, and at last the names. A name that does not
    fit is replaced by the team's short name, or, without one, by a word of the name or its initials.
    `flipclockctl status` names what is left out on each display.
    """

  /// Without the key `teams`, shows all teams. If there are more than `teamLimit`, shows the first ones and
  /// warns.
  package mutating func complete(_ table: WidgetTable, _ report: inout Report) {
    guard table["teams"] == nil else { return }
    let ids = table.teams.map(\.id)
    teams = Array(ids.prefix(Self.teamLimit))
    guard ids.count > Self.teamLimit, let hidden = table.files.entries("teams", ids[Self.teamLimit]).first
    else { return }
    report.warning(
      hidden.keyLocation, "\(table.title) shows the first \(Self.teamLimit) of \(ids.count) teams",
      hint: "name those to show: teams = [\"\(ids[0])\", \"\(ids[1])\"]")
  }

  package static var keys: [Key<ScoreSettings>] {
    [
      Key(
        "teams", \.teams, .teamIDs,
        """
        The ids of 1 to 8 teams, in the order in which they are shown. Without it all teams are shown, in the order in
        which they are declared.
        """, example: "[\"home\", \"guest\"]"),
      Key(
        "digits", \.digits, .integer(oneOf: [2, 3]),
        """
        How many cards a team has: `2` or `3`. A score that needs more takes one more. Without it 2; in the style
        `"scoreboard"` as many as scores of the game usually have: 3 in basketball and darts.
        """, example: "3"),
      Key("leading-zero", \.leadingZero, .boolean, "`true` shows 07, `false` leaves the first card empty."),
      Key("show-names", \.showNames, .boolean, "Whether the names of the teams are shown."),
      Key(
        "show-period", \.showPeriod, .boolean, "Whether the current period is shown, if the game has several."
      ),
      Key("show-sets", \.showSets, .boolean, "Whether the points of the periods that are over are shown."),
      Key("show-serve", \.showServe, .boolean, "Whether a mark shows who serves or has the ball."),
      Key(
        "show-counters", \.showCounters, .boolean,
        "Whether the counters of the game are shown: as dots if they are few, otherwise as figures."),
      Key(
        "style", \.style, .choice(),
        """
        `"plain"` shows names and cards. `"scoreboard"` fills the space that it has with what the game needs, as large
        as possible: the clocks of the match, the scores, the sets won with the points of past sets, set points and match
        points, penalties and counters; in tennis and darts a row for each player. A config with a `[game]` and without a
        layout of its own has the style `"scoreboard"`.
        """),
      Key(
        "show-clocks", \.showClocks, .boolean,
        "Whether a scoreboard shows the game clock and the shot clock."),
      Key(
        "show-time", \.showTime, .boolean,
        """
        Whether a scoreboard shows the time of day in small figures, if it has space for them. It does in a config with a
        `[game]` and without a layout of its own. There, a table `[widgets.time]` says how the time is written: `hours`,
        `am-pm`, `leading-zero`, `seconds` and `zone`. With `weight` or `max-height`, that table is a clock of its own.
        """),
    ]
  }
}
