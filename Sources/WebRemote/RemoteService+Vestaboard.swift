// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import ControlClient
import JSON
import LinuxSystem
import Varlink
import VarlinkSockets
import WebServer

/// Programs that are written for the Vestaboard Local API. Their keys are the tokens that may set one board.
extension RemoteService {
  /// Accepts connections of such programs on a listening socket.
  package func listenForVestaboardPrograms(
    on socket: consuming FileDescriptor, failed: @escaping (SystemError) -> Void = { _ in }
  ) throws(SystemError) {
    try vestaboardServer().listen(on: socket, failed: failed)
  }

  // Swift 6.0.3's optimizer crashes if the descriptor is released in a function with several branches.
  @inline(never)
  private func vestaboardServer() throws(SystemError) -> WebServer {
    if let vestaboard { return vestaboard }
    let server = try makeServer { [weak self] in self?.serveVestaboardProgram($0, $1) }
    vestaboard = server
    return server
  }

  private func serveVestaboardProgram(_ request: HTTPRequest, _ responder: HTTPResponder) {
    lastUse = loop.now
    answering(request, responder) { () throws(RequestRefusal) in
      guard let token = VestaboardRequest.key(of: request), let device = store.registry.device(with: [token])
      else {
        throw refusal(ofUnknownTokenFrom: request, headers: [])
      }
      store.use(device.id, at: Self.seconds)
      responder.trust(device.id)
      let wanted = try VestaboardRequest(reading: request)
      guard let board = device.board else {
        throw RequestRefusal(
          403,
          "This key is for no board. 'flipclockctl remote token NAME --role board --board BOARD' makes one."
        )
      }
      whenConnected(request, responder) { [weak self] () throws(RequestRefusal) in
        try self?.answer(wanted, of: device, with: token, about: board, responder)
      }
    }
  }

  private func answer(
    _ wanted: VestaboardRequest, of device: Device, with token: DeviceToken, about name: String,
    _ responder: HTTPResponder
  ) throws(RequestRefusal) {
    // A program that asks for a key gets its own token again.
    if wanted == .enable {
      return responder.answer(
        Self.json(200, .object(["message": .string("Local API enabled"), "apiKey": .string(token.text)])))
    }
    guard !isDaemonLost, let display = link.display else { throw Self.noDaemon }
    guard let board = display.boards.first(where: { $0.name == name }) else {
      throw RequestRefusal(404, "The display has no board '\(name)' any more.".printable)
    }
    switch wanted {
    case .enable, .read:
      let rows = VestaboardCodes.rows(of: board).map { JSONValue.array($0.map { .integer(Int64($0)) }) }
      responder.answer(Self.json(200, .object(["message": .array(rows)])))
    case .write(let message):
      try check(message, fits: board)
      var text = PushedText(message.text)
      text.wave = message.wave
      try perform(.setBoard(name, text), Terms(), by: device, responder) { reply, change in
        switch reply {
        case .success(let parameters):
          Self.json(201, .object(["message": .string(MatchText.change(parameters, by: change))]))
        case .failure(let error): Self.answer(RequestRefusal(error))
        }
      }
    }
  }

  private func check(_ message: VestaboardMessage, fits board: BoardState) throws(RequestRefusal) {
    let (rows, columns) = (message.rows.count, message.rows[0].count)
    guard rows <= board.rows ?? .max, columns <= board.columns ?? .max else {
      throw RequestRefusal(
        400,
        "The message has \(rows) rows of \(columns), and the board '\(board.name)' has \(board.rows ?? rows) of \(board.columns ?? columns)."
          .printable)
    }
  }
}
