// SPDX-License-Identifier: Apache-2.0

import Testing
import WebServer

@testable import WebRemote

@Suite("Requests about the network and the time") struct SetupRequestTests {
  private let router = RequestRouter(hostName: "wall", viewers: .open)

  private func post(_ path: String, _ body: String, _ changes: [String: String?] = [:]) -> HTTPRequest {
    RequestRouterTests.post(path, body, ["content-type": "application/json"].merging(changes) { $1 })
  }

  private func refusal(_ request: HTTPRequest) -> RequestRefusal? {
    do throws(RequestRefusal) {
      _ = try router.read(request)
      return nil
    } catch { return error }
  }

  @Test("The page and its requests have their paths and methods")
  func paths() throws {
    for (path, expected) in [
      ("/setup", .setupPage), ("/setup.json", .setup(.words)), ("/network.json", .setup(.state)),
      ("/networks.json", .setup(.networks)),
    ] as [(String, RemoteRequest)] {
      for method in ["GET", "HEAD"] {
        let request = HTTPRequest(method: method, path: path, headers: ["host": "10.42.0.1"])
        #expect(try router.read(request) == expected)
      }
      #expect(refusal(post(path, "{}"))?.status == 405)
    }
    for path in ["/network", "/time", "/fallback"] {
      #expect(refusal(HTTPRequest(method: "GET", path: path, headers: ["host": "wall"]))?.status == 405)
      #expect(refusal(post(path, "{}", ["origin": "http://example.org"]))?.status == 403)
      #expect(refusal(post(path, "{}", ["origin": nil]))?.status == 401)
      #expect(refusal(post(path, "{}", ["content-type": "text/plain"]))?.status == 415)
    }
  }

  @Test("The permission for the access point is true or false, and its path is not on the access point")
  func permission() throws {
    #expect(SetupPath(rawValue: "/fallback") == nil)
    for value in [true, false] {
      #expect(try router.read(post("/fallback", "{\"allowed\": \(value)}")) == .setup(.fallback(value)))
    }
    for body in [
      "", "{}", "true", #"{"allowed": "true"}"#, #"{"allowed": null}"#, #"{"allowed": 1}"#,
      #"{"allowed": true, "x": 1}"#,
    ] {
      #expect(refusal(post("/fallback", body))?.status == 400, "\(body)")
    }
  }

  @Test("A network is chosen with or without a password and a country")
  func choice() throws {
    var choice = NetworkChoice(network: "Zürich 5", password: Secret("abcdefgh"), country: "CH")
    let whole = #"{"network": "Zürich 5", "password": "abcdefgh", "country": "CH"}"#
    #expect(try router.read(post("/network", whole)) == .setup(.join(choice)))
    (choice.password, choice.country) = (nil, nil)
    for body in [#"{"network": "Zürich 5"}"#, #"{"network": "Zürich 5", "password": "", "country": null}"#] {
      #expect(try router.read(post("/network", body)) == .setup(.join(choice)))
    }
    let key = String(repeating: "aF", count: 32)
    choice.password = Secret(key)
    #expect(
      try router.read(post("/network", #"{"network": "Zürich 5", "password": "\#(key)"}"#))
        == .setup(.join(choice)))
    for password in [String(repeating: "x", count: 64), "short", "with\\u0007bell"] {
      let body = #"{"network": "Zürich 5", "password": "\#(password)"}"#
      #expect(refusal(post("/network", body))?.status == 400)
    }
  }

  @Test("Nothing that describes a choice has its password")
  func secret() throws {
    let request = try router.read(post("/network", #"{"network": "Home", "password": "hunter2hunter2"}"#))
    var dumped = ""
    dump(request, to: &dumped)
    for text in ["\(request)", String(reflecting: request), dumped] { #expect(!text.contains("hunter2")) }
    // A body that is not JSON is not quoted.
    let message = refusal(post("/network", #"{"password": hunter2hunter2"#))
    #expect(message?.status == 400 && message?.message.contains("hunter2") == false && message?.logged == nil)
  }

  @Test("The time of a phone goes on until it is set, and becomes too old")
  func time() throws {
    let body = #"{"time": 1795651200123, "clock": 52310, "zone": "Europe/Zurich"}"#
    guard case .setup(.time(let time)) = try router.read(post("/time", body)) else {
      Issue.record("not a time")
      return
    }
    #expect(time.zone == "Europe/Zurich")
    let clock: Int64 = 52_310_000_000
    for passed in [-1_000_000_000, -1, 0, 1_234_567, 30_000_000_000] as [Int64] {
      #expect(time.microseconds(at: clock + passed) == 1_795_651_200_123_000 + passed / 1_000)
    }
    for passed in [-1_000_000_001, 30_000_000_001, Int64.max - clock] as [Int64] {
      #expect(time.microseconds(at: clock + passed) == nil)
    }
    for body in [
      #"{"time": 1795651200123, "clock": 9223372036854775807}"#, #"{"time": 1, "clock": 1}"#,
      #"{"time": 1795651200123, "clock": -1}"#, #"{"time": 1795651200123.5, "clock": 1}"#, "7",
    ] {
      #expect(refusal(post("/time", body))?.status == 400)
    }
  }
}
