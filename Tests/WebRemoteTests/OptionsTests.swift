// SPDX-License-Identifier: Apache-2.0

import Commands
import TestSupport
import Testing
import WebServer

@testable import WebRemote

@Suite struct OptionsTests {
  /// The options in the words; nil if they ask for help or the version.
  private func options(_ words: [String]) throws -> WebRemoteOptions? {
    guard case .run(let options) = try WebRemoteOptions.row.request(words[...], of: "x", version: "1") else {
      return nil
    }
    return options
  }

  @Test("The command line is read")
  func words() throws {
    var expected = WebRemoteOptions()
    #expect(try options([]) == expected)
    expected.listen = ListenAddress(host: "::1", port: 80)
    expected.setup = ListenAddress(host: "10.42.0.1", port: 80)
    expected.socket = "/run/a"
    expected.stateDirectory = "/tmp/b"
    expected.viewers = .paired
    expected.trustedProxies = ["127.0.0.1", "10.0.0.0/8", "fd00::5"].compactMap { AddressRange($0) }
    #expect(
      try options(
        [
          "--listen", "[::1]:80", "--setup", "10.42.0.1:80", "--socket=/run/a", "--state-dir", "/tmp/b",
          "--viewers", "paired",
          "--trusted-proxy", "127.0.0.1,10.0.0.0/8", "--trusted-proxy=fd00::5",
        ])
        == expected)
    #expect(try options(["--help"]) == nil && options(["--version"]) == nil)
  }

  @Test(
    "Mistakes in the command line are explained",
    arguments: [
      (["--viewer", "open"], "did you mean '--viewers'"), (["--viewers", "opn"], "did you mean 'open'"),
      (["--listen"], "takes an address"), (["--listen", "wall:80"], "not an IP address"),
      (["--socket", ""], "is empty"), (["--trusted-proxy", "proxy"], "'proxy' is not an address"),
      (["--trusted-proxy", "127.0.0.1,"], "'' is not an address"),
      (["x"], "unexpected argument 'x'"), (["--listen=99999"], "no port"),
    ])
  func mistakes(words: [String], message: String) {
    #expect { try options(words) } throws: { ($0 as? UsageError)?.message.contains(message) == true }
  }

  @Test("The state directory comes from the options or the environment")
  func stateDirectory() throws {
    func directory(_ words: [String], user: UInt32 = 1000, _ variables: [String: String]) throws -> String? {
      try #require(try options(words)).stateDirectory(user: user) { variables[$0] }
    }
    let all = ["STATE_DIRECTORY": "/var/lib/x:/y", "XDG_STATE_HOME": "/s", "HOME": "/home/u"]
    #expect(try directory(["--state-dir", "/a"], all) == "/a")
    #expect(try directory([], all) == "/var/lib/x")
    #expect(try directory([], user: 0, ["HOME": "/root"]) == "/var/lib/flipclock-web")
    #expect(try directory([], ["XDG_STATE_HOME": "/s", "HOME": "/home/u"]) == "/s/flipclock-web")
    #expect(
      try directory([], ["XDG_STATE_HOME": "s", "HOME": "/home/u"]) == "/home/u/.local/state/flipclock-web")
    #expect(try directory([], ["HOME": ""]) == nil)
  }

  @Test(
    "The interface file declares what is served", arguments: ["List", "Forget", "UnknownDevice", "NotSaved"])
  func interface(name: String) {
    let text = String(decoding: PackageResources.org_flipclock_Web_varlink, as: UTF8.self)
    #expect(text.contains("interface org.flipclock.Web\n"))
    #expect(text.contains(" \(name)"))
  }

  @Test(
    "A page has one style and one script, and no other that the policy would have to allow",
    arguments: [WebPage.scorers, WebPage.spectators])
  func elements(bytes: [UInt8]) {
    #expect(WebPage.inline("style", in: bytes).count == 1)
    #expect(WebPage.inline("script", in: bytes).count == 1)
    let text = String(decoding: bytes, as: UTF8.self)
    for part in ["<script ", "<style ", " style=\"", " onclick=", "javascript:", "<link rel=\"stylesheet\""] {
      #expect(!text.contains(part), "\(part)")
    }
    #expect(
      WebPage.inline("script", in: Array("<script>a</script>b<script>c</script>".utf8)).map { $0.count } == [
        1, 1,
      ])
    #expect(WebPage.inline("style", in: Array("<p>".utf8)).isEmpty)
  }
}
