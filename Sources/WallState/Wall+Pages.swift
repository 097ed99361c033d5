// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Settings

/// Which page is shown, and with which theme.
extension Wall {
  /// The names of the config's pages, in its order.
  package var pages: [String] { configuration.allPages.map(\.name) }

  /// The page to show: one set by command for a time, else the break's, else one set by command, else the
  /// schedule's, else `commonPage`.
  package var shownPage: String {
    let pages = pages
    let held = holds.page
    let timed = held?.hold.isTimed == true ? held?.name : nil
    let wanted = [timed, breakPage, held?.name, schedule.state.page?.value].compactMap { $0 }
    return wanted.first { pages.contains($0) } ?? commonPage
  }

  /// The break that the displays show.
  private var shownBreak: GameBreak.Kind? {
    delayed.displayed(match.scoreboard).settled(at: now.clock).gameBreak?.kind
  }

  /// The page for the present break; nil: there is none, or another page was set by command in this break.
  var breakPage: String? {
    guard let shownBreak, shownBreak != overruledBreak else { return nil }
    return configuration.pages.first { $0.showDuring.contains(shownBreak.name) }?.name
  }

  /// Forgets a break that is over. When a break's page appears or disappears, a new turn of the rotation
  /// begins.
  mutating func followBreak() {
    if overruledBreak != shownBreak { overruledBreak = nil }
    let page = breakPage
    if page != lastBreakPage { (lastBreakPage, pageSince) = (page, now.clock) }
  }

  /// The page that was last set by command or reached by rotation, else the first one.
  package var commonPage: String {
    let pages = pages
    if let page, pages.contains(page) { return page }
    return pages.first ?? Configuration.onlyPage
  }

  /// The theme of the schedule; nil: as configured.
  package var theme: String? { schedule.state.theme?.value }

  /// The next page of the rotation, and when it is due in match time. Nil if the config rotates no pages, if
  /// a page was set by command, by the schedule or by a break, or if no lit display shows the common page.
  var nextTurn: (time: Int64, page: String)? {
    guard breakPage == nil, holds.page == nil, schedule.state.page == nil, isCommonPageShown else {
      return nil
    }
    return configuration.page(after: commonPage).map {
      (pageSince + Int64(configuration.rotation.every * 1e9), $0)
    }
  }

  /// Whether a display is lit that shows the common page.
  var isCommonPageShown: Bool {
    displays.contains { $0.settings?.page == nil && !light(of: $0.name).isBlank }
  }

  mutating func turnPages() {
    guard let next = nextTurn, next.time <= now.clock else { return }
    page = next.page
    pageSince = now.clock
  }

  /// - Parameter milliseconds: how long the page is shown; nil: until the page of the schedule changes, if it
  ///   has one.
  mutating func show(page name: String, for milliseconds: Int?) {
    if milliseconds == nil, breakPage != nil { overruledBreak = shownBreak }
    if milliseconds != nil || schedule.state.page != nil {
      holds.page = Holds.Page(
        name: name, hold: schedule.hold(.page, milliseconds: milliseconds, at: now.instant))
    } else {
      (holds.page, page) = (nil, name)
    }
    pageSince = now.clock
  }
}
