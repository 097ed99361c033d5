// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

struct DurableWriterTests {
  /// A mock disk: records the bytes it gets and the number of concurrent writes, and blocks until permitted.
  private final class Disk: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var writes: [[UInt8]] = []
    private var permits: Int
    private var busy = 0
    private var mostBusy = 0
    private var failures: [Int: Int32]

    /// `permits` writes complete; later ones wait for `permit`. The write whose number is a key of `failures`
    /// fails with that errno.
    init(permits: Int = .max, failures: [Int: Int32] = [:]) {
      self.permits = permits
      self.failures = failures
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(changed, nil)
    }

    deinit {
      mutex.deallocate()
      changed.deallocate()
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body()
    }

    func write(_ bytes: [UInt8]) throws(SystemError) {
      let failure: Int32? = locked {
        busy += 1
        mostBusy = max(mostBusy, busy)
        writes.append(bytes)
        pthread_cond_broadcast(changed)
        while permits == 0 { pthread_cond_wait(changed, mutex) }
        permits -= 1
        busy -= 1
        return failures[writes.count]
      }
      if let failure { throw SystemError("write", errno: Errno(rawValue: failure)) }
    }

    func permit() {
      locked {
        permits += 1
        pthread_cond_broadcast(changed)
      }
    }

    func waitForWrite(_ number: Int) {
      locked { while writes.count < number { pthread_cond_wait(changed, mutex) } }
    }

