// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Glibc
import TestSupport
import Testing

@testable import Settings
@testable import TOMLConfig

@Suite struct FilesTests {
  private func perspective(_ value: Int) -> String { "[flip]\nperspective = \(value)\n" }

  @Test("Without a file the built-in default is used")
  func noFiles() throws {
    let root = try TemporaryDirectory()
    let result = SettingsLoader.load(.standard(root: root.path), mode: .check)
    #expect(result == LoadResult(configuration: .builtIn))
  }

  @Test("The main file is the first of /etc, /run and /usr/lib")
  func mainFile() throws {
    let root = try TemporaryDirectory()
    let paths = ["usr/lib", "run", "etc"].map { "\($0)/flipclock/config.toml" }
    for (index, path) in paths.enumerated() {
      root.put(path, perspective(index + 2))
      let result = SettingsLoader.load(.standard(root: root.path), mode: .check)
      #expect(result.configuration?.flip.perspective == Double(index + 2))
      #expect(result.files == ["\(root.path)/\(path)"])
    }
    // An empty file, or a link to /dev/null, means the defaults and hides the directories of lower
    // precedence.
    root.put(paths[2], "")
    #expect(SettingsLoader.load(.standard(root: root.path), mode: .check).configuration == .builtIn)
    unlink("\(root.path)/\(paths[2])")
    root.link(paths[2], to: "/dev/null")
    let masked = SettingsLoader.load(.standard(root: root.path), mode: .check)
    #expect(masked.configuration == .builtIn)
    #expect(masked.files == [])
  }

  @Test("Drop-ins of all directories apply in the order of their names, and mask others of the same name")
  func dropIns() throws {
    let root = try TemporaryDirectory()
    root.put("usr/lib/flipclock/config.toml", "[flip]\nduration = \"1s\"\nperspective = 2\n")
    root.put(
      "usr/lib/flipclock/config.toml.d/10-a.toml", "[flip]\nstagger = \"10ms\"\nperspective = 3\n")
    root.put("run/flipclock/config.toml.d/20-b.toml", perspective(4))
    root.put("etc/flipclock/config.toml.d/15-c.toml", perspective(5))
    var result = SettingsLoader.load(.standard(root: root.path), mode: .check)
    #expect(result.configuration?.flip.perspective == 4)
    #expect(result.configuration?.flip.stagger == 0.01)
    #expect(result.configuration?.flip.duration == 1)
    #expect(
      result.files.map { $0.split(separator: "/").last ?? "" } == [
        "config.toml", "10-a.toml", "15-c.toml", "20-b.toml",
      ])

