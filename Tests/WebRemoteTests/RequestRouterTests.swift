// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import Scoreboard
import TestSupport
import Testing
import Varlink
import WebServer

@testable import WebRemote

@Suite struct RequestRouterTests {
  private let router = RequestRouter(hostName: "wall", viewers: .open)

  private func get(_ path: String, method: String = "GET", query: [String: String] = [:]) -> HTTPRequest {
    HTTPRequest(method: method, path: path, query: query, headers: ["host": "wall:8080"])
  }

  static func post(_ path: String, _ body: String, _ changes: [String: String?] = [:]) -> HTTPRequest {
    var headers = [
      "host": "wall:8080", "origin": "http://wall:8080", "content-type": "text/plain;charset=UTF-8",
      "idempotency-key": "\"a-1\"", "flipclock-time": "7",
    ]
    for (name, value) in changes { headers[name] = value }
    return HTTPRequest(method: "POST", path: path, headers: headers, body: Array(body.utf8))
  }

  /// The terms of `post`.
  private static let terms = Terms(id: "a-1", time: 7_000_000)
  private static func terms(revision: Int) -> Terms { Terms(id: "a-1", time: 7_000_000, revision: revision) }

  private func status(_ request: HTTPRequest, _ router: RequestRouter? = nil) -> Int {
    do throws(RequestRefusal) {
      _ = try (router ?? self.router).read(request)
      return 200
    } catch {
      #expect(!error.message.isEmpty)
      return error.status
    }
  }

  @Test("Pages and events have their paths")
  func pages() throws {
    #expect(try router.read(get("/")) == .page(nil))
    #expect(try router.read(get("/pair")) == .page(.scorer))
    #expect(try router.read(get("/board", query: ["overlay": "1"])) == .page(.viewer))
    #expect(try router.read(get("/", method: "HEAD")) == .page(nil))
    #expect(try router.read(get("/events", query: ["as": "scorer"])) == .events(.scorer))
    #expect(try router.read(get("/events")) == .events(.viewer))
    #expect(status(get("/events", query: ["as": "admin"])) == 400)
  }

  private static func setting(_ body: String, _ changes: [String: String?] = [:]) -> HTTPRequest {
    post("/settings", body, ["content-type": "application/json"].merging(changes) { $1 })
  }

  @Test("Settings are read, changed, exported and imported with the terms of a command")
  func settings() throws {
    #expect(try router.read(get("/settings.json")) == .settings(.read))
    #expect(try router.read(get("/settings.toml")) == .settings(.export))
    let items = #"{"key":"game.preset","value":"tennis"},{"key":"a.b"},{"key":"c.d","value":null}"#
    let body = #"{"settings":[\#(items)]}"#
    let changes = [("game.preset", "tennis"), ("a.b", nil), ("c.d", nil)].map {
      SettingChange(key: $0.0, value: $0.1)
    }
    #expect(try router.read(Self.setting(body)) == .settings(.change(changes, Self.terms)))
    #expect(
      try router.read(Self.setting(body, ["if-match": "\"12\""]))
        == .settings(.change(changes, Self.terms(revision: 12))))
    let file = "[game]\npreset = \"tennis\"\n"
    var put = Self.post("/settings.toml", file, ["content-type": "application/toml"])
    put.method = "PUT"
    #expect(try router.read(put) == .settings(.replace(file, Self.terms)))
    #expect(try router.read(get("/settings")) == .settingsPage)
    for (request, expected) in [
      (Self.setting(body, ["origin": "http://evil.example"]), 403),
      (Self.setting(body, ["origin": nil]), 401),
      (Self.setting(body, ["content-type": "text/plain"]), 415),
      (Self.setting(body, ["idempotency-key": nil]), 428), (Self.setting(body, ["flipclock-time": nil]), 428),
      (Self.setting(body, ["if-match": "x"]), 400), (Self.post("/settings.json", body), 405),
      (Self.post("/settings.toml", body), 405),
    ] { #expect(status(request) == expected, "\(request)") }
  }

