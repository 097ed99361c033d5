// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ControlCalls
import JSON
import LinuxSystem
import Remotes
import Varlink
import VarlinkSockets
import WebServer

/// The page on which people connect the machine to a network, and the time that a phone gives.
///
/// On the machine's own access point, the page opens by itself: a server of its own answers there, on port
/// 80. Everybody whose phone is on the access point knows its password from the wall, and may choose a
/// network while there is no owner. Later, and everywhere else, only owners may. The page itself is the same
/// for everybody: it says what the phone may not do. The cookie of an owner's phone belongs to the address at
/// which it was paired, so on the access point a phone is paired by the code on the wall.
struct Setup {
  /// Who sends a request.
  enum Client {
    case owner
    /// Somebody on the access point, while there is no owner.
    case guest
    /// Somebody else on the access point, who sees only what the network does.
    case stranger
  }

  /// The server on the access point; nil: there is no socket for it.
  var server: WebServer?
  /// The address of its socket.
  var address = PeerAddress.loopback
  var port: UInt16 = 80
  /// The port of the other pages.
  var pagePort: UInt16 = WebRemoteOptions.defaultPort
  /// Limits requests to flipclock-host. A page sends one every two seconds.
  var rates = AttemptLimiter<PeerAddress>(
    each: .init(burst: 60, perMinute: 120), all: .init(burst: 240, perMinute: 480))

  /// How often flipclock-host is told that the access point is used, in nanoseconds.
  static let useNanoseconds: Int64 = 60_000_000_000
  /// When it was told last; nil: never.
  var reportedUse: Int64?

  var url: String { "http://\(address)\(port == 80 ? "" : ":\(port)")/setup" }

  /// Whether an address is of the access point's network. Packets to an address from another network do not
  /// return to the access point, so nobody can connect with one from there.
  func isNear(_ peer: PeerAddress) -> Bool {
    AddressRange("\(address)/24").map { $0.contains(peer) } ?? false
  }
}

extension RemoteService {
  /// Accepts connections of phones on the access point on a listening socket.
  package func listenForSetup(
    on socket: consuming FileDescriptor, failed: @escaping (SystemError) -> Void = { _ in }
  ) throws(SystemError) {
    let server = try makeServer { [weak self] in self?.serveAccessPoint($0, $1) }
    server.proxies = []
    if let (address, port) = PeerAddress.local(of: socket.rawValue) {
      (setup.address, setup.port) = (address, port)
    }
    setup.server = server
    try server.listen(on: socket, failed: failed)
  }

  private func serveAccessPoint(_ request: HTTPRequest, _ responder: HTTPResponder) {
    lastUse = loop.now
    answering(request, responder) { () throws(RequestRefusal) in
      guard setup.isNear(request.address) else { throw Self.notHere }
      let target = RequestRouter.target(of: request)
      let isPair = target.path == "/pair" && request.method == "POST"
      let isOwn =
        target.host?.host == .address(setup.address) && (isPair || SetupPath(rawValue: target.path) != nil)
      guard isOwn else {
        guard ["GET", "HEAD"].contains(request.method) else { throw .method(isNot: ["GET", "HEAD"]) }
        // Phones look for a page of the network at addresses of their makers (RFC 8952 §2). Whatever is not
        // the expected answer makes them open the page; a redirection also says where it is.
        return responder.answer(
          .response(
            HTTPResponse(
              status: 302,
              headers: WebPage.common + [.init("Location", setup.url), .init("Cache-Control", "no-store")])))
      }
      // The requests above are sent by every phone on the access point, also by one that nobody holds.
      reportUse(by: request.address)
      switch try router.read(request) {
      case .setupPage: sendSetupPage(request, responder)
      case .setup(let wanted): try serve(wanted, request, responder, isOverAccessPoint: true)
      case .pair(let code):
        whenConnected(request, responder) { [weak self] () throws(RequestRefusal) in
          try self?.pair(code, request, responder)
        }
      default: throw Self.notHere
      }
    }
  }

