// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc
import LinuxSystem
import MachineNetwork
import SystemBus
import TestSupport
import Testing
import Varlink

@testable import HostRemote

@Suite struct HostStateTests {
  @Test func whatIsStoredIsRead() {
    for _ in 0..<200 {
      var state = HostState()
      state.memory.hasBeenOnline = Bool.random()
      state.memory.isFallbackAllowed = Bool.random()
      state.memory.isLost = Bool.random()
      state.country = Bool.random() ? "DE" : nil
      #expect(HostState(reading: state.bytes) == state)
    }
  }

  @Test func aDamagedFileIsNoStateOrASoundOne() {
    let bytes = HostState().bytes
    for length in 0..<(bytes.count - 2) { #expect(HostState(reading: Array(bytes.prefix(length))) == nil) }
    for index in bytes.indices {
      for byte in [0, 0x22, 0x5c, 0x61, 0xff] as [UInt8] {
        var changed = bytes
        changed[index] = byte
        if let state = HostState(reading: changed) { #expect(HostState(reading: state.bytes) == state) }
      }
    }
  }

  @Test func onlyItsUserCanReadThePassword() throws {
    let directory = try TemporaryDirectory()
    let log = Log { _, _ in }
    let first = HostState.load(directory.path, log: log)
    var status = stat()
    #expect(stat("\(directory.path)/state.json", &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(HostState.load(directory.path, log: log) == first && !first.memory.isLost)
  }

  /// systemd sets the country after a change of its file, and gives up after a few in a row.
  @Test func theFileOfTheCountryIsWrittenForAChangeOnly() throws {
    let directory = try TemporaryDirectory()
    let log = Log { _, _ in }
    var state = HostState.load(directory.path, log: log)
    func written() -> ino_t? {
      var status = stat()
      return stat("\(directory.path)/country", &status) == 0 ? status.st_ino : nil
    }
    #expect(written() == nil)
    var last: ino_t?
    // Opened, so that no other file gets its number.
    var open: [CInt] = []
    for country in ["DE", "FR", "DE"] {
      state.country = country
      state.save(directory.path, log: log)
      let first = written()
      #expect(first != nil && first != last)
      last = first
      open.append(Glibc.open("\(directory.path)/country", O_RDONLY))
      for isAllowed in [true, false, true] {
        state.memory.isFallbackAllowed = isAllowed
        state.save(directory.path, log: log)
        #expect(written() == first)
      }
    }
    for file in open { close(file) }
  }

  /// The new state is stored, and says that another was lost. The old file is kept for a person.
  @Test(arguments: [[], [0x7b], [UInt8](repeating: 0, count: 300), [UInt8](repeating: 0x20, count: 100_000)])
  func aDamagedFileIsSetAside(_ bytes: [UInt8]) throws {
    let directory = try TemporaryDirectory()
    let log = Log { _, _ in }
    try AtomicFile.write(bytes, to: "\(directory.path)/state.json")
    let state = HostState.load(directory.path, log: log)
    #expect(state.memory.isLost && !state.memory.hasBeenOnline && !state.isReadOnly)
    #expect(HostState.load(directory.path, log: log) == state)
    let aside = (fileNames(in: directory.path) ?? []).filter { $0.hasPrefix("state.json.bad-") }
    #expect(aside.count == 1)
    for name in aside { #expect(try readFile("\(directory.path)/\(name)", limit: 1 << 20) == bytes) }
  }

  /// A link to itself is a file that cannot be read by any user, and need not be damaged.
  @Test func whatCannotBeReadIsNotReplaced() throws {
    let directory = try TemporaryDirectory()
    let log = Log { _, _ in }
    #expect(symlink("state.json", "\(directory.path)/state.json") == 0)
    var state = HostState.load(directory.path, log: log)
    #expect(state.memory.isLost && state.isReadOnly)
    state.country = "DE"
    state.save(directory.path, log: log)
    #expect(fileNames(in: directory.path) == ["state.json"])
    var status = stat()
    #expect(lstat("\(directory.path)/state.json", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func accessPointsHaveNamesAndPasswordsThatCanBeReadAndTyped() {
    var names: Set<String> = []
    for _ in 0..<100 {
      let identity = AccessPointIdentity.random()
      names.insert(identity.name)
      let notice = NetworkNotice(.accessPoint(nil), identity, page: "http://10.42.0.1/")
      #expect(notice.isSound && identity.name.utf8.count == 14)
      #expect([1, 6, 11].contains(NetworkProfiles.channel(of: identity)))
    }
    #expect(names.count > 90)
  }

  @Test func everyNetworkCanBeShown() {
    var random = SplitMix(seed: 2)
    let identity = AccessPointIdentity.random()
    for _ in 0..<5000 {
      let bytes = (0..<random.int(1...32)).map { _ in UInt8(random.int(0...255)) }
      guard let name = NetworkName(bytes) else { continue }
      let failure = NetworkSetup.Failure(network: name, problem: .notFound)
      let cards: [NetworkSetup.Card] = [
        .accessPoint(failure), .joining(name), .joined(name, address: nil), .failed(failure),
      ]
      for card in cards {
        #expect(NetworkNotice(card, identity, page: "http://10.42.0.1/").isSound, "\(bytes)")
      }
    }
  }

  @Test(
    arguments: [
      ("", "12345678", "DE", "network"), ("Home", "short", nil, "password"), ("Home", nil, "de", "country"),
      ("Home", nil, "DEU", "country"), (String(repeating: "x", count: 33), nil, nil, "network"),
      ("Home", "new\nline", nil, "password"),
    ] as [(String, String?, String?, String)])
  func whatCannotBeUsedIsRefusedWithoutThePassword(
    _ network: String, _ password: String?, _ country: String?, _ field: String
  ) {
    do throws(VarlinkError) {
      _ = try HostControl.request(network, password, country)
      Issue.record("accepted")
    } catch {
      #expect(error.name == "org.flipclock.Host.BadNetwork" && error.parameters["field"]?.string == field)
      if let password { #expect(error.parameters["reason"]?.string?.contains(password) == false) }
    }
  }

  @Test func optionsAreRead() throws {
    guard
      case .run(let options) = try HostRemoteOptions.row.request(
        ["--access-point", "--state-dir", "/s", "--socket=/x"], of: "x", version: "1")
    else {
      Issue.record("not run")
      return
    }
    #expect(options == HostRemoteOptions(socket: "/x", stateDirectory: "/s", opensAccessPoint: true))
  }

  /// A clock that is wrong by years is not set to another wrong time.
  @Test func onlyPlausibleTimesAreSet() {
    #expect(!HostClock.plausible.contains(0) && HostClock.plausible.contains(1_790_000_000))
  }

  @Test func operationsAreDescribedWithoutPasswords() throws {
    let request = JoinRequest(
      network: try #require(NetworkName(text: "Home")), password: WirelessPassword("correct-horse"))
    let operation = NetworkSetup.Operation.join(request, .wpa, isHidden: false, device: "/d", uuid: "u")
    #expect(!operation.verb.contains("horse") && !"\(operation)".contains("horse"))
  }
}