  @Test("Any body of a change of settings is read whole, or refused with a text", arguments: 0..<UInt64(4))
  func anySettings(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let keys = ["game.preset", "", "teams.home.name", "\u{0}", "é\u{202e}", "key"]
    func value(_ depth: Int) -> JSONValue {
      switch random.int(0...(depth > 0 ? 7 : 4)) {
      case 0: return .null
      case 1: return .bool(true)
      case 2: return .integer(Int64(random.int(-3...3)))
      case 3, 4: return .string(keys[random.int(0...5)])
      case 5: return .array((0..<random.int(0...3)).map { _ in value(depth - 1) })
      default:
        let names = ["settings", "key", "value", "x"]
        let members = (0..<random.int(0...3)).map { _ in (names[random.int(0...3)], value(depth - 1)) }
        return .object(Dictionary(members) { $1 })
      }
    }
    var accepted = 0
    for _ in 0..<TestEffort.rounds(3_000, long: 300_000) {
      let list = (0..<random.int(0...3)).map { _ -> JSONValue in
        guard random.int(0...5) > 0 else { return value(2) }
        let key = JSONValue.string(keys[random.int(0...5)])
        return .object(["key": key, "value": random.int(0...6) > 0 ? .null : value(1)])
      }
      var bytes = JSONValue.object(["settings": .array(list)]).bytes
      if random.int(0...3) == 0 { bytes = value(3).bytes }
      if random.int(0...3) == 0, !bytes.isEmpty {
        bytes[random.int(0...(bytes.count - 1))] = UInt8(random.int(0...255))
      }
      var request = Self.setting("")
      request.body = bytes
      do throws(RequestRefusal) {
        guard case .settings(.change(let changes, _)) = try router.read(request) else {
          Issue.record("not a change of settings")
          continue
        }
        accepted += 1
        let sent = try? JSONReader.read(bytes)["settings"]?.array
        #expect(sent?.count == changes.count)
        for (item, change) in zip(sent ?? [], changes) {
          #expect(item["key"]?.string == change.key && item["value"]?.string == change.value)
        }
        #expect(!VarlinkCall(.setSettings(changes), on: Self.terms).message.contains(0))
      } catch {
        #expect(error.status == 400 && !error.message.isEmpty)
        #expect(error.message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
      }
    }
    #expect(accepted > 100)
  }

  @Test(
    "Other paths are not found, however they are written",
    arguments: [
      "/../../etc/passwd", "//", "/./", "/%2e%2e/", "/board/", "/board/..", "/BOARD", "/b%6fard",
      "/index.html",
      "/page.html", "/pair/", "/favicon.ico", "", "*", "/\u{0}", "/commands/", "http:/wall/", "/board;x",
      "/é",
    ])
  func paths(path: String) {
    #expect(status(get(path)) == 404)
    #expect(status(Self.post(path, "undo")) == 404)
  }

  @Test("Each path accepts only its methods")
  func methods() {
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "PATCH", ""] {
      for path in ["/", "/board", "/events"] {
        #expect(status(get(path, method: method)) == 405, "\(method) \(path)")
      }
    }
    for method in ["GET", "HEAD", "PUT", "OPTIONS"] {
      #expect(status(get("/commands", method: method)) == 405)
    }
    for method in ["PUT", "OPTIONS", "DELETE"] { #expect(status(get("/pair", method: method)) == 405) }
    #expect(throws: RequestRefusal(405, "This address accepts only POST.", headers: [.init("Allow", "POST")]))
    {
      try router.read(get("/commands"))
    }
  }

  @Test("A request for another host name is refused everywhere")
  func hosts() {
    for path in ["/", "/board", "/events", "/commands", "/pair", "/x"] {
      for host in ["evil.example", nil, "", "wall, evil.example"] {
        var request = get(path)
        request.headers["host"] = host
        #expect(status(request) == 403)
        var command = Self.post(path, "undo", ["host": host])
        command.headers["origin"] = host.map { "http://\($0)" }
        #expect(status(command) == 403)
      }
    }
  }

