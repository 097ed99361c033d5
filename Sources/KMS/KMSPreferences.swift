// SPDX-License-Identifier: Apache-2.0

import Display
import Raster

/// What the person who set the display up asked for.
public struct KMSPreferences: Hashable, Sendable {
  /// `auto`; a path (`/dev/dri/card1`, `card1`, a by-path link); or a driver's name (`vc4`).
  public var card: String
  /// `auto`, or a connector's name (`HDMI-A-1`).
  public var connector: String
  public var mode: ModePreference
  /// A wish: a plane that has not the format gets another, and the log says so.
  public var format: FormatPreference
  /// Whether colours come to RGB565 by an ordered dither; else what does not fit is cut off.
  public var dithers: Bool
  /// How the picture is turned in the mode.
  public var rotation: Rotation

  public init(
    card: String = "auto", connector: String = "auto", mode: ModePreference = .auto,
    format: FormatPreference = .auto, dithers: Bool = true, rotation: Rotation = .none
  ) {
    self.card = card
    self.connector = connector
    self.mode = mode
    self.format = format
    self.dithers = dithers
    self.rotation = rotation
  }

  func dithering(for format: ScanoutFormat) -> PixelBuffer.Dithering {
    dithers && format == .rgb565 ? .ordered : .none
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

extension FormatPreference {
  var format: ScanoutFormat? {
    switch self {
    case .auto: nil
    case .xrgb8888: .xrgb8888
    case .rgb565: .rgb565
    case .xrgb2101010: .xrgb2101010
    }
  }
}
