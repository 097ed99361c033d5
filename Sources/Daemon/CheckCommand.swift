// SPDX-License-Identifier: Apache-2.0

import Commands
import ConfigChecks
import Glibc
import Images
import LinuxSystem
import Settings
import TOMLConfig
import Typography
import Widgets

/// `flipclockd check`.
package enum CheckCommand {
  /// Checks a config and prints the result.
  ///
  /// - Returns: the exit code: 0, or 78 if the config has an error.
  package static func run(_ path: String?, json: Bool) throws(StartFailure) -> Int32 {
    let fonts = FontLibrary { _ in }
    var checks = SettingsChecks.daemon({ fonts }) { Picture.problem(with: $0, isWhole: true) }
    checks.configuration = { findings($0) + letters($0, fonts) }
    checks.advice = Advice.problem
    let check = ConfigCheck(path, checks: checks, environment: environmentVariable)
    do throws(SystemError) {
      try writeAll(Array("\(json ? check.json : check.text)\n".utf8), to: STDOUT_FILENO)
    } catch {
      throw StartFailure("standard output: \(error.errno)")
    }
    return check.exitCode
  }

  /// Reports widgets that do not fit at one of `LayoutCheck.sizes`, what is hard to read or to see, keys
  /// without effect, what no page shows of the game, and countdowns that have ended.
  private static func findings(_ configuration: Configuration) -> [SettingsChecks.Finding] {
    LayoutCheck.findings(
      configuration, rules: configuration.game.rules, sizes: LayoutCheck.sizes(configuration))
      + LayoutCheck.details(configuration, rules: configuration.game.rules)
      + ThemeCheck.findings(configuration) + LookCheck.findings(configuration)
      + EffectCheck.findings(configuration) + UnshownCheck.findings(configuration)
      + Advice.countdowns(configuration, at: WallClock.now)
  }
}

extension CheckCommand {
  /// Reports that no font has the letters of the config's language.
  static func letters(_ configuration: Configuration, _ fonts: FontLibrary) -> [SettingsChecks.Finding] {
    let language = configuration.language
    let text = ((1...12).map { language.month($0) } + (0..<7).map { language.weekday($0) }).joined()
    guard
      let box = fonts.firstBox(in: text, font: configuration.theme.labelFont, weight: .medium)
    else { return [] }
    let package = ["ja", "ko", "zh"].contains(language.tag.language) ? "fonts-noto-cjk" : "fonts-noto-core"
    return [
      SettingsChecks.Finding(
        .table(["locale"]),
        "no font has the letters of the language '\(language.tag)', such as '\(box)': boxes are shown",
        hint: "'sudo apt install \(package)'")
    ]
  }
}

extension SettingsChecks {
  /// The checks that the daemon runs each time it reads its config.
  ///
  /// - Parameters:
  ///   - fonts: called for each font that a config names.
  ///   - problem: what is wrong with the file of a picture.
  static func daemon(
    _ fonts: @escaping () -> FontLibrary, pictures problem: @escaping (String) -> PictureError?
  ) -> SettingsChecks {
    var checks = SettingsChecks.standard
    checks.checkPictures(problem)
    checks.font = { name in
      fonts().problem(with: name, weight: .medium).map { Problem($0.message, hint: $0.hint) }
    }
    return checks
  }

  /// - Parameter problem: what is wrong with the file of a picture.
  mutating func checkPictures(_ problem: @escaping (String) -> PictureError?) {
    func report(_ path: String) -> Problem? {
      problem(path).map { Problem("the picture \(path.printable.quoted) \($0.message)", hint: $0.hint) }
    }
    picture = report
    pictures = { directory in
      let name = directory.printable.quoted
      guard let files = Picture.files(in: directory) else {
        let error = PictureError.unreadable(SystemError("opendir"))
        return ([], [Problem("the directory \(name) \(error.message)", hint: error.hint)])
      }
      guard files.isEmpty else { return (files, files.compactMap(report)) }
      return (
        [],
        [Problem("the directory \(name) has no pictures", hint: "put files into it whose names end in .png")]
      )
    }
  }
}
