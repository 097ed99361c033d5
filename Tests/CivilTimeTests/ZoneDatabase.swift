// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The machine's zone database; minimal machines have none.
enum ZoneDatabase {
  static let root = "/usr/share/zoneinfo"
  static let isPresent = access("\(root)/Europe/London", R_OK) == 0

  /// The names of all zones in the database, sorted, without the copies below right/ and posix/.
  static func names() -> [String] {
    var names: [String] = []
    var directories = [""]
    while let directory = directories.popLast() {
      guard let stream = opendir("\(root)/\(directory)") else { continue }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        // The files under right/ contain leap seconds, which date(1) then counts.
        if name.hasPrefix(".") || name.contains(".") || name == "right" || name == "posix" { continue }
        let path = directory + name
        var status = stat()
        guard stat("\(root)/\(path)", &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          directories.append("\(path)/")
        } else if status.st_size > 44, bytes(of: path).starts(with: "TZif".utf8) {
          names.append(path)
        }
      }
    }
    return names.sorted()
  }

  static func bytes(of name: String) -> [UInt8] {
    guard let file = fopen("\(root)/\(name)", "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }
}
