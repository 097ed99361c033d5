// SPDX-License-Identifier: Apache-2.0

/// What the daemon shows and how it fares: `flipclockctl status --json` is this, as JSON.
public struct StatusReport: Codable, Hashable, Sendable {
  /// The daemon's release.
  public var version: String
  /// The daemon's wall clock, RFC 3339.
  public var now: String
  /// The page that is shown or coming.
  public var page: String
  /// All pages, in the order of the config.
  public var pages: [String]
  /// By the name of the widget in the config; those on other pages too.
  public var widgets: [String: WidgetStatus]
  /// The names of `widgets` in the order of the config.
  public var widgetOrder: [String]
  public var scoreboard: ScoreboardStatus
  /// Empty while there is no display.
  public var outputs: [OutputStatus]
  /// How often the loop came out of a sleep since the start.
  public var wakeups: Int
  public var uptimeSeconds: Int
  public var cost: CostStatus
  public var config: ConfigStatus
  /// What stands over the page for a while.
  public var message: String?
  /// The display is dark because it was told to be.
  public var blanked: Bool
  /// Percent.
  public var brightness: Int
  /// What is not as it should be while the daemon goes on; a sentence each.
  public var warnings: [String]
  /// The widgets that have no room on the display, of all pages; nil in the reports of older daemons.
  public var leftOut: [LeftOutStatus]?

  public init(
    version: String, now: String, widgets: [String: WidgetStatus], widgetOrder: [String] = [],
    scoreboard: ScoreboardStatus,
    outputs: [OutputStatus], wakeups: Int, uptimeSeconds: Int, config: ConfigStatus, page: String = "main",
    pages: [String] = ["main"], cost: CostStatus = CostStatus(), message: String? = nil,
    blanked: Bool = false, brightness: Int = 100, warnings: [String] = [], leftOut: [LeftOutStatus] = []
  ) {
    self.version = version
    self.now = now
    self.page = page
    self.pages = pages
    self.widgets = widgets
    self.widgetOrder = widgetOrder
    self.scoreboard = scoreboard
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
  }
}

/// A widget that its page does not show.
public struct LeftOutStatus: Codable, Hashable, Sendable {
  public var page: String
  /// As in the config.
  public var name: String
  /// Why, and what helps.
  public var reason: String

  public init(page: String, name: String, reason: String) {
    self.page = page
    self.name = name
    self.reason = reason
  }
}

public struct WidgetStatus: Codable, Hashable, Sendable {
  /// As in the config, e.g. `flip-clock`.
  public var type: String
  /// What it shows, as a person would read it.
  public var text: String

  public init(type: String, text: String) {
    self.type = type
    self.text = text
  }
}

public struct ScoreboardStatus: Codable, Hashable, Sendable {
  /// By team id.
  public var teams: [String: TeamStatus]
  /// The ids of `teams` in the order of the config.
  public var teamOrder: [String]
  /// The period that is played, as a board calls it: `SET 3`, `OVERTIME`; nil where a game has but one.
  public var period: String?
  /// The result of a match that is over, in the order of the config: `3 : 1`.
  public var result: String?

  public init(
    teams: [String: TeamStatus], teamOrder: [String] = [], period: String? = nil, result: String? = nil
  ) {
    self.teams = teams
    self.teamOrder = teamOrder
    self.period = period
    self.result = result
  }
}

public struct TeamStatus: Codable, Hashable, Sendable {
  public var name: String
  public var score: Int
  /// `#rrggbb`.
  public var color: String
  /// The score as it is called, where that is not its number: `40` and `AD` in tennis.
  public var points: String?
  /// Sets won, in a game of sets.
  public var won: Int?

  public init(name: String, score: Int, color: String, points: String? = nil, won: Int? = nil) {
    self.name = name
    self.score = score
    self.color = color
    self.points = points
    self.won = won
  }
}

public struct OutputStatus: Codable, Hashable, Sendable {
  /// The kernel's driver, or `headless` or `terminal`.
  public var driver: String
  public var connector: String
  /// `WIDTHxHEIGHT@HZ`.
  public var mode: String
  /// `XRGB8888`, `RGB565` …; nil for a terminal, which has no such memory.
  public var format: String?
  /// The format's lack of shades is made up for by a dither.
  public var dithered: Bool?
  /// Clockwise, in degrees, on the way to the display.
  public var rotation: Int?
  public var framesPresented: Int
  public var flipsMissed: Int
  /// Bytes written to scanout memory.
  public var bytesCopied: Int
  public var frameTimeMicroseconds: FrameTime

  public init(
    driver: String, connector: String, mode: String, format: String? = nil, dithered: Bool? = nil,
    rotation: Int? = nil, framesPresented: Int, flipsMissed: Int, bytesCopied: Int,
    frameTimeMicroseconds: FrameTime
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
  }
}

/// Percentiles of the time to compose and copy a frame, in microseconds.
public struct FrameTime: Codable, Hashable, Sendable {
  public var p50: Int
  public var p99: Int

  public init(p50: Int, p99: Int) {
    self.p50 = p50
    self.p99 = p99
  }
}

/// What the daemon costs now: rates over the last minutes.
public struct CostStatus: Codable, Hashable, Sendable {
  /// How long the rates were taken over: a minute or a little more, less just after the start.
  public var seconds: Int
  public var wakeupsPerMinute: Int
  /// To scanout memory.
  public var bytesCopiedPerMinute: Int
  /// Time of the processor, of all threads: 600,000 is one per cent of a core.
  public var processorMicrosecondsPerMinute: Int
  /// Memory of the process that is in RAM now.
  public var residentBytes: Int

  public init(
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

public struct ConfigStatus: Codable, Hashable, Sendable {
  /// nil: no config file, all defaults.
  public var path: String?
  public var lastReload: ReloadOutcome

  public init(path: String?, lastReload: ReloadOutcome) {
    self.path = path
    self.lastReload = lastReload
  }

  /// Written out for `path`: readers find it in every report, null when there is no file.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
    try container.encode(lastReload, forKey: .lastReload)
  }
}
