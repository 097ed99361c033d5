// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc
import Scoreboard
import Settings
import Testing
import WallState
import Walls

@testable import ControlCalls
@testable import ControlServer
@testable import LinuxSystem
@testable import VarlinkSockets

/// A daemon that draws nothing: keeps the score and the state of two displays, and replies at once or when
/// the test calls the closures in `pending`.
final class TestHandler: ControlHandler {
  private var wall: Wall
  var match: Match {
    get { wall.match }
    set { wall.match = newValue }
  }
  let gate = CommandGate()
  var performed: PerformedCommands {
    get { wall.performed }
    set { wall.performed = newValue }
  }
  var matchTime: Int64 { now }
  /// The time of all changes, in nanoseconds.
  var now: Int64 = 0
  var changed: (() -> Void)?
  /// Whether completions wait in `pending` instead of being called.
  var delays = false
  var pending: [() -> Void] = []
  var saveFailure: String?
  var reloadOutcome = ReloadOutcome(ok: true)
  var image: Result<ScreenshotImage, ControlError> = .failure(.noDisplay)
  private(set) var actions: [Scoreboard.Action] = []
  /// The times for which changes hold, in milliseconds.
  private(set) var holds: [Int] = []

  init() {
    let teams: [Scoreboard.Team] = [
      .init(id: "home", name: "HOME", color: 0xe5484d, score: 7),
      .init(id: "guest", name: "GUEST", color: 0x0090ff),
    ]
    var scoreboard = Scoreboard(teams: teams)
    scoreboard.adopt(teams, rules: GameRules(.basketball))
    var configuration = Configuration()
    configuration.pages = ["clock", "match"].map { PageSettings(name: $0, layout: LayoutSettings()) }
    wall = Wall(
      alone: configuration, displays: Self.outputs.map { .init(name: $0) }, at: Moment(clock: 0, realtime: 0))
    wall.match = Match(scoreboard)
  }

  private func answer(_ completion: @escaping () -> Void) {
    if delays { pending.append(completion) } else { completion() }
  }

  func ensureSaved(completion: @escaping (Result<Void, ControlError>) -> Void) {
    completion(saveFailure.map { .failure(.stateNotSaved(reason: $0)) } ?? .success(()))
  }

  private(set) var network: NetworkNotice?

  func reportNetwork(_ notice: NetworkNotice?) { network = notice }

  private(set) var horn: HornReport?

  func reportHorn(_ report: HornReport?) { horn = report }

  var report = StatusReport.example

  func status() -> StatusReport { report }

  func matchState() -> MatchState { MatchState(match, at: now) }

  func redeem(_ secret: String) throws(ControlError) -> RemoteRole {
    switch secret {
    case "123456": return .scorer
    case "654321": return .viewer
    default: throw .pairingRefused(.wrongCode)
    }
  }

  func displayState() -> DisplayState { DisplayState(name: "hall", page: "main", pages: wall.pages) }

  func matchHistory() -> MatchHistory {
    func report(_ steps: [Match.Step]) -> [MatchStep] {
      steps.reversed().map { MatchStep($0, time: "2024-03-01T10:00:00Z") }
    }
    return MatchHistory(past: report(match.past), future: report(match.future))
  }

  func perform(
    _ change: Change, on terms: Terms, completion: @escaping (Result<ChangeReply, ControlError>) -> Void
  ) {
    if case .match(let action) = change { actions.append(action) }
    var result: Result<ChangeReply, ControlError>
    var effects = Wall.Effects()
    do throws(ControlError) {
      if change.invitation != nil {
        let address = RemoteAddress(host: "192.168.1.20", readable: "192.168.1.20", port: 8080)
        let invitation = Invitation(role: .scorer, at: now, .example)
        return completion(
          .success(wall.invite(invitation, at: address, now: Moment(clock: now, realtime: 0), &effects)))
      }
      let reply = try wall.perform(change, id: terms.id, at: Moment(clock: now, realtime: 0), &effects)
      if case .held(_, let milliseconds) = change { holds.append(milliseconds) }
      result = .success(reply)
      guard reply.isSaved else { return completion(result) }
      if let saveFailure { result = .failure(.stateNotSaved(reason: saveFailure)) }
      if case .match = change { changed?() }
    } catch {
      result = .failure(error)
    }
    answer { completion(result) }
  }

  static let outputs = ["Virtual-1", "Virtual-2"]
  var page: String { wall.shownPage }
  var message: String? { wall.message?.text }
  var messageMilliseconds: Int? { wall.message?.ends.map { Int($0 - now) / 1_000_000 } }
  /// The displays that are switched off.
  var dark: Set<String> { Set(Self.outputs.filter { wall.light(of: $0).isBlank }) }
  /// The brightness of each display.
  var brightness: [Int] { Self.outputs.map { wall.brightness(of: $0) } }

  /// The clients that requested reloads.
  private(set) var reloads: [String] = []

  func reload(for client: String, completion: @escaping (ReloadOutcome) -> Void) {
    reloads.append(client)
    let outcome = reloadOutcome
    answer { completion(outcome) }
  }

