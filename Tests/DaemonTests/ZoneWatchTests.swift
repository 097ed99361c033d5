// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import CivilTime
@testable import Daemon

/// Zone files that change while the daemon runs.
@Suite struct ZoneWatchTests {
  /// A zone database, and a link to it, in a directory.
  ///
  ///     etc/localtime -> ../share/zoneinfo/Europe/Berlin
  ///     share/zoneinfo/Asia/Tokyo
  ///     share/zoneinfo/Europe/Berlin
  private struct Files: Sendable {
    let directory: TemporaryDirectory
    let berlin: [UInt8]
    let tokyo: [UInt8]

    init() throws {
      directory = try TemporaryDirectory()
      berlin = try readFile("/usr/share/zoneinfo/Europe/Berlin", limit: 1 << 20)
      tokyo = try readFile("/usr/share/zoneinfo/Asia/Tokyo", limit: 1 << 20)
      directory.put("share/zoneinfo/Europe/Berlin", berlin)
      directory.put("share/zoneinfo/Asia/Tokyo", tokyo)
      directory.link("etc/localtime", to: "../share/zoneinfo/Europe/Berlin")
    }

    var berlinPath: String { directory.file("share/zoneinfo/Europe/Berlin") }
    var localtime: String { directory.file("etc/localtime") }

    /// Replaces a file as dpkg does: keeps a second link to the old one, and renames the new one over it.
    func install(_ bytes: [UInt8], _ name: String) {
      let path = directory.file("share/zoneinfo/\(name)")
      directory.put("share/zoneinfo/\(name).dpkg-new", bytes)
      link(path, path + ".dpkg-tmp")
      rename(path + ".dpkg-new", path)
      unlink(path + ".dpkg-tmp")
    }
  }

  /// Zones that are read from the given paths and watched like in the daemon, and a record of their changes.
  private final class Reader {
    let loop: EventLoop
    let cache: ZoneCache
    let watch: ZoneWatch
    private(set) var reports = 0
    private(set) var changes: [ZoneCache.Change] = []

    init(_ paths: [String: String]) throws {
      let loop = try EventLoop()
      let quiet = Log(style: .journal, threshold: .emergency)
      self.loop = loop
      watch = try ZoneWatch(on: loop, log: quiet) { paths[$0].map { [$0] } ?? [] }
      cache = ZoneCache(watch, log: quiet) { (name) throws(TimeZoneError) in
        try TimeZone.local(nil, file: paths[name] ?? "/nonexistent")
      }
      watch.changed = { [weak self] in
        guard let self else { return }
        self.reports += 1
        let change = self.cache.reread()
        if change != .none { self.changes.append(change) }
      }
    }

    /// The offset in winter, in hours.
    func hours(_ name: String) -> Int { cache[name].civil(Instant(seconds: 1_795_132_800)).utcOffset / 3600 }

    /// Runs the loop until the zone `name` has this offset.
    func turn(until hours: Int, _ name: String = "local") throws -> Bool {
      try loop.turn { self.hours(name) == hours }
    }
  }

  /// Ways to give the zone the data of Tokyo.
  private static let ways: [(String, @Sendable (Files) -> Void)] = [
    ("a package upgrade", { $0.install($0.tokyo, "Europe/Berlin") }),
    (
      "a rename without a second link",
      { files in
        files.directory.put("new", files.tokyo)
        rename(files.directory.file("new"), files.berlinPath)
      }
    ),
    ("writing in place", { $0.directory.put("share/zoneinfo/Europe/Berlin", $0.tokyo) }),
    (
      "deleting and writing",
      { files in
        unlink(files.berlinPath)
        files.directory.put("share/zoneinfo/Europe/Berlin", files.tokyo)
      }
    ),
    (
      "a hard link",
      { files in
        link(files.directory.file("share/zoneinfo/Asia/Tokyo"), files.directory.file("new"))
        rename(files.directory.file("new"), files.berlinPath)
      }
    ),
    ("a symbolic link", { $0.directory.link("share/zoneinfo/Europe/Berlin", to: "../Asia/Tokyo") }),
    (
      "another directory Europe",
      { files in
        files.directory.put("share/zoneinfo/new/Berlin", files.tokyo)
        rename(files.directory.file("share/zoneinfo/Europe"), files.directory.file("share/zoneinfo/old"))
        rename(files.directory.file("share/zoneinfo/new"), files.directory.file("share/zoneinfo/Europe"))
      }
    ),
    (
      "another directory zoneinfo, as a link",
      { files in
        files.directory.put("new/Europe/Berlin", files.tokyo)
        rename(files.directory.file("share/zoneinfo"), files.directory.file("share/old"))
        files.directory.link("share/zoneinfo", to: "../new")
      }
    ),
    (
      "a deleted directory that is created again",
      { files in
        files.directory.remove("share")
        files.directory.put("share/zoneinfo/Europe/Berlin", files.tokyo)
      }
    ),
    (
      "another link at /etc/localtime",
      { files in
        files.directory.link("etc/new", to: "../share/zoneinfo/Asia/Tokyo")
        rename(files.directory.file("etc/new"), files.localtime)
      }
    ),
    (
      "deleting and linking /etc/localtime",
      { $0.directory.link("etc/localtime", to: "../share/zoneinfo/Asia/Tokyo") }
    ),
    (
      "a file instead of the link",
      { files in
        unlink(files.localtime)
        files.directory.put("etc/localtime", files.tokyo)
      }
    ),
  ]

