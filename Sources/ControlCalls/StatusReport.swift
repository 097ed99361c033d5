// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// What the daemon shows, and its state: `flipclockctl status --json` prints this as JSON.
package struct StatusReport: Encodable, Hashable, Sendable {
  /// The daemon's release.
  package var version: String
  /// The daemon's wall clock, RFC 3339 with the offset of the display's time zone.
  package var now: String
  /// The page that is shown, or that a transition leads to.
  package var page: String
  /// All pages, in the order of the config.
  package var pages: [String]
  /// The widgets of all pages, by their names in the config.
  package var widgets: [String: WidgetStatus]
  /// The names of `widgets` in the order of the config.
  package var widgetOrder: [String]
  package var scoreboard: ScoreboardStatus
  /// The match, with its clocks and counters.
  package var match: MatchState?
  /// The connected displays that are used, and those that are dark because of a problem. Empty if there are
  /// none.
  package var outputs: [OutputStatus]
  /// How often the loop has woken since the start.
  package var wakeups: Int
  package var uptimeSeconds: Int
  package var cost: CostStatus
  package var config: ConfigStatus
  /// The message below the page.
  package var message: String?
  /// Whether all displays are off, by a command or the schedule.
  package var blanked: Bool
  /// Percent; that of the displays that have none of their own.
  package var brightness: Int
  /// Problems that do not stop the daemon; a sentence each.
  package var warnings: [String]
  /// The widgets of all pages that do not fit on one of the displays.
  package var leftOut: [LeftOutStatus]
  /// The widgets that show texts, in the order of the config.
  package var boards: [BoardState]
  /// As in `DisplayState`.
  package var countdowns: [CountdownState]
  /// Nil if the config has no schedule, and nothing was set for a time.
  package var schedule: ScheduleStatus?
  /// The tag of the display's language.
  package var language: String?
  /// Nil if the wall shares no match with others.
  package var wall: WallStatus?
  /// Nil if all changes are on the disk, or are being written.
  package var unsaved: UnsavedStatus?
  /// True: nothing has confirmed the time of day since the machine started. Nil: it is confirmed.
  package var timeUnconfirmed: Bool?

  package init(
    version: String, now: String, widgets: [String: WidgetStatus], widgetOrder: [String] = [],
    scoreboard: ScoreboardStatus,
    outputs: [OutputStatus], wakeups: Int, uptimeSeconds: Int, config: ConfigStatus, page: String = "main",
    pages: [String] = ["main"], cost: CostStatus = CostStatus(), message: String? = nil,
    blanked: Bool = false, brightness: Int = 100, warnings: [String] = [], leftOut: [LeftOutStatus] = [],
    boards: [BoardState] = [], countdowns: [CountdownState] = [],
    schedule: ScheduleStatus? = nil, language: String? = nil, wall: WallStatus? = nil,
    unsaved: UnsavedStatus? = nil, timeUnconfirmed: Bool? = nil, match: MatchState? = nil
  ) {
    self.version = version
    self.now = now
    self.page = page
    self.pages = pages
    self.widgets = widgets
    self.widgetOrder = widgetOrder
    self.scoreboard = scoreboard
    self.match = match
    self.outputs = outputs
    self.wakeups = wakeups
    self.uptimeSeconds = uptimeSeconds
    self.config = config
    self.cost = cost
    self.message = message
    self.blanked = blanked
    self.brightness = brightness
    self.warnings = warnings
    self.leftOut = leftOut
    self.boards = boards
    self.countdowns = countdowns
    self.schedule = schedule
    self.language = language
    self.wall = wall
    self.unsaved = unsaved
    self.timeUnconfirmed = timeUnconfirmed
  }
}

/// Changes that could not be saved. Saving is tried again until it succeeds.
package struct UnsavedStatus: Codable, Hashable, Sendable {
  package var reason: String
  /// When saving began to fail, RFC 3339.
  package var since: String

  package init(reason: String, since: String) {
    self.reason = reason
    self.since = since
  }
}