  func screenshot(
    output: String?, completion: @escaping (Result<ScreenshotImage, ControlError>) -> Void
  ) {
    var image = image
    do throws(ControlError) { _ = try wall.display(named: output) } catch { image = .failure(error) }
    answer { [image] in completion(image) }
  }
}

extension StatusReport {
  static let example = StatusReport(
    version: "0.1.0", now: "2024-03-01T10:00:00+01:00",
    widgets: ["time": WidgetStatus(type: "flip-clock", text: "10:00")], widgetOrder: ["time"],
    scoreboard: ScoreboardStatus(
      teams: [
        "home": TeamStatus(name: "HOME", score: 7, color: "#e5484d"),
        "guest": TeamStatus(name: "GUEST", score: 0, color: "#0090ff"),
      ], teamOrder: ["home", "guest"]),
    outputs: [
      OutputStatus(
        driver: "virtio_gpu", connector: "Virtual-1", mode: "1280x800@75", format: "RGB565",
        dithered: true, rotation: 90, framesPresented: 1200, flipsMissed: 0, bytesCopied: 98_765_432,
        frameTimeMicroseconds: FrameTime(p50: 900, p99: 2100))
    ],
    wakeups: 77, uptimeSeconds: 93784,
    config: ConfigStatus(path: nil, lastReload: ReloadOutcome(ok: true)),
    cost: CostStatus(
      seconds: 61, wakeupsPerMinute: 121, bytesCopiedPerMinute: 2_000_000,
      processorMicrosecondsPerMinute: 540_000, residentBytes: 20_000_000))
}

/// A server on its own loop, and peers over socket pairs.
final class TestServer {
  let loop: EventLoop
  let handler = TestHandler()
  let service: ControlService
  let server: VarlinkServer

  init(subscribers: Int = 128, log: Log? = nil, _ change: (inout VarlinkServer.Limits) -> Void = { _ in })
    throws
  {
    var limits = VarlinkServer.Limits()
    change(&limits)
    loop = try EventLoop()
    service = ControlService(handler: handler, subscriberLimit: subscribers, log: log)
    server = try VarlinkServer(
      on: loop, service: VarlinkService(identity: .test, interface: service), limits: limits)
    handler.changed = { [weak self] in
      guard let self else { return }
      self.service.matchChanged { self.handler.matchState() }
    }
  }

  /// - Parameter process: the client's process; nil for that of the tests.
  func connect(from process: Int32? = nil) throws -> TestPeer {
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &pair) == 0)
    let peer = process.map { PeerProcess(process: $0, user: 0) } ?? PeerProcess(of: pair[0])
    server.admit(FileDescriptor(owning: pair[0]), of: peer)
    return TestPeer(FileDescriptor(owning: pair[1]))
  }

  /// Runs the loop until it has nothing to do; a loop that spins fails the test.
  func settle() throws {
    for _ in 0..<2000 {
      try loop.turn(timeoutMilliseconds: 0)
      guard !isBusy else { continue }
      // `isBusy` does not notice deferred calls (`VarlinkServer.callsPerTurn`), so turn the loop a few more
      // times.
      for _ in 0..<16 { try loop.turn(timeoutMilliseconds: 0) }
      if !isBusy { return }
    }
    Issue.record("the loop does not become idle")
  }

  /// Whether a descriptor of the loop is ready. Deferred and idle work is not noticed.
  var isBusy: Bool {
    var descriptor = pollfd(fd: loop.epoll.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }
}

/// The other end of a connection.
final class TestPeer {
  private let socket: FileDescriptor

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  /// Disconnects even if a program that another test is starting has a copy of the descriptor until its exec.
  deinit { shutdown(socket.rawValue, Int32(SHUT_RDWR)) }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends as much as the socket accepts, and returns the number of bytes, or −1.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Int {
    Glibc.send(socket.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }

  func call(_ method: String, _ parameters: String = "{}", _ flags: String = "") {
    send(#"{"method":"\#(method)","parameters":\#(parameters)\#(flags)}"# + "\0")
  }

  func setScore(_ team: String, _ score: Int, _ flags: String = "") {
    call("org.flipclock.Control.SetScore", #"{"team":"\#(team)","score":\#(score)}"#, flags)
  }

  /// The bytes received since the last call, at most `limit`.
  func received(_ limit: Int = .max) -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while all.count < limit {
      let count = recv(socket.rawValue, &buffer, min(buffer.count, limit - all.count), Int32(MSG_DONTWAIT))
      guard count > 0 else { break }
      all += buffer.prefix(count)
    }
    return all
  }

  /// The replies received since the last call, without their NULs.
  func replies() -> [String] {
    received().split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the other end has closed its sending side. Everything must have been read before.
  var isEnded: Bool {
    var byte: UInt8 = 0
    let count = recv(socket.rawValue, &byte, 1, Int32(MSG_DONTWAIT))
    return count == 0 || (count < 0 && errno != EAGAIN)
  }

  func endInput() { shutdown(socket.rawValue, Int32(SHUT_WR)) }
}