  @Test("The new data is shown, and a second change is noticed as well", arguments: ways.map(\.0))
  func replaced(way: String) throws {
    let files = try Files()
    let reader = try Reader(["local": files.localtime])
    #expect(reader.hours("local") == 1)
    let change = try #require(Self.ways.first { $0.0 == way }?.1)
    change(files)
    #expect(try reader.turn(until: 9))
    #expect(reader.changes == [.data] && reader.cache.warnings.isEmpty)
    // The change may have given the link another target. A change of that file must be noticed, too.
    let path = String(cString: try #require(realpath(files.localtime, nil)))
    let name = String(path.dropFirst(files.directory.path.utf8.count + 1))
    files.directory.put("\(name).new", files.berlin)
    rename(path + ".new", path)
    #expect(try reader.turn(until: 1))
  }

  @Test("Changes of other files cause no wakeups, and changes without other data are not shown")
  func unrelated() throws {
    let files = try Files()
    let reader = try Reader([
      "local": files.localtime, "Asia/Tokyo": files.directory.file("share/zoneinfo/Asia/Tokyo"),
    ])
    #expect(reader.hours("local") == 1 && reader.hours("Asia/Tokyo") == 9)
    try reader.loop.turn(for: 50)
    for name in [
      "etc/hostname", "share/zoneinfo/Europe/London", "share/zoneinfo/Asia/Seoul", "share/doc", "tmp",
    ] {
      files.directory.put(name, files.tokyo)
      rename(files.directory.file(name), files.directory.file("\(name)2"))
      chmod(files.directory.file("\(name)2"), 0o600)
      unlink(files.directory.file("\(name)2"))
    }
    _ = try readFile(files.berlinPath, limit: 1 << 20)
    // The turn returns early if there is an event.
    let start = SystemClock.monotonic.now.totalNanoseconds
    try reader.loop.turn(timeoutMilliseconds: 200)
    #expect(SystemClock.monotonic.now.totalNanoseconds - start >= 199_000_000)
    #expect(reader.reports == 0)
    files.install(files.berlin, "Europe/Berlin")
    #expect(try reader.loop.turn { reader.reports == 1 })
    #expect(reader.changes.isEmpty)
  }

  /// Ways to make the file unusable.
  private static let damages: [(String, @Sendable (Files) -> Void)] = [
    ("missing", { _ = unlink($0.berlinPath) }),
    ("empty", { $0.install([], "Europe/Berlin") }),
    ("truncated", { $0.directory.put("share/zoneinfo/Europe/Berlin", Array($0.berlin.prefix(99))) }),
    ("garbage", { $0.install(Array("not a zone".utf8), "Europe/Berlin") }),
    ("without a database", { $0.directory.remove("share") }),
    ("moved away", { _ = rename($0.directory.file("share"), $0.directory.file("gone")) }),
    (
      "a directory",
      { files in
        unlink(files.berlinPath)
        mkdir(files.berlinPath, 0o755)
      }
    ),
  ]

  @Test(
    "While the file is unusable, the last good data is used and a warning is reported",
    arguments: damages.map(\.0))
  func damaged(damage: String) throws {
    let files = try Files()
    let reader = try Reader(["local": files.localtime])
    #expect(reader.hours("local") == 1)
    let harm = try #require(Self.damages.first { $0.0 == damage }?.1)
    harm(files)
    #expect(try reader.loop.turn { !reader.cache.warnings.isEmpty })
    #expect(reader.hours("local") == 1)
    rmdir(files.berlinPath)
    files.directory.put("share/zoneinfo/Europe/Berlin", files.tokyo)
    #expect(try reader.turn(until: 9))
    #expect(reader.cache.warnings.isEmpty)
  }

  @Test("A zone that is installed later is used, whichever directory of its path was missing")
  func installedLater() throws {
    for existing in ["", "share/other", "share/zoneinfo/other", "share/zoneinfo/Europe/other"] {
      let directory = try TemporaryDirectory()
      if !existing.isEmpty { directory.put(existing, "x") }
      let reader = try Reader(["Europe/Berlin": directory.file("share/zoneinfo/Europe/Berlin")])
      #expect(reader.hours("Europe/Berlin") == 0)
      directory.put("share/zoneinfo/Europe/Berlin", try Files().berlin)
      #expect(try reader.turn(until: 1, "Europe/Berlin"), "\(existing)")
    }
  }

  @Test("Only the zones in use are watched")
  func forgotten() throws {
    let files = try Files()
    let tokyo = files.directory.file("share/zoneinfo/Asia/Tokyo")
    let reader = try Reader(["local": files.localtime, "Asia/Tokyo": tokyo])
    _ = (reader.hours("local"), reader.hours("Asia/Tokyo"))
    reader.cache.renew(local: "local")
    reader.watch.forget()
    #expect(reader.hours("local") == 1)
    try reader.loop.turn(for: 50)
    files.install(files.berlin, "Asia/Tokyo")
    try reader.loop.turn(for: 200)
    #expect(reader.reports == 0)
    files.install(files.tokyo, "Europe/Berlin")
    #expect(try reader.turn(until: 9))
  }

  @Test("Each zone depends on its file in the database, or on none")
  func paths() {
    for (variable, paths) in [
      (nil, ["/etc/localtime"]), ("", []), (":", []), ("/a/zone", ["/a/zone"]), (":/a/zone", ["/a/zone"]),
      ("CET-1CEST,M3.5.0,M10.5.0/3", []), ("Asia/Tokyo", ["/usr/share/zoneinfo/Asia/Tokyo"]),
      (":Asia/Tokyo", ["/usr/share/zoneinfo/Asia/Tokyo"]), ("../../etc/passwd", []),
    ] as [(String?, [String])] {
      #expect(TimeZone.localFiles(variable).suffix(1) == paths.suffix(1))
    }
    #expect(TimeZone.files(of: "Asia/Tokyo").last == "/usr/share/zoneinfo/Asia/Tokyo")
    #expect(TimeZone.files(of: "..") == [])
  }
}
