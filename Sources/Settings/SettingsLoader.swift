// SPDX-License-Identifier: Apache-2.0

import Languages
import Scoreboard
import TOMLConfig

/// The result of reading the config.
package struct LoadResult: Equatable, Sendable {
  /// Nil when there is an error among the diagnostics.
  package var configuration: Configuration?
  /// The diagnostics in the order of the files and their lines.
  package var diagnostics: [Diagnostic] = []
  /// The files that were read, in the order in which they apply.
  package var files: [String] = []
  /// The keys that people set without a file, and what sets each of them (`SettingsLoader.settings`).
  package var settings: [OwnerSetting] = []

  package init(configuration: Configuration? = nil, diagnostics: [Diagnostic] = [], files: [String] = []) {
    self.configuration = configuration
    self.diagnostics = diagnostics
    self.files = files
  }
}

extension SettingsSources {
  /// The config files of the machine. `root` is put before all paths.
  package static func standard(root: String = "") -> SettingsSources {
    .directories(["/etc", "/run", "/usr/lib"].map { "\(root)\($0)/flipclock" })
  }
}

/// Reads config files into a `Configuration`.
package enum SettingsLoader {
  private static let advice = SyntaxAdvice(
    headers: "[display] or [teams.home]", values: ["hours": "write 12 or 24"],
    header: { name in
      name.hasPrefix("teams.") ? TeamSettings.tables(for: String(name.dropFirst("teams.".count))) : nil
    })

  /// Reads the files of `sources` and reports their mistakes, up to `Report.maximumDiagnostics`. In a file
  /// that is not TOML, only the first mistake is reported. Never blocks.
  ///
  /// - Parameters:
  ///   - owner: what was set without a file, and the path where that is stored.
  ///   - environment: the value of an environment variable, for the language.
  package static func load(
    _ sources: SettingsSources, after owner: (path: String, settings: OwnerSettings)? = nil,
    mode: Report.Mode,
    checks: SettingsChecks = SettingsChecks(), environment: (String) -> String? = { _ in nil }
  ) -> LoadResult {
    load(mode, checks, environment, owner: owner?.path) { read(sources, after: owner, mode, &$0) }
  }

  private static func read(
    _ sources: SettingsSources, after owner: (path: String, settings: OwnerSettings)?, _ mode: Report.Mode,
    _ report: inout Report
  ) -> ConfigFiles {
    let alternative =
      mode == .check
      ? "without a file those of /etc/flipclock are checked"
      : "without --config the files of /etc/flipclock are read, or the built-in default"
    let settings = owner.flatMap { $0.settings.isEmpty ? nil : ($0.path, Array($0.settings.text.utf8)) }
    return ConfigFiles(
      reading: sources, after: settings, advice: advice, alternative: alternative, &report)
  }

  /// The keys that people set without a file, and what sets each of them. In place of the names that people
  /// choose, keys have those that are in use; the two built-in teams are in use unless a file declares
  /// others.
  ///
  /// - Parameters:
  ///   - owner: the path of what was set without a file.
  ///   - rules: those of the game.
  ///   - language: that of the display, in which the built-in teams have their names.
  private static func settings(
    _ files: ConfigFiles, _ report: Report, owner: String, _ rules: GameRules, in language: Language
  ) -> [OwnerSetting] {
    let builtIn = ["home", "guest"]
    let hasOthers = files.nodes("teams").flatMap(\.entries).contains { !builtIn.contains($0.key) }
    let teams = DisplaySelection.teams(in: language)
    let game = DisplaySelection.game(rules)
    return DisplaySelection.settings(
      in: files, report, owner: owner, names: ["teams": hasOthers ? files.names("teams") : builtIn],
      // `[layout]` and `[pages]` exclude each other.
      excluding: { $0.table == "layout" ? files.nodes("pages").flatMap(\.entries).first : nil },
      standard: { key, name, value in
        // Where a key is not set, its default is in force; it may depend on other keys, which are.
        if key.table == "game", value(["game", key.name]) == nil { return game[key.name] }
        let preset = value(["game", "preset"]).flatMap(GameRules.Preset.init(rawValue:)) ?? .free
        return DisplaySelection.standard(of: key, name, preset, teams)
      })
  }

  /// Loads texts from memory instead of files, in the order in which they apply.
  static func load(
    texts: [(path: String, bytes: [UInt8])], mode: Report.Mode, checks: SettingsChecks = SettingsChecks(),
    environment: (String) -> String? = { _ in nil }
  ) -> LoadResult {
    load(mode, checks, environment) { report in
      var files = ConfigFiles(advice: advice)
      for (path, bytes) in texts { files.add(path, .bytes(bytes), &report) }
      return files
    }
  }

  private static func load(
    _ mode: Report.Mode, _ checks: SettingsChecks, _ environment: (String) -> String?, owner: String? = nil,
    _ read: (inout Report) -> ConfigFiles
  ) -> LoadResult {
    var report = Report(mode: mode, reader: "flipclock", context: SettingsContext(checks: checks))
    let files = read(&report)
    // Other tables depend on the language, so it is read first, from all files.
    var locale = LocaleSettings()
    for node in files.nodes("locale") { Section.locale.apply(node, to: &locale, &report) }
    let language = locale.resolved(environment)
    report[SettingsContext.self].language = language
    report[SettingsContext.self].locale = locale
    var draft = SettingsDraft(configuration: Configuration(in: language))
    draft.configuration.locale = locale
    ConfigFormat.settings.read(files, into: &draft, &report)
    if !report.hasErrors { reportFindings(checks.configuration(draft.configuration), files, &report) }
    var result = LoadResult(
      configuration: report.hasErrors ? nil : draft.configuration, diagnostics: report.diagnostics,
      files: files.paths)
    if let owner {
      let rules = draft.configuration.game.rules
      result.settings = settings(files, report, owner: owner, rules, in: language)
    }
    return result
  }

  private static func reportFindings(
    _ findings: [SettingsChecks.Finding], _ files: ConfigFiles, _ report: inout Report
  ) {
    for finding in findings {
      switch finding.subject {
      case .table(let path):
        let location = files.entries(path).first?.keyLocation ?? report.builtInLocation()
        report.warning(location, finding.message, hint: finding.hint)
      case .key(let path):
        guard let location = files.entries(path).last?.keyLocation else { continue }
        report.warning(location, finding.message, hint: finding.hint)
      }
    }
  }
}

