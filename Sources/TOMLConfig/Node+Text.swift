// SPDX-License-Identifier: Apache-2.0

extension Node {
  /// The value as a config writes it on one line; nil for a table, a date or a time.
  package var written: String? {
    switch value {
    case .string(let text): return Units.string(text)
    case .integer(let number): return String(number)
    case .float(let number): return number.isFinite ? "\(number)" : nil
    case .boolean(let flag): return String(flag)
    case .array(let nodes):
      let texts = nodes.compactMap(\.written)
      return texts.count == nodes.count ? "[\(texts.joined(separator: ", "))]" : nil
    case .table, .date, .time, .dateTime: return nil
    }
  }

  /// The value of a text that is written after `=`; nil if it is not one value.
  package init?(written text: String) {
    guard let root = try? Node.parse(Array("value = \(text)".utf8), file: 0), root.entries.count == 1 else {
      return nil
    }
    self = root.entries[0].value
  }

  /// The keys and values of a table, and of the tables in it, with the names of these tables.
  package var leaves: [(path: [String], entry: Entry)] {
    entries.flatMap { entry in
      guard case .table = entry.value.value else { return [([entry.key], entry)] }
      return entry.value.leaves.map { ([entry.key] + $0.path, $0.entry) }
    }
  }
}
