// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

extension ServiceManager {
  /// Parses a path, or `@` and a name in the abstract namespace. Other address types (vsock) are not supported.
  static func parseAddress(_ text: String) -> UnixAddress? {
    switch text.utf8.first {
    case UInt8(ascii: "/"): try? UnixAddress(path: text)
    case UInt8(ascii: "@"): try? UnixAddress(abstract: String(text.dropFirst()))
    default: nil
    }
  }

  /// Converts microseconds to nanoseconds. Returns nil for anything but a positive number, and beyond 292
  /// years.
  static func parseInterval(_ text: String) -> Int64? {
    guard let microseconds = Int64(text), microseconds > 0 else { return nil }
    let (nanoseconds, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
    return overflow ? nil : nanoseconds
  }

  /// Returns the open descriptors from `first` on, each made close-on-exec.
  static func parseListening(_ count: String?, names: String?, first: Int32) -> [ListenFileDescriptor] {
    // systemd passes at most as many descriptors as its own open file limit.
    guard let count = count.flatMap({ Int32($0) }), (1...4096).contains(count) else { return [] }
    let names = names?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    var result: [ListenFileDescriptor] = []
    for index in 0..<count {
      let descriptor = first + index
      let flags = clinux_fcntl(descriptor, F_GETFD, 0)
      guard flags >= 0 else { continue }
      _ = clinux_fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC)
      let name = Int(index) < names.count ? String(names[Int(index)]) : "unknown"
      result.append(ListenFileDescriptor(rawValue: descriptor, name: name))
    }
    return result
  }

  /// Replaces control characters with spaces, because a newline would start another assignment.
  static func oneLine(_ text: String) -> String {
    String(decoding: text.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
  }
}
