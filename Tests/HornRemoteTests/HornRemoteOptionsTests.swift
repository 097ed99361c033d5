// SPDX-License-Identifier: Apache-2.0

import Commands
import Horn
import Testing

@testable import HornRemote

@Suite struct HornRemoteOptionsTests {
  @Test func everythingHasADefault() throws {
    let options = try HornRemoteOptions([])
    #expect(options.sound == nil && options.socket == nil && options.device == "default")
    #expect(options.volume == 100 && options.sounds == [.period, .shot])
  }

  @Test func valuesMayBeAttached() throws {
    let apart = try HornRemoteOptions(
      ["--socket", "/s", "--device", "hw:1", "--volume", "40", "--sounds", "shot"])
    let attached = try HornRemoteOptions(["--socket=/s", "--device=hw:1", "--volume=40%", "--sounds=shot"])
    #expect(apart == attached)
    #expect(apart.socket == "/s" && apart.device == "hw:1" && apart.volume == 40 && apart.sounds == [.shot])
    #expect(try HornRemoteOptions(["--play", "period"]).sound == .period)
    #expect(try HornRemoteOptions(["--help", "nonsense"]).information == .help)
    #expect(try HornRemoteOptions(["--version"]).information == .version)
  }

  @Test(
    arguments: [
      (["--devise", "x"], "unknown option '--devise'; did you mean '--device'?"),
      (["loud"], "unknown argument 'loud'"),
      (["--device"], "--device takes the name of an ALSA device"),
      (["--device", ""], "the value of --device is empty"),
      (["--volume", "0"], "--volume is from 1 to 100, not '0'"),
      (["--volume", "101"], "--volume is from 1 to 100, not '101'"),
      (["--volume", "+5"], "--volume is from 1 to 100, not '+5'"),
      (["--volume", "99999999999999999999"], "--volume is from 1 to 100, not '99999999999999999999'"),
      (["--sounds", "period,"], "--sounds: unknown sound ''; the sounds are period, shot"),
      (["--sounds", "perod"], "--sounds: unknown sound 'perod'; did you mean 'period'?"),
      (["--play", "all"], "--play: unknown sound 'all'; the sounds are period, shot"),
      (["--help=1"], "--help takes no value"),
    ])
  func mistakesAreExplained(_ words: [String], _ message: String) {
    #expect { try HornRemoteOptions(words) } throws: {
      ($0 as? UsageError)?.message.contains(message) == true
    }
  }

  @Test func helpFitsATerminal() {
    #expect(HornRemoteOptions.help.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