    var seen: [[UInt8]] { locked { writes } }
    var most: Int { locked { mostBusy } }
  }

  private func writer(_ disk: Disk, interval: Int64 = 0, on loop: EventLoop) throws -> DurableWriter {
    try DurableWriter(path: "/disk", minimumInterval: interval, on: loop) {
      (bytes: [UInt8]) throws(SystemError) in try disk.write(bytes)
    }
  }

  @Test("Acknowledged bytes are in the file")
  func writes() throws {
    let directory = try TemporaryDirectory()
    let loop = try EventLoop()
    let path = directory.path + "/state"
    let writer = try DurableWriter(path: path, mode: 0o600, minimumInterval: 0, on: loop)
    var found: [UInt8]?
    writer.submit([1, 2, 3]) { result in
      #expect((try? result.get()) != nil)
      found = try? readFile(path, limit: 10)
    }
    #expect(found == nil)
    #expect(try loop.turn { found != nil })
    #expect(found == [1, 2, 3])
    writer.close()
    #expect(directory.names() == ["state"])
  }

  @Test("Submissions during a write become one write of the latest, completed in order")
  func coalesces() throws {
    let loop = try EventLoop()
    let disk = Disk(permits: 0)
    let writer = try writer(disk, on: loop)
    var order: [Int] = []
    writer.submit([1]) { _ in order.append(1) }
    disk.waitForWrite(1)
    for number in 2...5 { writer.submit([UInt8(number)]) { _ in order.append(number) } }
    try loop.turn(timeoutMilliseconds: 0)
    #expect(order == [])
    disk.permit()
    #expect(try loop.turn { !order.isEmpty })
    // The second write has not completed, so its completions have not run.
    #expect(order == [1])
    disk.waitForWrite(2)
    disk.permit()
    #expect(try loop.turn { order.count == 5 })
    #expect(order == [1, 2, 3, 4, 5])
    #expect(disk.seen == [[1], [5]])
    writer.close()
  }

  @Test("A failed write is reported to all of its submitters, and to no others")
  func failures() throws {
    let loop = try EventLoop()
    let disk = Disk(permits: 0, failures: [2: ENOSPC])
    let writer = try writer(disk, on: loop)
    var results: [Int32?] = []
    let note = { (result: Result<Void, SystemError>) in
      switch result {
      case .success: results.append(nil)
      case .failure(let error): results.append(error.errno.rawValue)
      }
    }
    writer.submit([1], completion: note)
    disk.waitForWrite(1)
    writer.submit([2], completion: note)
    writer.submit([3], completion: note)
    for _ in 0..<3 { disk.permit() }
    #expect(try loop.turn { results.count == 3 })
    writer.submit([4], completion: note)
    #expect(try loop.turn { results.count == 4 })
    #expect(results == [nil, ENOSPC, ENOSPC, nil])
    writer.close()
  }

  @Test("A removed directory is an error, and writing works again when it is back")
  func directoryGone() throws {
    let parent = try TemporaryDirectory()
    let directory = parent.path + "/state"
    mkdir(directory, 0o755)
    let loop = try EventLoop()
    let writer = try DurableWriter(path: directory + "/score", minimumInterval: 0, on: loop)
    rmdir(directory)
    var outcome: Result<Void, SystemError>?
    writer.submit([1]) { outcome = $0 }
    #expect(try loop.turn { outcome != nil })
    #expect(failure { try outcome?.get() } == ENOENT)
    mkdir(directory, 0o755)
    outcome = nil
    writer.submit([2]) { outcome = $0 }
    #expect(try loop.turn { outcome != nil })
    #expect(failure { try outcome?.get() } == nil)
    #expect(try readFile(directory + "/score", limit: 9) == [2])
    writer.close()
  }

  @Test("Nothing is written before the end of the interval")
  func interval() throws {
    let loop = try EventLoop()
    let disk = Disk()
    let patient = try writer(disk, interval: .max, on: loop)
    patient.submit([1]) { _ in }
    disk.waitForWrite(1)
    for number in 2...200 { patient.submit([UInt8(number)]) { _ in } }
    for _ in 0..<3 { try loop.turn(timeoutMilliseconds: 20) }
    #expect(disk.seen == [[1]])
    patient.close()
    #expect(disk.seen == [[1], [200]])

    // There is no flush here, so the thread's own timed wait must end.
    let brief = try writer(disk, interval: 20_000_000, on: loop)
    var answered = 0
    for number in 1...5 {
      brief.submit([UInt8(number)]) { _ in answered += 1 }
      #expect(try loop.turn { answered == number })
    }
    #expect(disk.seen.count == 7)
    brief.close()
  }

  @Test(
    "After a quiet time a burst of writes ignores the interval, then one starts per interval; urgent ones do not wait"
  )
  func burst() throws {
    let loop = try EventLoop()
    let disk = Disk()
    let writer = try DurableWriter(path: "/disk", minimumInterval: .max, burst: 5, on: loop) {
      (bytes: [UInt8]) throws(SystemError) in try disk.write(bytes)
    }
    var answered = 0
    for number in 1...5 {
      writer.submit([UInt8(number)]) { _ in answered += 1 }
      #expect(try loop.turn { answered == number })
    }
    for number in 6...9 { writer.submit([UInt8(number)]) { _ in answered += 1 } }
    for _ in 0..<3 { try loop.turn(timeoutMilliseconds: 20) }
    #expect(disk.seen.count == 5 && answered == 5)
    writer.submit([10], isUrgent: true) { _ in answered += 1 }
    #expect(try loop.turn { answered == 10 })
    writer.submit([11]) { _ in answered += 1 }
    for _ in 0..<3 { try loop.turn(timeoutMilliseconds: 20) }
    #expect(disk.seen.count == 6)
    writer.close()
    #expect(disk.seen == [[1], [2], [3], [4], [5], [10], [11]] && answered == 11)
  }

  @Test("Flush returns with everything written and completed, regardless of the interval")
  func flush() throws {
    let loop = try EventLoop()
    let disk = Disk()
    let writer = try writer(disk, interval: .max / 2, on: loop)
    var order: [Int] = []
    writer.submit([1]) { _ in order.append(1) }
    disk.waitForWrite(1)
    writer.submit([2]) { _ in order.append(2) }
    writer.submit([3]) { _ in order.append(3) }
    writer.flush()
    #expect(order == [1, 2, 3])
    #expect(disk.seen == [[1], [3]])
    writer.flush()
    #expect(disk.seen.count == 2)
    writer.close()
  }

  @Test("Close writes what is pending, completes it, and rejects later submissions")
  func close() throws {
    let loop = try EventLoop()
    let disk = Disk()
    let writer = try writer(disk, interval: .max / 2, on: loop)
    var order: [String] = []
    writer.submit([1]) { _ in
      order.append("first")
      writer.submit([2]) { _ in order.append("from a completion") }
    }
    writer.close()
    #expect(order == ["first", "from a completion"])
    #expect(disk.seen == [[1], [2]])
    var late: Result<Void, SystemError>?
    writer.submit([3]) { late = $0 }
    #expect(failure { try late?.get() } == ESHUTDOWN)
    writer.close()
    #expect(disk.seen.count == 2)
  }

  @Test("A writer that is released writes what was submitted")
  func letGo() throws {
    let loop = try EventLoop()
    let disk = Disk()
    var answered = false
    do {
      let writer = try writer(disk, on: loop)
      writer.submit([9]) { _ in answered = true }
    }
    #expect(answered)
    #expect(disk.seen == [[9]])
  }

  @Test("Many submissions are written by one writer in order", arguments: [0, 1, 2, 3] as [UInt64])
  func property(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let loop = try EventLoop()
    let disk = Disk()
    let writer = try writer(disk, on: loop)
    var order: [Int] = []
    for number in 0..<300 {
      writer.submit([UInt8(number & 0xff), UInt8(number >> 8)]) { _ in order.append(number) }
      if random.next() % 4 == 0 { try loop.turn(timeoutMilliseconds: 0) }
      if random.next() % 50 == 0 { writer.flush() }
    }
    #expect(try loop.turn { order.count == 300 })
    #expect(order == Array(0..<300))
    #expect(disk.seen.last == [UInt8(299 & 0xff), 1])
    #expect(disk.most == 1)
    writer.close()
  }
}
