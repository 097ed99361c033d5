// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@testable import ControlCalls

/// The files that contain the version.
@Suite struct ReleaseTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private func lines(of path: String) throws -> [String] {
    let bytes = try readFile("\(Self.root)/\(path)", limit: 1 << 20)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("The latest release in the changelog has this version and a date")
  func changelog() throws {
    let headings = try lines(of: "CHANGELOG.md").filter { $0.hasPrefix("## [") }
    #expect(headings.first == "## [Unreleased]")
    let release = try #require(headings.dropFirst().first)
    let form = /## \[(.+)\] - \d{4}-\d{2}-\d{2}/
    #expect(try form.wholeMatch(in: release)?.1 == Release.version[...], "\(release)")
  }

  @Test("debian/changelog has this version")
  func debianChangelog() throws {
    let first = try #require(try lines(of: "debian/changelog").first)
    #expect(first.hasPrefix("flipclock (\(Release.version)) "), "\(first)")
  }

  @Test("The manuals have this version")
  func manuals() throws {
    let pages = TemporaryDirectory.names("\(Self.root)/man")
    #expect(pages.contains("flipclockd.8"))
    for page in pages {
      #expect(try lines(of: "man/\(page)").contains(".Os flipclock \(Release.version)"), "\(page)")
    }
  }

  @Test("--version prints the commit if it is known")
  func description() {
    let version = Release.version
    #expect(Release.description(of: "flipclockd", commit: "") == "flipclockd \(version)")
    #expect(Release.description(of: "flipclockctl", commit: "c7b54ba") == "flipclockctl \(version) (c7b54ba)")
  }
}
