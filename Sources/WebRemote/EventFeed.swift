// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import Languages
import LinuxSystem
import Remotes
import WebServer

/// The events of the streams, each encoded once for all streams. A new stream gets the current ones.
///
/// Ages and the time of a loss count in CLOCK_BOOTTIME, like the clocks of the match.
struct EventFeed {
  private(set) var words: StreamEvent
  private(set) var match: StreamEvent?
  private(set) var display: StreamEvent?
  /// The revision of the settings, which only owners get.
  private(set) var settings: StreamEvent?
  private(set) var revision: Int?
  private(set) var link: StreamEvent
  private var language = ""

  /// The clock to which the times of commands refer, in milliseconds, and the boot since which it counts.
  static let beat = StreamEvent(
    "beat", before: "{\"boot\":\"\(boot)\",\"clock\":", age: .init(since: 0, unit: 1_000_000),
    after: Array("}".utf8))

  /// A hash of the kernel's random ID of this boot, because the ID itself is confidential. The service's
  /// sandbox hides the file with the ID, so systemd passes it. If neither is available, the ID is one of this
  /// process, and a command from before its restart is refused as too late unless its answer is known.
  static let boot: String = {
    let id = environmentVariable("FLIPCLOCK_BOOT_ID").map { Array($0.utf8) }
    let file = id == nil ? try? readFile("/proc/sys/kernel/random/boot_id", limit: 64) : nil
    return String(TokenHash(of: id ?? file ?? Array(DeviceToken.random().text.utf8)).hexadecimal.prefix(16))
  }()

  /// - Parameter now: since when there is no connection.
  init(now: Int64) {
    words = Self.words("en")
    link = Self.link(lostAt: now)
    language = "en"
  }

  mutating func matchChanged(_ state: MatchState, at instant: Int64) {
    guard let json = try? JSONValue(encoding: state) else { return }
    match = StreamEvent(
      "match", before: "{\"age\":", age: .init(since: instant, unit: 1_000_000),
      after: Array(",\"match\":".utf8) + json.bytes + Array("}".utf8))
  }

  /// Returns whether the language has changed, and with it the words.
  mutating func displayChanged(_ state: DisplayState) -> Bool {
    var state = state
    revision = state.settings
    settings = revision.map { StreamEvent("settings", data: Array("{\"revision\":\($0)}".utf8)) }
    state.settings = nil
    guard let json = try? JSONValue(encoding: state) else { return false }
    display = StreamEvent("display", data: json.bytes)
    guard state.language != language else { return false }
    language = state.language
    words = Self.words(language)
    return true
  }

  /// - Parameter lostAt: since when there is no connection; nil if there is one.
  mutating func linkChanged(lostAt: Int64?) { link = Self.link(lostAt: lostAt) }

  private static func link(lostAt: Int64?) -> StreamEvent {
    guard let lostAt else {
      return StreamEvent("link", data: Array(#"{"connected":true,"seconds":0}"#.utf8))
    }
    return StreamEvent(
      "link", before: #"{"connected":false,"seconds":"#, age: .init(since: lostAt, unit: 1_000_000_000),
      after: Array("}".utf8))
  }

  private static func words(_ tag: String) -> StreamEvent {
    let found = PageWords.words(for: tag)
    let value = JSONValue.object([
      // None of the languages of `PageWords` is written from right to left, but the wall's language may be.
      "language": .string(found.language), "direction": .string("ltr"),
      "wallDirection": .string(Language(tag)?.isRightToLeft == true ? "rtl" : "ltr"),
      "words": .object(found.words.mapValues { .string($0) }),
    ])
    return StreamEvent("words", data: value.bytes)
  }

  static func role(_ role: RemoteRole?) -> StreamEvent {
    StreamEvent("role", data: Array("{\"role\":\"\(role?.rawValue ?? "none")\"}".utf8))
  }
}

/// An open stream and its reader.
final class Subscriber {
  let stream: EventStream
  let audience: RemoteRequest.Audience
  let address: PeerAddress
  /// The device's id; nil: it is not paired.
  var device: String?
  /// Whether it gets the match and the display.
  var watches: Bool

  init(
    stream: EventStream, audience: RemoteRequest.Audience, address: PeerAddress, device: String?,
    watches: Bool
  ) {
    self.stream = stream
    self.audience = audience
    self.address = address
    self.device = device
    self.watches = watches
  }
}
