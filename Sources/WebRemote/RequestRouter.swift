// SPDX-License-Identifier: Apache-2.0

import Commands
import Varlink
import WebServer

/// A request that is well-formed and, if it changes something, comes from this machine's own pages. The
/// sender's token is not checked yet.
package enum RemoteRequest: Hashable, Sendable {
  package enum Audience: String, Hashable, Sendable {
    case scorer
    case viewer
  }

  /// Nil: the page for what the device may do.
  case page(Audience?)
  case events(Audience)
  /// The finished matches as CSV.
  case matches
  /// - Parameter terms: the command's id is unique only among those of its device.
  case command(Change, Terms)
  /// A code from the wall: the secret of the QR code, or what was typed.
  case pair(String)
}

/// Why a request is refused.
package struct RequestRefusal: Error, Hashable, Sendable {
  package var status: Int
  /// A sentence for people.
  package var message: String
  /// For the log: a text without parts of the request. Nil: it is not logged, because it happens in normal
  /// use.
  package var logged: String?
  /// Whether the same request, sent again, would be refused again. If false, the refusal says nothing about
  /// an earlier request with the same id that got no answer.
  package var isFinal = true
  package var headers: [HTTPResponse.Header] = []
  /// The daemon's error, for pages that describe it in their own language; nil: there is none.
  package var cause: VarlinkError?

  package init(
    _ status: Int, _ message: String, logged: String? = nil, headers: [HTTPResponse.Header] = []
  ) {
    self.status = status
    self.message = message
    self.logged = logged
    self.headers = headers
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
    switch target.path {
    case "/", "/pair":
      if request.method == "POST", target.path == "/pair" {
        return .pair(try secret(in: try text(of: request, host)))
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
    case "/commands":
      try check(request, isOneOf: ["POST"])
      return try command(request, host)
    default: throw Self.notFound
    }
  }

  private static let notFound = RequestRefusal(404, "There is no such page here.")

  private func check(_ request: HTTPRequest, isOneOf methods: [String]) throws(RequestRefusal) {
    guard methods.contains(request.method) else {
      throw RequestRefusal(
        405, "This address accepts only \(methods.joined(separator: " and ")).",
        headers: [.init("Allow", methods.joined(separator: ", "))])
    }
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

  /// The body of a request that changes something.
  private func text(of request: HTTPRequest, _ host: Authority) throws(RequestRefusal) -> String {
    // Browsers send `Origin` with every POST, and pages cannot change it.
    guard let origin = request.headers["origin"], host.isOrigin(origin) else {
      throw RequestRefusal(
        403, "Commands are accepted only from this machine's own pages.",
        logged: "the request comes from a page of another site, or without an origin")
    }
    // Forms of other sites can send text/plain too; they are refused because of their origin.
    let type = request.headers["content-type"]?.lowercased().split(separator: ";").first
    guard type.map({ $0.drop { $0 == " " } })?.hasPrefix("text/plain") == true else {
      throw RequestRefusal(415, "The body has to be text/plain.")
    }
    guard let text = String(validating: request.body, as: UTF8.self) else {
      throw RequestRefusal(400, "The body is not UTF-8.")
    }
    let space: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    var rest = text[...].drop(while: space)
    while let last = rest.last, space(last) { rest.removeLast() }
    return String(rest)
  }

  private func command(
    _ request: HTTPRequest, _ host: Authority
  ) throws(RequestRefusal) -> RemoteRequest {
    let text = try text(of: request, host)
    let terms = try terms(of: request)
    do throws(UsageError) {
      return .command(try Change(parsing: text, on: .remote), terms)
    } catch {
      throw RequestRefusal(400, error.line)
    }
  }

  /// The header fields `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), `Flipclock-Time` and
  /// `If-Match`.
  private func terms(of request: HTTPRequest) throws(RequestRefusal) -> Terms {
    func field(_ name: String, _ risk: String) throws(RequestRefusal) -> String {
      if let value = request.headers[name.lowercased()] { return value }
      throw RequestRefusal(
        428,
        "The header field \(name) is missing, without which a command may be performed \(risk). Reload the page."
      )
    }
    func quoted(_ value: String) -> String? {
      let isQuoted = value.utf8.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
      return isQuoted ? String(value.dropFirst().dropLast()) : nil
    }
    guard let id = quoted(try field("Idempotency-Key", "twice")), (1...64).contains(id.utf8.count),
      id.utf8.allSatisfy(DeviceToken.isTokenCharacter)
    else {
      throw RequestRefusal(
        400, "Idempotency-Key has to be 1 to 64 letters, digits, '-' and '_' in quotation marks.")
    }
    guard let milliseconds = Int64(try field("Flipclock-Time", "late")), Self.times.contains(milliseconds)
    else {
      throw RequestRefusal(400, "Flipclock-Time has to be a number of milliseconds on this machine's clock.")
    }
    var terms = Terms(id: id, time: milliseconds * 1_000_000)
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
