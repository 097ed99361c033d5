// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlServer
import Glibc
import Scoreboard
import Settings
import Widgets

/// The state of a daemon on virtual time, without a display: the events of `render` change it.
final class OfflineSession: ChangeHandler {
  private let configuration: Configuration
  let pages: [String]
  private(set) var match: Match
  private(set) var message: String?
  /// The time at which the message disappears, in seconds since the start.
  private(set) var messageEnd: Double?
  private(set) var invitation: InvitationNotice?
  private var isBlank = false
  private(set) var brightness: Int
  /// The page that the current event shows; nil if it shows none.
  private var page: String?
  /// Seconds since the start.
  private var now = 0.0

  /// Whether the picture is black. It is lit while the card for phones is open.
  var isDark: Bool { isBlank && invitation == nil }

  init(_ configuration: Configuration, pages: [String]) {
    self.configuration = configuration
    self.pages = pages
    match = configuration.newMatch
    brightness = configuration.display.brightness
  }

  /// The match time, in nanoseconds, at `seconds` after the start.
  static func clock(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }

  /// Performs the change of an event; returns the page that it shows, or nil if it shows none.
  func perform(_ event: OfflineRenderer.Event) throws(StartFailure) -> String? {
    now = event.seconds
    page = nil
    var refusal: ControlError?
    perform(event.change) { result in
      if case .failure(let error) = result { refusal = error }
    }
    if let refusal {
      throw StartFailure("event at \(event.seconds) s: \(refusal.message)", exitCode: EX_USAGE)
    }
    return page
  }

  /// The time at which the message or the invitation disappears, in seconds since the start.
  var noticeEnd: Double? { [messageEnd, invitationEnd].compactMap { $0 }.min() }

  private var invitationEnd: Double? { invitation.map { Double($0.ends) / 1e9 } }

  /// Removes the message or the invitation, whose time is over.
  func endNotice() {
    if let messageEnd, messageEnd == noticeEnd { _ = clearMessage() } else { invitation = nil }
  }

  func perform(
    _ action: Scoreboard.Action, on terms: Terms,
    completion: @escaping (Result<MatchChange, ControlError>) -> Void
  ) {
    let clock = Self.clock(now)
    do throws(Scoreboard.Refusal) {
      let outcome = try match.apply(action, at: clock)
      completion(.success(MatchChange(outcome, match, at: clock)))
    } catch {
      completion(.failure(ControlError(error)))
    }
  }

  func show(page: String) { self.page = page }

  func showMessage(_ text: String, milliseconds: Int?) {
    message = text
    messageEnd = milliseconds.map { now + Double($0) / 1000 }
  }

  func clearMessage() -> String? {
    defer { (message, messageEnd) = (nil, nil) }
    return message
  }

  func invite(_ role: RemoteRole) throws(ControlError) -> InvitationReply {
    let address = "192.168.1.20:8080"
    // The same picture each time, and a code that pairs nothing.
    invitation = InvitationNotice(
      url: "http://\(address)/pair#\(String(repeating: "flipclock-", count: 3).prefix(22))", address: address,
      code: "123456", isForScorer: role == .scorer, ends: Self.clock(now) + Invitation.duration)
    return InvitationReply(address: address, code: "123456", milliseconds: 120_000)
  }

  func endInvitation() -> Bool {
    defer { invitation = nil }
    return invitation != nil
  }

  // The names of displays are ignored: the picture is that of any display.

  func isDark(output: String?) -> Bool { isDark }

  func blank(_ isBlank: Bool, output: String?) -> Bool {
    let hadCard = isBlank && endInvitation()
    defer { self.isBlank = isBlank }
    return self.isBlank != isBlank || hadCard
  }

  func brightness(of output: String?) -> Int { brightness }

  func setBrightness(
    _ percent: Int?, output: String?, completion: @escaping (Result<Int, ControlError>) -> Void
  ) {
    brightness = percent ?? configuration.display.brightness
    completion(.success(brightness))
  }
}

extension OfflineRenderer {
  /// A change that is made at a given time while frames are rendered.
  package struct Event: Hashable, Sendable {
    /// Seconds after the start.
    package var seconds: Double
    let change: Change

    /// `SECONDS COMMAND`, e.g. `1.5 set-score home 3`.
    package init(parsing text: String) throws(StartFailure) {
      func refuse(_ why: String) -> StartFailure {
        StartFailure(
          "event '\(text.printable)': \(why); write a time and a command, e.g. '1.5 set-score home 3'",
          exitCode: EX_USAGE)
      }
      let words = text.split(separator: " ", maxSplits: 1)
      guard let time = words.first else { throw refuse("it is empty") }
      guard let seconds = Double(String(time)), seconds.isFinite, (0...86_400).contains(seconds) else {
        throw refuse("'\(time)' is not a time in seconds, 0 to 86400")
      }
      self.seconds = seconds
      do throws(UsageError) {
        let change = try Change(parsing: words.count == 2 ? String(words[1]) : "", on: .event)
        if case .held = change { throw UsageError("--for has no effect here; leave it out") }
        self.change = change
      } catch {
        throw refuse(error.line)
      }
    }
  }
}
