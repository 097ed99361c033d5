// SPDX-License-Identifier: Apache-2.0

import BenchmarkCases
import Raster

/// The result of a case.
struct Outcome {
  struct Peer {
    var name: String
    var medianNanoseconds: Double
    /// The peer's time divided by flipclock's; above 1, flipclock is faster.
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

  /// A JSON object. The names are this program's own and need no escaping.
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
