// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Display
import Images
import LinuxSystem
import Raster

/// Makes screenshots, one at a time, because a picture and its PNG take much memory. Requests that arrive
/// meanwhile share the next one of their display.
final class Screenshots {
  typealias Completion = (Result<ScreenshotImage, ControlError>) -> Void

  private let presenter: Presenter
  private let loop: EventLoop
  private var waiting: [(output: any Output, completion: Completion)] = []
  private var isEncoding = false

  init(of presenter: Presenter, on loop: EventLoop) {
    self.presenter = presenter
    self.loop = loop
    presenter.flightEnded = { [weak self] in self?.begin() }
  }

  /// Calls `completion` with what a display shows at some moment after this call.
  func add(_ output: any Output, _ completion: @escaping Completion) {
    waiting.append((output, completion))
    begin()
  }

  /// Encodes the picture of the first requested display that has no frame in flight.
  private func begin() {
    guard !isEncoding, let output = waiting.first(where: { !$0.output.isFrameInFlight })?.output else {
      return
    }
    isEncoding = true
    let served = waiting.filter { $0.output === output }.map(\.completion)
    waiting.removeAll { $0.output === output }
    guard let picture = presenter.picture(of: output) else { return finish(served, .failure(.noDisplay)) }
    ScreenshotJob.run(picture, on: loop) { [weak self] in self?.finish(served, $0) }
  }

  private func finish(_ served: [Completion], _ result: Result<ScreenshotImage, ControlError>) {
    isEncoding = false
    loop.whenIdle {
      ThisProcess.releaseFreeMemory()
      return false
    }
    for completion in served { completion(result) }
    begin()
  }
}

/// Encodes a picture as PNG a few rows at a time, so that it delays no flip.
enum ScreenshotJob {
  /// The time after which a slice of work ends, in nanoseconds.
  private static let slice: Int64 = 2_000_000

  /// Copies `picture` now, and encodes the copy while the loop is idle.
  static func run(
    _ picture: Bitmap, on loop: EventLoop,
    completion: @escaping (Result<ScreenshotImage, ControlError>) -> Void
  ) {
    let copy = Bitmap(width: picture.width, height: picture.height, format: .xrgb8888)
    withExtendedLifetime(picture) {
      copy.buffer.copy($0.buffer, copy.buffer.bounds, to: 0, 0, clip: copy.buffer.bounds)
    }
    let encoder = PNGEncoder(size: copy.size)
    var row = 0
    loop.whenIdle {
      do {
        let start = SystemClock.monotonic.now.totalNanoseconds
        while row < copy.height, SystemClock.monotonic.now.totalNanoseconds - start < slice {
          let count = min(4, copy.height - row)
          try encoder.encodeRows(of: copy.buffer, from: row, count: count)
          row += count
        }
        if row < copy.height { return true }
        let png = try encoder.finish()
        completion(.success(ScreenshotImage(png: png, width: copy.width, height: copy.height)))
      } catch {
        completion(.failure(.failed(reason: "the picture could not be encoded: \(error)")))
      }
      return false
    }
  }
}
