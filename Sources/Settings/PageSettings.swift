// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

/// A table `[pages.NAME]`: what the display shows while that page is shown.
package struct PageSettings: Hashable, Sendable {
  package var name: String
  package var layout: LayoutSettings
  /// The name of the page's theme; nil: the page has the theme of `[theme]`.
  package var theme: String?
  /// The kinds of breaks during which the page is shown, by their names.
  package var showDuring: [String] = []

  package static let maximumNumber = 32

  package init(name: String, layout: LayoutSettings, theme: String? = nil) {
    self.name = name
    self.layout = layout
    self.theme = theme
  }
}

/// `[rotation]`: pages that are shown in turn.
package struct RotationSettings: Hashable, Sendable {
  /// The pages in the order in which they are shown; empty: all pages, in the order of the config.
  package var pages: [String] = []
  /// How many seconds each page stays; zero: pages change only on command.
  package var every = 0.0

  package init() {}
}

/// `[page-transition]`: how one page replaces another.
package struct PageTransitionSettings: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Vertical bands slide off, alternately up and down.
    case shutter
    /// A tube rolls across the page and rolls it up.
    case roll
    /// The page is one big flap.
    case flip
    case fade
    /// The new page pushes the old one out to the left.
    case push
    /// The new page appears at once.
    case cut
  }

  package var kind = Kind.shutter
  /// Seconds; zero changes the page at once.
  package var duration = 1.0
  /// Nil: the default of the transition.
  package var easing: EasingSettings?
  /// The number of bands of `shutter` and of strips of `roll`.
  package var bands = 8
  /// The number of sides of `roll`'s tube.
  package var sides = 6

  package init() {}
}

extension ConfigTable where Draft == SettingsDraft {
  static var pages: ConfigTable {
    ConfigTable(
      "pages", noun: "a page", example: "main", maximum: PageSettings.maximumNumber, \.configuration.pages,
      name: \.name, section: Section.page, start: { PageSettings(name: $0, layout: LayoutSettings()) },
      shown: .init(
        "pages.match",
        values: ["rows": "[\"score\"]", "stack-in-portrait": "true", "theme": "\"night\""]),
      base: "layout", check: checkPages)
  }

  private static func checkPages(_ draft: inout SettingsDraft, _ files: ConfigFiles, _ report: inout Report) {
    let pages = draft.configuration.pages
    let names = pages.map(\.name)
    report.resolve("page", among: names) { name in
      guard names.isEmpty else { return nil }
      return NameForm.name.accepts(name) ? "declare it as [pages.\(name)]" : "declare [pages.NAME]"
    }
    guard !pages.isEmpty else { return }
    if let layout = files.entries("layout").first {
      return report.error(
        layout.keyLocation, "[layout] and [pages] exclude each other",
        hint: "move the rows of [layout] into a page, [pages.\(Configuration.onlyPage)]")
    }
    var pageOfBreak: [String: String] = [:]
    for page in pages {
      for name in page.showDuring {
        guard let other = pageOfBreak.updateValue(page.name, forKey: name),
          let key = files.entries("pages", page.name, "show-during").last
        else { continue }
        report.error(
          key.value.location,
          "the pages \(other.quoted) and \(page.name.quoted) are both shown during \(name.quoted)",
          hint: "name it in one of them")
      }
    }
    for page in pages where page.layout.rows.isEmpty {
      guard let table = files.entries("pages", page.name).first else { continue }
      report.error(
        table.keyLocation, "the page \(page.name.quoted) has no rows",
        hint: "write rows = [\"time\", \"date\"]")
    }
  }

  static var rotation: ConfigTable {
    ConfigTable(
      .rotation, \.configuration.rotation, standard: RotationSettings()
    ) { draft, files, report in
      let every = draft.configuration.rotation.every
      if every > 0, every < 1, let key = files.entries("rotation", "every").last {
        report.error(
          key.value.location, "'every' in [rotation] must be at least \"1s\", or \"0s\" for never")
      }
      if every > 0, draft.configuration.pages.isEmpty, let table = files.entries("rotation").first {
        report.error(
          table.keyLocation, "[rotation] has no pages to go through", hint: "declare [pages.NAME]")
      }
    }
  }
}

