// SPDX-License-Identifier: Apache-2.0

import CEvdev
import Images
import TestSupport

@testable import CivilTime
@testable import Input
@testable import KMS
@testable import ScoringConsole

extension FuzzTarget {
  /// A TZif file, or a POSIX rule.
  static let zone = FuzzTarget(
    name: "zone",
    seeds: {
      var file = TZifWriter()
      file.transitions = [-1_000, 0, 1_000]
      file.indices = [1, 2, 1]
      file.types = [(-75, 0, 0), (0, 0, 4), (3_600, 1, 8)]
      file.characters = Array("LMT\0GMT\0BST\0".utf8)
      file.footer = "\nGMT0BST,M3.5.0/1,M10.5.0\n"
      var old = file
      old.version = 0
      var leap = file
      leap.leapSeconds = [(-500, 1), (500, 2)]
      leap.footer = "\n<-03>3<-02>,J60/-2:30,365/167:59:59\n"
      let rules = ["CET-1CEST,M3.5.0,M10.5.0/3", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "EST5EDT", "UTC0"]
      return [TZifWriter().bytes(), file.bytes(), old.bytes(), leap.bytes()] + rules.map { Array($0.utf8) }
    },
    run: { bytes in
      if let file = try? TZif(parsing: bytes) { try use(TimeZone(name: "file", data: file)) }
      if let rule = try? POSIXRule(parsing: bytes[...]) {
        try use(TimeZone(name: "rule", data: TZif(rule: rule)))
      }
    })

  private static func use(_ zone: TimeZone) throws(Broken) {
    let times = [Int64.min, -1 << 40, -1_000, 0, 1_795_312_926, 1 << 40, .max]
    for start in times + zone.data.transitions.prefix(20) {
      var instant = Instant(seconds: start)
      let fields = zone.civil(instant)
      try check(
        (1...12).contains(fields.month) && (1...31).contains(fields.day) && (0...23).contains(fields.hour)
          && (0...59).contains(fields.minute) && (0...59).contains(fields.second)
          && (0...6).contains(fields.weekday), "\(fields)")
      for unit in TimeZone.Boundary.allCases {
        let boundary = zone.nextBoundary(after: instant, unit: unit)
        try check(
          boundary > instant || boundary == .distantFuture, "the \(unit) after \(start): \(boundary)")
      }
      for _ in 0..<5 {
        guard let next = zone.nextTransition(after: instant) else { break }
        try check(next > instant, "the transition after \(instant) is \(next)")
        instant = next
      }
    }
  }

  /// tzdata's tables of places and of other names of zones.
  static let places = FuzzTarget(
    name: "places",
    seeds: {
      [
        Array("#codes\tcoordinates\tTZ\nCH\t+4723+00832\tEurope/Zurich\tBusingen\nAQ\t-7750+16636\tX\n".utf8),
        Array("AU\t-341932-0581236\tEurope/Zurich\nL X Europe/Zurich\n".utf8), Array("+4723+00832".utf8),
      ]
    },
    run: { bytes in
      let found = TimeZone.coordinates(of: "Europe/Zurich", in: bytes)
      for place in [found, Coordinates(iso6709: String(decoding: bytes, as: UTF8.self))].compactMap({ $0 }) {
        try check(abs(place.latitude) <= 90 && abs(place.longitude) <= 180, "\(place)")
      }
      if let target = TimeZone.target(of: "Europe/Zurich", in: bytes) {
        try check(!target.contains(" ") && !target.contains("\n"), target)
      }
    })

  /// An EDID; also with its header and checksum corrected, so that mutations reach the fields.
  static let edid = FuzzTarget(
    name: "edid",
    seeds: { [SampleEDID.monitor, .television, .panel].map { $0.bytes() } },
    run: { bytes in
      for bytes in [bytes, SampleEDID.repaired(bytes)] {
        guard let edid = try? EDID(parsing: bytes) else { continue }
        let text = edid.summary.description
        try check(text.utf8.allSatisfy { (0x20...0x7e).contains($0) }, text.debugDescription)
        try check(edid.matches(text) && edid.matches(edid.manufacturer), text)
      }
    })

