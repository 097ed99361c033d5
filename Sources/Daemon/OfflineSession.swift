// SPDX-License-Identifier: Apache-2.0

import Control
import Glibc
import Scoreboard
import Settings

/// What a daemon knows besides its display, on virtual time: the events of `render` change it by the same calls
/// that clients make.
final class OfflineSession: ControlHandler {
  private let configuration: Configuration
  private let pages: [String]
  private(set) var match: Match
  private(set) var message: String?
  /// When the message goes, seconds since the start.
  private(set) var messageEnd: Double?
  private(set) var isBlank = false
  private(set) var brightness: Int
  /// The page that the event asked for.
  private var page: String?
  /// Seconds since the start.
  private var now = 0.0

  init(_ configuration: Configuration, pages: [String]) {
    self.configuration = configuration
    self.pages = pages
    match = configuration.newMatch
    brightness = configuration.display.brightness
  }

  /// The clock of the match's instants at `seconds` after the start.
  static func clock(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }

  /// Does what the event says, at its time; returns the page that it shows.
  func perform(_ event: OfflineRenderer.Event) throws(StartFailure) -> String? {
    now = event.seconds
    page = nil
    guard let call = event.command.call else { return nil }
    var refusal: ControlError?
    let service = ControlService(handler: self, identity: ControlDoor.identity)
    service.perform(call) { refusal = $0.error }
    if let refusal {
      throw StartFailure("event at \(event.seconds) s: \(refusal.message)", exitCode: EX_USAGE)
    }
    return page
  }

  /// The message's time is over.
  func endMessage() { _ = clearMessage() }

  func perform(
    _ action: Scoreboard.Action, completion: @escaping (Result<MatchChange, ControlFailure>) -> Void
  ) {
    let clock = Self.clock(now)
    do throws(Scoreboard.Refusal) {
      let outcome = try match.apply(action, at: clock)
      completion(.success(MatchChange(outcome, match, at: clock)))
    } catch {
      completion(.failure(.refused(error)))
    }
  }

  func show(page: String) -> Result<String, ControlFailure> {
    guard pages.contains(page) else { return .failure(.unknownPage(page, known: pages)) }
    self.page = page
    return .success(page)
  }

  func showMessage(_ text: String, milliseconds: Int?) {
    message = text
    messageEnd = milliseconds.map { now + Double($0) / 1000 }
  }

  func clearMessage() -> String? {
    defer { (message, messageEnd) = (nil, nil) }
    return message
  }

  func blank(_ isBlank: Bool) -> Bool {
    defer { self.isBlank = isBlank }
    return self.isBlank != isBlank
  }

  func setBrightness(_ percent: Int?, completion: @escaping (Result<Int, ControlFailure>) -> Void) {
    brightness = percent ?? configuration.display.brightness
    completion(.success(brightness))
  }

  // MARK: What no event asks for

  func matchState() -> MatchState { MatchState(match, at: Self.clock(now)) }
  func matchHistory() -> MatchHistory { MatchHistory(past: [], future: []) }
  func status() -> StatusReport {
    StatusReport(
      version: Release.version, now: "", widgets: [:], scoreboard: ScoreboardStatus(teams: [:]), outputs: [],
      wakeups: 0, uptimeSeconds: 0, config: ConfigStatus(path: nil, lastReload: ReloadOutcome(ok: true)))
  }
  func reload(completion: @escaping (ReloadOutcome) -> Void) { completion(ReloadOutcome(ok: true)) }
  func screenshot(completion: @escaping (Result<ScreenshotImage, ControlFailure>) -> Void) {
    completion(.failure(.noDisplay))
  }
}
