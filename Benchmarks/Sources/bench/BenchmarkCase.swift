// SPDX-License-Identifier: Apache-2.0

import Raster

/// Work that several can do.
struct BenchmarkCase {
  var name: String
  var size: PixelSize
  /// The first is flipclock's.
  var contestants: [Contestant]
  /// What is wrong with the pictures that the contestants make of the same, if anything.
  var difference: () -> String?
  /// The frames that each turn makes.
  var frames = 1
  /// The pixels of their damage, in all.
  var damagedPixels: Int?
}

/// What came of a case.
struct Outcome {
  struct Peer {
    var name: String
    var medianNanoseconds: Double
    /// Its time in ours: above one, we are faster.
    var ratio: Double
  }

  var name: String
  var size: PixelSize
  var medianNanoseconds: Double
  var peers: [Peer]
  var damagedPixels: Int?

  init(_ work: BenchmarkCase, _ effort: Effort) {
    let times = Measurement.times(work.contestants, effort)
    let frames = Double(work.frames)
    let ours = max(times[0].medianNanoseconds, 1) / frames
    name = work.name
    size = work.size
    medianNanoseconds = ours
    peers = times.dropFirst().map {
      Peer(
        name: $0.name, medianNanoseconds: $0.medianNanoseconds / frames,
        ratio: $0.medianNanoseconds / frames / ours)
    }
    damagedPixels = work.damagedPixels.map { $0 / work.frames }
  }

  /// As an object of JSON. Names are this program's own and need no escapes.
  var json: String {
    let peers = peers.map {
      "\"\($0.name)\":{\"medianNanoseconds\":\(whole($0.medianNanoseconds)),\"ratio\":\(thousandths($0.ratio))}"
    }
    var fields = [
      "\"case\":\"\(name)\"", "\"size\":\"\(size)\"", "\"medianNanoseconds\":\(whole(medianNanoseconds))",
    ]
    if let damagedPixels { fields.append("\"damagedPixels\":\(damagedPixels)") }
    fields.append("\"peers\":{\(peers.joined(separator: ","))}")
    return "{\(fields.joined(separator: ","))}"
  }
}

func whole(_ value: Double) -> Int { Int(min(max(value, 0), 1e15).rounded()) }

func thousandths(_ value: Double) -> String { decimal(value, places: 3) }

/// A number of zero or more with that many decimals.
func decimal(_ value: Double, places: Int) -> String {
  var unit = 1
  for _ in 0..<places { unit *= 10 }
  let scaled = whole(value * Double(unit))
  let digits = String(scaled % unit + unit).dropFirst()
  return places == 0 ? String(scaled) : "\(scaled / unit).\(digits)"
}
