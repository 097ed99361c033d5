// SPDX-License-Identifier: Apache-2.0

import Control
import LinuxSystem
import Raster

/// Screenshots one at a time: a picture and its PNG take memory, and who asks while one is being made
/// shares the next.
final class Screenshots {
  typealias Completion = (Result<ScreenshotImage, ControlError>) -> Void

  private let presenter: Presenter
  private let loop: EventLoop
  private var waiting: [Completion] = []
  private var isRunning = false

  init(of presenter: Presenter, on loop: EventLoop) {
    self.presenter = presenter
    self.loop = loop
  }

  /// `completion` gets what is on the display at some moment after this call.
  func add(_ completion: @escaping Completion) {
    waiting.append(completion)
    begin()
  }

  private func begin() {
    guard !isRunning, !waiting.isEmpty else { return }
    isRunning = true
    presenter.screenshot { [weak self, loop] picture in
      guard let self else { return }
      let served = self.waiting
      self.waiting = []
      guard let picture else {
        self.finish(served, .failure(.noDisplay))
        return
      }
      ScreenshotJob.run(picture, on: loop) { self.finish(served, $0) }
    }
  }

  private func finish(_ served: [Completion], _ result: Result<ScreenshotImage, ControlError>) {
    isRunning = false
    loop.whenIdle {
      Process.releaseFreeMemory()
      return false
    }
    for completion in served { completion(result) }
    begin()
  }
}
