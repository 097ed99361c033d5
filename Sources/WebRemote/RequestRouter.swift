// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import Varlink
import WebServer

/// A request that is well-formed and, if it changes something, comes from this machine's own pages or from a
/// program with a token. The token is not checked yet.
package enum RemoteRequest: Hashable, Sendable {
  package enum Audience: String, Hashable, Sendable {
    case scorer
    case viewer
  }

  /// Nil: the page for what the device may do.
  case page(Audience?)
  case settingsPage
  /// The page on which people connect the machine to a network.
  case setupPage
  /// The machine's network and clock.
  case setup(SetupRequest)
  case events(Audience)
  /// The finished matches as CSV.
  case matches
  /// The match and the display as a JSON object, or as an array with this object.
  case state(isArray: Bool)
  /// A command, or the text of a board.
  ///
  /// - Parameter terms: the command's id is unique only among those of its device.
  case command(Change, Terms)
  /// The settings, for owners.
  case settings(SettingsRequest)
  /// The paired devices, and the programs of the wall, for owners.
  case owner(OwnerRequest)
  /// The broker of flipclock-mqtt, for owners.
  case mqtt(MQTTRequest)
  /// A code from the wall: the secret of the QR code, or what was typed.
  case pair(String)

  /// Whether the answer depends on the daemon.
  var needsDaemon: Bool {
    switch self {
    case .page, .settingsPage, .events, .setupPage: false
    case .owner(.devices), .owner(.forget), .mqtt: false
    // The time zone is a setting of the daemon.
    case .setup(let request): if case .time = request { true } else { false }
    case .matches, .state, .command, .settings, .owner, .pair: true
    }
  }
}

