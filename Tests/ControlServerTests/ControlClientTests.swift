// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc
import TestSupport
import Testing

@testable import ControlCalls
@testable import LinuxSystem
@testable import Varlink
@testable import VarlinkSockets

@Suite struct ControlClientTests {
  /// The error message of connecting to `candidates`.
  private func failure(_ candidates: [String]) -> String {
    do throws(VarlinkClientError) {
      _ = try VarlinkClient(candidates: candidates, timeoutSeconds: 1)
      return "connected"
    } catch {
      return error.message
    }
  }

  @Test("Each reason why the client cannot connect has its own message")
  func unreachable() throws {
    let directory = try TemporaryDirectory()
    let absent = directory.file("absent.sock")
    #expect(
      failure([absent, absent + "2"])
        == "cannot connect to \(absent) or \(absent)2: No such file or directory; is flipclockd running? "
        + "'systemctl start flipclockd' starts it, --socket names another place")
    let stale = directory.file("stale.sock")
    do { _ = try listening(at: stale) }
    #expect(
      failure([stale, absent])
        == "cannot connect to \(stale): Connection refused; the socket exists but nobody listens: "
        + "'systemctl restart flipclockd', or remove a stale file")
    #expect(
      failure([directory.path])
        == "cannot connect to \(directory.path): Connection refused; it is not a socket; "
        + "are --socket and $FLIPCLOCK_SOCKET right?")
    let long = "/tmp/" + String(repeating: "x", count: 200)
    #expect(
      failure([long])
        == "cannot connect to \(long): File name too long; the path of a socket has at most 107 bytes")
    #expect(
      failure([""])
        == "cannot connect to '': No such file or directory; that is not the path of a socket; "
        + "are --socket and $FLIPCLOCK_SOCKET right?")
    #expect(failure([]) == "no socket to connect to")
    let denied = VarlinkClientError.unreachable([
      SystemError("connect", "/a", errno: Errno(rawValue: ENOENT)),
      SystemError("connect", "/b", errno: Errno(rawValue: EACCES)),
    ])
    #expect(
      denied.message
        == "cannot connect to /b: Permission denied; only members of group 'flipclock' may connect: "
        + "'sudo usermod -aG flipclock $USER', then log in again")
  }

  @Test("The client uses the first socket that accepts a connection")
  func discovery() throws {
    let daemon = try TestDaemon()
    let stale = daemon.directory.file("stale.sock")
    do { _ = try listening(at: stale) }
    let client = try VarlinkClient(candidates: [daemon.directory.file("none"), stale, daemon.socket])
    #expect(client.path == daemon.socket)
  }

  @Test("Many calls on one connection")
  func severalCalls() throws {
    let daemon = try TestDaemon()
    var client = try VarlinkClient(candidates: [daemon.socket])
    for score in 0..<50 {
      let reply = try client.call(
        VarlinkCall(
          method: "org.flipclock.Control.SetScore",
          parameters: ["team": .string("home"), "score": .integer(Int64(score))]))
      #expect(reply["team"]?["score"]?.integer == score)
    }
    #expect(throws: VarlinkClientError.refused(.methodNotFound("org.flipclock.Control.X"))) {
      try client.call(VarlinkCall(method: "org.flipclock.Control.X"))
    }
    #expect(
      try client.call(VarlinkCall(method: "org.varlink.service.GetInfo"))["product"] == .string("flipclockd"))
  }

  @Test("A call that is too long is an error with the limit")
  func tooLong() throws {
    let daemon = try TestDaemon()
    var client = try VarlinkClient(candidates: [daemon.socket])
    let reason = "the message is longer than 65536 bytes"
    #expect(
      throws: VarlinkClientError.refused(
        ControlError.protocolViolation(reason: reason).wire)
    ) {
      try client.call(
        VarlinkCall(.change(.match(.setScore(team: String(repeating: "x", count: 500_000), to: 1)))))
    }
  }

  @Test(
    "watch reports that the daemon has closed the connection, before or after the first state",
    arguments: [(true, VarlinkClientError.streamEnded), (false, .disconnected)])
  func watchEnds(isSubscribed: Bool, error: VarlinkClientError) throws {
    let directory = try TemporaryDirectory()
    let listener = try listening(at: directory.file("s"))
    var client = try VarlinkClient(candidates: [directory.file("s")], timeoutSeconds: 5)
    do {
      let connection = FileDescriptor(owning: accept(listener.rawValue, nil, nil))
      let state = #"{"parameters":{"state":{"revision":1}},"continues":true}"# + "\0"
      if isSubscribed { _ = send(connection.rawValue, state, state.utf8.count, 0) }
    }
    var lines = 0
    let result = ClientRequest.command(.watch).run(on: &client, json: true) { _ in
      lines += 1
      return true
    }
    #expect(lines == (isSubscribed ? 1 : 0))
    #expect(result.status == .unreachable)
    #expect(result.diagnostics == [error.message])
    #expect(!error.message.contains("\n"))
  }

  @Test("The client stops waiting for a daemon that does not reply")
  func silence() throws {
    let directory = try TemporaryDirectory()
    let listener = try listening(at: directory.file("s"))
    var client = try VarlinkClient(candidates: [directory.file("s")], timeoutSeconds: 1)
    #expect(throws: VarlinkClientError.timedOut(seconds: 1)) { try client.call(VarlinkCall(method: "a.B")) }
    let connection = FileDescriptor(owning: accept(listener.rawValue, nil, nil))
    #expect(connection.rawValue >= 0)
  }

  @Test(
    "An invalid or missing reply is an error",
    arguments: [
      ("nonsense␀", VarlinkClientError.malformedReply("unexpected byte at byte 0")),
      ("7␀", .malformedReply("it is not an object")),
      ("", .disconnected), (#"{"parameters":"#, .disconnected),
      (#"{"error":"a.B","parameters":null}␀"#, .refused(VarlinkError(name: "a.B"))),
    ])
  func malformed(_ answer: String, _ error: VarlinkClientError) throws {
    let directory = try TemporaryDirectory()
    let listener = try listening(at: directory.file("s"))
    var client = try VarlinkClient(candidates: [directory.file("s")], timeoutSeconds: 5)
    do {
      let connection = FileDescriptor(owning: accept(listener.rawValue, nil, nil))
      let bytes = answer.replacing("␀", with: "\0")
      _ = send(connection.rawValue, bytes, bytes.utf8.count, 0)
    }
    #expect(throws: error) { try client.call(VarlinkCall(method: "a.B")) }
    #expect(!error.message.contains("\n"))
  }
}
