// SPDX-License-Identifier: Apache-2.0

/// A table `[pages.NAME]`: what stands on the display while that page is shown.
public struct PageSettings: Hashable, Sendable {
  public var name: String
  public var layout: LayoutSettings

  public init(name: String, layout: LayoutSettings) {
    self.name = name
    self.layout = layout
  }
}

/// Pages that take turns by themselves.
public struct RotationSettings: Hashable, Sendable {
  /// In the order they are shown; empty: all, in the order of the config.
  public var pages: [String] = []
  /// How long each stays, seconds; zero: pages change only when told to.
  public var every = 0.0

  public init() {}
}

/// How one page gives way to the next.
public struct PageTransitionSettings: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Vertical bands slide off, up and down by turns.
    case shutter
    /// A tube rolls across and takes the page with it.
    case roll
    /// The page is one big flap.
    case flip
    case fade
    /// The new page pushes the old one out to the left.
    case push
    /// At once.
    case cut
  }

  public enum Easing: String, CaseIterable, Hashable, Sendable {
    /// What suits the transition.
    case automatic = "auto"
    case linear
    case ease
    case easeIn = "ease-in"
    case easeOut = "ease-out"
    case easeInEaseOut = "ease-in-ease-out"
  }

  public var kind = Kind.shutter
  /// Seconds; zero changes the page at once.
  public var duration = 1.0
  public var easing = Easing.automatic
  /// Into how many bands `shutter`, and into how many strips `roll`, cut the page.
  public var bands = 8
  /// Of the tube of `roll`.
  public var sides = 6

  public init() {}
}

extension Configuration {
  /// The page that there is when the config names none.
  public static let onlyPage = "main"

  /// The pages that can be shown, the first one first: those of `[pages]`, or the one of `[layout]`.
  public var allPages: [PageSettings] {
    pages.isEmpty ? [PageSettings(name: Self.onlyPage, layout: layout)] : pages
  }

  /// The page that follows `page` in the rotation; nil while pages do not take turns.
  public func page(after page: String) -> String? {
    let turns = rotation.pages.isEmpty ? pages.map(\.name) : rotation.pages
    guard rotation.every > 0, let first = turns.first, turns.contains(where: { $0 != page }) else {
      return nil
    }
    guard let index = turns.firstIndex(of: page) else { return first }
    return turns[(index + 1) % turns.count]
  }
}
