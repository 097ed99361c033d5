// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import Typography

@Suite(.needsBebasNeue) struct FontMatchCacheTests {
  private let directory: TemporaryDirectory
  /// The directory in which fontconfig writes its own cache.
  private let cacheDirectory: TemporaryDirectory
  private let configuration: String

  init() throws {
    directory = try TemporaryDirectory()
    cacheDirectory = try TemporaryDirectory()
    let fonts = "/usr/share/fonts/opentype/bebas-neue"
    let entries = [fonts, directory.path].map { "<dir>\($0)</dir>" }.joined()
    configuration = directory.put(
      "fonts.conf",
      Array("<fontconfig>\(entries)<cachedir>\(cacheDirectory.path)</cachedir></fontconfig>".utf8))
    setAge(of: configuration)
    setAge(of: directory.path)
  }

  /// Sets a file's modification time back, because recent changes make the cache unusable.
  private func setAge(of path: String, seconds: Int = 10) {
    var times = [
      timespec(tv_sec: time(nil) - seconds, tv_nsec: 7), timespec(tv_sec: time(nil) - seconds, tv_nsec: 7),
    ]
    utimensat(AT_FDCWD, path, &times, 0)
  }

  private func library(_ matchCache: [UInt8] = [], _ warnings: Warnings = Warnings()) -> FontLibrary {
    FontLibrary(configuration: configuration, matchCache: matchCache, warn: warnings.append)
  }

  /// The cache that a library saves after querying fontconfig.
  private func savedCache(_ families: [String]) throws -> [UInt8] {
    let library = library()
    for family in families { _ = library.face(family, weight: .bold) }
    #expect(library.context.isConfigurationLoaded)
    return try #require(library.matchCacheToSave)
  }

  @Test("Cached matches are used without fontconfig, and still cause warnings")
  func kept() throws {
    let cache = try savedCache(["Bebas Neue", "No Such Family"])
    let warnings = Warnings()
    let library = library(cache, warnings)
    #expect(library.face("Bebas Neue", weight: .bold).name == "Bebas Neue Bold")
    #expect(!library.face("No Such Family", weight: .bold).isBuiltIn)
    #expect(!library.context.isConfigurationLoaded)
    #expect(warnings.lines.count == 1 && warnings.lines[0].contains("No Such Family"), "\(warnings.lines)")
    #expect(library.matchCacheToSave == nil, "nothing new")
    // Another weight is another query.
    _ = library.face("Bebas Neue", weight: .regular)
    #expect(library.context.isConfigurationLoaded)
    #expect(library.matchCacheToSave != nil)
  }

  @Test("A changed directory or configuration file makes the cache invalid")
  func stale() throws {
    for change in ["nothing", "configuration", "directory"] {
      let cache = try savedCache(["Bebas Neue"])
      switch change {
      case "directory": directory.put("new.ttf", [1, 2, 3])
      case "configuration": setAge(of: configuration, seconds: 20)
      default: break
      }
      let library = library(cache)
      #expect(library.face("Bebas Neue", weight: .bold).name == "Bebas Neue Bold")
      #expect(library.context.isConfigurationLoaded == (change != "nothing"), "\(change)")
    }
  }

  @Test("Matches are not saved when a dependency changed just now")
  func young() {
    directory.put("new", [])
    let library = library()
    _ = library.face("Bebas Neue", weight: .bold)
    #expect(library.matchCacheToSave == nil)
  }

  @Test("A truncated or altered cache causes neither a wrong font nor a crash")
  func damaged() throws {
    let cache = try savedCache(["Bebas Neue", "No Such Family"])
    var dice = SplitMix(seed: 11)
    for _ in 0..<60 {
      var damaged = cache
      if dice.next() % 2 == 0 {
        damaged.removeLast(Int(dice.next() % UInt64(damaged.count)))
      } else {
        for _ in 0..<3 {
          damaged[Int(dice.next() % UInt64(damaged.count))] = UInt8(truncatingIfNeeded: dice.next())
        }
      }
      #expect(library(damaged).face("Bebas Neue", weight: .bold).name.contains("Bebas Neue"))
    }
    for text in [[0, 255, 10], Array("flipclock fonts 1\n".utf8), [UInt8](repeating: 10, count: 2 << 20)] {
      #expect(library(text).face("Bebas Neue", weight: .bold).name == "Bebas Neue Bold")
    }
  }
}