/// Reads requests. It is a value without side effects, so that any request can be tested.
package struct RequestRouter: Hashable, Sendable {
  private var names: HostNames
  let viewers: Viewers

  package init(hostName: String, viewers: Viewers) {
    names = HostNames(hostName: hostName)
    self.viewers = viewers
  }

  /// The host name that the daemon's config has for phones; nil: none.
  package var address: String? {
    get { names.configured }
    set { names.configured = newValue?.lowercased() }
  }

  /// The host and the path of a request. The absolute form of a target (`http://wall:8080/board`), which
  /// proxies use, has precedence over the header field `Host` (RFC 9112 §3.2.2).
  package static func target(of request: HTTPRequest) -> (host: Authority?, path: String) {
    for scheme in ["http://", "https://"] where request.path.lowercased().hasPrefix(scheme) {
      let rest = request.path.dropFirst(scheme.count)
      let path = rest.drop { $0 != "/" }
      return (Authority(String(rest[..<path.startIndex])), path.isEmpty ? "/" : String(path))
    }
    return (request.headers["host"].flatMap { Authority($0) }, request.path)
  }

  package func read(_ request: HTTPRequest) throws(RequestRefusal) -> RemoteRequest {
    let target = Self.target(of: request)
    guard let host = target.host, names.contains(host) else {
      throw RequestRefusal(
        403, "Use this machine's IP address, or its name in the local network.",
        logged: "the request is for a host name that is not this machine's")
    }
    if let path = SetupPath(rawValue: target.path) { return try setup(path, request, host) }
    switch target.path {
    case "/", "/pair":
      if request.method == "POST", target.path == "/pair" {
        guard request.headers["origin"] != nil else { throw Self.foreign }
        return .pair(try secret(in: try body(of: request, host)))
      }
      try check(request, isOneOf: target.path == "/" ? ["GET", "HEAD"] : ["GET", "HEAD", "POST"])
      return .page(target.path == "/" ? nil : .scorer)
    case "/board":
      try check(request, isOneOf: ["GET", "HEAD"])
      guard viewers != .none else { throw Self.notFound }
      return .page(.viewer)
    case "/events":
      try check(request, isOneOf: ["GET"])
      return .events(try audience(of: request))
    case "/matches.csv":
      try check(request, isOneOf: ["GET"])
      return .matches
    case "/state.json":
      try check(request, isOneOf: ["GET", "HEAD"])
      switch request.query["as"] {
      case nil: return .state(isArray: false)
      case "array": return .state(isArray: true)
      default:
        throw RequestRefusal(400, "The state is an object, or with '?as=array' an array with the object.")
      }
    case "/settings.json":
      try check(request, isOneOf: ["GET", "HEAD"])
      return .settings(.read)
    case "/settings":
      try check(request, isOneOf: ["GET", "HEAD", "POST"])
      guard request.method == "POST" else { return .settingsPage }
      let changes = try SettingsRequest.changes(in: try json(of: request, host))
      return .settings(.change(changes, try terms(of: request)))
    case "/settings.toml":
      try check(request, isOneOf: ["GET", "HEAD", "PUT"])
      guard request.method == "PUT" else { return .settings(.export) }
      try checkOrigin(of: request, host)
      _ = try type(of: request, isOneOf: ["application/toml", "text/plain"])
      return .settings(.replace(try text(of: request), try terms(of: request)))
    case "/devices.json":
      try check(request, isOneOf: ["GET", "HEAD"])
      return .owner(.devices)
    case "/pairing":
      try check(request, isOneOf: ["POST"])
      let word = try body(of: request, host)
      guard let role = RemoteRole(rawValue: word) else {
        throw RequestRefusal(400, "The body is what the phone may do: scorer, viewer or owner.")
      }
      return .owner(.invite(role))
    case "/health.json":
      try check(request, isOneOf: ["GET", "HEAD"])
      return .owner(.health)
    case "/mqtt.json":
      try check(request, isOneOf: ["GET", "HEAD"])
      return .mqtt(.read)
    case "/mqtt":
      let changes = try SettingsRequest.changes(in: try json(of: request, host))
      return .mqtt(.change(changes, revision: try terms(of: request).revision))
    case "/mqtt/password":
      let password = try MQTTRequest.password(in: try json(of: request, host))
      return .mqtt(.password(password, revision: try terms(of: request).revision))
    case "/restart":
      try check(request, isOneOf: ["POST"])
      try checkOrigin(of: request, host)
      return .owner(.restart)
    case "/fallback":
      return .setup(.fallback(try SetupRequest.permission(in: try json(of: request, host))))
    case "/commands":
      try check(request, isOneOf: ["POST"])
      return try command(request, host)
    default:
      if let device = Self.name(in: target.path, after: "/devices/") {
        try check(request, isOneOf: ["DELETE"])
        try checkOrigin(of: request, host)
        return .owner(.forget(device))
      }
      guard let board = Self.name(in: target.path, after: "/boards/") else { throw Self.notFound }
      try check(request, isOneOf: ["PUT", "DELETE"])
      return try text(for: board, request, host)
    }
  }

  private func setup(
    _ path: SetupPath, _ request: HTTPRequest, _ host: Authority
  ) throws(RequestRefusal) -> RemoteRequest {
    func reading(_ result: RemoteRequest) throws(RequestRefusal) -> RemoteRequest {
      try check(request, isOneOf: ["GET", "HEAD"])
      return result
    }
    switch path {
    case .page: return try reading(.setupPage)
    case .words: return try reading(.setup(.words))
    case .state: return try reading(.setup(.state))
    case .networks: return try reading(.setup(.networks))
    case .join: return .setup(.join(try NetworkChoice(reading: try json(of: request, host))))
    case .time: return .setup(.time(try PhoneTime(reading: try json(of: request, host))))
    }
  }

  /// The name in `/boards/NAME` or `/devices/ID`; nil if it cannot be one.
  private static func name(in path: String, after prefix: String) -> String? {
    guard path.hasPrefix(prefix) else { return nil }
    let name = path.dropFirst(prefix.count)
    return (1...32).contains(name.utf8.count) && name.utf8.allSatisfy(DeviceToken.isTokenCharacter)
      ? String(name) : nil
  }

  private static let notFound = RequestRefusal(404, "There is no such page here.")

  private func check(_ request: HTTPRequest, isOneOf methods: [String]) throws(RequestRefusal) {
    guard methods.contains(request.method) else { throw .method(isNot: methods) }
  }

  private func audience(of request: HTTPRequest) throws(RequestRefusal) -> RemoteRequest.Audience {
    guard let audience = RemoteRequest.Audience(rawValue: request.query["as"] ?? "viewer") else {
      throw RequestRefusal(
        400, "The events are for a scorer or a viewer: write '?as=scorer' or '?as=viewer'.")
    }
    guard audience == .scorer || viewers != .none else {
      throw RequestRefusal(403, "This display has no page for spectators.")
    }
    return audience
  }

  private static let foreign = RequestRefusal(
    403, "Commands are accepted only from this machine's own pages, or with a token.",
    logged: "the request comes from a page of another site, or without an origin")

  /// Checks that a request that changes something is not sent by a page of another site, with the cookie of a
  /// paired device.
  private func checkOrigin(of request: HTTPRequest, _ host: Authority) throws(RequestRefusal) {
    // Browsers send `Origin` with each request that may change something, and pages cannot change it.
    if let origin = request.headers["origin"] {
      guard host.isOrigin(origin) else { throw Self.foreign }
      return
    }
    guard Credentials(of: request).isOfProgram else { throw .withoutToken }
  }

  /// The body of a request that changes something, without spaces and line ends around it.
  private func body(of request: HTTPRequest, _ host: Authority) throws(RequestRefusal) -> String {
    try checkOrigin(of: request, host)
    // Forms of other sites can send text/plain too; they are refused because of their origin.
    _ = try type(of: request, isOneOf: ["text/plain"])
    let text = try text(of: request)
    let space: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    var rest = text[...].drop(while: space)
    while let last = rest.last, space(last) { rest.removeLast() }
    return String(rest)
  }

  /// The body of a request of this machine's own pages that changes something.
  private func json(of request: HTTPRequest, _ host: Authority) throws(RequestRefusal) -> String {
    try check(request, isOneOf: ["POST"])
    try checkOrigin(of: request, host)
    _ = try type(of: request, isOneOf: ["application/json"])
    return try text(of: request)
  }

  private func type(
    of request: HTTPRequest, isOneOf types: [String]
  ) throws(RequestRefusal) -> String {
    let field = request.headers["content-type"]?.lowercased().split(separator: ";").first ?? ""
    let type = field.filter { $0 != " " }
    guard types.contains(type) else {
      throw RequestRefusal(
        415, "The body has to be \(types.joined(separator: " or ")): send the header field Content-Type.")
    }
    return type
  }

  private func text(of request: HTTPRequest) throws(RequestRefusal) -> String {
    guard let text = String(validating: request.body, as: UTF8.self) else {
      throw RequestRefusal(400, "The body is not UTF-8.")
    }
    return text
  }

  private func command(
    _ request: HTTPRequest, _ host: Authority
  ) throws(RequestRefusal) -> RemoteRequest {
    let text = try body(of: request, host)
    let terms = try terms(of: request)
    do throws(UsageError) {
      return .command(try Change(parsing: text, on: .remote), terms)
    } catch {
      throw RequestRefusal(400, error.line)
    }
  }

  /// Reads a text for a board: plain, or a JSON object.
  private func text(
    for board: String, _ request: HTTPRequest, _ host: Authority
  ) throws(RequestRefusal) -> RemoteRequest {
    try checkOrigin(of: request, host)
    let terms = try terms(of: request)
    guard request.method == "PUT" else { return .command(.clearBoard(board), terms) }
    let isJSON = try type(of: request, isOneOf: ["text/plain", "application/json"]) == "application/json"
    var text = try text(of: request)
    // Many programs end what they send with a line break.
    if text.last?.isNewline == true { text.removeLast() }
    let change = isJSON ? try Self.change(of: board, text) : .setBoard(board, PushedText(text))
    do throws(ControlError) { try change.check(pages: []) } catch {
      throw RequestRefusal(400, error.message.printable)
    }
    return .command(change, terms)
  }

  private static func change(of board: String, _ json: String) throws(RequestRefusal) -> Change {
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.read(Array(json.utf8)) } catch {
      throw RequestRefusal(400, "The body is not JSON: \(error)".printable)
    }
    do throws(MalformedMessage) {
      guard let members = value.object else { throw MalformedMessage("write {\"text\": \"…\"}") }
      return try Change(board: board, members, source: nil)
    } catch {
      throw RequestRefusal(400, error.message)
    }
  }

  /// The header fields `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), `Flipclock-Time` and
  /// `If-Match`. The pages send the first two always.
  private func terms(of request: HTTPRequest) throws(RequestRefusal) -> Terms {
    func field(_ name: String, _ risk: String) throws(RequestRefusal) -> String? {
      if let value = request.headers[name.lowercased()] { return value }
      if request.headers["origin"] == nil { return nil }
      throw RequestRefusal(
        428,
        "The header field \(name) is missing, without which a command may be performed \(risk). Reload the page."
      )
    }
    func quoted(_ value: String) -> String? {
      let isQuoted = value.utf8.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
      return isQuoted ? String(value.dropFirst().dropLast()) : nil
    }
    var terms = Terms()
    if let value = try field("Idempotency-Key", "twice") {
      guard let id = quoted(value), (1...64).contains(id.utf8.count),
        id.utf8.allSatisfy(DeviceToken.isTokenCharacter)
      else {
        throw RequestRefusal(
          400, "Idempotency-Key has to be 1 to 64 letters, digits, '-' and '_' in quotation marks.")
      }
      terms.id = id
    }
    if let value = try field("Flipclock-Time", "late") {
      guard let milliseconds = Int64(value), Self.times.contains(milliseconds) else {
        throw RequestRefusal(
          400, "Flipclock-Time has to be a number of milliseconds on this machine's clock.")
      }
      terms.time = milliseconds * 1_000_000
    }
    if let value = request.headers["if-match"], value != "*" {
      terms.revision = quoted(value).flatMap { Int($0) }
      guard terms.revision != nil else {
        throw RequestRefusal(400, "If-Match has to be a revision in quotation marks.")
      }
    }
    return terms
  }

  /// The accepted values of `Flipclock-Time`, in milliseconds: about thirty years in both directions.
  private static let times: ClosedRange<Int64> = -1_000_000_000_000...1_000_000_000_000

  private func secret(in text: String) throws(RequestRefusal) -> String {
    guard (6...128).contains(text.utf8.count), text.utf8.allSatisfy(DeviceToken.isTokenCharacter) else {
      throw RequestRefusal(403, "This is not the code that the display shows.")
    }
    return text
  }
}

/// Who may watch the match on the spectators' page.
package enum Viewers: String, Hashable, Sendable, CaseIterable {
  case open
  /// Only paired devices.
  case paired
  case none
}
