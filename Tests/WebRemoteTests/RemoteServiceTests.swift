// SPDX-License-Identifier: Apache-2.0

import DaemonDouble
import JSON
import LinuxSystem
import Remotes
import Scoreboard
import TestSupport
import Testing
import Varlink
import WebServer
import WebTestClient

@testable import WebRemote

@Suite struct RemoteServiceTests {
  @Test("Pages have a policy with the hashes of their style and script, and are not sent again if unchanged")
  func pages() throws {
    let wall = try WebRig()
    for path in ["/", "/pair", "/board"] {
      let answer = try wall.answer("GET", path)
      #expect(answer.status == 200)
      #expect(answer.header.contains("Content-Security-Policy: default-src 'none'; script-src 'sha256-"))
      #expect(answer.header.contains("style-src 'sha256-"))
      let tag = try #require(
        answer.header.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }?.dropFirst(6))
      let again = try wall.answer("GET", path, ["If-None-Match: \(tag)"])
      #expect(again.status == 304)
      #expect(again.body.isEmpty)
    }
    #expect(try wall.answer("GET", "/x").status == 404)
  }

  @Test("A stream begins with the words, the role, the present state and the connection")
  func greeting() throws {
    let wall = try WebRig()
    let viewer = try wall.stream(as: "viewer")
    #expect(try wall.loop.turn { viewer.last("link") != nil })
    // The connection comes last, so that an old match does not count as the present one.
    #expect(viewer.events.map(\.name) == ["beat", "words", "role", "display", "match", "link"])
    #expect(viewer.client.text.contains("X-Accel-Buffering: no\r\n"))
    #expect(viewer.role == "viewer")
    // The clock for the times of commands, and the id of the boot since which it counts.
    let clock = try #require(viewer.last("beat")?["clock"]?.integer)
    #expect(abs(Int64(clock) - RemoteService.boottime / 1_000_000) < 5_000)
    #expect(viewer.last("beat")?["boot"]?.string?.count == 16)
    #expect(viewer.last("link")?["connected"]?.bool == true)
    #expect(viewer.last("display")?["name"]?.string == "hall")
    #expect(viewer.last("words")?["language"]?.string == "en")
    #expect(viewer.last("match")?["age"]?.integer ?? -1 >= 0)
    #expect(viewer.score == 0)
    // The scorer's page is for paired devices.
    let nobody = try wall.stream(as: "scorer")
    #expect(try wall.loop.turn { nobody.last("link") != nil })
    #expect(nobody.role == "none")
    #expect(nobody.last("match") == nil)
  }

  @Test("A paired scorer changes the match, and everybody sees it")
  func scorer() throws {
    let wall = try WebRig()
    let cookie = try wall.pair()
    let own = try wall.stream(as: "scorer", cookie: cookie)
    let viewer = try wall.stream(as: "viewer")
    let answer = try wall.command("add-score home 2", as: cookie)
    #expect(answer.status == 200)
    #expect(answer.body == #"{"facts":null,"note":null,"revision":1,"what":"HOME 2"}"#)
    #expect(try wall.loop.turn { own.score == 2 && viewer.score == 2 })
    #expect(own.role == "owner")
    #expect(try wall.command("set home name LIONS", as: cookie).body.contains("LIONS"))
    #expect(
      try wall.command("set home name LIONS", as: cookie).body
        == #"{"facts":null,"note":null,"revision":2,"what":null}"#)
    #expect(
      try wall.command("show match", as: cookie).body
        == #"{"facts":null,"note":null,"revision":null,"what":"match"}"#)
    #expect(try wall.loop.turn { viewer.last("display")?["page"]?.string == "match" })
    let refused = try wall.command("add-score nobody 2", as: cookie)
    #expect(refused.status == 409)
    #expect(refused.body.contains("nobody"))
  }

  @Test("At / a viewer gets the page of spectators, everybody else that of scorers")
  func pageOfRole() throws {
    let wall = try WebRig()
    let (scorer, viewer) = (try wall.pair(), try wall.pair("654321"))
    func isSpectators(_ path: String, _ cookie: String?) throws -> Bool {
      let body = try wall.answer("GET", path, cookie.map { ["Cookie: \($0)"] } ?? []).body
      #expect(body.contains("<script>"))
      return !body.contains("/commands")
    }
    for cookie in [scorer, viewer, "flipclock=x", nil] {
      #expect(try isSpectators("/", cookie) == (cookie == viewer))
      #expect(try isSpectators("/board", cookie))
      #expect(try !isSpectators("/pair", cookie))
    }
  }

  @Test("The finished matches are a file for paired devices")
  func finishedMatches() throws {
    let wall = try WebRig()
    let cookie = try wall.pair()
    #expect(try wall.answer("GET", "/matches.csv").status == 401)
    #expect(try wall.answer("GET", "/matches.csv", ["Cookie: flipclock=x"]).status == 401)
    #expect(try wall.answer("POST", "/matches.csv", ["Cookie: \(cookie)"]).status == 405)
    for command in ["add-score home 2", "set home name '=1'", "new-game"] {
      #expect(try wall.command(command, as: cookie).status == 200)
    }
    let answer = try wall.answer("GET", "/matches.csv", ["Cookie: \(cookie)"])
    #expect(answer.status == 200)
    for header in [
      "Content-Type: text/csv; charset=utf-8; header=present\r\n",
      "Content-Disposition: attachment; filename=\"matches.csv\"\r\n", "Cache-Control: no-store\r\n",
      "X-Content-Type-Options: nosniff\r\n",
    ] { #expect(answer.header.contains(header), "\(answer.header)") }
    #expect(answer.body.hasPrefix("\u{feff}id,started,"))
    #expect(answer.body.contains(",home,\"'=1\",,#e5484d,2,2,guest,"))
  }

  @Test("A change that is shown but not saved is not a refusal, and is reported to every device")
  func unsaved() throws {
    let wall = try WebRig()
    let cookie = try wall.pair()
    let own = try wall.stream(as: "scorer", cookie: cookie)
    wall.daemon.handler.saveFailure = "No space left on device"
    for command in ["add-score home 2", "timer start", "set home name LIONS"] {
      let answer = try wall.command(command, as: cookie)
      #expect(answer.status == 202, "\(answer.body)")
      #expect(answer.body.contains("No space left on device") && !answer.body.contains(#""error""#))
      #expect(!answer.body.contains(#""revision":null"#), "\(answer.body)")
    }
    #expect(try wall.loop.turn { own.score == 2 })
    #expect(try wall.command("show match", as: cookie).status == 200)
    #expect(try wall.loop.turn { own.last("display")?["unsaved"]?["reason"] != nil })
    #expect(try wall.command("set home name LIONS", as: cookie).status == 202)
  }

  @Test("A refusal has the daemon's error, for words in the page's language")
  func causes() throws {
    let wall = try WebRig()
    let body = try wall.command("set home timeouts 3", as: try wall.pair()).body
    #expect(body.contains(#""name":"CounterOutOfRange""#) && body.contains(#""maximum":2"#), "\(body)")
  }

  @Test("A device that cannot be stored gets an error, and the log says that it was not paired")
  func unstored() throws {
    let wall = try WebRig()
    // A file cannot replace a directory.
    _ = wall.directory.place("devices.json/x")
    let answer = try wall.answer("POST", "/pair", WebRig.ownPage, "123456")
    #expect(answer.status == 507, "\(answer.body)")
    #expect(wall.lines.all.contains { $0.contains("could not be paired") }, "\(wall.lines.all)")
  }

  @Test("Only a paired scorer may send commands")
  func roles() throws {
    let wall = try WebRig()
    #expect(try wall.command("undo", as: nil).status == 401)
    #expect(try wall.command("undo", as: "flipclock=short").status == 401)
    let viewer = try wall.pair("654321")
    #expect(try wall.command("undo", as: viewer).status == 403)
    let stream = try wall.stream(as: "scorer", cookie: viewer)
    #expect(try wall.loop.turn { stream.last("match") != nil })
    #expect(stream.role == "viewer")
    // The same phone is paired again.
    let scorer = try wall.pair("123456", ["Cookie: \(viewer)"])
    #expect(wall.service.store.registry.devices.count == 1)
    #expect(try wall.command("add-score home 1", as: scorer).status == 200)
    #expect(try wall.command("undo", as: viewer).status == 401)
    #expect(wall.daemon.handler.match.revision == 1)
  }

  /// The roles of the devices, in the order in which they were paired.
  private func roles(_ wall: WebRig) throws -> [String] {
    try wall.call("List")["parameters"]?["devices"]?.array?.compactMap { $0["role"]?.string } ?? []
  }

  @Test("The first scorer is the owner; so is one after the last owner was forgotten")
  func firstOwner() throws {
    let wall = try WebRig()
    _ = try wall.token("stream-deck", "scorer")
    _ = try wall.pair("654321")
    #expect(try roles(wall) == ["scorer", "viewer"])
    let answer = try wall.answer("POST", "/pair", WebRig.ownPage, "123456")
    #expect(answer.body == #"{"role":"owner"}"#)
    let second = try wall.pair()
    let other = try wall.pair("246810")
    #expect(try roles(wall) == ["scorer", "viewer", "owner", "scorer", "owner"])
    // An owner stays one as a scorer, and is none as a viewer.
    let again = try wall.pair("123456", ["Cookie: \(other)"])
    #expect(try roles(wall) == ["scorer", "viewer", "owner", "scorer", "owner"])
    _ = try wall.pair("654321", ["Cookie: \(again)"])
    _ = try wall.pair("123456", ["Cookie: \(second)"])
    #expect(try roles(wall) == ["scorer", "viewer", "owner", "viewer", "scorer"])
    let owner = try #require(wall.service.store.registry.devices.first { $0.role == .owner })
    _ = try wall.call("Forget", ["device": .string(owner.id)])
    #expect(try roles(wall) == ["scorer", "viewer", "viewer", "scorer"])
    _ = try wall.pair()
    #expect(try roles(wall) == ["scorer", "viewer", "viewer", "scorer", "owner"])
  }

  /// A request about settings from the own page.
  private func settings(
    _ wall: WebRig, _ method: String, _ path: String, _ body: String = "", as cookie: String?,
    _ headers: [String] = [], terms: [String]? = nil
  ) throws -> (status: Int?, body: String, header: String) {
    let type = path == "/settings" ? "application/json" : "application/toml"
    var fields = ["Origin: http://wall:8080", "Content-Type: \(type)"] + headers + (terms ?? wall.terms())
    if let cookie { fields.append("Cookie: \(cookie)") }
    return try wall.answer(method, path, fields, body)
  }

  private func set(_ key: String, _ value: String) -> String {
    #"{"settings":[{"key":"\#(key)","value":"\#(value)"}]}"#
  }

  @Test("Only owners read and change settings, whatever they ask for")
  func settingsOfOwners() throws {
    let wall = try WebRig()
    let owner = try wall.pair()
    let others = [try wall.pair(), try wall.pair("654321"), nil]
    let requests = [
      ("GET", "/settings.json", ""), ("GET", "/settings.toml", ""),
      ("POST", "/settings", set("theme.name", "paper")), ("PUT", "/settings.toml", "theme.name = paper\n"),
    ]
    for (method, path, body) in requests {
      for other in others {
        let answer = try settings(wall, method, path, body, as: other)
        #expect(answer.status == (other == nil ? 401 : 403), "\(method) \(path)")
        let refusal = try JSONReader.read(Array(answer.body.utf8))
        #expect(refusal["name"]?.string == (other == nil ? nil : "NotOwner"))
        #expect(!answer.body.contains("theme.name") && !answer.header.contains("theme.name"))
      }
      for role in ["scorer", "viewer", "board"] {
        let token = try wall.token("x", role)
        let type = path == "/settings" ? "application/json" : "text/plain"
        let fields = ["Authorization: Bearer \(token)", "Content-Type: \(type)"]
        let answer = try wall.answer(method, path, fields, body)
        #expect(answer.status == 403, "\(method) \(path) \(role)")
      }
      #expect(wall.daemon.handler.set.isEmpty)
    }
    // Not by a command either.
    for text in ["settings", "settings set theme.name paper", "remote owner", "remote list"] {
      #expect(try wall.command(text, as: others[0]).status == 400, "\(text)")
    }
    for (method, path, body) in requests {
      let answer = try settings(wall, method, path, body, as: owner)
      #expect(answer.status == 200, "\(method) \(path): \(answer.body)")
    }
    #expect(wall.daemon.handler.set == ["theme.name": "paper"])
    let file = try settings(wall, "GET", "/settings.toml", as: owner)
    #expect(file.body == "theme.name = paper\n" && file.header.contains("filename=\"settings.toml\""))
  }

  @Test("Refusals of settings have the daemon's error; a change is made once, and not late")
  func settingsRefusals() throws {
    let wall = try WebRig()
    let owner = try wall.pair()
    func change(
      _ key: String, _ value: String, terms: [String]? = nil
    ) throws -> (status: Int?, reply: JSONValue) {
      let answer = try settings(wall, "POST", "/settings", set(key, value), as: owner, terms: terms)
      return (answer.status, try JSONReader.read(Array(answer.body.utf8)))
    }
    for (key, value, name) in [("theme.name", "bad", "SettingRefused"), ("x.y", "z", "UnknownSetting")] {
      let refused = try change(key, value)
      #expect(refused.status == 409 && refused.reply["name"]?.string == name)
      #expect(refused.reply["parameters"]?["key"]?.string == key)
    }
    let terms = wall.terms()
    let first = try change("theme.name", "paper", terms: terms)
    #expect(first.status == 200)
    #expect(first.reply["settings"]?.array?.first?["value"]?.string == "paper")
    wall.daemon.handler.set["theme.name"] = "slate"
    let again = try change("theme.name", "paper", terms: terms)
    #expect(again.status == 200 && again.reply["revision"] == first.reply["revision"])
    // The answer has the setting as it is now.
    #expect(again.reply["settings"]?.array?.first?["value"]?.string == "slate")
    #expect(wall.daemon.handler.set["theme.name"] == "slate")
    #expect(try change("theme.name", "paper", terms: wall.terms(age: 6_000_000_000)).status == 410)
    let damaged = try settings(wall, "PUT", "/settings.toml", "nonsense\n", as: owner)
    #expect(damaged.status == 409 && damaged.body.contains("BadSettings"))
    #expect(wall.daemon.handler.set["theme.name"] == "slate")
    wall.daemon.handler.saveFailure = "No space left on device"
    #expect(try change("theme.name", "ink").status == 202)
  }

  @Test("Of two owners who change what both have seen, the second one is refused, and sees the change")
  func settingsRevisions() throws {
    let wall = try WebRig()
    // Faster than people.
    wall.service.commandRates = AttemptLimiter(
      each: .init(burst: 1_000, perMinute: 1_000), all: .init(burst: 1_000, perMinute: 1_000))
    let owners = [try wall.pair(), try wall.pair("246810")]
    func read(_ owner: String) throws -> (revision: String, value: String?) {
      let answer = try settings(wall, "GET", "/settings.json", as: owner)
      let reply = try JSONReader.read(Array(answer.body.utf8))
      let revision = "\(reply["revision"]?.integer ?? -1)"
      #expect(answer.header.contains("ETag: \"\(revision)\""))
      #expect(reply["text"] == nil)
      let theme = reply["settings"]?.array?.first { $0["key"]?.string == "theme.name" }
      return (revision, theme?["value"]?.string)
    }
    var random = SplitMix(seed: 5)
    var seen = try owners.map { try read($0).revision }
    var expected: String?
    for round in 0..<60 {
      let index = random.int(0...1)
      let isCurrent = seen[index] == (try read(owners[0]).revision)
      let answer = try settings(
        wall, "POST", "/settings", set("theme.name", "t\(round)"), as: owners[index],
        ["If-Match: \"\(seen[index])\""])
      #expect(answer.status == (isCurrent ? 200 : 412), "\(answer.body)")
      if isCurrent { expected = "t\(round)" } else { #expect(answer.body.contains("SettingsChanged")) }
      let found = try read(owners[index])
      #expect(found.value == expected)
      // The owner who is refused reads the settings again; the other one has the revision of the answer.
      if !isCurrent || random.int(0...2) > 0 { seen[index] = found.revision }
    }
  }

  @Test("Spectators are shown only what `--viewers` allows")
  func viewers() throws {
    let paired = try WebRig(viewers: .paired)
    let stranger = try paired.stream(as: "viewer")
    #expect(try paired.loop.turn { stranger.last("link") != nil })
    #expect(stranger.role == "none" && stranger.last("match") == nil && stranger.last("display") == nil)
    let viewer = try paired.stream(as: "viewer", cookie: try paired.pair("654321"))
    #expect(try paired.loop.turn { viewer.last("match") != nil })
    _ = try paired.command("add-score home 1", as: try paired.pair())
    #expect(try paired.loop.turn { viewer.score == 1 })
    #expect(stranger.last("match") == nil)
    let none = try WebRig(viewers: .none)
    #expect(try none.answer("GET", "/events?as=viewer").status == 403)
    #expect(try none.answer("GET", "/board").status == 404)
  }

  @Test("A wrong code is refused, and after three an address has to wait")
  func wrongCodes() throws {
    let time = VirtualTime()
    let wall = try WebRig(virtualTime: time)
    for _ in 0..<3 { #expect(try wall.answer("POST", "/pair", WebRig.ownPage, "000000").status == 403) }
    let limited = try wall.answer("POST", "/pair", WebRig.ownPage, "123456")
    #expect(limited.status == 429)
    #expect(!limited.header.contains("Set-Cookie"))
    // The secret of the QR code is neither limited nor counted.
    for _ in 0..<30 {
      #expect(try wall.answer("POST", "/pair", WebRig.ownPage, "XbCdEfGhIjKlMnOpQrSt-_").status == 403)
    }
    _ = try wall.pair("AbCdEfGhIjKlMnOpQrSt-_")
    time.pass(60_000_000_000)
    // Nor are digits while the display shows none.
    for _ in 0..<10 { #expect(try wall.answer("POST", "/pair", WebRig.ownPage, "000001").status == 403) }
    // A right code does not count.
    for _ in 0..<5 { _ = try wall.pair() }
    #expect(wall.lines.all.contains { $0.contains("a wrong pairing code") })
    #expect(!wall.lines.all.contains { $0.contains("000000") || $0.contains("flipclock=") })
  }

  @Test("Unknown tokens are refused and soon limited; a paired device at the same address is not")
  func unknownTokens() throws {
    let wall = try WebRig()
    let cookie = try wall.pair()
    var statuses: [Int?] = []
    for _ in 0..<30 {
      statuses.append(try wall.command("undo", as: "flipclock=\(DeviceToken.random().text)").status)
    }
    #expect(statuses.prefix(20).allSatisfy { $0 == 401 })
    #expect(statuses.suffix(9).allSatisfy { $0 == 429 })
    #expect(try wall.command("add-score home 1", as: cookie).status == 200)
    #expect(wall.lines.all.filter { $0.contains("unknown token") }.count <= 2)
  }

  @Test("A command is performed once, however often it is sent")
  func once() throws {
    let wall = try WebRig()
    let cookie = try wall.pair()
    let terms = wall.terms(id: "a")
    for _ in 0..<3 { #expect(try wall.command("add-score home 1", as: cookie, terms: terms).status == 200) }
    // A refusal is final, too.
    let refused = wall.terms(id: "b")
    #expect(try wall.command("timer start --shot", as: cookie, terms: refused).status == 409)
    _ = try wall.command("timer start", as: cookie)
    #expect(try wall.command("timer start --shot", as: cookie, terms: refused).status == 409)
    // Another phone may use the same id.
    #expect(try wall.command("add-score home 1", as: try wall.pair(), terms: terms).status == 200)
    // The answer of the first one comes late, when the command has been sent again.
    wall.daemon.handler.delays = true
    let slow = wall.terms(id: "c")
    let clients = try (0..<3).map { _ in try TestClient(port: wall.port) }
    for client in clients {
      client.send(
        wall.request("POST", "/commands", WebRig.ownPage + slow + ["Cookie: \(cookie)"], "add-score home 1"))
    }
    #expect(try wall.loop.turn { wall.service.performing == 3 && wall.daemon.handler.reply() })
    #expect(try wall.loop.turn { clients.allSatisfy { $0.status == 200 } })
    #expect(wall.daemon.handler.matchState().teams.first?.score == 3)
  }

  @Test("A command that is older than five seconds, or from the future, is not performed")
  func late() throws {
    let wall = try WebRig()
    let cookie = try wall.pair()
    for age: Int64 in [6_000_000_000, 60_000_000_000, -6_000_000_000] {
      let answer = try wall.command("add-score home 1", as: cookie, terms: wall.terms(age: age))
      #expect(answer.status == 410 && answer.body.contains("nothing was changed"), "\(answer)")
    }
    let terms = wall.terms(age: 4_000_000_000)
    #expect(try wall.command("add-score home 1", as: cookie, terms: terms).status == 200)
    #expect(wall.daemon.handler.match.revision == 1)
  }

  @Test("A POST without an id or a time is refused, with the name of the missing field")
  func missingTerms() throws {
    let wall = try WebRig()
    let cookie = try wall.pair()
    let terms = wall.terms()
    for (index, name) in ["Idempotency-Key", "Flipclock-Time"].enumerated() {
      let answer = try wall.command("add-score home 1", as: cookie, terms: [terms[1 - index]])
      #expect(answer.status == 428 && answer.body.contains(name), "\(answer)")
    }
    #expect(wall.daemon.handler.match.revision == 0)
  }

  @Test("A device has at most eight streams; a further one closes the oldest")
  func streamsOfADevice() throws {
    let wall = try WebRig()
    let viewer = try wall.pair("654321")
    let scorer = try wall.pair()
    let scorersStream = try wall.stream(as: "scorer", cookie: scorer)
    let streams = try (0..<30).map { _ in try wall.stream(as: "viewer", cookie: viewer) }
    #expect(try wall.loop.turn { wall.service.subscribers.count == 9 })
    for stream in streams { stream.client.read() }
    #expect(streams.map(\.client.isClosed) == streams.indices.map { $0 < 22 })
    #expect(try wall.command("add-score home 1", as: scorer).status == 200)
    #expect(try wall.loop.turn { streams.last?.score == 1 && scorersStream.score == 1 })
  }

  @Test(
    "A trusted proxy's fields about its client are used: limits count the client, whose cookie is secure")
  func trustedProxy() throws {
    let wall = try WebRig(trustedProxies: ["127.0.0.1", "10.0.0.0/8"])
    let https = ["X-Forwarded-Proto: https"]
    let answer = try wall.answer("POST", "/pair", WebRig.ownPage + https, "123456")
    #expect(answer.header.contains("; Secure\r\n"))
    #expect(!(try wall.answer("POST", "/pair", WebRig.ownPage, "123456").header.contains("Secure")))
    func statuses(_ fields: [String], count: Int = 4) throws -> [Int?] {
      try (0..<count).map { _ in try wall.answer("POST", "/pair", WebRig.ownPage + fields, "000000").status }
    }
    // The client is the last hop that is not a proxy. The hops before it may be invented.
    #expect(try statuses(["X-Forwarded-For: 9.9.9.9, 192.168.1.7, 10.1.1.1"]) == [403, 403, 403, 429])
    #expect(try statuses(["X-Forwarded-For: 192.168.1.7"], count: 1) == [429])
    #expect(try statuses(["X-Forwarded-For: 192.168.1.8"], count: 1) == [403])
    #expect(wall.lines.all.contains { $0.contains("refused 192.168.1.7: ") })
  }

  @Test("A command for another revision is not performed, also if two arrive at once")
  func revisions() throws {
    let wall = try WebRig()
    let cookie = try wall.pair()
    for _ in 0..<3 { _ = try wall.command("add-score home 1", as: cookie) }
    #expect(try wall.command("undo", as: cookie, ["If-Match: \"2\""]).status == 412)
    let clients = try (0..<4).map { _ in try TestClient(port: wall.port) }
    for client in clients {
      client.send(
        wall.request(
          "POST", "/commands", WebRig.ownPage + wall.terms() + ["Cookie: \(cookie)", "If-Match: \"3\""],
          "undo")
      )
    }
    #expect(try wall.loop.turn { clients.allSatisfy(\.isComplete) })
    #expect(clients.map(\.status).filter { $0 == 200 }.count == 1)
    #expect(clients.map(\.status).filter { $0 == 412 }.count == 3)
    #expect(wall.daemon.handler.match.revision == 4)
    #expect(wall.service.link.match?.teams.first?.score == 2)
  }

  @Test("Of many commands at a time, those for another revision are refused and the others performed")
  func manyCommands() throws {
    let wall = try WebRig()
    let cookie = try wall.pair()
    let clients = try (0..<20).map { _ in try TestClient(port: wall.port) }
    for (index, client) in clients.enumerated() {
      let isConditional = index % 2 == 1
      client.send(
        wall.request(
          "POST", "/commands",
          WebRig.ownPage + wall.terms() + ["Cookie: \(cookie)"] + (isConditional ? ["If-Match: \"99\""] : []),
          "add-score home 1"))
    }
    #expect(try wall.loop.turn { clients.allSatisfy(\.isComplete) })
    #expect(clients.map(\.status).filter { $0 == 200 }.count == 10)
    #expect(clients.map(\.status).filter { $0 == 412 }.count == 10)
  }

  @Test("Many codes at a time wait for each other, and each is answered")
  func manyCodes() throws {
    let wall = try WebRig()
    let clients = try (0..<40).map { _ in try TestClient(port: wall.port) }
    for (index, client) in clients.enumerated() {
      let code = index == 39 ? "AbCdEfGhIjKlMnOpQrSt-_" : "XbCdEfGhIjKlMnOpQrSt-_"
      client.send(wall.request("POST", "/pair", WebRig.ownPage, code))
    }
    #expect(try wall.loop.turn { clients.allSatisfy(\.isComplete) })
    #expect(clients.map(\.status) == Array(repeating: 403, count: 39) + [200])
    #expect(wall.service.pairing.redeeming == 0 && wall.service.pairing.waiting.isEmpty)
    // Those that wait when the connection is lost are answered, too.
    let late = try (0..<10).map { _ in try TestClient(port: wall.port) }
    for client in late {
      client.send(wall.request("POST", "/pair", WebRig.ownPage, "XbCdEfGhIjKlMnOpQrSt-_"))
    }
    wall.daemon.stop()
    #expect(try wall.loop.turn { late.allSatisfy(\.isComplete) })
    #expect(late.allSatisfy { $0.status == 503 || $0.status == 403 })
    #expect(wall.service.pairing.redeeming == 0 && wall.service.pairing.waiting.isEmpty)
  }

  @Test("When the daemon is back, pages get the new match before the news that it is connected")
  func newMatchFirst() throws {
    let wall = try WebRig()
    let stream = try wall.stream(as: "viewer")
    #expect(try wall.loop.turn { stream.score == 0 })
    wall.daemon.stop()
    #expect(try wall.loop.turn { stream.last("link")?["connected"]?.bool == false })
    wall.daemon.handler.perform(.match(.addScore(team: "home", by: 7))) { _ in }
    try wall.daemon.start()
    #expect(try wall.loop.turn { stream.last("link")?["connected"]?.bool == true })
    let events = stream.events
    let lost = try #require(events.firstIndex { $0.data["connected"]?.bool == false })
    let names = events[lost...].map(\.name).filter { $0 != "beat" }
    #expect(names == ["link", "match", "display", "link"], "\(names)")
    #expect(stream.score == 7)
  }

  @Test("While a clock runs and somebody watches, a daemon that does not answer for 5 s counts as lost")
  func silentDaemon() throws {
    let wall = try WebRig(virtualTime: VirtualTime())
    let service = wall.service
    var now: Int64 = 0
    service.clock = { now }
    let cookie = try wall.pair()
    let stream = try wall.stream(as: "viewer")
    // No clock runs, so nothing is asked.
    service.checkDaemon()
    #expect(service.askedAt == nil)
    #expect(try wall.command("timer start", as: cookie).status == 200)
    // At each beat the daemon is asked, and answers at once.
    for _ in 0..<3 {
      #expect(try wall.loop.turn { service.askedAt != nil })
      #expect(try wall.loop.turn { service.askedAt == nil })
    }
    #expect(stream.events.filter { $0.name == "link" }.count == 1)
    // Now it does not answer.
    now = 10_000_000_000
    service.checkDaemon()
    #expect(service.askedAt == now)
    now += RemoteService.answerNanoseconds
    service.checkDaemon()
    #expect(service.silentSince == 10_000_000_000)
    #expect(
      try wall.loop.turn {
        stream.events.filter { $0.name == "link" }.map { $0.data["connected"]?.bool } == [true, false, true]
      })
    #expect(stream.events.first { $0.data["connected"]?.bool == false }?.data["seconds"]?.integer == 5)
    #expect(service.silentSince == nil)
    #expect(try wall.command("timer pause", as: cookie).status == 200)
    #expect(try wall.loop.turn { service.askedAt == nil })
    service.checkDaemon()
    #expect(service.askedAt == nil)
  }

  @Test("Without the daemon, pages show how long it has been gone, and commands are refused until it is back")
  func daemonGone() throws {
    let wall = try WebRig()
    let cookie = try wall.pair()
    _ = try wall.command("add-score home 1", as: cookie)
    let stream = try wall.stream(as: "scorer", cookie: cookie)
    wall.daemon.stop()
    #expect(try wall.loop.turn { stream.last("link")?["connected"]?.bool == false })
    #expect(try wall.command("add-score home 1", as: cookie).status == 503)
    #expect(try wall.answer("POST", "/pair", WebRig.ownPage, "123456").status == 503)
    let late = try wall.stream(as: "viewer")
    #expect(try wall.loop.turn { late.score == 1 })
    #expect(late.last("link")?["connected"]?.bool == false)
    // A page that had a connection before must not take the old match for the present one.
    #expect(late.events.map(\.name).filter { $0 != "beat" } == ["words", "role", "link", "display", "match"])
    #expect(late.last("link")?["seconds"]?.integer ?? -1 >= 0)
    try wall.daemon.start()
    #expect(try wall.loop.turn { late.last("link")?["connected"]?.bool == true })
    #expect(try wall.command("add-score home 1", as: cookie).status == 200)
    #expect(try wall.loop.turn { late.score == 2 && stream.score == 2 })
  }

  @Test("A program's token is given out once, listed, kept as a hash, limited to its role, and forgotten")
  func programs() throws {
    let wall = try WebRig()
    let scorer = try wall.token("stream-deck", "scorer")
    let viewer = try wall.token("score", "viewer")
    let board = try wall.token("kitchen", "board", board: "hall")
    let list = try wall.call("List")["parameters"]?["devices"]?.array ?? []
    #expect(list.map { $0["name"]?.string } == ["stream-deck", "score", "kitchen"])
    #expect(list.map { $0["role"]?.string } == ["scorer", "viewer", "board"])
    #expect(list.map { $0["board"]?.string } == [nil, nil, "hall"])
    let stored = String(decoding: wall.service.store.registry.document, as: UTF8.self)
    for token in [scorer, viewer, board] {
      #expect(!stored.contains(token) && !wall.lines.all.contains { $0.contains(token) })
    }
    func status(_ method: String, _ path: String, _ body: String, _ token: String) throws -> Int? {
      try wall.answer(method, path, ["Authorization: Bearer \(token)", "Content-Type: text/plain"], body)
        .status
    }
    for (method, path, body, expected) in [
      ("POST", "/commands", "add-score home 1", [200, 403, 403]),
      ("POST", "/commands", "board hall X", [200, 403, 200]),
      ("PUT", "/boards/hall", "ZURICH", [200, 403, 200]), ("DELETE", "/boards/hall", "", [200, 403, 200]),
      ("PUT", "/boards/hal", "ZURICH", [404, 403, 403]), ("GET", "/matches.csv", "", [200, 200, 200]),
    ] {
      for (token, expected) in zip([scorer, viewer, board], expected) {
        #expect(try status(method, path, body, token) == expected, "\(method) \(path) \(body)")
      }
    }
    // The sender is the name that the program was given.
    let reply = try wall.answer(
      "PUT", "/boards/hall", ["Authorization: Bearer \(board)", "Content-Type: text/plain"], "A\nB\nC\nD")
    #expect(reply.body.contains("shown on hall, which no page has; no place for: D"), "\(reply.body)")
    let shown = wall.daemon.handler.displayState().boards.first
    #expect(shown?.text == "A\nB\nC\nD" && shown?.from == "kitchen")
    _ = try wall.call("Forget", ["device": list[2]["id"] ?? .null])
    let unknown = try wall.answer("DELETE", "/boards/hall", ["Authorization: Bearer \(board)"])
    #expect(unknown.status == 401)
    #expect(unknown.header.contains("WWW-Authenticate: Bearer realm=\"flipclock\", error=\"invalid_token\""))
    #expect(try status("POST", "/commands", "undo", scorer) == 200)
  }

  @Test("A token is not made with a name, a role or a board that cannot be")
  func unusableTokens() throws {
    let wall = try WebRig()
    for (name, role, board) in [
      ("", "viewer", nil), ("a\u{1b}", "viewer", nil), ("x", "admin", nil), ("x", "owner", nil),
      ("x", "scorer", "hall"), ("x", "board", "hal"),
    ] {
      var parameters: [String: JSONValue] = ["name": .string(name), "role": .string(role)]
      parameters["board"] = board.map { .string($0) }
      #expect(try wall.call("AddToken", parameters)["error"] != nil, "\(name) \(role)")
    }
    #expect(wall.service.store.registry.devices.isEmpty)
    _ = wall.directory.place("devices.json/x")
    let unsaved = try wall.call("AddToken", ["name": .string("x"), "role": .string("viewer")])
    #expect(unsaved["error"]?.string == "org.flipclock.Web.NotStored")
    #expect(wall.service.store.registry.devices.isEmpty)
  }

  @Test("The state is for everybody who may watch; a wrong token is refused")
  func state() throws {
    let wall = try WebRig()
    let answer = try wall.answer("GET", "/state.json")
    #expect(answer.status == 200 && answer.header.contains("Content-Type: application/json\r\n"))
    #expect(answer.header.contains("Cache-Control: no-store\r\n"))
    #expect(try wall.answer("HEAD", "/state.json").status == 200)
    let array = try JSONReader.read(Array(try wall.answer("GET", "/state.json?as=array").body.utf8)).array
    #expect(array?.count == 1 && array?.first?["team1_name"]?.string == "HOME")
    #expect(try wall.answer("GET", "/state.json?as=csv").status == 400)
    let wrong = "Authorization: Bearer \(DeviceToken.random().text)"
    #expect(try wall.answer("GET", "/state.json", [wrong]).status == 401)
    #expect(try wall.answer("PUT", "/boards/hall", [wrong], "{").status == 401)
    #expect(try wall.answer("GET", "/state.json", ["Authorization: Basic eDp5"]).status == 200)
    wall.daemon.stop()
    try wall.loop.turn { !wall.service.link.isConnected }
    let lost = try wall.answer("GET", "/state.json")
    #expect(lost.status == 503 && lost.header.contains("Retry-After: "))
    for viewers in [Viewers.paired, .none] {
      let closed = try WebRig(viewers: viewers)
      #expect(try closed.answer("GET", "/state.json").status == 401)
      #expect(try closed.answer("GET", "/state.json", ["Cookie: \(try closed.pair("654321"))"]).status == 200)
      let token = try closed.token("kitchen", "board")
      #expect(try closed.answer("GET", "/state.json", ["Authorization: Bearer \(token)"]).status == 200)
    }
  }

  @Test("A request for which the program is started waits for the connection to the daemon, but not forever")
  func early() throws {
    #expect(try WebRig(daemon: .starting).answer("GET", "/state.json").status == 200)
    #expect(try WebRig(daemon: .missing).answer("GET", "/state.json").status == 503)
    let time = VirtualTime()
    let wall = try WebRig(virtualTime: time, daemon: .silent)
    let client = try TestClient(port: wall.port)
    client.send(wall.request("GET", "/state.json", []))
    try wall.loop.turn { wall.service.server.owesAnswers }
    let begin = time.now
    // Pages do not wait.
    #expect(try wall.answer("GET", "/").status == 200 && client.status == nil)
    try wall.loop.turn { client.isComplete }
    #expect(client.status == 503 && time.now - begin > RemoteService.connectNanoseconds / 2)
  }

  @Test("A device sends at most forty commands a second, and one board gets at most ten texts a second")
  func commandRates() throws {
    let time = VirtualTime()
    let wall = try WebRig(virtualTime: time)
    let (one, other) = (try wall.token("one", "board"), try wall.token("other", "scorer"))
    func put(_ board: String, _ token: String) throws -> (status: Int?, header: String) {
      let answer = try wall.answer(
        "PUT", "/boards/\(board)", ["Authorization: Bearer \(token)", "Content-Type: text/plain"], "x")
      return (answer.status, answer.header)
    }
    let statuses = try (0..<45).map { _ in try put("none", one).status }
    #expect(statuses == Array(repeating: 404, count: 40) + Array(repeating: 429, count: 5))
    #expect(try put("none", one).header.contains("Retry-After: 1\r\n"))
    #expect(try put("none", other).status == 404)
    time.pass(500_000_000)
    #expect(try (0..<25).map { _ in try put("none", one).status }.filter { $0 == 404 }.count == 20)
    // The daemon limits the texts of a board, whoever sends them.
    time.pass(60_000_000_000)
    let texts = try (0..<35).map { try put("hall", $0 % 2 == 0 ? one : other).status }
    #expect(texts == Array(repeating: 200, count: 30) + Array(repeating: 429, count: 5))
    #expect(try put("hall", one).header.contains("Retry-After: 1\r\n"))
  }

  @Test("A forgotten device loses its role at once")
  func forget() throws {
    let wall = try WebRig()
    let cookie = try wall.pair()
    let stream = try wall.stream(as: "scorer", cookie: cookie)
    #expect(try wall.loop.turn { stream.role == "owner" })
    let device = try #require(try wall.call("List")["parameters"]?["devices"]?.array?.first)
    #expect(device["role"]?.string == "owner")
    #expect(device["connected"]?.bool == true)
    let unknown = try wall.call("Forget", ["device": .string("zzz")])
    #expect(unknown["error"]?.string == "org.flipclock.Web.UnknownDevice")
    #expect(
      try wall.call("Forget", ["device": device["id"] ?? .null])["parameters"]?["devices"]?.array?.count == 1)
    #expect(try wall.loop.turn { stream.role == "none" })
    #expect(try wall.command("undo", as: cookie).status == 401)
    _ = try wall.pair()
    #expect(try wall.call("Forget")["parameters"]?["devices"]?.array?.count == 1)
    #expect(try wall.call("List")["parameters"]?["devices"]?.array?.isEmpty == true)
    #expect(try wall.call("Nonsense")["error"]?.string == "org.varlink.service.MethodNotFound")
    #expect(try wall.call("List", ["x": .null])["error"]?.string == "org.varlink.service.InvalidParameter")
  }

  @Test("Beats come every two seconds while there are streams; without any, nothing wakes the loop")
  func beats() throws {
    let time = VirtualTime()
    let wall = try WebRig(virtualTime: time)
    let stream = try wall.stream(as: "viewer")
    let start = time.now
    // Reading all events in each turn takes too long.
    func beats() -> Int { stream.client.text.split(separator: "event: beat").count - 1 }
    // The first one is at the beginning.
    #expect(try wall.loop.turn { beats() == 6 })
    #expect((9_900_000_000...10_500_000_000).contains(time.now - start))
    stream.client.close()
    #expect(try wall.loop.turn { wall.service.subscribers.isEmpty })
    #expect(wall.service.isUnused)
  }

  @Test("A stream whose client reads nothing for 30 s is dropped; others are not")
  func stuckReader() throws {
    let wall = try WebRig(virtualTime: VirtualTime())
    let service = wall.service
    var now: Int64 = 0
    service.clock = { now }
    let stuck = try wall.stream(as: "viewer")
    let other = try wall.stream(as: "viewer")
    let padding = StreamEvent("padding", data: [UInt8](repeating: 0x78, count: 100_000))
    func delays() -> [Int64] { service.subscribers.values.map(\.stream.delay) }
    // Fills the buffers of the kernel.
    for _ in 0..<100 {
      for subscriber in service.subscribers.values { subscriber.stream.send(padding) }
      now += 1
      for _ in 0..<4 {
        try wall.loop.turn(timeoutMilliseconds: 0)
        other.client.read()
        other.client.forget()
      }
    }
    let isReading = {
      other.client.read()
      return delays().contains(0)
    }
    #expect(try wall.loop.turn(until: isReading))
    #expect(delays().contains { $0 > 0 })
    // The kernel may still take some of the last event, which then is no event that waits. So time goes on.
    #expect(
      try wall.loop.turn {
        now += RemoteService.readerNanoseconds / 100
        other.client.read()
        return service.subscribers.count == 1
      })
    #expect(wall.lines.all.contains { $0.contains("read nothing") })
    stuck.client.close()
  }

  @Test("Streams that come and go at random leave nothing behind, and those that stay have the last score")
  func random() throws {
    var random = SplitMix(seed: 11)
    for _ in 0..<TestEffort.rounds(3, long: 100) {
      let wall = try WebRig()
      let cookie = try wall.pair()
      let scorer = try TestClient(port: wall.port)
      var streams: [Stream] = []
      for _ in 0..<100 {
        switch random.int(0...3) {
        case 0:
          let client = try TestClient(port: wall.port)
          client.send(wall.request("GET", "/events?as=viewer", []))
          streams.append(Stream(client))
        case 1:
          if let index = streams.indices.randomElement(using: &random) {
            streams.remove(at: index).client.close()
          }
        default:
          scorer.send(
            wall.request(
              "POST", "/commands", WebRig.ownPage + wall.terms() + ["Cookie: \(cookie)"], "add-score home 1"))
        }
        for _ in 0..<random.int(0...3) { try wall.loop.turn(timeoutMilliseconds: 0) }
      }
      // It is refused if a busy machine needs more than five seconds for it.
      #expect(try wall.loop.turn { try wall.command("set-score home 777", as: cookie).status == 200 })
      // Commands that the scorer had sent before may be performed after it.
      #expect(
        try wall.loop.turn {
          let score = wall.daemon.handler.matchState().teams.first?.score
          return streams.allSatisfy { $0.score == score } && (score ?? 0) >= 777
        })
      for stream in streams { stream.client.close() }
      _ = try wall.command("add-score home 1", as: cookie)
      #expect(try wall.loop.turn { wall.service.subscribers.isEmpty })
    }
  }
}