extension Section where Target == PageSettings {
  static func page(_ name: String) -> Section {
    let layout = Section<LayoutSettings>.layout(title: "pages.\(name)")
    let theme = Key<PageSettings>(
      "theme", \.theme, .themeName,
      "The theme of the page: a built-in one or one of `[themes.NAME]`. Without it, that of `[theme]`.",
      example: "\"night\"")
    let showDuring = Key<PageSettings>(
      "show-during", \.showDuring, .breaks,
      """
      Breaks during which the page is shown: `"time-out"`, `"interval"`, `"half-time"` and `"warm-up"`. When a break begins
      by itself, after a period or within a set, the result is shown for 8 seconds before the page. When the break is
      over or undone, the wall shows the page that it would show without it. A page that is set by `flipclockctl show`
      during a break is shown instead. A widget of type `timer` with `source = "break-clock"` shows the clock of the break
      on the page.
      """, example: "[\"time-out\", \"interval\"]")
    return Section(
      title: layout.title, text: layout.text,
      keys: layout.keys.map { $0.part(of: \.layout) } + [theme, showDuring])
  }
}

extension Section where Target == RotationSettings {
  static var rotation: Section {
    Section(
      title: "rotation",
      text: "Pages that are shown in turn, without a command.",
      keys: [
        Key(
          "every", \.every, .duration(maximum: 86_400, sensible: 1),
          "How long each page stays, at least `\"1s\"`. `\"0s\"`: pages change only by `flipclockctl show`."),
        Key(
          "pages", \.pages, .pageNames,
          "The order of the pages. Without it all pages are shown, in the order of the config.",
          example: "[\"match\"]"),
      ])
  }
}

extension Section where Target == PageTransitionSettings {
  static var pageTransition: Section {
    Section(
      title: "page-transition",
      text: "How one page replaces another.",
      keys: [
        Key(
          "type", \.kind, .choice(),
          """
          `"shutter"`: bands slide off, up and down. `"roll"`: a tube rolls the page up. `"flip"`: the page is one big
          flap. `"fade"`: one page fades into the other. `"push"`: the new page pushes the old one out. `"cut"`: the
          page changes at once.
          """),
        Key(
          "duration", \.duration, .duration(maximum: 10),
          "The time from one page to the next. `\"0s\"` changes the page at once."),
        Key(
          "easing", \.easing, .easing,
          """
          How the motion follows time. `"auto"` is the default of the type; otherwise write an easing, as for the
          cards: `"linear"`, `"ease"`, `"ease-in"`, `"ease-out"`, `"ease-in-out"`, `"cubic-bezier(0.4, 0, 0.2, 1)"` or
          `"steps(8)"`.
          """),
        Key(
          "bands", \.bands, .integer(in: 2...64),
          "Into how many bands (`\"shutter\"`) or strips (`\"roll\"`) the page is cut."),
        Key("sides", \.sides, .integer(in: 3...12), "How many sides the tube of `\"roll\"` has."),
      ])
  }
}

// MARK: The pages of a configuration

extension Configuration {
  /// The name of the only page when the config names none.
  package static let onlyPage = "main"

  /// The pages that can be shown, the first one first: those of `[pages]`, or the one of `[layout]`.
  package var allPages: [PageSettings] {
    pages.isEmpty ? [PageSettings(name: Self.onlyPage, layout: layout)] : pages
  }

  /// The page that follows `page` in the rotation, or the first one if `page` is not part of it. Nil if pages
  /// are not shown in turn or there is no other page.
  package func page(after page: String) -> String? {
    let turns = rotation.pages.isEmpty ? pages.map(\.name) : rotation.pages
    guard rotation.every > 0, let first = turns.first, turns.contains(where: { $0 != page }) else {
      return nil
    }
    guard let index = turns.firstIndex(of: page) else { return first }
    return turns[(index + 1) % turns.count]
  }
}
