// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import LinuxSystem
import Remotes
import WebServer

/// The pages, the event streams and the commands of flipclock-web.
package final class RemoteService {
  /// The service counts as unused after this time without a stream or a request.
  static let idleNanoseconds: Int64 = 600_000_000_000
  private static let beatNanoseconds: Int64 = 2_000_000_000
  /// A reader that does not read an event for this time is dropped.
  static let readerNanoseconds: Int64 = 30_000_000_000
  /// How long requests wait for the first connection to the daemon.
  static let connectNanoseconds: Int64 = 3_000_000_000

  let loop: EventLoop
  let server: WebServer
  /// The server of programs for the Vestaboard Local API; nil: there is no socket for them.
  var vestaboard: WebServer?
  let link: DaemonLink
  let host: ServiceLink
  let mqtt: ServiceLink
  var setup = Setup()
  let store: DeviceStore
  let log: Log
  var router: RequestRouter
  private let pages = (
    scorers: WebPage(WebPage.scorers), spectators: WebPage(WebPage.spectators),
    settings: WebPage(WebPage.settings), setup: WebPage(WebPage.setup)
  )
  private let proxies: [AddressRange]
  private let beats: LoopTimer
  /// Requests that came before the first connection to the daemon, in particular the one for which systemd
  /// has started the program; nil when that connection was made or has failed.
  private var early: [() -> Void]? = []
  private let earlyTimer: LoopTimer

  /// The clock of ages and of readers, in nanoseconds; the tests replace it.
  var clock: () -> Int64 = { RemoteService.boottime }
  var feed: EventFeed
  var subscribers: [ObjectIdentifier: Subscriber] = [:]
  var refusals: RefusalLog
  var tokenFailures = AttemptLimiter<PeerAddress>(
    each: .init(burst: 20, perMinute: 20), all: .init(burst: 200, perMinute: 200))
  /// Limits the commands of each device. People never reach the limit.
  var commandRates = AttemptLimiter<String>(
    each: .init(burst: 40, perMinute: 2_400), all: .init(burst: 4_000, perMinute: 240_000))
  var pairing = Pairing()
  /// The number of commands that wait for the daemon's reply.
  var performing = 0
  /// When `checkDaemon` called the daemon, while the call has no reply; and since when the daemon does not
  /// answer. Both are times of `clock`.
  var askedAt: Int64?
  var silentSince: Int64?
  /// When a request came or a stream ended for the last time.
  package internal(set) var lastUse: Int64

  package init(
    options: WebRemoteOptions, stateDirectory: String, hostName: String, candidates: [String],
    hostCandidates: [String], mqttCandidates: [String], on loop: EventLoop,
    log: Log, limits: WebServer.Limits = WebServer.Limits()
  ) throws(SystemError) {
    self.loop = loop
    self.log = log
    router = RequestRouter(hostName: hostName, viewers: options.viewers)
    store = try DeviceStore(directory: stateDirectory, on: loop, log: log)
    link = try DaemonLink(candidates: candidates, on: loop)
    host = ServiceLink(candidates: hostCandidates, busy: HostInterface.error("Busy"), on: loop)
    mqtt = ServiceLink(
      candidates: mqttCandidates, busy: ControlError.failed(reason: "too many calls at a time").wire, on: loop
    )
    server = try WebServer(on: loop, limits: limits)
    proxies = options.trustedProxies
    beats = try LoopTimer(.monotonic, on: loop)
    earlyTimer = try LoopTimer(.monotonic, on: loop)
    refusals = RefusalLog(log)
    feed = EventFeed(now: Self.boottime)
    lastUse = loop.now
    beats.handler = { [weak self] _ in self?.beat() }
    earlyTimer.handler = { [weak self] _ in self?.answerEarly() }
    link.happened = { [weak self] in self?.happened($0) }
    configure(server) { [weak self] in self?.serve($0, $1) }
    link.start()
  }

  private func configure(_ server: WebServer, handler: @escaping (HTTPRequest, HTTPResponder) -> Void) {
    server.proxies = proxies
    server.handler = handler
    server.refusal = { [limits = server.limits] in Self.refusal($0, limits) }
    server.refused = { [weak self] in self?.record($1, from: $0) }
  }

  /// Another server with the same limits.
  func makeServer(
    handler: @escaping (HTTPRequest, HTTPResponder) -> Void
  ) throws(SystemError) -> WebServer {
    let other = try WebServer(on: loop, limits: server.limits)
    configure(other, handler: handler)
    return other
  }

  static var boottime: Int64 { SystemClock.boottime.now.totalNanoseconds }

  /// Seconds of CLOCK_REALTIME.
  static var seconds: Int64 { SystemClock.realtime.now.seconds }

  private var servers: [WebServer] { [server, vestaboard, setup.server].compactMap { $0 } }

  /// Whether there is no stream and no request that waits for an answer.
  package var isUnused: Bool { subscribers.isEmpty && !owesAnswers }

  /// Whether a request waits for its answer.
  package var owesAnswers: Bool { servers.contains(where: \.owesAnswers) }

  /// Accepts no more connections.
  package func stopListening() {
    for server in servers { server.stopListening() }
  }

  /// Drops all clients.
  package func close() {
    for server in servers { server.close() }
    link.happened = { _ in }
    link.close()
    host.close()
    mqtt.close()
    store.close()
    beats.cancel()
    earlyTimer.cancel()
  }

  func record(_ reason: String, from address: PeerAddress) {
    refusals.record(reason, from: address, now: loop.now)
  }

  // MARK: Requests

  private func serve(_ request: HTTPRequest, _ responder: HTTPResponder) {
    lastUse = loop.now
    reportUse(by: request.address)
    if let device = store.registry.device(with: Credentials(of: request).tokens) {
      responder.trust(device.id)
    }
    answering(request, responder) { () throws(RequestRefusal) in
      // Checked first, so that only requests with a known token are read further.
      if Credentials(of: request).isOfProgram { _ = try device(of: request) }
      let wanted = try router.read(request)
      guard wanted.needsDaemon else { return try answer(wanted, request, responder) }
      whenConnected(request, responder) { [weak self] () throws(RequestRefusal) in
        try self?.answer(wanted, request, responder)
      }
    }
  }

  /// Calls `body` when the first connection to the daemon has been made or has failed: now, or soon.
  func whenConnected(
    _ request: HTTPRequest, _ responder: HTTPResponder, _ body: @escaping () throws(RequestRefusal) -> Void
  ) {
    guard early != nil else { return answering(request, responder, body) }
    early?.append { [weak self] in self?.answering(request, responder, body) }
    earlyTimer.arm(inNanoseconds: Self.connectNanoseconds)
  }

  /// Calls `body`, and answers the request if that refuses it.
  func answering(
    _ request: HTTPRequest, _ responder: HTTPResponder, _ body: () throws(RequestRefusal) -> Void
  ) {
    do throws(RequestRefusal) { try body() } catch {
      if let reason = error.logged { record(reason, from: request.address) }
      responder.answer(Self.answer(error))
    }
  }

  private func answer(
    _ wanted: RemoteRequest, _ request: HTTPRequest, _ responder: HTTPResponder
  ) throws(RequestRefusal) {
    switch wanted {
    case .page(let audience):
      let isViewer = (audience ?? self.audience(of: request)) == .viewer
      send(isViewer ? pages.spectators : pages.scorers, request, responder)
    case .settingsPage: send(pages.settings, request, responder)
    case .setupPage: sendSetupPage(request, responder)
    case .setup(let wanted): try serve(wanted, request, responder)
    case .events(let audience): responder.answer(try open(audience, request))
    case .matches: try sendMatches(request, responder)
    case .state(let isArray): responder.answer(try state(request, isArray: isArray))
    case .settings(let wanted): try serve(wanted, request, responder)
    case .owner(let wanted): try serve(wanted, request, responder)
    case .mqtt(let wanted): try serve(wanted, request, responder)
    case .command(let change, let terms): try perform(change, terms, request, responder)
    case .pair(let code): try pair(code, request, responder)
    }
  }

  func sendSetupPage(_ request: HTTPRequest, _ responder: HTTPResponder) {
    send(pages.setup, request, responder)
  }

  private func send(_ page: WebPage, _ request: HTTPRequest, _ responder: HTTPResponder) {
    let isKnown = request.headers["if-none-match"] == page.tag
    responder.answer(.prepared(isKnown ? page.unchanged : page.whole))
  }

  /// Answers the requests that have waited for the first connection to the daemon.
  func answerEarly() {
    guard let waiting = early else { return }
    early = nil
    earlyTimer.disarm()
    for answer in waiting { answer() }
  }

  /// The answer to a request that the server refuses, by its status.
  private static func refusal(_ status: Int, _ limits: WebServer.Limits) -> HTTPResponse {
    let message =
      switch status {
      case 413: "The body is too long: at most \(limits.bodyBytes) bytes."
      case 431: "The header is too long: at most \(limits.headerBytes) bytes."
      case 503: "Too many connections. Try again later."
      default: "The header of the request is malformed."
      }
    return response(status, .object(["error": .string(message)]))
  }

  static func answer(_ refusal: RequestRefusal) -> HTTPAnswer {
    var members: [String: JSONValue] = ["error": .string(refusal.message)]
    if !refusal.isFinal { members["final"] = .bool(false) }
    if let cause = refusal.cause {
      members["name"] = .string(cause.name.split(separator: ".").last.map(String.init) ?? cause.name)
      members["parameters"] = .object(cause.parameters)
    }
    return json(refusal.status, .object(members), refusal.headers)
  }

  static func json(
    _ status: Int, _ value: JSONValue, _ headers: [HTTPResponse.Header] = []
  ) -> HTTPAnswer { .response(response(status, value, headers)) }

  private static func response(
    _ status: Int, _ value: JSONValue, _ headers: [HTTPResponse.Header] = []
  ) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: WebPage.common + [
        .init("Content-Type", "application/json"), .init("Cache-Control", "no-store"),
      ] + headers, body: value.bytes)
  }

  // MARK: Devices

  /// The device that sent a request. Nil: it has no token, or one that is not known.
  ///
  /// A token has 256 bits, so it cannot be guessed, however many attempts are allowed. The limit applies only
  /// to unknown tokens, so that nobody can lock out a paired device by sending wrong tokens from its address.
  func device(of request: HTTPRequest) throws(RequestRefusal) -> (device: Device?, isForgotten: Bool) {
    let credentials = Credentials(of: request)
    guard credentials.isOfProgram || !credentials.tokens.isEmpty else { return (nil, false) }
    if let device = store.registry.device(with: credentials.tokens) {
      store.use(device.id, at: Self.seconds)
      return (device, false)
    }
    let refusal = refusal(ofUnknownTokenFrom: request, headers: [.challenge(error: "invalid_token")])
    guard !credentials.isOfProgram, refusal.status == 401 else { throw refusal }
    return (nil, true)
  }

  /// Counts a request with an unknown token.
  func refusal(
    ofUnknownTokenFrom request: HTTPRequest, headers: [HTTPResponse.Header]
  ) -> RequestRefusal {
    guard tokenFailures.attempt(from: request.address, now: loop.now) else {
      return RequestRefusal(
        429, "Too many attempts with unknown tokens. Wait a minute, and pair this device again.",
        logged: "too many unknown tokens", headers: [.retry(after: 60)])
    }
    record("an unknown token", from: request.address)
    return RequestRefusal(
      401, "This token is not known. 'flipclockctl remote token' prints a new one.", headers: headers)
  }

  // MARK: Streams

  private func open(
    _ audience: RemoteRequest.Audience, _ request: HTTPRequest
  ) throws(RequestRefusal) -> HTTPAnswer {
    let (device, isForgotten) = try device(of: request)
    let stream = EventStream { [weak self] in self?.clock() ?? 0 }
    let subscriber = Subscriber(
      stream: stream, audience: audience, address: request.address, device: device?.id, watches: false)
    let id = ObjectIdentifier(subscriber)
    subscriber.stream.closed = { [weak self] in self?.closed(id) }
    subscribers[id] = subscriber
    greet(subscriber, device)
    if beats.deadline == nil { beats.arm(inNanoseconds: Self.beatNanoseconds) }
    // nginx passes events on at once only with the last header field.
    var headers =
      WebPage.common + [.init("Cache-Control", "no-store"), .init("X-Accel-Buffering", "no")]
    if isForgotten { headers.append(.init("Set-Cookie", Cookies.removing(isSecure: request.isSecure))) }
    return .stream(subscriber.stream, headers: headers)
  }

  /// Sends the clock and the current state to a stream. The event that there is a connection comes last, and
  /// the event that there is none comes before the match, so that an old match is never taken for the current
  /// one.
  private func greet(_ subscriber: Subscriber, _ device: Device?) {
    let stream = subscriber.stream
    let role = role(subscriber.audience, device)
    subscriber.device = device?.id
    subscriber.watches = role != nil
    stream.reader = device != nil ? .device : role != nil ? .spectator : .stranger
    stream.send(EventFeed.beat)
    stream.send(feed.words)
    stream.send(EventFeed.role(role))
    let isLost = isDaemonLost
    if isLost { stream.send(feed.link) }
    if subscriber.watches {
      if let display = feed.display { stream.send(display) }
      if let match = feed.match { stream.send(match) }
    }
    if role == .owner, let settings = feed.settings { stream.send(settings) }
    if !isLost { stream.send(feed.link) }
  }

  /// Whose page a device gets that asks for none of them.
  private func audience(of request: HTTPRequest) -> RemoteRequest.Audience {
    let device = store.registry.device(with: Credentials(of: request).tokens)
    return device?.pageRole == .viewer ? .viewer : .scorer
  }

  /// What a device may do on a page; nil: nothing. On the scorer's page, a device has to be paired; what a
  /// spectator may see is on the other page.
  private func role(_ audience: RemoteRequest.Audience, _ device: Device?) -> RemoteRole? {
    device?.pageRole ?? (audience == .viewer && router.viewers == .open ? .viewer : nil)
  }

  private func closed(_ id: ObjectIdentifier) {
    lastUse = loop.now
    subscribers[id] = nil
    guard subscribers.isEmpty else { return }
    beats.disarm()
    ThisProcess.releaseFreeMemory()
  }

  /// Called when the devices have changed. Updates the streams of those that have been forgotten: they get
  /// what devices without pairing may see.
  func revise() {
    sendToOwners(StreamEvent("devices", data: Array("{\"count\":\(store.registry.devices.count)}".utf8)))
    let known = Set(store.registry.devices.map(\.id))
    for subscriber in subscribers.values {
      guard let id = subscriber.device, !known.contains(id) else { continue }
      subscriber.device = nil
      let role = role(subscriber.audience, nil)
      subscriber.watches = role != nil
      subscriber.stream.reader = role != nil ? .spectator : .stranger
      subscriber.stream.send(EventFeed.role(role))
    }
  }

  private func beat() {
    guard !subscribers.isEmpty else { return }
    send(EventFeed.beat, toAll: true)
    for subscriber in Array(subscribers.values) where subscriber.stream.delay > Self.readerNanoseconds {
      record("it read nothing for 30 s", from: subscriber.address)
      subscriber.stream.drop()
    }
    for subscriber in subscribers.values { reportUse(by: subscriber.address) }
    checkDaemon()
    beats.arm(inNanoseconds: Self.beatNanoseconds)
  }

  func send(_ event: StreamEvent?, toAll: Bool = false) {
    guard let event else { return }
    for subscriber in subscribers.values where toAll || subscriber.watches { subscriber.stream.send(event) }
  }

  func sendToOwners(_ event: StreamEvent?) {
    guard let event else { return }
    let owners = Set(store.registry.devices.filter { $0.role == .owner }.map(\.id))
    for subscriber in subscribers.values where subscriber.device.map(owners.contains) ?? false {
      subscriber.stream.send(event)
    }
  }
}
