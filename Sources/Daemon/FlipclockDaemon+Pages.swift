// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Settings
import Widgets

/// Which page is shown, and with which theme.
extension FlipclockDaemon {
  /// The page to show: one set by command, else the schedule's, else `commonPage`.
  var shownPage: String {
    let pages = config.configuration.allPages.map(\.name)
    let wanted = [manual.page?.name, schedule.state.page?.value].compactMap { $0 }
    return wanted.first { pages.contains($0) } ?? commonPage
  }

  /// The page that was last requested or reached by rotation, else the first one.
  var commonPage: String {
    let pages = config.configuration.allPages.map(\.name)
    if let page, pages.contains(page) { return page }
    return pages.first ?? Configuration.onlyPage
  }

  /// Whether a page of the schedule, or one that was set for a time, is shown, so that pages do not rotate.
  var isPageFixed: Bool { manual.page != nil || schedule.state.page != nil }

  /// Shows the page `name`, which must exist, with the configured transition.
  func turn(to name: String) {
    page = name
    showPage()
  }

  /// Shows `shownPage` with the configured transition.
  func showPage() {
    let name = shownPage
    if !presenter.canvases.isEmpty { shown = WallClock.now }
    for canvas in presenter.canvases {
      let stage = canvas.stage
      stage.scene.advance(to: Presenter.now)
      if canvas.content.page == nil {
        stage.show(page: name, model(at: shown)) { Presenter.now }
      } else {
        stage.update(model(at: shown), at: Presenter.now, animated: true)
      }
      canvas.composeIfPossible()
    }
    arm()
  }

  /// Shows everything with the theme `name` from now on; nil: as configured. The theme fades in, unless motion is off.
  func show(theme name: String?) {
    guard name != theme else { return }
    theme = name
    if !presenter.canvases.isEmpty { shown = WallClock.now }
    for canvas in presenter.canvases {
      canvas.stage.scene.advance(to: Presenter.now)
      canvas.stage.show(theme: name, model(at: shown)) { Presenter.now }
      canvas.composeIfPossible()
    }
    arm()
  }

  /// A stage that shows the common page, which rotation changes.
  var commonStage: Stage? { presenter.canvases.first { $0.content.page == nil }?.stage }

  /// Shows the next page of the rotation if it is due.
  func turnPages() {
    guard !isPageFixed, let next = commonStage?.nextTurn, next.time <= Presenter.now else { return arm() }
    turn(to: next.page)
  }
}
