// SPDX-License-Identifier: Apache-2.0

import Commands
import ConfigChecks
import ControlCalls
import Glibc
import JSON
import LinuxSystem
import Settings
import TOMLConfig
import Typography
import VarlinkSockets

extension SystemView {
  /// The current state of this machine. Asks the daemon, for which it waits a few seconds at most, and
  /// systemd.
  ///
  /// - Parameter socket: the value of `--socket`.
  package static func live(socket: String?) -> SystemView {
    let (daemon, status) = ask(SocketPath.candidates(option: socket, environment: environmentVariable))
    return SystemView(
      userID: geteuid(), groupIDs: groups(), environment: environmentVariable,
      isAllowed: { path, mode in access(path, mode) == 0 }, daemon: daemon,
      serviceState: askSystemd("flipclockd.service"), socketState: askSystemd("flipclockd.socket"),
      room: room,
      clockIsSynchronized: SystemClock.synchronization,
      timeIsConfirmed: status.map { $0["timeUnconfirmed"]?.bool != true }, fontProblems: fontProblems,
      settings: SettingsLoader.load(sources(daemon), mode: .running, checks: .standard),
      isBlanked: status?["blanked"]?.bool ?? false, brightness: status?["brightness"]?.integer ?? 100,
      status: status)
  }

  /// What the daemon sees of itself and of the machine from its sandbox, in which other processes are hidden.
  /// Made on the loop's thread, and used on another one.
  ///
  /// - Parameters:
  ///   - status: its own status.
  ///   - socket: its socket.
  ///   - isService: whether systemd runs it.
  ///   - settings: the result of reading the config.
  package static func daemon(
    status: JSONValue, socket: String, stateDirectory: String, isService: Bool, settings: LoadResult
  ) -> SystemView {
    SystemView(
      userID: geteuid(), groupIDs: groups(), environment: { _ in nil },
      isAllowed: { path, mode in access(path, mode) == 0 }, daemon: answer(status, at: socket),
      serviceState: isService ? "active" : nil, socketState: nil, room: room,
      clockIsSynchronized: SystemClock.synchronization,
      timeIsConfirmed: status["timeUnconfirmed"]?.bool != true, fontProblems: nil, settings: settings,
      isBlanked: status["blanked"]?.bool ?? false, brightness: status["brightness"]?.integer ?? 100,
      status: status, stateDirectory: stateDirectory)
  }

  /// The config file that the daemon reports, if it is outside the standard directories; otherwise the
  /// standard files.
  private static func sources(_ daemon: Daemon) -> SettingsSources {
    guard case .answers(_, _, let path?, _, _) = daemon,
      !["/etc", "/run", "/usr/lib"].contains(where: { path.hasPrefix("\($0)/flipclock/") })
    else { return .standard() }
    return .explicit(path)
  }

  private static func groups() -> [UInt32] {
    let count = getgroups(0, nil)
    guard count > 0 else { return [getegid()] }
    var groups = [UInt32](repeating: 0, count: Int(count))
    let found = getgroups(count, &groups)
    return [getegid()] + groups.prefix(Int(max(0, found)))
  }

  /// Asks the daemon for its status, which is nil if there is no reply.
  private static func ask(_ candidates: [String]) -> (Daemon, JSONValue?) {
    do throws(VarlinkClientError) {
      var client = try VarlinkClient(candidates: candidates, timeoutSeconds: 5)
      let status = try client.perform(.status)["status"] ?? .object([:])
      return (answer(status, at: client.path), status)
    } catch {
      if case .unreachable(let errors) = error { return (.silent(errors), nil) }
      return (.failed(error.message), nil)
    }
  }

  private static func answer(_ status: JSONValue, at path: String) -> Daemon {
    let all = status["outputs"]?.array ?? []
    let outputs = all.filter { $0["mode"]?.string?.isEmpty == false }.map { output in
      ["connector", "mode"].compactMap { output[$0]?.string }.joined(separator: " ")
    }
    let troubles = all.compactMap { output in
      output["problem"]?.string.map { Trouble(connector: output["connector"]?.string ?? "", reason: $0) }
    }
    return .answers(
      path: path, version: status["version"]?.string ?? "of unknown version",
      configPath: status["config"]?["path"]?.string, outputs: outputs, troubles: troubles)
  }

  /// The output of `systemctl is-active`; nil without systemd.
  private static func askSystemd(_ unit: String) -> String? {
    guard access("/run/systemd/system", F_OK) == 0,
      let pipe = popen("exec systemctl is-active \(unit) 2>/dev/null </dev/null", "re")
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = fread(&bytes, 1, bytes.count, pipe)
    pclose(pipe)
    let word = String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return word.isEmpty ? nil : word
  }

  private static func fontProblems(_ names: [String]) -> [String] {
    var lines: [String] = []
    // fontconfig prints an error for each cache that it cannot save.
    silencing(STDERR_FILENO) {
      let library = FontLibrary { lines.append($0) }
      for name in names { _ = library.face(name, weight: .regular) }
    }
    return lines
  }

  /// Runs `body` while output to `descriptor` is discarded.
  static func silencing(_ descriptor: Int32, _ body: () -> Void) {
    let kept = dup(descriptor)
    let nothing = Glibc.open("/dev/null", O_WRONLY | O_CLOEXEC)
    if kept >= 0, nothing >= 0 { dup2(nothing, descriptor) }
    if nothing >= 0 { close(nothing) }
    body()
    guard kept >= 0 else { return }
    dup2(kept, descriptor)
    close(kept)
  }

  /// The free bytes and files of the file system of `path`, from statvfs(3); nil on an error.
  private static func room(_ path: String) -> (bytes: UInt64, files: UInt64)? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    // File systems without a limit on files report 0 files in total.
    let files = status.f_files == 0 ? UInt64.max : UInt64(status.f_favail)
    return (UInt64(status.f_bavail) &* UInt64(status.f_frsize), files)
  }
}
