// SPDX-License-Identifier: Apache-2.0

import Commands
import Testing

@testable import HornRemote

@Suite struct HornRemoteOptionsTests {
  /// The options of a run; nil if the words request the help or the version.
  private func options(_ words: [String]) throws -> HornRemoteOptions? {
    guard case .run(let options) = try HornRemoteOptions.row.request(words[...], of: "x", version: "1") else {
      return nil
    }
    return options
  }

  @Test func everythingHasADefault() throws {
    let options = try #require(try options([]))
    #expect(options.sound == nil && options.socket == nil && options.device == "default")
    #expect(options.volume == 100)
  }

  @Test func valuesMayBeAttached() throws {
    let apart = try options(
      ["--socket", "/s", "--device", "hw:1", "--volume", "40", "--play", "shot"])
    let attached = try options(["--socket=/s", "--device=hw:1", "--volume=40%", "--play=shot"])
    #expect(apart == attached)
    let read = try #require(apart)
    #expect(read.socket == "/s" && read.device == "hw:1" && read.volume == 40 && read.sound == .shot)
    #expect(try options(["--play", "period"])?.sound == .period)
    #expect(try options(["--help", "nonsense"]) == nil && options(["--version"]) == nil)
  }

  @Test(
    arguments: [
      (["--devise", "x"], "unknown option '--devise'; did you mean '--device'?"),
      (["loud"], "unexpected argument 'loud'"),
      (["--device"], "--device takes a name"),
      (["--device", ""], "--device is empty"),
      (["--volume", "0"], "--volume is from 1 to 100, not '0'"),
      (["--volume", "101"], "--volume is from 1 to 100, not '101'"),
      (["--volume", "+5"], "--volume is from 1 to 100, not '+5'"),
      (["--volume", "99999999999999999999"], "--volume is from 1 to 100, not '99999999999999999999'"),
      (["--play", "perod"], "--play: unknown sound 'perod'; did you mean 'period'?"),
      (["--device", "hw:1"], "--device needs --play; the service's is set by [horn]"),
      (["--volume", "40"], "--volume needs --play"),
      (["--play", "all"], "--play: unknown sound 'all'; the sounds are period, shot"),
      (["--help=1"], "--help takes no value"),
    ])
  func mistakesAreExplained(_ words: [String], _ message: String) {
    #expect { try options(words) } throws: {
      ($0 as? UsageError)?.message.contains(message) == true
    }
  }
}
