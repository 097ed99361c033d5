// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Reports changes in directories as events of the loop, by inotify(7).
///
/// It usually watches directories and not files, because editors save by renaming: the watched file is then
/// replaced by another one. The handler must wait until changes have settled.
package final class DirectoryWatch {
  /// A change to an entry of a directory, or to the directory itself.
  package struct Event: Hashable, Sendable {
    /// The directory or file, as given to `watchOnly`. Empty with `overflow`: any watched directory or
    /// file may have changed.
    package var directory: String
    /// The entry's name; empty for the directory or file itself.
    package var name: String
    package var mask: Mask
  }

  /// The bits of `inotify_event.mask`.
  package struct Mask: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let closedAfterWrite = Mask(rawValue: UInt32(IN_CLOSE_WRITE))
    package static let movedTo = Mask(rawValue: UInt32(IN_MOVED_TO))
    package static let movedFrom = Mask(rawValue: UInt32(IN_MOVED_FROM))
    package static let deleted = Mask(rawValue: UInt32(IN_DELETE))
    /// An entry was created. A file sends `closedAfterWrite` afterwards; a link sends only this event.
    package static let created = Mask(rawValue: UInt32(IN_CREATE))
    /// The file was written to or truncated. More writes may follow until `closedAfterWrite`.
    package static let modified = Mask(rawValue: UInt32(IN_MODIFY))
    /// Permissions, owner or times changed.
    package static let attributes = Mask(rawValue: UInt32(IN_ATTRIB))
    /// The directory or file was deleted, moved or unmounted, and is no longer watched.
    package static let directoryGone = Mask(
      rawValue: UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_UNMOUNT))
    /// Events were lost; anything may have changed.
    package static let overflow = Mask(rawValue: UInt32(IN_Q_OVERFLOW))
    static let ignored = Mask(rawValue: UInt32(IN_IGNORED))
  }

  private static let itself = Mask(
    rawValue: UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR))

  /// The events of a file that is watched directly. Renaming another file over the watched file changes the
  /// watched file's link count, which IN_ATTRIB reports.
  private static let file = Mask(
    rawValue: UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ATTRIB) | UInt32(IN_MODIFY)
      | UInt32(IN_CLOSE_WRITE) | UInt32(IN_DONT_FOLLOW))

  /// Which changes are reported. Each case includes those before it.
  package enum Scope: Comparable, Hashable, Sendable {
    /// Only that the directory itself is deleted, moved or unmounted. While a process has the directory open
    /// or works in it, the kernel does not report its deletion yet.
    case itself
    /// New, deleted and moved entries too, and the events in `reporting` of `init`, except `modified`.
    case entries
    /// Writes to the directory's files too.
    case writes
  }

  private let mask: Mask
  /// Owns inotify's descriptor; nil after `cancel()`.
  private var watch: EventLoop.Watch?
  /// The paths of each watched directory or file, by watch descriptor. Several paths may lead to the same
  /// directory, which has one watch.
  private var paths: [Int32: [String]] = [:]
  private var buffer = [UInt8](repeating: 0, count: 16 * 1024)

  /// The corresponding C function is `inotify_init1`. Fails with EMFILE at the user's limit.
  ///
  /// - Parameter extra: events to report in addition to entries that are created, deleted, moved or closed
  ///   after writing.
  package init(
    on loop: EventLoop, reporting extra: Mask = [], handler: @escaping (Event) -> Void
  ) throws(SystemError) {
    mask = Self.itself.union([.closedAfterWrite, .movedTo, .movedFrom, .deleted, .created]).union(extra)
    let descriptor = FileDescriptor(
      owning: try retryingInterrupts("inotify_init1") {
        inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      })
    watch = try loop.watch(owning: descriptor, for: .readable) { [weak self] _ in
      self?.drain(handler)
    }
  }

  /// Watches exactly these directories, until they are removed or moved, and stops watching all others.
  /// Returns those that could not be watched. The corresponding C function is `inotify_add_watch`.
  ///
  /// - Parameter files: files and symbolic links to watch directly. Unlike a watch of their directory, this
  ///   does not wake the process for other files. Writes, changes of the attributes and of the link count,
  ///   deletion and moves are reported with an empty name. If a file is replaced, the new file is not
  ///   watched.
  package func watchOnly(
    _ directories: [(path: String, scope: Scope)], files: [String] = []
  ) -> [(directory: String, error: SystemError)] {
    var wanted: [Int32: [String]] = [:]
    var failures: [(directory: String, error: SystemError)] = []
    // If two paths name the same directory, the last call sets its events, so those with more events come
    // last.
    for directory in directories.sorted(by: { $0.scope < $1.scope }) {
      do throws(SystemError) {
        wanted[try add(directory.path, events(directory.scope)), default: []].append(directory.path)
      } catch {
        failures.append((directory.path, error))
      }
    }
    for file in files {
      do throws(SystemError) {
        wanted[try add(file, Self.file), default: []].append(file)
      } catch {
        failures.append((file, error))
      }
    }
    for id in paths.keys where wanted[id] == nil { remove(id) }
    paths = wanted
    return failures
  }

  private func events(_ scope: Scope) -> Mask {
    switch scope {
    case .itself: Self.itself
    case .entries: mask.subtracting([.closedAfterWrite, .modified])
    case .writes: mask
    }
  }

  /// For a directory that is already watched, the kernel returns the same watch descriptor again.
  private func add(_ directory: String, _ events: Mask) throws(SystemError) -> Int32 {
    try checkPath(directory)
    guard let watch else {
      throw SystemError("inotify_add_watch", directory, errno: Errno(rawValue: EBADF))
    }
    return try retryingInterrupts("inotify_add_watch", directory) {
      inotify_add_watch(watch.fileDescriptor, directory, events.rawValue)
    }
  }

  private func remove(_ id: Int32) {
    if let watch { inotify_rm_watch(watch.fileDescriptor, id) }
  }

  /// Ends the watch permanently.
  package func cancel() {
    watch = nil
    paths.removeAll()
  }

  private func drain(_ handler: (Event) -> Void) {
    guard let watch else { return }
    let count = buffer.withUnsafeMutableBytes { read(watch.fileDescriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    // All records are copied before `handler` is called, because it may do anything, including `cancel`.
    var records: [(id: Int32, mask: Mask, name: String)] = []
    buffer.withUnsafeBytes { bytes in
      let header = MemoryLayout<inotify_event>.size
      var offset = 0
      while offset + header <= count {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let end = min(offset + header + Int(event.len), count)
        let name = bytes[(offset + header)..<end].prefix { $0 != 0 }
        records.append((event.wd, Mask(rawValue: event.mask), String(decoding: name, as: UTF8.self)))
        offset = end
      }
    }
    for record in records {
      if record.mask.contains(.overflow) {
        handler(Event(directory: "", name: "", mask: .overflow))
        continue
      }
      guard let directories = paths[record.id], !record.mask.contains(.ignored) else {
        paths[record.id] = nil
        continue
      }
      if !record.mask.isDisjoint(with: .directoryGone) {
        // A moved directory would still be watched, under a path that is no longer its own.
        remove(record.id)
        paths[record.id] = nil
      }
      for directory in directories {
        handler(Event(directory: directory, name: record.name, mask: record.mask))
      }
    }
  }
}
