// SPDX-License-Identifier: Apache-2.0

import Commands
import Varlink
import WebRemote
import WebServer

extension FuzzTarget {
  /// A request to flipclock-web: a line with the method and the target, lines with header fields, an empty
  /// line and the body. It does not test the library that parses HTTP.
  static let web = FuzzTarget(
    name: "web",
    seeds: {
      let head =
        "Host: wall:8080\nOrigin: http://wall:8080\nContent-Type: text/plain\nIdempotency-Key: \"a\"\n"
        + "Flipclock-Time: 12345\n"
      let token = String(repeating: "A", count: 43)
      let posts =
        commandLines.map { "POST /commands\n\(head)Cookie: flipclock=\(token)\n\n\($0)" }
        + ["123456", "AbCdEfGhIjKlMnOpQrSt-_"].map { "POST /pair\n\(head)\n\($0)" }
        + ["POST /commands\n\(head)If-Match: \"42\"\n\nmessage -- \"a \\\"b\\\" \\\\ 'c'\""]
      let gets = [
        "/", "/pair", "/board?overlay=1", "/events?as=scorer", "/events?as=viewer", "/events", "/state.json",
        "/state.json?as=array",
      ].map {
        "GET \($0)\nHost: [fe80::1]:8080\nIf-None-Match: \"x\"\n\n"
      }
      let program = "Host: wall:8080\nAuthorization: Bearer \(token)\nContent-Type: "
      let boards = [
        "PUT /boards/hall\n\(program)text/plain\n\nZURICH 12:30\n",
        "PUT /boards/hall\n\(program)application/json\n\n{\"text\": \"A\\nB\", \"for\": \"2h\", \"show\": true}",
        "PUT /boards/hall\n\(program)application/json\n\n{\"clear\": true}",
        "DELETE /boards/hall\n\(program)\n\n",
        "POST /commands\n\(program)text/plain\n\nboard hall \"x y\" --for 2h --stale-after 5min",
      ]
      let json = head.replacing("text/plain", with: "application/json")
      let settings = [
        "POST /settings\n\(json)\n" + #"{"settings": [{"key": "teams.home.name", "value": "LIONS"}]}"#,
        "POST /settings\n\(json)If-Match: \"7\"\n\n"
          + #"{"settings": [{"key": "a.b", "value": null}, {"key": "c"}]}"#,
        "PUT /settings.toml\n\(head)\n[game]\npreset = \"tennis\"\n", "GET /settings.toml\n\(head)\n",
        "GET /settings.json\n\(head)\n",
        "POST /network\n\(json)\n" + #"{"network": "Home", "password": "correct horse", "country": "CH"}"#,
        "POST /time\n\(json)\n" + #"{"time": 1795651200000, "clock": 52310, "zone": "Europe/Zurich"}"#,
        "POST /fallback\n\(json)\n" + #"{"allowed": true}"#,
        "GET /setup\n\(head)\n", "GET /setup.json\n\(head)\n", "GET /network.json\n\(head)\n",
        "GET /networks.json\n\(head)\n", "GET /mqtt.json\n\(head)\n",
        "POST /mqtt\n\(json)\n" + #"{"settings": [{"key": "broker.host", "value": "10.0.0.2"}]}"#,
        "POST /mqtt/password\n\(json)\n" + #"{"password": "correct horse"}"#,
      ]
      let messages = ["[[0,1,2],[63,71,62]]", #"{"characters":[[1]],"strategy":"row","step_size":2}"#].map {
        "POST /local-api/message\nHost: wall:7000\n\n\($0)"
      }
      let absolute = [
        "GET http://wall:8080/events?as=viewer\n\n", "POST http://wall:8080/commands\n\(head)\nundo",
      ]
      return (posts + gets + boards + settings + messages + absolute).map { Array($0.utf8) }
    },
    run: { bytes in
      let request = request(bytes)
      for viewers in Viewers.allCases {
        try read(request, RequestRouter(hostName: "wall.example.org", viewers: viewers))
      }
      if let message = try? VestaboardMessage(reading: request.body) {
        try check(
          message.rows.allSatisfy { $0.count == message.rows[0].count }
            && message.text.split(separator: "\n").count == message.rows.count,
          "\(message)")
      }
      let tokens = Cookies.tokens(request.headers["cookie"])
      try check(tokens.count <= 4 && tokens.allSatisfy { $0.text.utf8.count == 43 }, "\(tokens)")
    })

