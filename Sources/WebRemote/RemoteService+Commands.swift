// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlClient
import JSON
import Varlink
import VarlinkSockets
import WebServer

extension RemoteService {
  func perform(
    _ change: Change, _ terms: Terms, _ request: HTTPRequest, _ responder: HTTPResponder
  ) throws(RequestRefusal) {
    try perform(change, terms, by: try pairedDevice(of: request), responder) { [weak self] reply, change in
      self?.answer(reply, to: change) ?? Self.answer(Self.noDaemon)
    }
  }

  /// - Parameter answer: the answer to the request, from the daemon's reply to the change.
  func perform(
    _ change: Change, _ terms: Terms, by device: Device, _ responder: HTTPResponder,
    answer: @escaping (VarlinkChannel.Reply, Change) -> HTTPAnswer
  ) throws(RequestRefusal) {
    try device.check(change)
    try checkRate(of: device)
    performing += 1
    let change = change.from(device.name)
    let call = VarlinkCall(change, on: terms.of(device))
    // The lane without an order suffices, because a page sends its next command only after the answer.
    link.perform(call, in: .free) { [weak self] reply in
      guard let self else { return }
      // The daemon has sent the new state of the match before its reply, but on another connection, which the
      // loop reads in this turn.
      self.loop.defer { [weak self] in
        guard let self else { return }
        responder.answer(answer(reply, change))
        self.performing -= 1
      }
    }
  }

  /// The match and the display, for everybody who may watch.
  func state(_ request: HTTPRequest, isArray: Bool) throws(RequestRefusal) -> HTTPAnswer {
    if router.viewers != .open { _ = try pairedDevice(of: request) }
    guard !isDaemonLost, let match = link.match, let display = link.display else { throw Self.noDaemon }
    let state = StateSummary(
      match, at: link.matchInstant, display, at: link.displayInstant, now: clock()
    ).json
    return Self.json(200, isArray ? .array([state]) : state)
  }

  /// Sends the finished matches as a file. Without the byte order mark, Excel would not read it as UTF-8.
  func sendMatches(_ request: HTTPRequest, _ responder: HTTPResponder) throws(RequestRefusal) {
    _ = try pairedDevice(of: request)
    try checkCalls()
    performing += 1
    link.perform(VarlinkCall(.matches), in: .free) { [weak self] reply in
      self?.performing -= 1
      guard case .success(let lists) = reply else {
        return responder.answer(Self.answer(RequestRefusal(503, "The display does not answer. Try again.")))
      }
      let headers: [HTTPResponse.Header] = [
        .init("Content-Type", "text/csv; charset=utf-8; header=present"),
        .init("Content-Disposition", "attachment; filename=\"matches.csv\""),
        .init("Cache-Control", "no-store"),
      ]
      responder.answer(
        .response(
          HTTPResponse(
            status: 200, headers: WebPage.common + headers,
            body: Array("\u{feff}\(FinishedMatch.csv(FinishedMatch.all(in: lists)))".utf8))))
    }
  }

  /// Checks that a device may make another call now, and that it can be made.
  func checkRate(of device: Device) throws(RequestRefusal) {
    guard commandRates.attempt(by: device.id, now: loop.now) else {
      throw RequestRefusal(
        429, "Too many commands of one device: at most 40 a second. Try again.",
        logged: "too many commands of one device", headers: [.retry(after: 1)])
    }
    try checkCalls()
    guard link.isConnected else { throw RequestRefusal(.unreachable([])) }
  }

  func pairedDevice(of request: HTTPRequest) throws(RequestRefusal) -> Device {
    let (device, isForgotten) = try device(of: request)
    if let device { return device }
    var refusal = RequestRefusal(
      401, "This device is not paired with the display. 'flipclockctl remote' shows how.",
      headers: [.challenge()])
    if isForgotten {
      refusal.headers.append(.init("Set-Cookie", Cookies.removing(isSecure: request.isSecure)))
    }
    throw refusal
  }

  private func checkCalls() throws(RequestRefusal) {
    guard performing < Self.commandLimit else {
      throw RequestRefusal(
        429, "Too many commands at a time. Try again.", logged: "too many commands at a time",
        headers: [.retry(after: 1)])
    }
  }

  /// The number of commands that may wait for the daemon.
  private static let commandLimit = 60

  private func answer(_ reply: VarlinkChannel.Reply, to change: Change) -> HTTPAnswer {
    let revision =
      (change.isOfMatch ? link.match : nil).map { JSONValue.integer(Int64($0.revision)) } ?? .null
    switch reply {
    case .success(let parameters):
      return Self.json(
        200,
        .object([
          "what": change.words(for: parameters).map { .string($0) } ?? .null,
          "note": parameters["note"] ?? .null, "facts": parameters["facts"] ?? .null, "revision": revision,
        ]))
    // The change was made, and must not be made again.
    case .failure(.refused(let error)) where ControlError(error).isPerformed:
      return Self.json(
        202, .object(["unsaved": .string(ControlError(error).message.printable), "revision": revision]))
    case .failure(let error): return Self.answer(RequestRefusal(error))
    }
  }
}

extension Terms {
  /// The terms of a device's command, whose id is unique only among those of the device.
  func of(_ device: Device) -> Terms {
    var terms = self
    terms.id = id.map { "web:\(device.id):\($0)" }
    return terms
  }
}

extension Change {
  fileprivate var isOfMatch: Bool {
    switch self {
    case .match, .restore: true
    default: false
    }
  }

  /// What the change did, from the daemon's reply to it; nil: nothing.
  fileprivate func words(for reply: [String: JSONValue]) -> String? {
    if let team = reply["team"] {
      return "\(team["name"]?.string ?? "") \(team["score"]?.integer ?? 0)".printable
    }
    if isOfMatch, reply["what"]?.string == nil { return nil }
    return MatchText.change(reply, by: self)
  }
}

extension RequestRefusal {
  /// Why the daemon did not perform a change.
  init(_ error: VarlinkClientError) {
    switch error {
    case .refused(let refusal):
      let error = ControlError(refusal)
      var headers: [HTTPResponse.Header] = []
      let status: Int
      switch error {
      case .tooManyTexts(_, let milliseconds):
        status = 429
        headers = [.retry(after: milliseconds / 1_000 + 1)]
      case .tooManyChanges(_, let milliseconds):
        status = 429
        headers = [.retry(after: milliseconds / 1_000 + 1)]
      case .unknownBoard, .unknownCountdown: status = 404
      case .tooLate: status = 410
      case .matchChanged, .settingsChanged: status = 412
      case .mayCount: status = 424
      // The change may have been made.
      case .leaderSilent: status = 504
      default: status = 409
      }
      self.init(status, error.message.printable, headers: headers)
      isFinal = error.isFinal
      cause = refusal
    case .unreachable: self.init(503, "There is no connection to the display. The change was not made.")
    case .timedOut:
      self.init(504, "The display did not answer. Look whether it has made the change.")
    case .broken, .disconnected, .streamEnded, .malformedReply:
      self.init(504, "The connection to the display was lost. Look whether it has made the change.")
    }
  }
}