  /// Tells flipclock-host that the access point is used, if a peer is in its network. flipclock-host closes
  /// one that nobody uses. An older flipclock-host does not know the call.
  func reportUse(by peer: PeerAddress) {
    guard setup.server != nil, setup.reportedUse.map({ loop.now - $0 >= Setup.useNanoseconds }) ?? true,
      setup.isNear(peer)
    else { return }
    setup.reportedUse = loop.now
    host.perform(HostInterface.call("Use")) { _ in }
  }

  func serve(
    _ wanted: SetupRequest, _ request: HTTPRequest, _ responder: HTTPResponder,
    isOverAccessPoint: Bool = false
  ) throws(RequestRefusal) {
    if wanted == .words {
      let isPaired = try device(of: request).device != nil
      return responder.answer(words(for: request, withName: isOverAccessPoint || isPaired))
    }
    let client = try setupClient(of: request, isOverAccessPoint: isOverAccessPoint)
    if client == .stranger, wanted != .state { throw Self.notOwner }
    guard setup.rates.attempt(from: request.address, now: loop.now) else {
      throw RequestRefusal(
        429, "Too many requests. Wait a moment.", logged: "too many requests about the network",
        headers: [.retry(after: 2)])
    }
    // Whoever is not an owner may do something only while the access point is open.
    host.perform(HostInterface.call("GetState")) { [weak self] reply in
      guard let self else { return }
      answering(request, responder) { () throws(RequestRefusal) in
        let state = try Self.reply(reply)["state"] ?? .null
        let isOpen = ["access_point", "joining"].contains(state["phase"]?.string)
        guard client == .owner || isOpen else { throw Self.notHere }
        perform(wanted, client, state, request, responder)
      }
    }
  }

  private func perform(
    _ wanted: SetupRequest, _ client: Setup.Client, _ state: JSONValue, _ request: HTTPRequest,
    _ responder: HTTPResponder
  ) {
    switch wanted {
    case .words: responder.answer(words(for: request, withName: true))
    case .state: responder.answer(Self.json(200, summary(of: state, for: client)))
    case .networks: call(HostInterface.call("Scan"), responder) { ["networks": $0["networks"] ?? .array([])] }
    case .join(let choice):
      log.notice("a phone at \(request.address) has this machine try a network")
      var parameters: [String: JSONValue] = ["network": .string(choice.network)]
      parameters["password"] = choice.password.map { .string($0.text) }
      parameters["country"] = choice.country.map { .string($0) }
      call(HostInterface.call("Join", parameters), responder) { _ in [:] }
    case .fallback(let isAllowed):
      log.notice(
        "a phone at \(request.address) \(isAllowed ? "allows" : "forbids") an access point without a network")
      call(HostRequest.allowFallback(isAllowed).call, responder) { _ in [:] }
    case .time(let time):
      guard let microseconds = time.microseconds(at: clock()) else {
        return responder.answer(Self.answer(RequestRefusal(410, "The time is too old.")))
      }
      log.notice("a phone at \(request.address) gives this machine the time")
      host.perform(HostInterface.call("SetTime", ["microseconds": .integer(microseconds)])) { [weak self] in
        guard let self else { return }
        do throws(RequestRefusal) {
          _ = try Self.reply($0)
          setZone(time.zone) { responder.answer(Self.json(200, .object(["zone": .bool($0)]))) }
        } catch { responder.answer(Self.answer(error)) }
      }
    }
  }

  /// Calls flipclock-host, and answers with a part of its reply.
  private func call(
    _ call: VarlinkCall, _ responder: HTTPResponder,
    _ answer: @escaping ([String: JSONValue]) -> [String: JSONValue]
  ) {
    host.perform(call) { reply in
      do throws(RequestRefusal) {
        responder.answer(Self.json(200, .object(answer(try Self.reply(reply)))))
      } catch { responder.answer(Self.answer(error)) }
    }
  }

  /// The texts of the page, in the phone's language, and the display's name.
  private func words(for request: HTTPRequest, withName: Bool) -> HTTPAnswer {
    let found = PageWords.setupWords(
      accepting: request.headers["accept-language"], else: link.display?.language ?? "en")
    return Self.json(
      200,
      .object([
        "language": .string(found.language), "words": .object(found.words.mapValues { .string($0) }),
        "name": .string(withName ? link.display?.name ?? "" : ""),
      ]))
  }