  private static func request(_ bytes: [UInt8]) -> HTTPRequest {
    var lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)[...]
    func text(_ line: ArraySlice<UInt8>) -> String { String(decoding: line, as: UTF8.self) }
    let first = lines.popFirst().map(text)?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
    let target = first.count > 1 ? first[1] : ""
    let path = String(target.prefix { $0 != "?" })
    var request = HTTPRequest(method: first.first ?? "", path: path)
    for pair in target.dropFirst(path.count + 1).split(separator: "&") {
      let name = String(pair.prefix { $0 != "=" })
      request.query[name] = String(pair.dropFirst(name.count + 1))
    }
    while let line = lines.popFirst(), !line.isEmpty {
      let field = text(line).split(separator: ":", maxSplits: 1).map(String.init)
      request.add(header: field.first ?? "", field.count > 1 ? String(field[1].drop { $0 == " " }) : "")
    }
    request.body = Array(lines.joined(separator: [0x0a]))
    return request
  }

  private static func read(_ request: HTTPRequest, _ router: RequestRouter) throws(Broken) {
    do throws(RequestRefusal) {
      let meaning = try router.read(request)
      let (host, path) = RequestRouter.target(of: request)
      try require(host.map { HostNames(hostName: "wall.example.org").contains($0) } == true)
      switch meaning {
      case .page, .events: try require(["GET", "HEAD"].contains(request.method))
      case .settingsPage: try require(["GET", "HEAD"].contains(request.method) && path == "/settings")
      case .setupPage: try require(["GET", "HEAD"].contains(request.method) && path == "/setup")
      case .setup(.words), .setup(.state), .setup(.networks):
        try require(["GET", "HEAD"].contains(request.method))
        try require(["/setup.json", "/network.json", "/networks.json"].contains(path))
      case .setup(.join(let choice)):
        try require(
          request.method == "POST" && path == "/network" && (1...128).contains(choice.network.utf8.count))
        try require(choice.password.map { (8...64).contains($0.text.utf8.count) } ?? true)
        try require(choice.country.map { $0.utf8.count == 2 } ?? true)
      case .setup(.fallback): try require(request.method == "POST" && path == "/fallback")
      case .setup(.time(let time)):
        try require(request.method == "POST" && path == "/time")
        _ = time.microseconds(at: .max)
        _ = time.microseconds(at: 0)
      case .state: try require(["GET", "HEAD"].contains(request.method) && path == "/state.json")
      case .matches: try require(request.method == "GET" && path == "/matches.csv")
      case .settings(.read), .settings(.export):
        try require(["GET", "HEAD"].contains(request.method))
        try require(path == (meaning == .settings(.read) ? "/settings.json" : "/settings.toml"))
      case .settings(.change(let changes, let terms)):
        try require(request.method == "POST" && path == "/settings" && !changes.isEmpty)
        try require(!VarlinkCall(.setSettings(changes), on: terms).message.contains(0))
      case .settings(.replace(let text, let terms)):
        try require(request.method == "PUT" && path == "/settings.toml")
        try require(!VarlinkCall(.importSettings(text), on: terms).message.contains(0))
      case .owner(.devices):
        try require(["GET", "HEAD"].contains(request.method) && path == "/devices.json")
      case .owner(.forget(let id)): try require(request.method == "DELETE" && path == "/devices/\(id)")
      case .owner(.health):
        try require(["GET", "HEAD"].contains(request.method) && path == "/health.json")
      case .owner(.restart): try require(request.method == "POST" && path == "/restart")
      case .owner(.invite): try require(request.method == "POST" && path == "/pairing")
      case .mqtt(.read): try require(["GET", "HEAD"].contains(request.method) && path == "/mqtt.json")
      case .mqtt(.change(let changes, _)):
        try require(request.method == "POST" && path == "/mqtt" && !changes.isEmpty)
      case .mqtt(.password(let password, _)):
        try require(request.method == "POST" && path == "/mqtt/password" && password?.text != "")
      case .pair(let secret): try require(request.method == "POST" && secret.utf8.count <= 128)
      case .command(let change, let terms):
        switch request.method {
        case "POST": try require(path == "/commands")
        case "PUT", "DELETE": try require(change.board.map { path == "/boards/\($0)" } == true)
        default: try require(false)
        }
        // A zero byte ends a Varlink message, so the call must contain none.
        try require(!VarlinkCall(change, on: terms).message.contains(0))
      }
      // What changes something comes from an own page, or from a program with a token.
      if !["GET", "HEAD"].contains(request.method) {
        let isOfProgram = request.headers["origin"] == nil && request.headers["authorization"] != nil
        try require(
          isOfProgram && path != "/pair" || host?.isOrigin(request.headers["origin"] ?? "") == true)
      }
    } catch {
      // The message may quote the request.
      guard error.message.isHarmless, !error.message.isEmpty, (400..<500).contains(error.status),
        error.logged != broken
      else { throw Broken(description: "\(error)") }
    }
  }

  private static let broken = "a property does not hold"

  private static func require(_ condition: Bool) throws(RequestRefusal) {
    if !condition { throw RequestRefusal(500, broken, logged: broken) }
  }
}

extension Change {
  fileprivate var board: String? {
    switch self {
    case .setBoard(let board, _), .clearBoard(let board): board
    default: nil
    }
  }
}