    // A file of the same name in a higher directory wins, even if it is empty or a link to /dev/null.
    root.link("etc/flipclock/config.toml.d/20-b.toml", to: "/dev/null")
    root.put("run/flipclock/config.toml.d/10-a.toml", "")
    result = SettingsLoader.load(.standard(root: root.path), mode: .check)
    #expect(result.configuration?.flip.perspective == 5)
    #expect(result.configuration?.flip.stagger == FlipSettings().stagger)
  }

  @Test("Editors' temporary files and files with other names are not drop-ins")
  func droppings() throws {
    let root = try TemporaryDirectory()
    for name in ["a.toml~", ".a.toml.swp", ".hidden.toml", "4913", "a.toml.dpkg-new", "README", "#a.toml#"] {
      root.put("etc/flipclock/config.toml.d/\(name)", "nonsense")
    }
    root.link("etc/flipclock/config.toml.d/.#a.toml", to: "user@host.1234")
    #expect(SettingsLoader.load(.standard(root: root.path), mode: .check).configuration == .builtIn)
  }

  @Test("Tables merge, arrays are replaced, and an error names its file")
  func merging() throws {
    let root = try TemporaryDirectory()
    let main = root.put(
      "m.toml",
      "[teams.home]\nname = \"A\"\n[widgets.time]\nseconds = true\nhours = 12\n[layout]\nrows = [\"time\", \"date\"]\n"
    )
    root.put("m.toml.d/1.toml", "[teams.home]\ncolor = \"#fff\"\n[widgets.time]\nhours = 24\n")
    let second = root.put("m.toml.d/2.toml", "[layout]\nrows = [\"score\", \"time\"]\n")
    var result = SettingsLoader.load(.explicit(main), mode: .check)
    #expect(result.diagnostics == [])
    let configuration = try #require(result.configuration)
    #expect(configuration.teams[0] == TeamSettings(id: "home", name: "A", color: 0xffffff))
    #expect(configuration.layout.rows == [["score"], ["time"]])
    #expect(configuration.widgets.map(\.name) == ["time", "score"])
    var clock = FlipClockSettings()
    clock.seconds = true
    clock.hours = .twentyFour
    #expect(configuration.widgets[0].content as? FlipClockSettings == clock)

    // A score may show a team that a later file declares; an unknown team is reported at its position.
    root.put("m.toml", "[widgets.score]\nteams = [\"red\", \"bleu\"]\n[flip]\nperspective = 99\n")
    root.put("m.toml.d/1.toml", "[teams.red]\n[teams.blue]\n")
    root.put("m.toml.d/2.toml", "\n\n[flip]\n  perspectiv = 3\n")
    result = SettingsLoader.load(.explicit(main), mode: .check)
    #expect(
      result.diagnostics.map(\.summary) == [
        "\(main):2:17: error: unknown team 'bleu' in [widgets.score]; did you mean 'blue'?",
        "\(main):4:15: error: 'perspective' in [flip] must be from 1 to 20, found 99.0; write 20",
        "\(second):4:3: error: unknown key 'perspectiv' in [flip]; did you mean 'perspective'?",
      ])
    #expect(result.files.count == 3)
  }

  @Test("A drop-in can set or change a widget's type")
  func typesAcrossFiles() throws {
    let texts = [
      ("a.toml", Array("[widgets.w]\ndigits = 3\n[widgets.v]\ntype = \"text\"\n".utf8)),
      ("b.toml", Array("[widgets.w]\ntype = \"score\"\n[widgets.v]\ntype = \"date\"\nformat = \"d\"\n".utf8)),
    ]
    let result = SettingsLoader.load(texts: texts, mode: .check)
    #expect(result.diagnostics == [])
    var score = ScoreSettings()
    score.digits = 3
    var date = DateSettings()
    date.format = .pattern(DatePattern([.field(.day)]))
    #expect(
      result.configuration?.widgets == [
        WidgetSettings(name: "w", weight: 1, content: score),
        WidgetSettings(name: "v", weight: 1, content: date),
      ])
  }

  @Test("Anything that is not a file is reported, without blocking")
  func strangeFiles() throws {
    let root = try TemporaryDirectory()
    let directory = root.place("directory.toml")
    mkdir(directory, 0o755)
    let fifo = root.place("fifo.toml")
    #expect(mkfifo(fifo, 0o600) == 0)
    let large = root.put("large.toml", [UInt8](repeating: 0x23, count: 10 << 20))
    let full = root.put("full.toml", [UInt8](repeating: 0x23, count: 1 << 20))
    let loop = root.link("loop.toml", to: "loop.toml")
    let dangling = root.link("dangling.toml", to: "nowhere")
    let cases = [
      (directory, "is a directory, not a config file"), (fifo, "is a FIFO, not a config file"),
      (large, "10 MiB of config; at most 1 MiB is read"), (loop, "Too many levels of symbolic links"),
      (dangling, "is a link to a file that does not exist"), ("/dev/zero", "is a device"),
      ("\(root.path)/missing.toml", "cannot be read: No such file or directory"),
      ("\(full)/config.toml", "cannot be read: No such file or directory"), ("", "cannot be read"),
    ]
    for (path, words) in cases {
      let result = SettingsLoader.load(.explicit(path), mode: .running)
      #expect(result.configuration == nil)
      let diagnostic = try #require(result.diagnostics.first)
      #expect(diagnostic.summary.hasPrefix("\(path):1:1: error: "))
      #expect(diagnostic.summary.contains(words), "\(diagnostic)")
      #expect(diagnostic.sourceLine == nil)
    }
    #expect(SettingsLoader.load(.explicit(full), mode: .check).configuration == .builtIn)
    #expect(SettingsLoader.load(.explicit("/dev/null"), mode: .check).configuration == .builtIn)
  }

  @Test("A drop-in that cannot be read is an error, and the others are still checked")
  func strangeDropIns() throws {
    let root = try TemporaryDirectory()
    let bad = root.put("etc/flipclock/config.toml.d/30-bad.toml", "x = \n")
    let dangling = root.link("etc/flipclock/config.toml.d/20-gone.toml", to: "nowhere")
    let result = SettingsLoader.load(.standard(root: root.path), mode: .running)
    #expect(result.configuration == nil)
    #expect(result.diagnostics.map(\.file) == [dangling, bad])
  }

  @Test(
    "The error for an unreadable file names flipclock's user", .enabled(if: getuid() != 0, "root reads all"))
  func permissions() throws {
    let root = try TemporaryDirectory()
    let path = root.put("c.toml", "")
    chmod(path, 0)
    let result = SettingsLoader.load(.explicit(path), mode: .check)
    #expect(result.diagnostics.first?.hint?.contains("flipclock") == true)
  }

  /// The watched directories, relative to the root, each with the members of `names` that matter in it.
  private func watched(
    _ root: TemporaryDirectory, _ sources: SettingsSources, _ names: [String]
  ) -> [String: [String]] {
    var result: [String: [String]] = [:]
    for directory in sources.watchedDirectories where directory.path.hasPrefix(root.path) {
      result[String(directory.path.dropFirst(root.path.count))] = names.filter(directory.counts)
    }
    return result
  }

  @Test("Every existing directory on the path of the config is watched, through links too")
  func directories() throws {
    let root = try TemporaryDirectory()
    let names = [
      "etc", "usr", "flipclock", "config.toml", "config.toml.d", "real.toml", "1.toml", "x.toml", "x",
    ]
    let standard = SettingsSources.standard(root: root.path)
    #expect(watched(root, standard, names) == ["": ["etc", "usr"]])
    #expect(standard.watchedDirectories.first?.path == "/")
    mkdir("\(root.path)/etc", 0o755)
    #expect(watched(root, standard, names) == ["": ["etc", "usr"], "/etc": ["flipclock"]])

    let real = root.put("elsewhere/real.toml", perspective(3))
    root.link("etc/flipclock/config.toml", to: real)
    root.put("usr/lib/flipclock/config.toml.d/1.toml", "")
    root.link("usr/lib/flipclock/config.toml.d/x.toml", to: "\(root.path)/elsewhere/x")
    #expect(
      watched(root, standard, names) == [
        "": ["etc", "usr"], "/etc": ["flipclock"], "/etc/flipclock": ["config.toml", "config.toml.d"],
        "/elsewhere": ["real.toml", "x"], "/usr": [], "/usr/lib": ["flipclock"],
        "/usr/lib/flipclock": ["config.toml", "config.toml.d"],
        "/usr/lib/flipclock/config.toml.d": ["config.toml", "real.toml", "1.toml", "x.toml"],
      ])
    #expect(
      watched(root, .explicit(real), ["real.toml", "real.toml.d", "x"]) == [
        "": [], "/elsewhere": ["real.toml", "real.toml.d"],
      ])
  }

  @Test("Every link on the path of the config is watched, and the fingerprint follows its target")
  func linkedDirectories() throws {
    let root = try TemporaryDirectory()
    root.put("one/config.toml", perspective(3))
    root.put("two/config.toml", perspective(4))
    root.link("current", to: "\(root.path)/one")
    root.link("config.toml", to: "current/config.toml")
    let sources = SettingsSources.explicit("\(root.path)/config.toml")
    let names = ["config.toml", "current", "one", "two"]
    #expect(
      watched(root, sources, names) == ["": ["config.toml", "current", "one"], "/one": ["config.toml"]])
    let before = sources.fingerprint
    #expect(before == sources.fingerprint)
    unlink("\(root.path)/current")
    let dangling = sources.fingerprint
    #expect(dangling != before && dangling != ConfigFingerprint())
    root.link("current", to: "\(root.path)/two")
    #expect(sources.fingerprint != before)
    unlink("\(root.path)/config.toml")
    #expect(sources.fingerprint == ConfigFingerprint())
    #expect(watched(root, sources, names) == ["": ["config.toml"]])
  }
}
