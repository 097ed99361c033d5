// SPDX-License-Identifier: Apache-2.0

/// What the display shows beside the match, for remote controls: the interface's type `DisplayState`.
package struct DisplayState: Codable, Hashable, Sendable {
  /// The wall's name: that of `[remote]`, else the host name.
  package var name: String
  /// The page that is shown, or that a transition leads to; all pages, in the order of the config.
  package var page: String
  package var pages: [String]
  /// The message below the page.
  package var message: String?
  /// The widgets that show texts, in the order of the config.
  package var boards: [BoardState]
  /// The countdowns: those of the config's timers in its order, whether or not they are set, then the others.
  package var countdowns: [CountdownState]
  /// Whether the code that pairs a phone is shown; nil: no.
  package var pairing: Bool?
  /// Whether all displays are off by a command or the schedule.
  package var blanked: Bool
  /// Percent; that of the displays that have none of their own.
  package var brightness: Int
  /// The tag of the display's language, such as `pt-BR`.
  package var language: String
  /// The display's own words on a scoreboard: what is shown when the match is over, and the heading of the
  /// points in a row, also in a tie-break. Nil if the daemon is older.
  package var finalText: String?
  package var pointsName: String?
  package var tieBreakName: String?
  /// The messages that remote controls offer.
  package var messages: [String]
  /// The host name or IP address under which phones reach the machine, if the config has one.
  package var address: String?
  /// Whether changes of the match would be performed now. False only for a wall that shares a match and can
  /// neither make a change now nor have the leader make it.
  package var ready: Bool
  /// The matches that were set aside, the newest first.
  package var aside: [AsideMatch]
  /// Nil if all changes are on the disk, or are being written.
  package var unsaved: UnsavedStatus?
  /// The revision of the settings, as in `SettingsReply`. Nil if the daemon is older.
  package var settings: Int?
  /// True: nothing has confirmed the time of day since the machine started. Nil: it is confirmed.
  package var timeUnconfirmed: Bool?
  /// Nil if the daemon is older.
  package var horn: HornState?

  package init(
    name: String, page: String, pages: [String], message: String? = nil,
    boards: [BoardState] = [], countdowns: [CountdownState] = [], pairing: Bool? = nil,
    blanked: Bool = false,
    brightness: Int = 100, language: String = "en", finalText: String? = nil,
    pointsName: String? = nil, tieBreakName: String? = nil, messages: [String] = [], address: String? = nil,
    ready: Bool = true, aside: [AsideMatch] = [], unsaved: UnsavedStatus? = nil,
    settings: Int? = nil, timeUnconfirmed: Bool? = nil, horn: HornState? = nil
  ) {
    self.name = name
    self.page = page
    self.pages = pages
    self.message = message
    self.boards = boards
    self.countdowns = countdowns
    self.pairing = pairing
    self.blanked = blanked
    self.brightness = brightness
    self.language = language
    self.finalText = finalText
    self.pointsName = pointsName
    self.tieBreakName = tieBreakName
    self.messages = messages
    self.address = address
    self.ready = ready
    self.aside = aside
    self.unsaved = unsaved
    self.settings = settings
    self.timeUnconfirmed = timeUnconfirmed
    self.horn = horn
  }
}
