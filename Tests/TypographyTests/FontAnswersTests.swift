// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import Typography

@Suite(.enabled(if: hasBebasNeue)) struct FontAnswersTests {
  private let directory = TemporaryDirectory()
  /// Fontconfig writes its own answers there.
  private let cache = TemporaryDirectory()
  private let configuration: String

  init() {
    let fonts = "/usr/share/fonts/opentype/bebas-neue"
    let entries = [fonts, directory.path].map { "<dir>\($0)</dir>" }.joined()
    configuration = directory.file(
      "fonts.conf", Array("<fontconfig>\(entries)<cachedir>\(cache.path)</cachedir></fontconfig>".utf8))
    grow(old: configuration)
    grow(old: directory.path)
  }

  /// Sets a file's time back: what has just changed is not relied on.
  private func grow(old path: String, by seconds: Int = 10) {
    var times = [
      timespec(tv_sec: time(nil) - seconds, tv_nsec: 7), timespec(tv_sec: time(nil) - seconds, tv_nsec: 7),
    ]
    utimensat(AT_FDCWD, path, &times, 0)
  }

  private func library(_ answers: [UInt8] = [], _ warnings: Warnings = Warnings()) -> FontLibrary {
    FontLibrary(configuration: configuration, answers: answers, warn: warnings.append)
  }

  /// What a library that asked fontconfig would keep.
  private func asked(_ families: [String]) throws -> [UInt8] {
    let library = library()
    for family in families { _ = library.face(family, weight: .bold) }
    #expect(library.context.isConfigurationLoaded)
    return try #require(library.answersToKeep)
  }

  @Test("What fontconfig answered is not asked again, and complaints are made all the same")
  func kept() throws {
    let answers = try asked(["Bebas Neue", "No Such Family"])
    let warnings = Warnings()
    let library = library(answers, warnings)
    #expect(library.face("Bebas Neue", weight: .bold).name == "Bebas Neue Bold")
    #expect(!library.face("No Such Family", weight: .bold).isBuiltIn)
    #expect(!library.context.isConfigurationLoaded)
    #expect(warnings.lines.count == 1 && warnings.lines[0].contains("No Such Family"), "\(warnings.lines)")
    #expect(library.answersToKeep == nil, "nothing new")
    // Another weight is another question.
    _ = library.face("Bebas Neue", weight: .regular)
    #expect(library.context.isConfigurationLoaded)
    #expect(library.answersToKeep != nil)
  }

  @Test("A directory, a file of the configuration or a font that has changed: fontconfig is asked")
  func stale() throws {
    for change in ["nothing", "configuration", "directory"] {
      let answers = try asked(["Bebas Neue"])
      switch change {
      case "directory": _ = directory.file("new.ttf", [1, 2, 3])
      case "configuration": grow(old: configuration, by: 20)
      default: break
      }
      let library = library(answers)
      #expect(library.face("Bebas Neue", weight: .bold).name == "Bebas Neue Bold")
      #expect(library.context.isConfigurationLoaded == (change != "nothing"), "\(change)")
    }
  }

  @Test("What changed just now is not relied on")
  func young() {
    _ = directory.file("new", [])
    let library = library()
    _ = library.face("Bebas Neue", weight: .bold)
    #expect(library.answersToKeep == nil)
  }

  @Test("Answers that were cut or altered anywhere lead to no other font, and to no crash")
  func damaged() throws {
    let answers = try asked(["Bebas Neue", "No Such Family"])
    var dice = SplitMix(seed: 11)
    for _ in 0..<60 {
      var damaged = answers
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
