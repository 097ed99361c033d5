// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WebServer

@Suite struct AddressTests {
  @Test("Addresses are read and written; an IPv4 address that is mapped to IPv6 is the same")
  func addresses() throws {
    for text in ["192.168.1.5", "127.0.0.1", "::1", "fd00::5", "2001:db8::1:0:0:1", "0.0.0.0"] {
      #expect(PeerAddress(text)?.description == text)
    }
    #expect(PeerAddress("::ffff:10.0.0.1") == PeerAddress("10.0.0.1"))
    #expect(PeerAddress("::ffff:10.0.0.1")?.description == "10.0.0.1")
    for text in ["", "wall", "1.2.3", "[::1]", "fe80::1%eth0", "1.2.3.4:80"] {
      #expect(PeerAddress(text) == nil)
    }
  }

  @Test("An address to listen on is read")
  func listen() throws {
    #expect(try ListenAddress(parsing: "8080") == ListenAddress(port: 8080))
    #expect(try ListenAddress(parsing: ":8080") == ListenAddress(port: 8080))
    #expect(try ListenAddress(parsing: "*:0") == ListenAddress(port: 0))
    #expect(try ListenAddress(parsing: "10.1.2.3:80") == ListenAddress(host: "10.1.2.3", port: 80))
    #expect(try ListenAddress(parsing: "[::1]:80") == ListenAddress(host: "::1", port: 80))
    #expect(try ListenAddress(parsing: "localhost:80") == ListenAddress(host: "127.0.0.1", port: 80))
    for text in [
      "", "a", "80:", "10.1.2.3", "70000", "-1", "::1:80", "[10.1.2.3]:80", "[::1:80", "host:80", "+80",
    ] {
      #expect(throws: ListenAddress.Malformed.self) { try ListenAddress(parsing: text) }
    }
    #expect(ListenAddress(host: "::1", port: 80).description == "[::1]:80")
  }

  @Test("A port that is in use is an error with a remedy")
  func inUse() throws {
    let first = try Fixture()
    #expect { _ = try ListenAddress(host: "127.0.0.1", port: first.port).open() } throws: { error in
      "\(error)".contains("choose another port with --listen")
    }
  }

  @Test("Clients that can choose their IPv6 address in a network count as one")
  func networks() throws {
    func network(_ text: String) throws -> PeerAddress { try #require(PeerAddress(text)).network }
    #expect(try network("2001:db8::1:2:3:4") == network("2001:db8:0:0:ffff::"))
    #expect(try network("2001:db8::1") != network("2001:db8:0:1::1"))
    #expect(try network("10.0.0.1") != network("10.0.0.2"))
    #expect(try network("::ffff:10.0.0.1") == network("10.0.0.1"))
    var limits = ConnectionLimits(total: 40, share: 4)
    for number in 1...6 { limits.opened(try #require(PeerAddress("2001:db8::\(number)"))) }
    let address = try #require(PeerAddress("2001:db8::ffff"))
    #expect(limits.count(of: address) == 6 && limits.count == 6)
    limits.closed(address)
    #expect(limits.count(of: address) == 5 && limits.count == 5)
  }

  @Test("A range has the addresses inside it and no others")
  func ranges() throws {
    let cases: [(range: String, inside: [String], outside: [String])] = [
      ("10.1.2.3", ["10.1.2.3", "::ffff:10.1.2.3"], ["10.1.2.2", "::10.1.2.3"]),
      ("192.168.1.0/24", ["192.168.1.0", "192.168.1.255"], ["192.168.0.255", "192.168.2.0", "::1"]),
      ("0.0.0.0/0", ["1.2.3.4", "255.255.255.255"], ["::1", "::fffe:1.2.3.4"]),
      ("fd00::/8", ["fd00::1", "fdff:ffff::"], ["fe00::", "fc00::", "10.0.0.1"]),
      ("2001:db8::/65", ["2001:db8::7fff:0:0:0"], ["2001:db8::8000:0:0:0"]),
      ("::1", ["::1"], ["::2", "127.0.0.1"]), ("::/0", ["::1", "fd00::", "10.0.0.1"], []),
    ]
    for (text, inside, outside) in cases {
      let range = try #require(AddressRange(text))
      for address in inside {
        #expect(range.contains(try #require(PeerAddress(address))), "\(text) \(address)")
      }
      for address in outside {
        #expect(!range.contains(try #require(PeerAddress(address))), "\(text) \(address)")
      }
    }
    for text in [
      "", "/8", "wall", "10.0.0.0/33", "fd00::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "[::1]",
    ] {
      #expect(AddressRange(text) == nil, "\(text)")
    }
  }

  @Test("The client behind trusted proxies is the last hop that is not a proxy")
  func forwarded() throws {
    let proxies = try ["127.0.0.1", "10.0.0.0/8"].map { try #require(AddressRange($0)) }
    func client(_ hops: String?, peer: String = "127.0.0.1", proto: String? = nil) throws -> (String, Bool) {
      var request = HTTPRequest(method: "GET", path: "/", address: try #require(PeerAddress(peer)))
      request.headers["x-forwarded-for"] = hops
      request.headers["x-forwarded-proto"] = proto
      request.trust(proxies)
      return (request.address.description, request.isSecure)
    }
    let cases: [(hops: String?, client: String)] = [
      ("192.168.1.7", "192.168.1.7"), ("9.9.9.9, 192.168.1.7,10.1.1.1", "192.168.1.7"), (nil, "127.0.0.1"),
      ("9.9.9.9, unknown", "127.0.0.1"), ("9.9.9.9, , 10.0.0.1", "10.0.0.1"),
      ("[2001:db8::1]", "2001:db8::1"),
      ("10.0.0.2, 10.0.0.1", "10.0.0.2"), ("", "127.0.0.1"),
    ]
    for (hops, expected) in cases { #expect(try client(hops).0 == expected, "\(hops ?? "nil")") }
    #expect(try client(nil, proto: "HTTPS").1)
    for proto in ["http", "https, http", ""] { #expect(try !client(nil, proto: proto).1) }
    // The fields of other senders are ignored.
    let stranger = try client("10.0.0.1", peer: "192.168.1.9", proto: "https")
    #expect(stranger == ("192.168.1.9", false))
  }

  @Test("An address gets more than its share only while there is room for others")
  func limits() throws {
    var limits = ConnectionLimits(total: 40, share: 4)
    let hall = PeerAddress(ipv4: 1)
    while limits.hasRoom(for: hall) { limits.opened(hall) }
    #expect(limits.count == 30)
    #expect(limits.hasRoom(for: hall, isCounted: true) && limits.hasRoom(for: hall, margin: 1))
    for number in 0..<3 {
      let other = PeerAddress(ipv4: UInt32(10 + number))
      for _ in 0..<3 {
        #expect(limits.hasRoom(for: other))
        limits.opened(other)
      }
    }
    limits.opened(PeerAddress(ipv4: 20))
    let scorer = PeerAddress(ipv4: 99)
    #expect(limits.count == 40)
    #expect(!limits.hasRoom(for: scorer) && limits.hasRoom(for: scorer, margin: 1))
    limits.opened(scorer)
    #expect(!limits.hasRoom(for: scorer, isCounted: true))
    limits.closed(scorer)
    for _ in 0..<11 { limits.closed(hall) }
    #expect(limits.hasRoom(for: hall))
    limits.closed(scorer)
    #expect(limits.count == 29)
  }
}