/// The configuration while the files are read.
struct SettingsDraft {
  var configuration: Configuration
  /// The names of `[themes.NAME]`, in the order of the files.
  var themes: [String] = []
  var schedule: [ScheduleDraft] = []
}

extension ConfigFormat where Draft == SettingsDraft {
  /// The only list of the config's tables. Reading, messages, the manual, the reference config and the schema
  /// follow from it.
  static var settings: ConfigFormat {
    ConfigFormat(
      [
        .locale,
        ConfigTable(
          .display, \.configuration.display, standard: DisplaySettings(), heading: "The display"),
        .outputs,
        ConfigTable(.burnIn, \.configuration.burnIn, standard: BurnInSettings()),
        .theme, .themes,
        ConfigTable(.flip, \.configuration.flip, standard: FlipSettings(), heading: "The flip"),
        .teams, .game, .widgets,
        ConfigTable(
          .layout, \.configuration.layout, standard: LayoutSettings(), heading: "Layout and pages"),
        .pages, .rotation,
        ConfigTable(
          .pageTransition, \.configuration.pageTransition, standard: PageTransitionSettings()),
        .place, .schedule, .input,
        ConfigTable(.remote, \.configuration.remote, standard: RemoteSettings(), heading: "Remote controls"),
        ConfigTable(.horn, \.configuration.horn, standard: HornSettings()),
        .walls,
      ], keys: [Key.motion.part(of: \.configuration)])
  }
}