  /// What the network does.
  func summary(of state: JSONValue, for client: Setup.Client) -> JSONValue {
    func member(_ name: String) -> JSONValue { state[name] ?? .null }
    var members: [String: JSONValue] = [
      "phase": member("phase"), "problem": member("problem"), "address": member("address"),
      "country": member("country"), "hasWireless": .bool(member("has_wireless").bool ?? true),
      "timeConfirmed": .bool(member("time_confirmed").bool ?? true),
      "mayJoin": .bool(client != .stranger), "pagePort": .integer(Int64(setup.pagePort)),
      "clock": .integer(clock() / 1_000_000), "boot": .string(EventFeed.boot),
    ]
    if client != .stranger {
      (members["network"], members["failed"]) = (member("network"), member("failed"))
      members["accessPoint"] = member("access_point")
    }
    if client == .owner { members["fallback"] = member("fallback") }
    return .object(members)
  }

  /// Sets the display's time zone, if neither the config nor the machine has one. The completion gets whether
  /// it was set now.
  private func setZone(_ zone: String?, _ completion: @escaping (Bool) -> Void) {
    let machine = (try? TimeZone(named: "local")) ?? .utc
    guard let zone, link.isConnected, machine.isUTC(at: Instant(seconds: SystemClock.realtime.now.seconds))
    else {
      return completion(false)
    }
    let key = "locale.zone"
    link.perform(VarlinkCall(.settings), in: .free) { [weak self] reply in
      guard let self, case .success(let reply) = reply,
        let settings = reply["settings"]?.array,
        settings.contains(where: { $0["key"]?.string == key && $0["source"]?.string == "default" })
      else { return completion(false) }
      let call = VarlinkCall(.setSettings([SettingChange(key: key, value: zone)]), on: Terms())
      link.perform(call, in: .free) { reply in
        if case .success = reply { completion(true) } else { completion(false) }
      }
    }
  }

  // MARK: Who may do what

  func setupClient(of request: HTTPRequest, isOverAccessPoint: Bool) throws(RequestRefusal) -> Setup.Client {
    let (device, _) = try device(of: request)
    if device?.role == .owner { return .owner }
    guard isOverAccessPoint else { throw Self.notOwner }
    return store.registry.hasOwner ? .stranger : .guest
  }

  private static let notHere = RequestRefusal(
    403, "There is such a page only on the display's own access point.")

  private static var notOwner: RequestRefusal {
    var refusal = RequestRefusal(
      403, "Only an owner's phone may set the network and the time. 'flipclockctl remote owner' pairs one.",
      logged: "a request about the network by somebody who is not an owner")
    refusal.cause = Device.notOwner
    return refusal
  }

  /// The parameters of a reply of flipclock-host. No error has its texts, because they could contain what was
  /// sent.
  private static func reply(_ reply: VarlinkChannel.Reply) throws(RequestRefusal) -> [String: JSONValue] {
    switch reply {
    case .success(let parameters): return parameters
    case .failure(.refused(let error)):
      let name = error.name.split(separator: ".").last.map(String.init) ?? ""
      var refusal = RequestRefusal(409, refusals[name] ?? "This machine could not do it.")
      refusal.isFinal = name != "Busy"
      refusal.cause = HostInterface.error(
        refusals[name] == nil ? "Failed" : name, error.parameters.filter { $0.key == "field" })
      throw refusal
    case .failure(.unreachable):
      var refusal = RequestRefusal(
        503, "This machine's network and time cannot be set here: flipclock-host does not run.")
      refusal.cause = HostInterface.error("NoHost")
      throw refusal
    case .failure: throw RequestRefusal(504, "flipclock-host did not answer.")
    }
  }

  private static let refusals = [
    "BadNetwork": "The network cannot be joined with these values.",
    "NoWireless": "This machine has no Wi-Fi.",
    "Busy": "This machine tries a network already.",
    "TimeIsKnown": "The time is known already.",
  ]
}
