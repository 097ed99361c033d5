// SPDX-License-Identifier: Apache-2.0

import Glibc
import Raster
import TestSupport
import Testing

@testable import Typography

/// Records a library's warnings.
final class Warnings {
  private(set) var lines: [String] = []
  func append(_ line: String) { lines.append(line) }
}

extension TemporaryDirectory {
  /// Writes a fontconfig configuration with these font directories only, and returns its path.
  func configuration(directories: [String] = []) -> String {
    let entries = directories.map { "<dir>\($0)</dir>" }.joined()
    return put(
      "fonts.conf", Array("<fontconfig>\(entries)<cachedir>\(path)</cachedir></fontconfig>".utf8))
  }
}

func contents(_ path: String) -> [UInt8] {
  guard let stream = fopen(path, "r") else { return [] }
  defer { fclose(stream) }
  var bytes = [UInt8](repeating: 0, count: 4 << 20)
  bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, stream))
  return bytes
}

/// The font in Debian's fonts-bebas-neue, which scripts/setup installs.
let bebasNeue = "/usr/share/fonts/opentype/bebas-neue/BebasNeue-Bold.otf"
extension Trait where Self == ConditionTrait {
  /// Skips the test on a machine without Bebas Neue.
  static var needsBebasNeue: Self {
    .enabled(if: access(bebasNeue, R_OK) == 0, "needs fonts-bebas-neue")
  }
}

/// A face by family, path or `built-in`; warnings are dropped.
func face(_ name: String, _ weight: FontWeight = .bold) -> FontFace {
  FontLibrary(warn: { _ in }).face(name, weight: weight)
}

extension Bitmap {
  /// Coverage of an A8 bitmap by column and by row, in pixels.
  var coverage: (columns: [Double], rows: [Double]) {
    var columns = [Int](repeating: 0, count: width)
    var rows = [Int](repeating: 0, count: height)
    for y in 0..<height {
      let row = buffer.row8(y)
      for x in 0..<width where row[x] != 0 {
        columns[x] += Int(row[x])
        rows[y] += Int(row[x])
      }
    }
    return (columns.map { Double($0) / 255 }, rows.map { Double($0) / 255 })
  }

  /// The columns and rows with ink; nil if there is none.
  var inked: (x: ClosedRange<Int>, y: ClosedRange<Int>)? {
    let (columns, rows) = coverage
    guard let left = columns.firstIndex(where: { $0 > 0 }), let right = columns.lastIndex(where: { $0 > 0 }),
      let top = rows.firstIndex(where: { $0 > 0 }), let bottom = rows.lastIndex(where: { $0 > 0 })
    else { return nil }
    return (left...right, top...bottom)
  }

  /// The centre of the coverage.
  var centroid: (x: Double, y: Double) {
    let (columns, rows) = coverage
    let total = rows.reduce(0, +)
    func mean(_ sums: [Double]) -> Double {
      sums.indices.reduce(0) { $0 + (Double($1) + 0.5) * sums[$1] } / total
    }
    return (mean(columns), mean(rows))
  }
}
