// SPDX-License-Identifier: Apache-2.0

import Commands
import Testing

@testable import Remotes

@Suite struct OptionReaderTests {
  private func read(
    _ words: [String], _ information: OptionReader.Information? = nil
  ) throws -> [OptionReader.Option] {
    var reader = OptionReader(words, values: ["--socket": "a path"], flags: ["--check"])
    var options: [OptionReader.Option] = []
    while let option = try reader.next() { options.append(option) }
    #expect(reader.information == information)
    return options
  }

  @Test func optionsComeInTheirOrder() throws {
    #expect(try read([]).isEmpty)
    #expect(
      try read(["--check", "--socket", "/a", "--socket=/b=c", "-h", "--nonsense"], .help)
        == [.flag("--check"), .value("/a", of: "--socket"), .value("/b=c", of: "--socket")])
    #expect(try read(["--socket", "--check"]) == [.value("--check", of: "--socket")])
    #expect(try read(["--version", "x"], .version) == [])
  }

  @Test(arguments: [
    (["--sokcet", "x"], "did you mean '--socket'"), (["x"], "unknown argument 'x'"),
    (["-x=1"], "unknown option '-x=1'"), (["--socket"], "takes a path"), (["--socket="], "is empty"),
    (["--socket", ""], "is empty"), (["--check=1"], "takes no value"), (["--help="], "takes no value"),
    ([""], "unknown argument"), (["--"], "unknown option"),
  ])
  func mistakesAreExplained(_ words: [String], _ message: String) {
    #expect { try read(words) } throws: { ($0 as? UsageError)?.message.contains(message) == true }
  }
}