  /// A byte for the debouncing time and an array of `struct input_event`. The same bytes are also read as a
  /// pattern and a device's name.
  static let input = FuzzTarget(
    name: "input",
    seeds: {
      typealias Event = (time: Int, type: Int32, code: Int32, value: Int32)
      func bytes(_ events: [Event]) -> [UInt8] {
        events.flatMap { event in
          var raw = input_event()
          raw.time.tv_sec = event.time / 1000
          raw.time.tv_usec = event.time % 1000 * 1000
          raw.type = UInt16(event.type)
          raw.code = UInt16(event.code)
          raw.value = event.value
          return withUnsafeBytes(of: raw) { Array($0) }
        }
      }
      let press: [Event] = [(1000, EV_KEY, KEY_A, 1), (1001, EV_SYN, 0, 0), (1090, EV_KEY, KEY_A, 0)]
      let hold: [Event] = [
        (1100, EV_KEY, KEY_KP1, 1), (1350, EV_KEY, KEY_KP1, 2), (1383, EV_KEY, KEY_KP1, 2),
      ]
      return [[3] + bytes(press), [0] + bytes(press + hold + press), Array("*Key?oard*".utf8)]
    },
    run: { bytes in
      guard let first = bytes.first else { return }
      let rules: [UInt16: KeyFilter.Rule] = [UInt16(KEY_A): .init(), UInt16(KEY_KP1): .init(repeats: true)]
      var filter = KeyFilter(rules: rules, debounce: Int64(first) * 10_000_000)
      let size = MemoryLayout<input_event>.size
      for start in stride(from: 1, through: bytes.count - size, by: size) {
        let raw = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: input_event.self) }
        guard let event = InputDevice.Event(raw) else { continue }
        let counts = filter.counts(device: start % 2, code: event.code, value: event.value, at: event.time)
        let mayCount = event.value == 1 || (event.value == 2 && rules[event.code]?.repeats == true)
        try check(!counts || (mayCount && rules[event.code] != nil), "\(event) counts")
      }
      filter.forget(device: 0)
      let text = String(decoding: bytes.prefix(512), as: UTF8.self)
      let parts = text.split(separator: "\n", maxSplits: 1).map(String.init)
      if parts.count == 2 { _ = Glob(parts[0]).matches(parts[1]) }
      try check(!text.contains("*") && !text.contains("?") || Glob(text).matches(text), text.debugDescription)
    })

  /// What a terminal sends to the scoring console. Each byte is preceded by its delay, in units of 10 ms.
  static let terminal = FuzzTarget(
    name: "terminal",
    seeds: {
      ["1a", "\u{1b}[A", "\u{1b}OP", "\u{1b}[200~paste\u{1b}[201~", "\u{1b}]0;t\u{7}", "é", "\u{1b}[M   "]
        .map { $0.utf8.flatMap { [0, $0] } }
    },
    run: { bytes in
      var decoder = TerminalKeyDecoder()
      var now: Int64 = 0
      var keys = 0
      for index in stride(from: 0, to: bytes.count - 1, by: 2) {
        now += Int64(bytes[index]) * 10_000_000
        keys += decoder.keys([bytes[index + 1]], at: now).count
      }
      try check(keys <= bytes.count, "\(keys) keys from \(bytes.count) bytes")
    })

  /// The file of a picture. The chunks of mutated files have right checksums, because libpng looks into no
  /// others.
  static let picture = FuzzTarget(
    name: "picture",
    seeds: {
      PNGFile.Kind.allCases.flatMap { kind in
        [false, true].map { isInterlaced in
          var file = PNGFile(5, 4, kind, depth: kind.depths[0], isInterlaced: isInterlaced) { x, y in
            (0..<kind.channels).map { (x + y + $0) & 1 }
          }
          file.chunks = [("gAMA", PNGFile.number(45_455)), ("PLTE", [0, 1, 2, 3, 4, 5]), ("tRNS", [0, 1])]
          if kind != .palette { file.chunks.removeLast(kind == .rgb || kind == .rgba ? 1 : 2) }
          return file.bytes
        }
      }
    },
    run: { bytes in
      for bytes in [bytes, PNGFile.withChecksums(bytes)] {
        let result = Result { () throws(PictureError) in try (PNGHeader(bytes).size, PNG.decode(bytes)) }
        switch result {
        case .success((let size, let bitmap)):
          try check(bitmap.size == size, "\(bitmap.size) instead of \(size)")
        case .failure(let error):
          try check((error.message + error.hint).isHarmless, "a message with control characters")
        }
      }
    })
}
