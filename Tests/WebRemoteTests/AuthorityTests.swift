// SPDX-License-Identifier: Apache-2.0

import Testing
import WebServer

@testable import WebRemote

@Suite struct AuthorityTests {
  private let names = HostNames(hostName: "Wall.example.org")

  @Test(
    "Addresses and the machine's names are accepted, with any port",
    arguments: [
      "192.168.1.5", "192.168.1.5:8080", "127.0.0.1:1", "[::1]", "[fe80::1]:8080", "localhost",
      "LOCALHOST:8080",
      "wall", "Wall:65535", "wall.local", "wall.local.:8080", "wall.example.org", "WALL.LOCAL:80",
    ])
  func accepted(host: String) throws { #expect(names.contains(try #require(Authority(host)))) }

  @Test(
    "Other names are refused",
    arguments: [
      "evil.example", "evil.example:8080", "wall.evil.example", "localhost.evil.example",
      "wall.local.evil.example",
      "evilwall", "wall2", "127.0.0.1.evil.example", "1.2.3", "wall.example.org.evil", "xn--wll-0ra",
    ])
  func foreign(host: String) throws { #expect(!names.contains(try #require(Authority(host)))) }

  @Test(
    "Text that is not a host is refused",
    arguments: [
      "", ":", ":80", "a:", "a:b", "a:65536", "a:-1", "a:+1", "a:0x50", "a:80:80", "[::1", "::1", "[::1]80",
      "[]",
      "[wall]", "a b", "a/b", "user@wall", "wall, wall", "wall\t", " wall", "http://wall", "wäll",
      "[fe80::1%25eth0]",
      "a:000080", "%31", "*",
    ])
  func malformed(host: String) { #expect(Authority(host) == nil) }

  @Test("The name that the daemon's config has for phones is accepted, and no other")
  func configured() throws {
    var names = names
    names.configured = "scores.example.org"
    #expect(names.contains(try #require(Authority("Scores.example.org:443"))))
    #expect(!names.contains(try #require(Authority("example.org"))))
    #expect(!names.contains(try #require(Authority("scores.example.org.evil.example"))))
  }

  @Test("An origin has to be of the same host and port, in all combinations")
  func origins() throws {
    let hosts = ["192.168.1.5", "wall", "wall.local", "[::1]", "evil.example", "localhost"]
    let ports = ["", ":80", ":443", ":8080", ":9090"]
    for host in hosts {
      for port in ports {
        let authority = try #require(Authority(host + port))
        for other in hosts {
          for otherPort in ports {
            let isSame =
              host == other
              && (port == otherPort || ["", ":80"].contains(port) && ["", ":80"].contains(otherPort))
            #expect(
              authority.isOrigin("http://\(other)\(otherPort)") == isSame,
              "\(host)\(port), \(other)\(otherPort)")
          }
        }
      }
    }
  }

  @Test("An https origin is accepted, because a proxy may encrypt")
  func encrypted() throws {
    let authority = try #require(Authority("wall.example.org"))
    #expect(authority.isOrigin("https://wall.example.org"))
    #expect(!authority.isOrigin("https://evil.example.org"))
    #expect(try #require(Authority("wall.example.org:8443")).isOrigin("https://wall.example.org:8443"))
    #expect(try !#require(Authority("wall.example.org:8443")).isOrigin("https://wall.example.org"))
  }

  @Test(
    "Text that is not an origin is refused",
    arguments: [
      "null", "", "wall", "http://", "http://wall/", "http://wall/x", "http://user@wall", "ftp://wall",
      "http://wall http://evil.example", "http://evil.example/http://wall", "HTTP://wall", "file://",
      "http://wall#",
    ])
  func notAnOrigin(origin: String) throws {
    #expect(try !#require(Authority("wall")).isOrigin(origin))
  }
}
