// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Changes in directories as events of the loop, by inotify(7).
///
/// Directories are watched and not files, because editors save by rename: the file that was watched is
/// then another one. What has not settled yet is for the handler to wait out.
public final class DirectoryWatch {
  /// What happened to an entry of a directory, or to the directory.
  public struct Event: Hashable, Sendable {
    /// The directory as given to `watch`; empty with `overflow`: any of them may have changed.
    public var directory: String
    /// The entry's name; empty for the directory itself.
    public var name: String
    public var mask: Mask
  }

  /// The bits of `inotify_event.mask`.
  public struct Mask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let closedAfterWrite = Mask(rawValue: UInt32(IN_CLOSE_WRITE))
    public static let movedTo = Mask(rawValue: UInt32(IN_MOVED_TO))
    public static let movedFrom = Mask(rawValue: UInt32(IN_MOVED_FROM))
    public static let deleted = Mask(rawValue: UInt32(IN_DELETE))
    /// Files send `closedAfterWrite` afterwards; links send this one only.
    public static let created = Mask(rawValue: UInt32(IN_CREATE))
    /// Written to or truncated; the writer may go on until `closedAfterWrite`.
    public static let modified = Mask(rawValue: UInt32(IN_MODIFY))
    /// Permissions, owner or times changed.
    public static let attributes = Mask(rawValue: UInt32(IN_ATTRIB))
    /// The directory is gone from where it was (deleted, moved, unmounted) and no longer watched.
    public static let directoryGone = Mask(
      rawValue: UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_UNMOUNT))
    /// Events were lost: look at everything.
    public static let overflow = Mask(rawValue: UInt32(IN_Q_OVERFLOW))
    static let ignored = Mask(rawValue: UInt32(IN_IGNORED))
  }

  private let descriptor: FileDescriptor
  private let mask: Mask
  private var watch: EventLoop.Watch?
  /// Several paths may lead to one directory, which has one watch.
  private var paths: [Int32: [String]] = [:]
  private var buffer = [UInt8](repeating: 0, count: 16 * 1024)

  /// The corresponding C function is `inotify_init1`; fails with EMFILE at the user's limit.
  ///
  /// - Parameter extra: events that are reported besides entries that come, go or are closed after writing.
  public init(
    on loop: EventLoop, reporting extra: Mask = [], handler: @escaping (Event) -> Void
  ) throws(SystemError) {
    let usual: Mask = [
      .closedAfterWrite, .movedTo, .movedFrom, .deleted, .created,
      Mask(rawValue: UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)),
    ]
    mask = usual.union(extra)
    descriptor = FileDescriptor(
      owning: try retryingInterrupts("inotify_init1") {
        inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      })
    watch = try loop.watch(descriptor.rawValue, for: .readable) { [weak self] _ in
      self?.drain(handler)
    }
  }

  deinit { cancel() }

  /// Watches `directory` until it goes. One that is not there, or is no directory, is an answer and not
  /// a failure: nil is success. The corresponding C function is `inotify_add_watch`.
  @discardableResult
  public func watch(_ directory: String) -> SystemError? {
    do throws(SystemError) {
      let id = try add(directory, mask)
      if paths[id]?.contains(directory) != true { paths[id, default: []].append(directory) }
      return nil
    } catch {
      return error
    }
  }

  /// Watches these directories, and no others that were watched before. Returns what could not be watched.
  ///
  /// - Parameter reportsWrites: whether writing to a directory's files is reported too; else only entries that
  ///   come and go, so that a directory in which others write a lot, such as /tmp, wakes nobody.
  public func watchOnly(
    _ directories: [String], reportsWrites: (String) -> Bool = { _ in true }
  ) -> [(directory: String, error: SystemError)] {
    var wanted: [Int32: [String]] = [:]
    var failures: [(directory: String, error: SystemError)] = []
    // Of two names for one directory the last one sets the events: those with more events come last.
    let ordered = directories.filter { !reportsWrites($0) } + directories.filter(reportsWrites)
    for directory in ordered {
      let events = reportsWrites(directory) ? mask : mask.subtracting([.closedAfterWrite, .modified])
      do throws(SystemError) {
        wanted[try add(directory, events), default: []].append(directory)
      } catch {
        failures.append((directory, error))
      }
    }
    for id in paths.keys where wanted[id] == nil { inotify_rm_watch(descriptor.rawValue, id) }
    paths = wanted
    return failures
  }

  /// The kernel gives a directory that is watched already the same number again.
  private func add(_ directory: String, _ events: Mask) throws(SystemError) -> Int32 {
    try checkPath(directory)
    return try retryingInterrupts("inotify_add_watch", directory) {
      inotify_add_watch(descriptor.rawValue, directory, events.rawValue)
    }
  }

  /// Ends the watch for good.
  public func cancel() {
    watch?.cancel()
    watch = nil
    paths.removeAll()
  }

  private func drain(_ handler: (Event) -> Void) {
    let count = buffer.withUnsafeMutableBytes { read(descriptor.rawValue, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    // All are taken out before any is told: a handler may do anything, `cancel` included.
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
        // A moved directory would go on to be watched under a path that is no longer its own.
        inotify_rm_watch(descriptor.rawValue, record.id)
        paths[record.id] = nil
      }
      for directory in directories {
        handler(Event(directory: directory, name: record.name, mask: record.mask))
      }
    }
  }
}
