// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ControlCalls
import Doctor
import JSON
import LinuxSystem

/// The examination of the daemon and its machine, and its restart.
extension FlipclockDaemon {
  package func examine(completion: @escaping (Result<ExaminationReport, ControlError>) -> Void) {
    let status = (try? JSONValue(encoding: status())) ?? .object([:])
    let view = SystemView.daemon(
      status: status, socket: sources?.path ?? "", stateDirectory: state.directory,
      isService: service.isPresent, settings: config.lastResult)
    let uptime = Int64(displays.cost.uptimeSeconds) * 1_000_000_000
    let started = Instant.wallTime(of: MatchTime.now - uptime)
    examiner.examine(view) { [weak self] result in
      guard let self else { return }
      completion(
        result.map { findings in
          ExaminationReport(
            version: Release.version, started: started, findings: findings.map(self.withKindOfSettings))
        }.mapError { .failed(reason: "\($0)") })
    }
  }

  /// A warning about the settings with its kind; `status` has only the text.
  private func withKindOfSettings(_ finding: Finding) -> Finding {
    var finding = finding
    if finding.text == owner.warning { finding.kind = .settingsSetAside }
    if finding.text == unusedSettings { finding.kind = .settingsUnused }
    return finding
  }

  package func restart(for client: String, completion: @escaping (Result<Void, ControlError>) -> Void) {
    guard service.isPresent else { return completion(.failure(.notAService)) }
    // The match is saved as it is now, so that what has failed to be saved before is saved too.
    saveAll { [weak self] result in
      if case .failure(let error) = result {
        return completion(.failure(.stateNotSaved(reason: "\(error)")))
      }
      guard let self else { return }
      log.notice("stopping: \(client) restarts the service")
      completion(.success(()))
      // The answers are sent before the loop stops.
      sources?.beginShutdown()
    }
  }

  /// Saves the match as it is now, and what has failed to be saved before.
  private func saveAll(completion: @escaping (Result<Void, SystemError>) -> Void) {
    saveState(isUrgent: true) { [weak self] result in
      guard case .success = result, let self else { return completion(result) }
      owner.ensureSaved(completion: completion)
    }
  }
}

/// Examines on a thread of its own, one examination at a time.
final class Examiner {
  typealias Completion = (Result<[Finding], SystemError>) -> Void

  /// `@unchecked Sendable` because the loop's thread does not use it while the other thread does.
  private final class Job: @unchecked Sendable {
    let view: SystemView
    private(set) var findings: [Finding] = []

    init(_ view: SystemView) { self.view = view }

    func run() { findings = Examination(view).findings }
  }

  private let loop: EventLoop
  private var waiting: [Completion] = []
  private var task: BackgroundTask?

  init(on loop: EventLoop) { self.loop = loop }

  /// - Parameter completion: called on the loop's thread. It gets the findings of the examination that is
  ///   under way, if there is one.
  func examine(_ view: SystemView, completion: @escaping Completion) {
    waiting.append(completion)
    guard task == nil else { return }
    let job = Job(view)
    do throws(SystemError) {
      task = try BackgroundTask(on: loop, work: job.run) { [weak self] in self?.finish(.success(job.findings))
      }
    } catch {
      finish(.failure(error))
    }
  }

  private func finish(_ result: Result<[Finding], SystemError>) {
    task = nil
    let completions = waiting
    waiting = []
    for completion in completions { completion(result) }
  }
}
