// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import CivilTime
@testable import Daemon

/// The machine's time zone when /etc/localtime changes or cannot be read.
@Suite struct ZoneCacheTests {
  /// What may be at the path.
  enum State: CaseIterable {
    case berlin, tokyo, missing, empty, truncated, text, directory, dangling, loop, fifo, unreadable

    /// The zone's name, or nil if it cannot be read. Without the file the zone is UTC (localtime(5)).
    var zone: String? {
      switch self {
      case .berlin: "Europe/Berlin"
      case .tokyo: "Asia/Tokyo"
      case .missing: "UTC"
      default: nil
      }
    }

    func make(at path: String) throws {
      unlink(path)
      rmdir(path)
      let berlin = "/usr/share/zoneinfo/Europe/Berlin"
      switch self {
      case .berlin: symlink(berlin, path)
      case .tokyo: symlink("/usr/share/zoneinfo/Asia/Tokyo", path)
      case .missing: break
      case .empty: try writeFile([], to: path)
      case .truncated: try writeFile(Array(try readFile(berlin, limit: 1 << 20).prefix(60)), to: path)
      case .text: try writeFile(Array("Europe/Berlin\n".utf8), to: path)
      case .directory: mkdir(path, 0o755)
      case .dangling: symlink("/nonexistent/zone", path)
      case .loop: symlink(path, path)
      case .fifo: mkfifo(path, 0o600)
      case .unreadable:
        try writeFile(try readFile(berlin, limit: 1 << 20), to: path)
        chmod(path, 0)
      }
    }
  }

  @Test("A warning is about zones that are in use")
  func warnings() {
    let cache = ZoneCache(log: Log(style: .journal, threshold: .emergency))
    for (name, isKnown) in [
      ("Europe/Berln", false), ("Europe/Berlin", true), ("Mars/Base", false), ("UTC", true),
    ] {
      cache.renew(local: name)
      #expect((cache["local"].name == name) == isKnown)
      #expect(
        cache.warnings.count == (isKnown ? 0 : 1) && cache.warnings.allSatisfy { $0.contains("'\(name)'") })
    }
  }

  @Test("While the file cannot be read, the last readable zone is used, and a warning is reported")
  func transitions() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("localtime")
    for start in State.allCases {
      for next in State.allCases {
        for last in [State.berlin, .tokyo, .missing] {
          let cache = ZoneCache(log: Log(style: .journal, threshold: .emergency)) {
            (_) throws(TimeZoneError) in
            try TimeZone.local(nil, file: path)
          }
          var expected = "UTC"
          for state in [start, next, last] {
            // Root can read the file anyway.
            if state == .unreadable, geteuid() == 0 { continue }
            try state.make(at: path)
            cache.renew(local: "local")
            expected = state.zone ?? expected
            #expect(cache["local"].name == expected, "\(start), \(next), \(last)")
            #expect(cache.warnings.isEmpty == (state.zone != nil), "\(start), \(next), \(last)")
            #expect(cache.warnings.allSatisfy { $0.contains(expected) && $0.contains("time zone") })
          }
        }
      }
    }
  }
}
