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
  private var shownBreak: GameBreak? {
    delayed.displayed(match.scoreboard).settled(at: now.clock).gameBreak
  }

  /// The page for the present break, and from when it is shown in match time (nil: from the beginning). Nil
  /// if there is none, or another page was set by command in this break.
  private var pageOfBreak: (name: String, from: Int64?)? {
    guard let shownBreak, shownBreak.kind != overruledBreak else { return nil }
    return configuration.pages.first { $0.showDuring.contains(shownBreak.kind.name) }
      .map { ($0.name, shownBreak.resultEnds) }
  }

  /// The page for the present break, if it is shown already.
  var breakPage: String? {
    pageOfBreak.flatMap { $0.from.map { $0 <= now.clock } ?? true ? $0.name : nil }
  }

  /// When the page of the present break appears, in match time; nil: there is none, or it is shown already.
  var breakPageDue: Int64? { pageOfBreak?.from.flatMap { $0 > now.clock ? $0 : nil } }

  /// Forgets a break that is over. When a break's page appears or disappears, a new turn of the rotation
  /// begins.
  mutating func followBreak() {
    if overruledBreak != shownBreak?.kind { overruledBreak = nil }
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
    guard pageOfBreak == nil, holds.page == nil, schedule.state.page == nil, isCommonPageShown else {
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
    if milliseconds == nil, pageOfBreak != nil { overruledBreak = shownBreak?.kind }
    if milliseconds != nil || schedule.state.page != nil {
      holds.page = Holds.Page(
        name: name, hold: schedule.hold(.page, milliseconds: milliseconds, at: now.instant))
    } else {
      (holds.page, page) = (nil, name)
    }
    pageSince = now.clock
  }
}