/// A widget that does not fit on its page.
package struct LeftOutStatus: Encodable, Hashable, Sendable {
  package var page: String
  /// The name as in the config.
  package var name: String
  /// Why the widget does not fit, and what to do.
  package var reason: String

  package init(page: String, name: String, reason: String) {
    self.page = page
    self.name = name
    self.reason = reason
  }
}

/// The details that a widget leaves out on a display.
package struct LeftOutDetailsStatus: Encodable, Hashable, Sendable {
  package var page: String
  package var widget: String
  package var details: [String]

  package init(page: String, widget: String, details: [String]) {
    self.page = page
    self.widget = widget
    self.details = details
  }
}

package struct WidgetStatus: Encodable, Hashable, Sendable {
  /// The type as in the config, e.g. `flip-clock`.
  package var type: String
  /// What the widget shows, as text.
  package var text: String

  package init(type: String, text: String) {
    self.type = type
    self.text = text
  }
}

package struct ScoreboardStatus: Encodable, Hashable, Sendable {
  /// The teams by their ids.
  package var teams: [String: TeamStatus]
  /// The ids of `teams` in the order of the config.
  package var teamOrder: [String]
  /// The name of the current period: `SET 3`, `OVERTIME`; nil where a game has only one.
  package var period: String?
  /// The result when the match is over, in the order of the config: `3 : 1`.
  package var result: String?

  package init(
    teams: [String: TeamStatus], teamOrder: [String] = [], period: String? = nil, result: String? = nil
  ) {
    self.teams = teams
    self.teamOrder = teamOrder
    self.period = period
    self.result = result
  }
}

package struct TeamStatus: Encodable, Hashable, Sendable {
  package var name: String
  package var score: Int
  /// `#rrggbb`.
  package var color: String
  /// The score as displayed in a game whose points have names: `40` and `AD` in tennis.
  package var points: String?
  /// Sets won, in a game of sets.
  package var won: Int?
  /// What the team's next point would win; nil: neither the set nor the match.
  package var winningPoint: WinningPoint?

  package init(
    name: String, score: Int, color: String, points: String? = nil, won: Int? = nil,
    winningPoint: WinningPoint? = nil
  ) {
    self.name = name
    self.score = score
    self.color = color
    self.points = points
    self.won = won
    self.winningPoint = winningPoint
  }
}

package struct OutputStatus: Encodable, Hashable, Sendable {
  /// The kernel's driver, or `headless` or `terminal`; empty if it is unknown because the display is dark.
  package var driver: String
  package var connector: String
  /// `WIDTHxHEIGHT@HZ`; empty if the display is dark because of a problem.
  package var mode: String
  /// `XRGB8888`, `RGB565` …; nil for a terminal, which has no pixel format, and for a display without a mode.
  package var format: String?
  /// Whether the picture is dithered because the format has too few shades.
  package var dithered: Bool?
  /// How the picture is rotated for the display, degrees clockwise.
  package var rotation: Int?
  package var framesPresented: Int
  package var flipsMissed: Int
  /// Bytes written to scanout memory, or to the terminal.
  package var bytesCopied: Int
  package var frameTimeMicroseconds: FrameTime
  /// Whether the display is off, by a command or the schedule.
  package var blanked: Bool
  /// Percent.
  package var brightness: Int
  /// The name of the backlight with which the display is dimmed; nil: its picture is darkened.
  package var backlight: String?
  /// The page that this display shows all the time; nil: it shows the common page.
  package var page: String?
  /// The name of the table `[outputs.NAME]` that is used.
  package var settings: String?
  /// Make, model and serial number, as in the display's EDID.
  package var display: String?
  /// Why the display is dark, or does not have the mode that was asked for: a clause without a full stop.
  package var problem: String?
  /// When the problem began, RFC 3339.
  package var since: String?
  /// What was tried against the problem.
  package var tried: [String]
  /// What the widgets of its pages leave out because the display is too small; nil: nothing.
  package var leftOutDetails: [LeftOutDetailsStatus]?

  package init(
    driver: String, connector: String, mode: String, format: String? = nil, dithered: Bool? = nil,
    rotation: Int? = nil, framesPresented: Int, flipsMissed: Int, bytesCopied: Int,
    frameTimeMicroseconds: FrameTime, blanked: Bool = false, brightness: Int = 100,
    backlight: String? = nil, page: String? = nil,
    settings: String? = nil, display: String? = nil, problem: String? = nil, since: String? = nil,
    tried: [String] = [], leftOutDetails: [LeftOutDetailsStatus]? = nil
  ) {
    self.driver = driver
    self.connector = connector
    self.mode = mode
    self.format = format
    self.dithered = dithered
    self.rotation = rotation
    self.framesPresented = framesPresented
    self.flipsMissed = flipsMissed
    self.bytesCopied = bytesCopied
    self.frameTimeMicroseconds = frameTimeMicroseconds
    self.blanked = blanked
    self.brightness = brightness
    self.backlight = backlight
    self.page = page
    self.settings = settings
    self.display = display
    self.problem = problem
    self.since = since
    self.tried = tried
    self.leftOutDetails = leftOutDetails
  }
}

