// SPDX-License-Identifier: Apache-2.0

import CommandSamples
import Commands
import LinuxSystem
import TestSupport
import Testing
import WebServer

@testable import WebRemote

@Suite struct DeviceTests {
  @Test("The hash is SHA-256")
  func hash() {
    // The examples of FIPS 180-4.
    #expect(
      TokenHash(of: Array("abc".utf8)).hexadecimal
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      TokenHash(of: []).hexadecimal == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    let token = DeviceToken.random()
    #expect(TokenHash(hexadecimal: token.hash.hexadecimal) == token.hash)
    #expect(token.hash.isEqual(to: token.hash))
    #expect(!token.hash.isEqual(to: DeviceToken.random().hash))
    for text in ["", "ba78", String(repeating: "g", count: 64), String(repeating: "é", count: 32)] {
      #expect(TokenHash(hexadecimal: text) == nil)
    }
  }

  @Test("Tokens are long, differ, and are read only whole")
  func tokens() {
    let tokens = Set((0..<100).map { _ in DeviceToken.random().text })
    #expect(tokens.count == 100)
    for token in tokens {
      #expect(DeviceToken(token)?.text == token)
      #expect(DeviceToken(String(token.dropLast())) == nil)
      #expect(DeviceToken(token + "A") == nil)
    }
  }

  @Test("Tokens are read from cookies")
  func cookies() {
    let one = DeviceToken.random()
    let two = DeviceToken.random()
    #expect(Cookies.tokens(nil).isEmpty)
    #expect(Cookies.tokens("").isEmpty)
    #expect(Cookies.tokens("flipclock=\(one.text)") == [one])
    #expect(Cookies.tokens("a=b; flipclock=\(one.text);flipclock=\(two.text); flipclock=x") == [one, two])
    #expect(Cookies.tokens("xflipclock=\(one.text); flipclock2=\(one.text); flipclock").isEmpty)
    #expect(Cookies.tokens("flipclock=\"\(one.text)\"").isEmpty)
    let many = (0..<10).map { _ in "flipclock=\(DeviceToken.random().text)" }.joined(separator: "; ")
    #expect(Cookies.tokens(many).count == 4)
    let cookie = Cookies.setting(one, isSecure: false)
    #expect(cookie.hasPrefix("flipclock=\(one.text); HttpOnly; SameSite=Strict; Path=/; Max-Age="))
    #expect(Cookies.setting(one, isSecure: true) == cookie + "; Secure")
  }

  private func registry(_ count: Int, role: DeviceRole = .scorer) -> (DeviceRegistry, [DeviceToken]) {
    var registry = DeviceRegistry()
    let tokens = (0..<count).map { _ in DeviceToken.random() }
    for (index, token) in tokens.enumerated() {
      _ = registry.add(token, role: role, name: "iPhone", at: Int64(1000 + index))
    }
    return (registry, tokens)
  }

  @Test("A device is found by its token")
  func find() throws {
    let (registry, tokens) = registry(5)
    for (index, token) in tokens.enumerated() {
      #expect(registry.device(with: [token]) == registry.devices[index])
      #expect(registry.device(with: [DeviceToken.random(), token]) == registry.devices[index])
    }
    #expect(registry.device(with: [DeviceToken.random()]) == nil)
    #expect(registry.device(with: []) == nil)
    #expect(Set(registry.devices.map(\.id)).count == 5)
  }

