// SPDX-License-Identifier: Apache-2.0

/// The contents of a TZif file (RFC 9636, versions 1 to 4): the transitions and the rule that applies after
/// the last one.
struct TZif: Hashable, Sendable {
  /// The times of the transitions in ascending order, in seconds of POSIX time. Each changes the type, except
  /// perhaps the last.
  var transitions: [Int64] = []
  /// The index in `types` of the type that applies from each transition on.
  var transitionTypes: [UInt8] = []
  /// The local time types, at least one. The first applies before all transitions.
  var types: [LocalTimeType] = []
  /// The rule that applies from the last transition on, or always if there are no transitions.
  var rule: POSIXRule?

  init(type: LocalTimeType) { types = [type] }

  init(rule: POSIXRule) {
    types = [rule.standard]
    self.rule = rule
  }

  /// Checks every count and index against the size of the file.
  init(parsing bytes: [UInt8]) throws(TimeZoneError) {
    var reader = TZifReader(bytes: bytes)
    var header = try reader.header()
    var timeSize = 4
    if header.version >= UInt8(ascii: "2") {
      // The first block has 32-bit times, for old readers; the second has all data, with 64-bit times.
      try reader.skip(header.bodySize(timeSize: 4))
      header = try reader.header()
      timeSize = 8
    }
    guard header.typeCount > 0, header.typeCount <= 256 else { throw .malformed("no local time types") }
    guard header.characterCount > 0 else { throw .malformed("no abbreviations") }
    guard header.leapCount <= 1_024 else { throw .malformed("too many leap seconds") }
    try reader.require(header.bodySize(timeSize: timeSize))

    transitions.reserveCapacity(header.transitionCount)
    for _ in 0..<header.transitionCount { transitions.append(reader.integer(timeSize)) }
    for _ in 0..<header.transitionCount {
      let index = reader.byte()
      guard index < header.typeCount else { throw .malformed("a transition to an unknown type") }
      transitionTypes.append(index)
    }
    var types: [(offset: Int, isDST: Bool, abbreviation: Int)] = []
    for _ in 0..<header.typeCount {
      let offset = Int(reader.integer(4))
      let isDST = reader.byte()
      let abbreviation = Int(reader.byte())
      guard LocalTimeType.offsets.contains(offset) else { throw .malformed("an offset of \(offset) s") }
      guard isDST <= 1 else { throw .malformed("a daylight flag of \(isDST)") }
      types.append((offset, isDST == 1, abbreviation))
    }
    let characters = reader.bytes(header.characterCount)
    for type in types {
      let name = try Self.abbreviation(at: type.abbreviation, in: characters)
      self.types.append(LocalTimeType(utcOffset: type.offset, isDST: type.isDST, abbreviation: name))
    }
    removeLeapSeconds((0..<header.leapCount).map { _ in (reader.integer(timeSize), reader.integer(4)) })
    guard zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw .malformed("transitions out of order")
    }
    removeTransitionsWithoutChange()
    _ = reader.bytes(header.standardCount + header.utcCount)
    if timeSize == 8, let footer = try reader.footer(), !footer.isEmpty {
      rule = try POSIXRule(parsing: footer)
    }
  }

  /// Removes the transitions that do not change the type, because `nextTransition` would visit them one by
  /// one. Keeps the last transition, after which the rule applies.
  private mutating func removeTransitionsWithoutChange() {
    var kept = 0
    var current = types[0]
    for index in transitions.indices {
      let type = types[Int(transitionTypes[index])]
      guard type != current || index == transitions.count - 1 else { continue }
      transitions[kept] = transitions[index]
      transitionTypes[kept] = transitionTypes[index]
      kept += 1
      current = type
    }
    transitions.removeLast(transitions.count - kept)
    transitionTypes.removeLast(transitionTypes.count - kept)
  }

  private static func abbreviation(
    at index: Int, in characters: ArraySlice<UInt8>
  ) throws(TimeZoneError) -> String {
    let tail = characters.dropFirst(index)
    guard let end = tail.firstIndex(of: 0) else { throw .malformed("an unterminated abbreviation") }
    let name = tail[..<end]
    guard name.count <= 31, name.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw .malformed("an abbreviation with invalid characters")
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Converts the times of files under `right/`, which include leap seconds; CLOCK_REALTIME does not.
  private mutating func removeLeapSeconds(_ records: [(occurrence: Int64, correction: Int64)]) {
    guard !records.isEmpty else { return }
    for index in transitions.indices {
      guard let record = records.last(where: { $0.occurrence <= transitions[index] }) else { continue }
      let (time, overflow) = transitions[index].subtractingReportingOverflow(record.correction)
      if !overflow { transitions[index] = time }
    }
  }
}

private struct TZifReader {
  struct Header {
    var version: UInt8
    var utcCount: Int
    var standardCount: Int
    var leapCount: Int
    var transitionCount: Int
    var typeCount: Int
    var characterCount: Int

    /// Cannot overflow, because the counts are 32-bit.
    func bodySize(timeSize: Int) -> Int {
      transitionCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4)
        + standardCount + utcCount
    }
  }

  private let all: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { all = bytes }

  func require(_ count: Int) throws(TimeZoneError) {
    guard count <= all.count - position else { throw .malformed("the file is truncated") }
  }

  mutating func skip(_ count: Int) throws(TimeZoneError) {
    try require(count)
    position += count
  }

  mutating func header() throws(TimeZoneError) -> Header {
    try require(44)
    guard bytes(4).elementsEqual("TZif".utf8) else { throw .malformed("not a TZif file") }
    let version = byte()
    _ = bytes(15)
    let counts = (0..<6).map { _ in Int(UInt32(truncatingIfNeeded: integer(4))) }
    return Header(
      version: version, utcCount: counts[0], standardCount: counts[1], leapCount: counts[2],
      transitionCount: counts[3], typeCount: counts[4], characterCount: counts[5])
  }

  /// The text between the two newlines after the second block; nil when there is none.
  mutating func footer() throws(TimeZoneError) -> ArraySlice<UInt8>? {
    guard position < all.count else { return nil }
    let tail = all[(position + 1)...]
    guard byte() == UInt8(ascii: "\n"), let end = tail.firstIndex(of: UInt8(ascii: "\n")) else {
      throw .malformed("a footer without its newlines")
    }
    return tail[..<end]
  }

  // The functions below require that the caller has checked the number of bytes left.

  mutating func byte() -> UInt8 {
    position += 1
    return all[position - 1]
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8> {
    position += count
    return all[(position - count)..<position]
  }

  /// Big-endian two's complement of `size` bytes.
  mutating func integer(_ size: Int) -> Int64 {
    let value = bytes(size).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : value
  }
}
