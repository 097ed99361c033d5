// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

struct DirectoryWatchTests {
  /// The events that `body` causes in a watched directory, each as its name and its flags.
  private func events(_ body: (String) throws -> Void) throws -> [String] {
    let directory = try TemporaryDirectory()
    try AtomicFile.write([1], to: directory.path + "/config.toml")
    let loop = try EventLoop()
    var seen: [DirectoryWatch.Event] = []
    let watch = try DirectoryWatch(on: loop) { seen.append($0) }
    #expect(watch.watchOnly([(directory.path, .writes)]).isEmpty)
    try body(directory.path)
    try loop.turn(timeoutMilliseconds: 0)
    watch.cancel()
    #expect(seen.allSatisfy { $0.directory == directory.path })
    let names: [(DirectoryWatch.Mask, String)] = [
      (.closedAfterWrite, "closed"), (.movedTo, "to"), (.movedFrom, "from"), (.deleted, "deleted"),
      (.created, "created"), (.directoryGone, "gone"),
    ]
    return seen.map { event in
      "\(event.name): " + names.filter { !event.mask.isDisjoint(with: $0.0) }.map(\.1).joined(separator: " ")
    }
  }

  private func put(_ path: String, _ text: String) throws {
    let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC)
    _ = write(file.rawValue, text, text.utf8.count)
  }

  @Test("Saving in place reports the close")
  func inPlace() throws {
    let seen = try events { try put($0 + "/config.toml", "a = 1") }
    #expect(seen == ["config.toml: closed"])
  }

  @Test("Saving by rename reports the move to the name")
  func byRename() throws {
    let seen = try events {
      try put($0 + "/new~", "a = 2")
      #expect(rename($0 + "/new~", $0 + "/config.toml") == 0)
    }
    #expect(seen == ["new~: created", "new~: closed", "new~: from", "config.toml: to"])
  }

  @Test("vim's way of saving with a backup ends with the file closed under its name")
  func vim() throws {
    let seen = try events {
      try put($0 + "/4913", "")
      unlink($0 + "/4913")
      #expect(rename($0 + "/config.toml", $0 + "/config.toml~") == 0)
      try put($0 + "/config.toml", "a = 3")
      unlink($0 + "/config.toml~")
    }
    #expect(seen.contains("config.toml: from"))
    #expect(seen.contains("config.toml: closed"))
    #expect(seen.last == "config.toml~: deleted")
  }

  @Test("A new link and a deleted file are reported")
  func links() throws {
    let seen = try events {
      #expect(symlink("/dev/null", $0 + "/10-x.toml") == 0)
      unlink($0 + "/config.toml")
    }
    #expect(seen == ["10-x.toml: created", "config.toml: deleted"])
  }

  @Test("A name that is not UTF-8 is accepted")
  func badName() throws {
    let seen = try events { path in
      let bytes = Array(path.utf8) + Array("/".utf8) + [0xff, 0x41, 0]
      let descriptor = bytes.withUnsafeBytes { raw in
        raw.baseAddress.map { clinux_open($0.assumingMemoryBound(to: CChar.self), O_WRONLY | O_CREAT, 0o600) }
          ?? -1
      }
      close(descriptor)
    }
    #expect(seen == ["\u{fffd}A: created", "\u{fffd}A: closed"])
  }

  @Test("A removed directory is reported and can be watched again later", arguments: [true, false])
  func gone(byRename: Bool) throws {
    let parent = try TemporaryDirectory()
    let directory = parent.path + "/conf.d"
    mkdir(directory, 0o755)
    let loop = try EventLoop()
    var seen: [DirectoryWatch.Event] = []
    let watch = try DirectoryWatch(on: loop) { seen.append($0) }
    #expect(watch.watchOnly([(directory, .writes)]).isEmpty)
    #expect((byRename ? rename(directory, parent.path + "/old") : rmdir(directory)) == 0)
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(seen.count == 1)
    #expect(seen.first?.name == "")
    #expect(seen.first?.mask.isDisjoint(with: .directoryGone) == false)
    #expect(watch.watchOnly([(directory, .writes)]).first?.error.errno.rawValue == ENOENT)
    if byRename {
      try put(parent.path + "/old/x", "")
      try loop.turn(timeoutMilliseconds: 0)
      #expect(seen.count == 1)
    }
    mkdir(directory, 0o755)
    #expect(watch.watchOnly([(directory, .writes)]).isEmpty)
    try put(directory + "/x", "")
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(seen.last?.name == "x")
  }

  @Test(
    "A path that is not a directory or does not exist is returned as an error",
    arguments: [("file", ENOTDIR), ("none", ENOENT), ("a\0", EINVAL)])
  func refused(_ name: String, _ number: Int32) throws {
    let directory = try TemporaryDirectory()
    try put(directory.path + "/file", "")
    let watch = try DirectoryWatch(on: try EventLoop()) { _ in }
    #expect(watch.watchOnly([(directory.path + "/" + name, .writes)]).first?.error.errno.rawValue == number)
  }

  @Test("Two paths to one directory are both reported; one that is no longer watched is not")
  func twoPaths() throws {
    let parent = try TemporaryDirectory()
    mkdir(parent.path + "/d", 0o755)
    symlink("d", parent.path + "/l")
    let loop = try EventLoop()
    var seen: [String] = []
    let watch = try DirectoryWatch(on: loop) { seen.append($0.directory) }
    #expect(watch.watchOnly(["/d", "/l"].map { (parent.path + $0, .writes) }).isEmpty)
    symlink("x", parent.path + "/d/x")
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(seen == [parent.path + "/d", parent.path + "/l"])
    symlink("x", parent.path + "/d/y")
    #expect(watch.watchOnly([]).isEmpty)
    try loop.turn(timeoutMilliseconds: 0)
    #expect(seen.count == 2)
    #expect(watch.watchOnly([(parent.path + "/d", .writes)]).isEmpty)
    symlink("x", parent.path + "/d/z")
    try loop.turn(timeoutMilliseconds: 0)
    #expect(seen.count == 3)
  }

  @Test("With the scope .entries writes to files are not reported; of two scopes the wider one applies")
  func writesElsewhere() throws {
    let parent = try TemporaryDirectory()
    for name in ["a", "b"] { mkdir("\(parent.path)/\(name)", 0o755) }
    symlink("b", parent.path + "/c")
    for name in ["a", "b"] { try put("\(parent.path)/\(name)/file", "text") }
    let loop = try EventLoop()
    var seen: Set<String> = []
    let watch = try DirectoryWatch(on: loop, reporting: .modified) { event in
      seen.insert("\(event.directory.suffix(1))/\(event.name)")
    }
    // `c` is the same directory as `b`; the wider scope counts.
    let scopes: [(String, DirectoryWatch.Scope)] = [("a", .entries), ("c", .writes), ("b", .entries)]
    #expect(watch.watchOnly(scopes.map { ("\(parent.path)/\($0)", $1) }).isEmpty)
    for name in ["a", "b"] {
      let file = open("\(parent.path)/\(name)/file", O_WRONLY)
      #expect(write(file, "more", 4) == 4)
      close(file)
    }
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(seen == ["b/file", "c/file"])
    seen = []
    symlink("x", parent.path + "/a/new")
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(seen == ["a/new"])
  }

  @Test(
    "Of a directory that is watched only for its removal, nothing else is reported", arguments: [true, false])
  func onlyItself(byRename: Bool) throws {
    let parent = try TemporaryDirectory()
    let directory = parent.path + "/d"
    mkdir(directory, 0o755)
    let loop = try EventLoop()
    var seen: [String] = []
    let watch = try DirectoryWatch(on: loop, reporting: [.modified, .attributes]) { event in
      seen.append(event.mask.isDisjoint(with: .directoryGone) ? event.name : "gone")
    }
    #expect(watch.watchOnly([(directory, .itself)]).isEmpty)
    try put(directory + "/file", "text")
    chmod(directory + "/file", 0o600)
    unlink(directory + "/file")
    try loop.turn(timeoutMilliseconds: 0)
    #expect(seen == [])
    #expect((byRename ? rename(directory, parent.path + "/old") : rmdir(directory)) == 0)
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(seen == ["gone"])
  }

  @Test("Exactly the given directories are watched; failures are returned")
  func watchOnly() throws {
    let parent = try TemporaryDirectory()
    for name in ["a", "b"] { mkdir("\(parent.path)/\(name)", 0o755) }
    let loop = try EventLoop()
    var seen: [String] = []
    let watch = try DirectoryWatch(on: loop, reporting: [.modified, .attributes]) { event in
      seen.append("\(event.directory.suffix(1))/\(event.name)")
    }
    #expect(
      watch.watchOnly([("\(parent.path)/a", .writes), ("\(parent.path)/none", .writes)])
        .map(\.error.errno.rawValue) == [ENOENT])
    #expect(watch.watchOnly([("\(parent.path)/a", .writes), ("\(parent.path)/b", .writes)]).isEmpty)
    #expect(watch.watchOnly([("\(parent.path)/b", .writes)]).isEmpty)
    for name in ["a", "b"] { symlink("x", "\(parent.path)/\(name)/x") }
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(seen == ["b/x"])
    seen = []
    try put(parent.path + "/b/file", "text")
    chmod(parent.path + "/b/file", 0o600)
    try loop.turn(timeoutMilliseconds: 1000)
    // Four events: the file was created, written and closed, and its permissions were changed.
    #expect(seen == ["b/file", "b/file", "b/file", "b/file"])
  }

  @Test("A handler may cancel the watch in the middle of a burst")
  func cancelsItself() throws {
    let directory = try TemporaryDirectory()
    let loop = try EventLoop()
    var count = 0
    var watch: DirectoryWatch?
    watch = try DirectoryWatch(on: loop) { _ in
      count += 1
      watch?.cancel()
      watch = nil
    }
    #expect(watch?.watchOnly([(directory.path, .writes)]).isEmpty == true)
    for index in 0..<10 { symlink("x", "\(directory.path)/\(index)") }
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(count == 1)
    #expect(watch == nil)
  }
}