/// Percentiles of the time to compose and copy a frame, in microseconds.
package struct FrameTime: Encodable, Hashable, Sendable {
  package var p50: Int
  package var p99: Int

  package init(p50: Int, p99: Int) {
    self.p50 = p50
    self.p99 = p99
  }
}

/// The daemon's use of processor and memory, and the rates of its work over the last minutes.
package struct CostStatus: Encodable, Hashable, Sendable {
  /// The time that the rates were measured over: at least a minute, but less just after the start. It is
  /// longer if the picture changes rarely.
  package var seconds: Int
  package var wakeupsPerMinute: Int
  /// Bytes written to scanout memory per minute.
  package var bytesCopiedPerMinute: Int
  /// Processor time of all threads: 600,000 is one per cent of a core.
  package var processorMicrosecondsPerMinute: Int
  /// Resident memory of the process.
  package var residentBytes: Int

  package init(
    seconds: Int = 0, wakeupsPerMinute: Int = 0, bytesCopiedPerMinute: Int = 0,
    processorMicrosecondsPerMinute: Int = 0, residentBytes: Int = 0
  ) {
    self.seconds = seconds
    self.wakeupsPerMinute = wakeupsPerMinute
    self.bytesCopiedPerMinute = bytesCopiedPerMinute
    self.processorMicrosecondsPerMinute = processorMicrosecondsPerMinute
    self.residentBytes = residentBytes
  }
}

package struct ConfigStatus: Encodable, Hashable, Sendable {
  /// Nil if no config file is in use, and all values are defaults.
  package var path: String?
  package var lastReload: ReloadOutcome

  package init(path: String?, lastReload: ReloadOutcome) {
    self.path = path
    self.lastReload = lastReload
  }

  private enum CodingKeys: CodingKey { case path, lastReload }

  /// Written by hand, so that a nil `path` is written as null; the synthesized method would leave it out.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
    try container.encode(lastReload, forKey: .lastReload)
  }
}

/// The result of a reload of the config. If there are errors, the present configuration stays in use.
package struct ReloadOutcome: Encodable, Hashable, Sendable {
  package var ok: Bool
  /// One located diagnostic each, e.g. `config.toml:3:1: error: 'mode' in [display] must be a string`.
  package var errors: [String]
  /// Located diagnostics of mistakes with which the config can still be used, e.g. an unknown key.
  package var warnings: [String]

  package init(ok: Bool, errors: [String] = [], warnings: [String] = []) {
    self.ok = ok
    self.errors = errors
    self.warnings = warnings
  }
}
