// SPDX-License-Identifier: Apache-2.0

// generated-files [ROOT]   writes the generated files and parts of files; ROOT is the repository.

import ConfigReference
import Glibc
import LinuxSystem

let root = CommandLine.arguments.dropFirst().first ?? "."
do {
  for file in try GeneratedFiles.all(root: root) {
    let path = "\(root)/\(file.path)"
    let bytes = Array(file.text.utf8)
    if let old = try? readFile(path, limit: 1 << 20), old == bytes { continue }
    try AtomicFile.write(bytes, to: path, isDurable: false)
    print("wrote \(file.path)")
  }
} catch {
  Log(program: "generated-files").error("\(error)")
  exit(1)
}
