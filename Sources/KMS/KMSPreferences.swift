// SPDX-License-Identifier: Apache-2.0

import Raster

/// Which mode to set.
public enum ModePreference: Hashable, Sendable {
  /// The kernel command line's `video=` mode, else the display's preferred one, else the active one.
  case auto
  /// A size, and a rate in thousandths of a hertz or whichever rate the display prefers.
  case size(PixelSize, refreshMillihertz: Int?)
}

/// What the person who set the display up asked for.
public struct KMSPreferences: Hashable, Sendable {
  /// `auto`; a path (`/dev/dri/card1`, `card1`, a by-path link); or a driver's name (`vc4`).
  public var card: String
  /// `auto`, or a connector's name (`HDMI-A-1`).
  public var connector: String
  public var mode: ModePreference

  public init(card: String = "auto", connector: String = "auto", mode: ModePreference = .auto) {
    self.card = card
    self.connector = connector
    self.mode = mode
  }

  enum Card: Hashable, Sendable {
    case auto
    case path(String)
    case driver(String)
  }

  /// What `card` means: anything with a slash, or `card` and a number, is a path.
  var wantedCard: Card {
    if card.isEmpty || card == "auto" { return .auto }
    if card.contains("/") { return .path(card) }
    if card.hasPrefix("card"), Int(card.dropFirst(4)) != nil { return .path("/dev/dri/\(card)") }
    return .driver(card)
  }

  /// Nil means any.
  var wantedConnector: String? { connector.isEmpty || connector == "auto" ? nil : connector }
}