  @Test(
    "Of too many devices, the viewer that was unused for longest is removed first; connected ones stay"
  )
  func limit() throws {
    var (registry, tokens) = registry(DeviceRegistry.limit - 1)
    let viewer = registry.add(.random(), role: .viewer, name: "Android", at: 5000).device
    let removed = registry.add(.random(), role: .scorer, name: "Mac", at: 6000).removed
    #expect(removed == viewer)
    #expect(registry.devices.count == DeviceRegistry.limit)
    let first = registry.devices[0].id
    _ = registry.use(first, at: 10_000)
    let second = registry.devices[1].id
    let third = registry.devices[2].id
    #expect(
      registry.add(.random(), role: .scorer, name: "Mac", at: 6000, connected: [second]).removed?.id == third)
    #expect(registry.device(with: [tokens[0]]) != nil)
    #expect(registry.device(with: [tokens[2]]) == nil)
  }

  @Test("Owners are removed last, whoever is connected")
  func ownersStay() {
    var (registry, _) = registry(DeviceRegistry.limit - 1)
    let owner = registry.add(.random(), role: .owner, name: "iPhone", at: 1).device
    let others = Set(registry.devices.map(\.id)).subtracting([owner.id])
    for number in 0..<200 {
      _ = registry.add(
        .random(), role: number % 2 == 0 ? .viewer : .scorer, name: "Mac", at: Int64(number),
        connected: others)
      #expect(registry.devices.contains(owner) && registry.devices.count == DeviceRegistry.limit)
    }
  }

  @Test("In any order of events, a device is an owner only by a code for it, or if there was none")
  func owners() throws {
    var random = SplitMix(seed: 31)
    var registry = DeviceRegistry()
    for _ in 0..<TestEffort.rounds(2_000, long: 100_000) {
      let before = registry
      let replaced = random.int(0...3) == 0 ? registry.devices.randomElement(using: &random) : nil
      let code = RemoteRole.allCases[random.int(0...2)]
      switch random.int(0...9) {
      case 0...5:
        let role = registry.role(code, replacing: replaced)
        if let replaced { _ = registry.remove(replaced.id) }
        _ = registry.add(.random(), role: role, name: "x", at: 0)
        let isFirst = code == .scorer && !before.hasOwner
        let stays = code == .scorer && replaced?.role == .owner
        #expect(role == (isFirst || stays ? .owner : DeviceRole(code)))
        // The last owner is lost only if it is paired as a viewer.
        #expect(registry.hasOwner || !before.hasOwner || replaced?.role == .owner && code == .viewer)
      case 6: _ = registry.add(.random(), role: .board, name: "x", at: 0)
      case 7, 8:
        if let device = registry.devices.randomElement(using: &random) { _ = registry.remove(device.id) }
      default: registry = try DeviceRegistry(reading: registry.document)
      }
    }
  }

  @Test("Scorers in a file without owners stay scorers; the next one that is paired is the owner")
  func fileWithoutOwners() throws {
    let hash = DeviceToken.random().hash.hexadecimal
    let entries = ["scorer", "viewer", "board"].map {
      #"{"id":"\#($0)","sha256":"\#(hash)","role":"\#($0)","name":"iPhone","paired":5,"seen":6}"#
    }
    let registry = try DeviceRegistry(
      reading: Array(#"{"version":1,"devices":[\#(entries.joined(separator: ","))]}"#.utf8))
    #expect(registry.devices.map(\.role) == [.scorer, .viewer, .board] && !registry.hasOwner)
    #expect(registry.role(.scorer, replacing: nil) == .owner)
    #expect(registry.role(.scorer, replacing: registry.devices[0]) == .owner)
    #expect(registry.role(.viewer, replacing: nil) == .viewer)
  }

  @Test("A token can be an argument of a program: it does not begin with a dash")
  func dashes() {
    for _ in 0..<2_000 { #expect(!DeviceToken.random().text.hasPrefix("-")) }
  }

  @Test("A token in the header has precedence over cookies, and only as a bearer token")
  func credentials() {
    let (one, other) = (DeviceToken.random(), DeviceToken.random())
    func tokens(_ field: String?) -> (tokens: [String], isOfProgram: Bool) {
      var request = HTTPRequest(method: "GET", path: "/")
      request.headers = ["cookie": "flipclock=\(other.text)"]
      request.headers["authorization"] = field
      let credentials = Credentials(of: request)
      return (credentials.tokens.map(\.text), credentials.isOfProgram)
    }
    #expect(tokens(nil) == ([other.text], false))
    for scheme in ["Bearer", "bearer", "BEARER "] {
      #expect(tokens("\(scheme) \(one.text)") == ([one.text], true))
    }
    for field in [
      "Bearer", "Bearer x", "Bearer \(one.text), Bearer \(one.text)", "Bearer \(one.text) x",
    ] { #expect(tokens(field) == ([], true), "\(field)") }
    // A password for a proxy in front of the pages.
    for field in ["", "Basic \(one.text)", one.text] {
      #expect(tokens(field) == ([other.text], false), "\(field)")
    }
  }

  /// What each role may do.
  @Test("A role allows its changes, and no others", arguments: DeviceRole.allCases)
  func roles(role: DeviceRole) {
    func allows(_ change: Change, board: String? = nil) -> Bool {
      let device = Device(
        id: "a", hash: DeviceToken.random().hash, role: role, isProgram: false, board: board, name: "x",
        paired: 0, seen: 0)
      do throws(RequestRefusal) {
        try device.check(change)
        return true
      } catch {
        #expect(error.status == 403)
        return false
      }
    }
    let scores = role == .owner || role == .scorer
    for change in CommandSamples.changes {
      let isOfBoard =
        switch change {
        case .setBoard(_, let text): !text.showsPage
        case .clearBoard, .reportProblem: true
        default: false
        }
      #expect(allows(change) == (scores || role == .board && isOfBoard), "\(change)")
    }
    for change in [Change.setBoard("hall", PushedText("x")), .clearBoard("hall")] {
      #expect(allows(change, board: "hall") == (role != .viewer))
      #expect(allows(change, board: "other") == scores)
    }
    #expect(allows(.setBoard("hall", PushedText("x", showsPage: true))) == scores)
  }

  @Test("A use is stored at most once an hour")
  func use() {
    var (registry, _) = registry(1)
    let id = registry.devices[0].id
    let uses: [(String, Int64)] = [(id, 4599), (id, 4600), (id, 4601), (id, 0), ("unknown", 0)]
    let stored = uses.map { registry.use($0, at: $1) }
    #expect(stored == [false, true, false, true, false])
  }

  @Test("The file is read as it was written; a damaged one is refused or has the same devices")
  func file() throws {
    var (registry, tokens) = registry(2)
    let program = DeviceToken.random()
    _ = registry.add(program, role: .board, isProgram: true, board: "hall", name: "kitchen", at: 7)
    tokens.append(program)
    let document = registry.document
    #expect(try DeviceRegistry(reading: document) == registry)
    for token in tokens { #expect(!String(decoding: document, as: UTF8.self).contains(token.text)) }
    for length in 0..<document.count - 2 {
      #expect(throws: DeviceRegistry.Malformed.self) {
        try DeviceRegistry(reading: Array(document.prefix(length)))
      }
    }
    var random = SplitMix(seed: 3)
    for _ in 0..<TestEffort.rounds(500, long: 50_000) {
      var bytes = document
      bytes[random.int(0...bytes.count - 1)] = UInt8.random(in: .min ... .max, using: &random)
      if let other = try? DeviceRegistry(reading: bytes) { #expect(other.devices.count == 3) }
    }
    for text in [
      "{}", #"{"version":2,"devices":[]}"#, #"{"version":1}"#, "[]",
      #"{"version":1,"devices":[{"id":"a","sha256":"00","role":"scorer","name":"","paired":0,"seen":0}]}"#,
    ] {
      #expect(throws: DeviceRegistry.Malformed.self) { try DeviceRegistry(reading: Array(text.utf8)) }
    }
  }

  @Test("A device's name comes from its user agent")
  func names() {
    #expect(
      Device.name(userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15")
        == "iPhone")
    #expect(Device.name(userAgent: "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36") == "Android")
    #expect(Device.name(userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101") == "Linux")
    #expect(Device.name(userAgent: "curl/8\u{1b}[31m") == "unknown")
    #expect(Device.name(userAgent: nil) == "unknown")
  }

  @Test("If a device cannot be stored, all that were known before are still known")
  func notStored() throws {
    let directory = try TemporaryDirectory()
    let loop = try EventLoop()
    let (registry, _) = registry(DeviceRegistry.limit)
    let path = directory.place("web")
    directory.put("web/devices.json", registry.document)
    let store = try DeviceStore(directory: path, on: loop, log: Log { _, _ in })
    directory.remove("web")
    for replaced in [nil, store.registry.devices.last] {
      var result: Result<Device, SystemError>?
      let known = Set(store.registry.devices)
      store.add(.random(), role: .scorer, name: "iPad", at: 99, connected: [], replacing: replaced) {
        result = $0
      }
      while result == nil { try loop.turn(timeoutMilliseconds: 10) }
      #expect(throws: SystemError.self) { try #require(result).get() }
      #expect(Set(store.registry.devices) == known && known.count == DeviceRegistry.limit)
    }
    store.close()
  }

  @Test("The store keeps devices, and sets a damaged file aside")
  func store() throws {
    let directory = try TemporaryDirectory()
    let loop = try EventLoop()
    let log = Log { _, _ in }
    let token = DeviceToken.random()
    do {
      let store = try DeviceStore(directory: directory.path, on: loop, log: log)
      var added: Device?
      store.add(token, role: .scorer, name: "iPhone", at: 7, connected: [], replacing: nil) {
        added = try? $0.get()
      }
      store.close()
      #expect(added?.role == .scorer)
    }
    do {
      let store = try DeviceStore(directory: directory.path, on: loop, log: log)
      #expect(store.registry.device(with: [token])?.name == "iPhone")
      let other = DeviceToken.random()
      let before = store.registry.devices.first
      store.add(other, role: .viewer, name: "iPhone", at: 8, connected: [], replacing: before) { _ in }
      #expect(store.registry.device(with: [token]) == nil)
      store.close()
    }
    directory.write("devices.json", "{")
    let store = try DeviceStore(directory: directory.path, on: loop, log: log)
    #expect(store.registry.devices.isEmpty)
    #expect(directory.names() == ["devices.json.bad"])
    store.close()
  }
}
