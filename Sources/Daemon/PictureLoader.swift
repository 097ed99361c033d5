// SPDX-License-Identifier: Apache-2.0

import Images
import LinuxSystem
import Raster

/// Reads pictures on a thread, one at a time, so that the loop draws frames and answers commands meanwhile.
final class PictureLoader {
  private typealias Request = (picture: Picture, completion: (Result<Bitmap, PictureError>) -> Void)

  /// `@unchecked Sendable` because the loop's thread reads the result after the other thread has ended.
  private final class Job: @unchecked Sendable {
    let picture: Picture
    private(set) var result: Result<Bitmap, PictureError>?

    init(_ picture: Picture) { self.picture = picture }

    func run() { result = Result { () throws(PictureError) in try picture.load() } }
  }

  private let loop: EventLoop
  private let log: Log
  private var waiting: [Request] = []
  private var task: BackgroundTask?

  init(on loop: EventLoop, log: Log) { (self.loop, self.log) = (loop, log) }

  /// - Parameter completion: called on the loop's thread, and not inside this call.
  func load(_ picture: Picture, completion: @escaping (Result<Bitmap, PictureError>) -> Void) {
    waiting.append((picture, completion))
    if waiting.count == 1 { loadNext() }
  }

  private func loadNext() {
    guard let request = waiting.first else { return }
    let job = Job(request.picture)
    do throws(SystemError) {
      task = try BackgroundTask(on: loop, work: job.run) { [weak self] in self?.finish(job) }
    } catch {
      log.warning("\(error); a picture is read while the display waits")
      loop.defer { [weak self] in
        job.run()
        self?.finish(job)
      }
    }
  }

  private func finish(_ job: Job) {
    task = nil
    let request = waiting.removeFirst()
    if let result = job.result { request.completion(result) }
    loadNext()
  }
}
