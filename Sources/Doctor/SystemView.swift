// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LinuxSystem
import Settings

/// The system that the probes examine: files below a root directory, and values that are not in files. Tests
/// use their own root and values.
package struct SystemView {
  struct Trouble: Equatable {
    var connector: String
    /// A clause without a full stop.
    var reason: String
  }

  /// The reply of the daemon.
  enum Daemon {
    /// `outputs` has the displays that have a mode. `troubles` has each display that is dark or has a worse
    /// mode than it could have.
    case answers(
      path: String, version: String, configPath: String?, outputs: [String], troubles: [Trouble] = [])
    /// The error of each socket that was tried.
    case silent([SystemError])
    /// The socket accepts connections, but the call failed.
    case failed(String)
  }

  /// The directory that is prepended to all paths; empty for the real system.
  var root = ""
  var userID: UInt32
  /// The groups of this process, which are those of the login; /etc/group may have changed since.
  var groupIDs: [UInt32]
  var environment: (String) -> String?
  /// access(2) with the given mode.
  var isAllowed: (String, Int32) -> Bool
  var daemon: Daemon
  /// The state of the service; nil without systemd.
  var serviceState: String?
  /// The state of the service's socket; nil without systemd.
  var socketState: String?
  /// The free bytes and files of the file system of a path, for users other than root; nil if unknown.
  var room: (String) -> (bytes: UInt64, files: UInt64)? = { _ in nil }
  /// Nil: this process may not ask for it.
  var clockIsSynchronized: Bool?
  /// Whether something has confirmed the time since the machine started, as the daemon says; nil: it does not
  /// answer.
  var timeIsConfirmed: Bool?
  /// The problems with fonts of these names, one line each; nil: fonts are not examined.
  var fontProblems: (([String]) -> [String])?
  /// The config, read once.
  var settings: LoadResult
  /// Whether all displays are off, by a command or the schedule.
  var isBlanked = false
  /// Percent.
  var brightness = 100
  /// The daemon's status; nil: it does not answer.
  var status: JSONValue?
  /// The directory for the scores of the daemon that examines itself; nil: another program examines it.
  var stateDirectory: String?

  var daemonIsShowing: Bool {
    if case .answers(_, _, _, let outputs, _) = daemon { !outputs.isEmpty } else { false }
  }

  var daemonAnswers: Bool { if case .answers = daemon { true } else { false } }
}

// MARK: Files

extension SystemView {
  func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  /// The text of a file without the white space and NULs at its end; nil if it cannot be read.
  func text(_ path: String) -> String? {
    guard let bytes = try? readFile(root + path, limit: 1 << 20) else { return nil }
    var text = String(decoding: bytes, as: UTF8.self)[...]
    while let last = text.unicodeScalars.last, last.properties.isWhitespace || last == "\0" {
      text = text.dropLast()
    }
    return String(text)
  }

  func lines(_ path: String) -> [String] {
    (text(path) ?? "").split(separator: "\n").map(String.init)
  }

  /// The names in a directory, sorted; nil if it cannot be read.
  func names(_ path: String) -> [String]? {
    fileNames(in: root + path)
  }

  /// The target of a symbolic link.
  func link(_ path: String) -> String? { linkTarget(root + path) }

  /// The user ID and the group ID of a file.
  func owner(_ path: String) -> (user: UInt32, group: UInt32)? {
    var status = stat()
    return stat(root + path, &status) == 0 ? (status.st_uid, status.st_gid) : nil
  }

  /// The permissions of a file, as in `st_mode`.
  func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(root + path, &status) == 0 ? status.st_mode : nil
  }

  /// Why a directory that flipclockd uses as `user` is not safe; nil if it is, or does not exist.
  func hazard(_ directory: String, user: UInt32) -> DirectoryHazard? {
    DirectoryHazard(root + directory, user: user)
  }
}

// MARK: Users and groups (passwd(5), group(5))

