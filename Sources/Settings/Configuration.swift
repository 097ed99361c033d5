// SPDX-License-Identifier: Apache-2.0

/// Everything the config says, with the defaults where it says nothing. A pure value; colours are
/// `0xRRGGBB`, durations are seconds, fractions are 0 … 1.
public struct Configuration: Hashable, Sendable {
  public var display = DisplaySettings()
  public var theme = ThemeSettings()
  public var flip = FlipSettings()
  public var motion = Motion.full
  public var teams: [TeamSettings] = [
    TeamSettings(id: "home", name: "HOME", color: 0xe5484d),
    TeamSettings(id: "guest", name: "GUEST", color: 0x3e93ff),
  ]
  public var game = GameSettings()
  /// In the order of the files.
  public var widgets: [WidgetSettings] = []
  /// What stands where when there are no `pages`.
  public var layout = LayoutSettings()
  /// In the order of the files; empty: there is one page, of `layout`.
  public var pages: [PageSettings] = []
  public var rotation = RotationSettings()
  public var pageTransition = PageTransitionSettings()
  public var input = InputSettings()

  public init() {}
}

public struct DisplaySettings: Hashable, Sendable {
  /// `auto`, a path (`/dev/dri/card1`, a by-path link) or a driver's name.
  public var card = "auto"
  /// `auto` or a connector's name.
  public var connector = "auto"
  /// `auto`, `WxH` or `WxH@HZ`.
  public var mode = "auto"
  public var format = Format.auto
  /// Whether colours come to 16 bits a pixel by an ordered dither.
  public var dither = true
  /// Degrees clockwise by which the picture is turned: 0, 90, 180 or 270.
  public var rotation = 0
  /// Percent, 1 … 100, unless another was set by hand.
  public var brightness = 100

  public init() {}

  /// How a pixel lies in the memory that the display is fed from; `auto` takes what the card likes.
  public enum Format: String, CaseIterable, Hashable, Sendable {
    case auto
    case xrgb8888
    case rgb565
    case xrgb2101010
  }
}

public struct ThemeSettings: Hashable, Sendable {
  /// Families or paths of font files.
  public var symbolFont = "Bebas Neue"
  public var labelFont = "Inter"
  public var groundTop: UInt32 = 0x161617
  public var groundBottom: UInt32 = 0x0b0b0c
  public var cardUpperTop: UInt32 = 0x343437
  public var cardUpperBottom: UInt32 = 0x29292b
  public var cardLowerTop: UInt32 = 0x202022
  public var cardLowerBottom: UInt32 = 0x2b2b2e
  public var symbol: UInt32 = 0xf1eee6
  public var label: UInt32 = 0x8e8b84

  public init() {}
}

public struct FlipSettings: Hashable, Sendable {
  /// The whole flip, both quarters. Zero turns the motion off.
  public var duration = 0.5
  /// How much later each card starts than its right neighbour.
  public var stagger = 0.06
  /// The eye's distance in card heights.
  public var perspective = 2.7

  public init() {}
}

public struct TeamSettings: Hashable, Sendable {
  public var id: String
  public var name: String
  public var color: UInt32
  /// Nil: the beginning of the name.
  public var shortName: String?

  public init(id: String, name: String, color: UInt32) {
    self.id = id
    self.name = name
    self.color = color
  }
}

/// Rows of widgets, top to bottom; a row's widgets stand side by side.
public struct LayoutSettings: Hashable, Sendable {
  public var rows: [[String]] = []
  /// Whether the widgets of a row go under one another on a display that is taller than wide.
  public var stackInPortrait = true

  public init() {}
}

/// A named table `[widgets.NAME]`.
public struct WidgetSettings: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case flipClock(FlipClockSettings)
    case score(ScoreSettings)
    case date(DateSettings)
    case text(TextSettings)
    case board(BoardSettings)
    case analogClock(AnalogClockSettings)
    case timer(TimerSettings)
    case worldClock(WorldClockSettings)
  }

  public var name: String
  /// Its share of the room beside its neighbours.
  public var weight: Double
  public var kind: Kind

  public init(name: String, weight: Double, kind: Kind) {
    self.name = name
    self.weight = weight
    self.kind = kind
  }

  /// The config's word for the kind, e.g. `flip-clock`.
  public var typeName: String {
    switch kind {
    case .flipClock: "flip-clock"
    case .score: "score"
    case .date: "date"
    case .text: "text"
    case .board: "board"
    case .analogClock: "analog-clock"
    case .timer: "timer"
    case .worldClock: "world-clock"
    }
  }
}

public struct FlipClockSettings: Hashable, Sendable {
  public enum Hours: String, CaseIterable, Hashable, Sendable {
    case twelve = "12"
    case twentyFour = "24"
  }
  public enum Colon: String, CaseIterable, Hashable, Sendable {
    case steady
    case blinking
    case none
  }
  public enum Cards: String, CaseIterable, Hashable, Sendable {
    /// One card a digit.
    case digit
    /// One card for two digits.
    case pair
  }

  public var hours = Hours.twentyFour
  public var seconds = false
  /// When false, a leading zero of the hour is an empty card.
  public var leadingZero = true
  public var colon = Colon.steady
  public var cards = Cards.digit
  /// Shown in 12-hour mode only.
  public var amPM = true
  /// The most that the cards take of the display's shorter side, percent; nil: as much as there is room.
  public var maxHeight: Int?
  /// `local` or an IANA name.
  public var zone = "local"
  public var motion = CardMotionSettings()

  public init() {}
}

public struct ScoreSettings: Hashable, Sendable {
  public enum Style: String, CaseIterable, Hashable, Sendable {
    /// Names, cards, and small beneath them what else is counted.
    case plain
    /// The period and the clocks between two teams, and a table of all that is counted beneath.
    case scoreboard
  }

  /// Ids of teams, in the order they stand.
  public var teams = ["home", "guest"]
  /// 2 or 3 cards a team; a higher score takes one card more.
  public var digits = 2
  public var leadingZero = false
  public var showNames = true
  /// These are shown where the game has them: the period that is played, what those brought that are over,
  /// who serves, and what is counted.
  public var showPeriod = true
  public var showSets = true
  public var showServe = true
  public var showCounters = true
  public var style = Style.plain
  /// The clocks of the match on a scoreboard.
  public var showClocks = true
  public var motion = CardMotionSettings()

  public init() {}
}

public struct DateSettings: Hashable, Sendable {
  /// A pattern: `EEEE` weekday, `EEE` its short form, `d`/`dd` day, `MMMM`/`MMM` month's name,
  /// `M`/`MM` its number, `yyyy` year, `'…'` literally.
  public var format = "EEEE d MMMM"
  public var uppercase = true
  public var zone = "local"

  public init() {}
}

public struct TextSettings: Hashable, Sendable {
  public var text = ""
  /// Nil: the theme's label colour.
  public var color: UInt32?

  public init() {}
}
