// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Varlink
import VarlinkSockets

/// Calls another program of the machine, such as flipclock-host. Calls are rare, so each has a connection of
/// its own.
package final class ServiceLink {
  /// How long a call may take. A scan takes several seconds.
  private static let replySeconds: Int64 = 20
  private static let callLimit = 8

  /// A call without a reply.
  private final class Pending {
    let channel: VarlinkChannel
    var timer: LoopTimer?
    var completion: ((VarlinkChannel.Reply) -> Void)?

    init(_ channel: VarlinkChannel, _ completion: @escaping (VarlinkChannel.Reply) -> Void) {
      (self.channel, self.completion) = (channel, completion)
    }
  }

  private let candidates: [String]
  /// The error if there are too many calls at a time.
  private let busy: VarlinkError
  private let loop: EventLoop
  private var pending: [ObjectIdentifier: Pending] = [:]

  package init(candidates: [String], busy: VarlinkError, on loop: EventLoop) {
    (self.candidates, self.busy, self.loop) = (candidates, busy, loop)
  }

  /// - Parameter completion: called once, with the reply or an error; before `perform` returns if the call is
  ///   not sent.
  package func perform(_ call: VarlinkCall, completion: @escaping (VarlinkChannel.Reply) -> Void) {
    guard pending.count < Self.callLimit else {
      return completion(.failure(.refused(busy)))
    }
    do throws(VarlinkClientError) {
      let new = Pending(try VarlinkChannel(candidates: candidates, on: loop), completion)
      let id = ObjectIdentifier(new)
      pending[id] = new
      new.channel.replied = { [weak self] in self?.end(id, $0) }
      new.channel.closed = { [weak self] in self?.end(id, .failure($0)) }
      new.timer = try? LoopTimer(.monotonic, on: loop) { [weak self] _ in
        self?.end(id, .failure(.timedOut(seconds: Int(Self.replySeconds))))
      }
      new.timer?.arm(inNanoseconds: Self.replySeconds * 1_000_000_000)
      new.channel.send(call)
    } catch {
      completion(.failure(error))
    }
  }

  private func end(_ id: ObjectIdentifier, _ reply: VarlinkChannel.Reply) {
    guard let call = pending.removeValue(forKey: id), let completion = call.completion else { return }
    call.completion = nil
    call.timer?.cancel()
    call.channel.close()
    completion(reply)
  }

  /// Ends the calls without a reply; their completions are not called.
  package func close() {
    for call in pending.values {
      call.timer?.cancel()
      call.channel.close()
    }
    pending = [:]
  }
}