extension SystemView {
  private func fields(_ path: String) -> [[String]] {
    lines(path).map { $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init) }
  }

  var userName: String {
    fields("/etc/passwd").first { $0.count > 2 && $0[2] == String(userID) }?[0] ?? "user \(userID)"
  }

  func hasUser(_ name: String) -> Bool { fields("/etc/passwd").contains { $0[0] == name } }

  /// The user IDs by name.
  var userIDs: [String: UInt32] {
    var ids: [String: UInt32] = [:]
    for user in fields("/etc/passwd") where user.count > 2 { ids[user[0]] = UInt32(user[2]) }
    return ids
  }

  func groupName(_ id: UInt32) -> String? {
    fields("/etc/group").first { $0.count > 2 && $0[2] == String(id) }?[0]
  }

  func groupID(_ name: String) -> UInt32? {
    fields("/etc/group").first { $0.count > 2 && $0[0] == name }.flatMap { UInt32($0[2]) }
  }

  /// Whether a user may create files in a directory, according to the owner, group and mode of the directory
  /// and those above it. True if there is no such user.
  func mayWrite(_ directory: String, user name: String) -> Bool {
    guard let user = userIDs[name] else { return true }
    let own = fields("/etc/passwd").first { $0.count > 3 && $0[0] == name }.flatMap { UInt32($0[3]) }
    let groups = Set(
      fields("/etc/group").filter { $0.count > 3 && $0[3].split(separator: ",").contains(name[...]) }
        .compactMap { UInt32($0[2]) } + [own].compactMap(\.self))
    func allows(_ path: String, _ bits: mode_t) -> Bool {
      guard let mode = mode(path), let owner = owner(path) else { return true }
      let shift: mode_t = owner.user == user ? 6 : groups.contains(owner.group) ? 3 : 0
      return mode >> shift & bits == bits
    }
    var parent = directory
    while let slash = parent.lastIndex(of: "/"), slash > parent.startIndex {
      parent = String(parent[..<slash])
      if !allows(parent, 1) { return false }
    }
    return allows(directory, 3)
  }

  /// The members of a group in /etc/group. Sessions that began before a change do not have the new group.
  func members(of group: String) -> [String] {
    fields("/etc/group").first { $0.count > 3 && $0[0] == group }?[3].split(separator: ",").map(String.init)
      ?? []
  }

  /// The remedy that adds this user to a group.
  func remedy(joining group: String) -> String {
    if members(of: group).contains(userName), groupID(group).map(groupIDs.contains) != true {
      return "you are in group '\(group)' since your last login: log out and in again"
    }
    return "'sudo usermod -aG \(group) \(userName)', then log out and in again"
  }
}

// MARK: The machine

extension SystemView {
  var isRaspberryPi: Bool { text("/proc/device-tree/model")?.hasPrefix("Raspberry Pi") ?? false }

  var isContainer: Bool {
    exists("/run/systemd/container") || exists("/.dockerenv") || exists("/run/.containerenv")
  }

  /// The ids of all processes.
  var processes: [Int] { (names("/proc") ?? []).compactMap { Int($0) }.sorted() }

  func processName(_ id: Int) -> String { text("/proc/\(id)/comm") ?? "process \(id)" }

  /// The path of the service's unit, in the directory with the highest precedence.
  var unitPath: String? { path(ofUnit: "flipclockd.service") }

  func path(ofUnit name: String) -> String? {
    ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map { "\($0)/systemd/system/\(name)" }
      .first { exists($0) || link($0) != nil }
  }

  /// The words of a process's command line.
  func commandLine(_ id: Int) -> [Substring] { (text("/proc/\(id)/cmdline") ?? "").split(separator: "\0") }

  /// The ID of the daemon's process. Skips flipclockd processes that run another command, such as this one.
  var daemonProcess: Int? {
    processes.first { id in
      guard processName(id) == "flipclockd" else { return false }
      let command = commandLine(id).dropFirst().first ?? ""
      return !["doctor", "check", "render"].contains(command)
    }
  }
}
