// SPDX-License-Identifier: Apache-2.0

import Spelling

// The command for the machine's network, which flipclock-host performs.
extension CommandTable {
  private static let networkWords = ["open", "close", "fallback", "forget"]

  static let network: CommandSyntax = CommandSyntax(
    verb: "network", usage: ["", "open", "close", "fallback on|off", "forget"],
    summary: "Print what the network does, or open an access point for a phone.",
    discussion: """
      flipclock-host must run; --socket names its socket. 'open' opens an access point, whose password and QR code the \
      display shows, so that a phone can choose another Wi-Fi network; 'close' closes it. With 'fallback on', an access point \
      is opened by itself when the network has been away for ten minutes. 'forget' forgets the networks that were chosen on \
      a phone: the machine is then as at its first start.
      """,
    operands: [
      .init(name: "action", help: "open, close, fallback or forget.", isOptional: true),
      .init(name: "allowed", help: "Whether the access point is opened by itself.", isOptional: true),
    ],
    examples: [
      "network", "network open", "network close", "network fallback on", "network fallback off",
      "network forget",
    ], surfaces: [.commandLine, .key],
    completion: { words in
      switch words {
      case []:
        [
          .word("open", "opens the access point"), .word("close", "closes it"),
          .word("fallback", "whether it is opened when the network is away"),
          .word("forget", "forgets the networks that were chosen"),
        ]
      case ["fallback"]: [.word("on"), .word("off")]
      default: []
      }
    },
    parse: { arguments throws(UsageError) in
      let (action, value) = (arguments.operands.first, arguments.operands.dropFirst().first)
      if let value, action != "fallback" {
        throw UsageError("unexpected argument '\(value.printable)'", usage: network.forms)
      }
      switch (action, value) {
      case (nil, _): return .network(.state)
      case ("open", _): return .network(.openAccessPoint)
      case ("close", _): return .network(.closeAccessPoint)
      case ("forget", _): return .network(.forgetNetworks)
      case ("fallback", "on"): return .network(.allowFallback(true))
      case ("fallback", "off"): return .network(.allowFallback(false))
      case ("fallback", nil):
        throw UsageError("on or off? 'network' prints which it is", usage: network.forms)
      case ("fallback", let value?): throw UsageError(Spelling.unknown("word", value, among: ["on", "off"]))
      case (let word?, _): throw UsageError(Spelling.unknown("word", word, among: networkWords))
      }
    })
}
