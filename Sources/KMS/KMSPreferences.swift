// SPDX-License-Identifier: Apache-2.0

import Raster

/// Which mode to set.
public enum ModePreference: Hashable, Sendable {
  /// The kernel command line's `video=` mode, otherwise the display's preferred mode, otherwise the active one.
  case auto
  /// A size, and a refresh rate in millihertz; nil chooses the rate that the display prefers.
  case size(PixelSize, refreshMillihertz: Int?)
}

/// Which pixel format of scanout memory to use.
public enum FormatPreference: String, CaseIterable, Hashable, Sendable {
  /// 32 bits per pixel, or 16 if the card supports no more.
  case auto
  case xrgb8888
  /// Half the memory and bandwidth.
  case rgb565
  case xrgb2101010

  var format: ScanoutFormat? {
    switch self {
    case .auto: nil
    case .xrgb8888: .xrgb8888
    case .rgb565: .rgb565
    case .xrgb2101010: .xrgb2101010
    }
  }
}

/// The user's configuration of the display.
public struct KMSPreferences: Hashable, Sendable {
  /// `auto`; a path (`/dev/dri/card1`, `card1`, a by-path link); or a driver's name (`vc4`).
  public var card: String
  /// `auto`, or a connector's name (`HDMI-A-1`).
  public var connector: String
  public var mode: ModePreference
  /// The preferred format. If the plane does not support it, another is used and the log says so.
  public var format: FormatPreference
  /// Whether colours are dithered (ordered) for RGB565; otherwise the low bits are truncated.
  public var dithers: Bool
  /// How the picture is rotated on the display.
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

  /// `card` parsed. Anything with a slash, and `card` followed by a number, is a path.
  var wantedCard: Card {
    if card.isEmpty || card == "auto" { return .auto }
    if card.contains("/") { return .path(card) }
    if card.hasPrefix("card"), Int(card.dropFirst(4)) != nil { return .path("/dev/dri/\(card)") }
    return .driver(card)
  }

  /// Nil means any.
  var wantedConnector: String? { connector.isEmpty || connector == "auto" ? nil : connector }
}