  @Test("The absolute form of a target is accepted for this machine, and has precedence over the field Host")
  func absoluteForm() throws {
    #expect(try router.read(get("http://wall:8080")) == .page(nil))
    #expect(try router.read(get("HTTP://WALL:8080/board")) == .page(.viewer))
    #expect(try router.read(get("https://wall/events", query: ["as": "scorer"])) == .events(.scorer))
    #expect(
      try router.read(Self.post("http://wall:8080/commands", "undo", ["host": "evil.example"]))
        == .command(.match(.undo), Self.terms))
    #expect(try router.read(Self.post("http://wall:8080/pair", "123456")) == .pair("123456"))
    for path in [
      "http://evil.example/", "http://", "http:///", "http://wall@evil.example/", "http://wall:8080:1/",
      "http:// /",
    ] {
      #expect(status(get(path)) == 403, "\(path)")
    }
    #expect(status(get("http://wall:8080/x")) == 404)
    #expect(status(get("ftp://wall:8080/")) == 404)
    // The origin has to be that of the target.
    #expect(status(Self.post("http://wall/commands", "undo")) == 403)
  }

  @Test("Commands and codes are accepted only from this machine's pages, as plain text")
  func origin() {
    for path in ["/commands", "/pair"] {
      let body = path == "/pair" ? "123456" : "undo"
      #expect(status(Self.post(path, body)) == 200)
      for origin in ["http://evil.example", "null", "", "http://wall", "http://wall:80", "https://wall"] {
        #expect(status(Self.post(path, body, ["origin": origin])) == 403)
        // A token does not make a page of another site an own one.
        #expect(
          status(Self.post(path, body, ["origin": origin, "authorization": "Bearer x"])) == 403)
      }
      #expect(status(Self.post(path, body, ["origin": nil])) == (path == "/pair" ? 403 : 401))
      for type in ["application/json", "application/x-www-form-urlencoded", "multipart/form-data", nil, ""] {
        #expect(status(Self.post(path, body, ["content-type": type])) == 415)
      }
      var broken = Self.post(path, "")
      broken.body = [0x75, 0xff]
      #expect(status(broken) == 400)
    }
  }

  @Test("A command needs an id and a time")
  func terms() throws {
    func status(_ field: String, _ value: String?) -> Int {
      self.status(Self.post("/commands", "undo", [field: value]))
    }
    let longest = String(repeating: "a", count: 64)
    let request = Self.post(
      "/commands", "undo", ["idempotency-key": "\"\(longest)\"", "flipclock-time": "-1000000000"])
    #expect(
      try router.read(request) == .command(.match(.undo), Terms(id: longest, time: -1_000_000_000_000_000)))
    #expect(status("idempotency-key", nil) == 428 && status("flipclock-time", nil) == 428)
    for value in [
      "", "a", "\"", "\"\"", "\"a", "\"a b\"", "\"a:b\"", "\"é\"", "\"a\", \"b\"", "\"\(longest)a\"",
    ] {
      #expect(status("idempotency-key", value) == 400, "\(value)")
    }
    for value in [
      "", "x", "1.5", "\"1\"", "1, 2", "9999999999999999", "9223372036854775807", "99999999999999999999",
    ] {
      #expect(status("flipclock-time", value) == 400, "\(value)")
    }
  }

  @Test("A command is read with its revision")
  func commands() throws {
    #expect(
      try router.read(Self.post("/commands", " add-score home +2\n"))
        == .command(.match(.addScore(team: "home", by: 2)), Self.terms))
    #expect(
      try router.read(Self.post("/commands", "undo", ["if-match": "\"42\""]))
        == .command(.match(.undo), Self.terms(revision: 42)))
    #expect(
      try router.read(Self.post("/commands", "undo", ["if-match": "*"]))
        == .command(.match(.undo), Self.terms))
    for value in ["42", "\"\"", "\"a\"", "\"1\", \"2\"", "W/\"1\"", "\"99999999999999999999\"", ""] {
      #expect(status(Self.post("/commands", "undo", ["if-match": value])) == 400)
    }
  }

  @Test("A paired phone closes the code that pairs phones, but cannot show one")
  func closedCode() throws {
    #expect(
      try router.read(Self.post("/commands", "remote close")) == .command(.endInvitation, Self.terms))
  }

  @Test(
    "Only changes of the match and the display are commands",
    arguments: [
      "reload", "state", "status", "watch", "history", "screenshot x.png", "screenshot -", "score", "check",
      "doctor",
      "complete verbs", "remote", "remote viewer", "remote list", "remote forget all",
      "brightness",
      "undo --socket /tmp/x", "undo --socket=/tmp/x", "--socket /tmp/x undo", "undo --json", "undo --help",
      "help",
      "--version", "", " ", "undo undo", "undo\nredo", "add-score home", "nonsense", "message \"open",
      "message x\\",
    ])
  func notACommand(text: String) { #expect(status(Self.post("/commands", text)) == 400) }

  private static func program(
    _ method: String, _ path: String, _ body: String = "", type: String? = "text/plain",
    _ changes: [String: String?] = [:]
  ) -> HTTPRequest {
    var request = post(
      path, body,
      [
        "origin": nil, "authorization": "Bearer x", "content-type": type, "idempotency-key": nil,
        "flipclock-time": nil,
      ].merging(changes) { $1 })
    request.method = method
    return request
  }

  @Test("A program with a token needs no origin, no id and no time, but may send them")
  func programs() throws {
    #expect(try router.read(Self.program("POST", "/commands", "undo")) == .command(.match(.undo), Terms()))
    #expect(
      try router.read(Self.program("POST", "/commands", "undo", ["idempotency-key": "\"a-1\""]))
        == .command(.match(.undo), Terms(id: "a-1")))
    #expect(
      try router.read(
        Self.program("PUT", "/boards/hall", "x", ["idempotency-key": "\"a-1\"", "flipclock-time": "7"]))
        == .command(.setBoard("hall", PushedText("x")), Self.terms))
    #expect(status(Self.program("POST", "/commands", "undo", ["idempotency-key": "a"])) == 400)
    #expect(status(Self.program("POST", "/commands", "undo", ["flipclock-time": "x"])) == 400)
    // Without a token, cookies are not accepted instead.
    let cookie = ["authorization": nil, "cookie": "flipclock=\(DeviceToken.random().text)"]
    for request in [
      Self.program("POST", "/commands", "undo", cookie), Self.program("PUT", "/boards/hall", "x", cookie),
      Self.program("DELETE", "/boards/hall", "", cookie),
    ] {
      #expect(throws: RequestRefusal.withoutToken) { try router.read(request) }
    }
    #expect(RequestRefusal.withoutToken.headers == [.init("WWW-Authenticate", "Bearer realm=\"flipclock\"")])
    // A page has to send both.
    for field in ["idempotency-key", "flipclock-time"] {
      var page = Self.post("/boards/hall", "x", [field: nil])
      page.method = "PUT"
      #expect(status(page) == 428)
    }
  }

  @Test("The text of a board is plain, or a member of a JSON object")
  func boardTexts() throws {
    func put(_ body: String, _ type: String? = "text/plain") throws(RequestRefusal) -> PushedText? {
      let request = try router.read(Self.program("PUT", "/boards/hall-1_b", body, type: type))
      guard case .command(.setBoard("hall-1_b", let text), Terms()) = request else { return nil }
      return text
    }
    #expect(try put("ZURICH\r\n 12:30 \n") == PushedText("ZURICH\n 12:30 "))
    #expect(try put("", "text/plain; charset=utf-8") == PushedText(""))
    #expect(try put("{\"text\": \"x\"}") == PushedText("{\"text\": \"x\"}"))
    #expect(
      try put(
        #"{"text": "A\nB", "for": "2h", "stale_after": 90, "show": true, "from": "kitchen"}"#,
        "application/json")
        == PushedText(
          "A\nB", milliseconds: 7_200_000, staleMilliseconds: 90_000, source: "kitchen", showsPage: true))
    #expect(
      try router.read(Self.program("PUT", "/boards/hall", #"{"clear": true}"#, type: "application/json"))
        == .command(.clearBoard("hall"), Terms()))
    #expect(
      try router.read(Self.program("DELETE", "/boards/hall", type: nil))
        == .command(.clearBoard("hall"), Terms()))
  }

  /// Not in the arguments of the macro, because Swift 6.0.3 crashes at an interpolated string there.
  private static let notTexts = [
    (#"{"text": }"#, "at byte 9"), (#"["x"]"#, "write {"), ("", "at byte 0"), (#"{"txt": "x"}"#, "'txt'"),
    (#"{"text": 7}"#, "write {"), (#"{"text": "x", "for": "soon"}"#, "'for'"),
    (#"{"text": "x", "for": 0}"#, "1 second"), (#"{"text": "x", "show": 1}"#, "'show'"),
    (#"{"text": "x", "clear": true}"#, "write {"), (#"{"text": "x", "from": ""}"#, "'from'"),
    (#"{"text": "a\u001bb"}"#, "control character"), (#"{"text": "x", "text": "y"}"#, "at byte"),
    ("{\"text\": \"\(String(repeating: "x", count: 4_001))\"}", "4000"),
  ]

  @Test("What cannot be a text for a board is refused, and the message names the place", arguments: notTexts)
  func malformedBoardTexts(body: String, named: String) {
    do throws(RequestRefusal) {
      _ = try router.read(Self.program("PUT", "/boards/hall", body, type: "application/json"))
      Issue.record("it is accepted")
    } catch {
      #expect(error.status == 400 && error.message.contains(named), "\(error.message)")
    }
  }

  @Test("Boards have their paths, methods and types")
  func boardPaths() {
    for name in ["", "a b", "a/b", "a%20b", "é", "..", "a.b", String(repeating: "a", count: 33)] {
      #expect(status(Self.program("PUT", "/boards/\(name)", "x")) == 404, "\(name)")
    }
    #expect(status(Self.program("PUT", "/boards", "x")) == 404)
    for method in ["GET", "POST", "PATCH", "OPTIONS"] {
      #expect(status(Self.program(method, "/boards/hall", "x")) == 405)
    }
    for type in [nil, "", "text/html", "application/x-www-form-urlencoded", "text/plainer"] {
      #expect(status(Self.program("PUT", "/boards/hall", "x", type: type)) == 415)
    }
  }

  @Test("Quoted words are read")
  func quotes() throws {
    #expect(
      try router.read(Self.post("/commands", #"message -- "--clear \"x\"""#))
        == .command(.message(#"--clear "x""#, milliseconds: nil), Self.terms))
  }

  @Test("Only text in the form of a code or a secret is accepted")
  func codes() throws {
    #expect(try router.read(Self.post("/pair", "123456\r\n")) == .pair("123456"))
    for code in PairingCodes.example.typed + [PairingCodes.example.secret] {
      #expect(try router.read(Self.post("/pair", code)) == .pair(code))
    }
    for text in [
      "", "12345", "123 456", "123456\n1", "<script>", String(repeating: "1", count: 129), "12345é",
    ] {
      #expect(status(Self.post("/pair", text)) == 403)
    }
  }

  @Test("Without viewers the spectators' page is not found")
  func viewers() {
    let closed = RequestRouter(hostName: "wall", viewers: .none)
    #expect(status(get("/board"), closed) == 404)
    #expect(status(get("/events", query: ["as": "viewer"]), closed) == 403)
    #expect(status(get("/events", query: ["as": "scorer"]), closed) == 200)
    let paired = RequestRouter(hostName: "wall", viewers: .paired)
    #expect(status(get("/board"), paired) == 200)
  }
}
