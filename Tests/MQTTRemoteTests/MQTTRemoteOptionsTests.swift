// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import MQTT
import TOMLConfig
import Testing
import VarlinkSockets

@testable import HomeAssistant
@testable import MQTTRemote
@testable import MQTTConfig

@Suite struct MQTTRemoteOptionsTests {
  /// The options in the words; nil if they ask for help or the version.
  private func options(_ words: [String]) throws -> MQTTRemoteOptions? {
    guard case .run(let options) = try MQTTRemoteOptions.row.request(words[...], of: "x", version: "1") else {
      return nil
    }
    return options
  }

  @Test("The command line is read")
  func words() throws {
    let read = try #require(try options(["--config", "a.toml", "--socket=/run/x"]))
    #expect(read.config == "a.toml" && read.socket == "/run/x" && !read.checks)
    #expect(try options(["--check"])?.checks == true)
    #expect(try options(["--check", "--help", "--nonsense"]) == nil && options(["--version"]) == nil)
    #expect(try options([]) == MQTTRemoteOptions())
  }

  @Test(
    "Mistakes have a hint",
    arguments: [
      (["--confg", "x"], "did you mean '--config'"), (["x"], "unexpected argument 'x'"),
      (["--config"], "takes a file"),
      (["--socket="], "is empty"), (["--check=yes"], "takes no value"), (["-x"], "unknown option"),
    ])
  func mistakes(words: [String], message: String) {
    #expect { try options(words) } throws: { error in
      (error as? UsageError)?.message.contains(message) == true
    }
  }

  @Test("The options of the connection are those of the config")
  func connection() {
    var settings = MQTTSettings()
    settings.broker.host = "broker"
    let topics = EntityTopics(board: "hall")
    var options = MQTTOptions(settings, host: "broker", topics)
    #expect(options.host == "broker" && options.port == 1883 && options.tls == nil)
    #expect(options.clientID == "flipclock-hall" && options.username == nil)
    #expect(options.will == MQTTMessage("flipclock/hall/availability", "offline", isRetained: true))
    settings.broker.tls = true
    settings.broker.ca = "/ca"
    settings.broker.username = "u"
    settings.broker.password = Secret(file: "/p", text: "secret")
    settings.broker.clientID = "c"
    options = MQTTOptions(settings, host: "broker", topics)
    #expect(options.port == 8883 && options.tls == .init(authorities: "/ca"))
    #expect(options.username == "u" && options.password == "secret" && options.clientID == "c")
    settings.broker.port = 1884
    #expect(MQTTOptions(settings, host: "broker", topics).port == 1884)
  }

  @Test("Results are published as JSON")
  func replies() throws {
    func reply(_ text: String) throws -> VarlinkChannel.Reply {
      .success(try #require(try JSONReader.read(Array(text.utf8)).object))
    }
    #expect(
      CommandReply(try reply(#"{"team":{"id":"home","name":"LIONS","score":7},"note":"set won"}"#), id: "x")
        .text
        == #"{"id":"x","note":"set won","ok":true,"what":"LIONS 7"}"#)
    #expect(
      CommandReply(try reply(#"{"what":"game timer started","state":{"revision":9}}"#), object: "clock").text
        == #"{"entity":"clock","ok":true,"revision":9,"what":"game timer started"}"#)
    #expect(CommandReply(try reply("{}")).text == #"{"ok":true}"#)
    // The change was made, but not saved.
    let unsaved = CommandReply(.failure(.refused(ControlError.stateNotSaved(reason: "full").wire)), id: "x")
      .text
    #expect(unsaved.contains(#""ok":true"#) && unsaved.contains(#""unsaved":"#) && !unsaved.contains("error"))
    let refused = CommandReply(.failure(.refused(ControlError.failed(reason: "no \"x\"").wire)))
    #expect(refused.text.contains(#""ok":false"#) && refused.text.contains(#"no \"x\""#))
  }
}
