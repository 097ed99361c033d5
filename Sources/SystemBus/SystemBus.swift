// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import LinuxSystem

/// A connection to the system's D-Bus, on the event loop. When it is lost, `lost` is called, and a new one
/// has to be made.
package final class SystemBus {
  package typealias Reply = Result<[BusValue], BusError>

  /// A signal of an object.
  package struct Signal: Hashable, Sendable {
    package var path: String
    package var interface: String
    package var member: String
    package var values: [BusValue]

    package init(path: String, interface: String, member: String, values: [BusValue]) {
      self.path = path
      self.interface = interface
      self.member = member
      self.values = values
    }
  }

  /// Called once, when the connection has been lost. Calls without a reply have failed before.
  package var lost: (BusError) -> Void = { _ in }

  private let loop: EventLoop
  private var bus: OpaquePointer?
  private var watch: EventLoop.Watch?
  private let timer: LoopTimer
  /// What libsystemd's callbacks point to; kept until they have been called for the last time.
  private var calls: [ObjectIdentifier: Call] = [:]
  private var matches: [Match] = []

  private final class Call {
    unowned let owner: SystemBus
    let completion: (Reply) -> Void
    var slot: OpaquePointer?

    init(_ owner: SystemBus, _ completion: @escaping (Reply) -> Void) {
      self.owner = owner
      self.completion = completion
    }

    deinit { sd_bus_slot_unref(slot) }
  }

  private final class Match {
    let handler: (Signal) -> Void
    var slot: OpaquePointer?

    init(_ handler: @escaping (Signal) -> Void) { self.handler = handler }

    deinit { sd_bus_slot_unref(slot) }
  }

  /// How long a call may take, in microseconds. NetworkManager asks polkit, which may have to be started.
  private static let callMicroseconds: UInt64 = 30_000_000

  /// Connects, without waiting. The address is DBUS_SYSTEM_BUS_ADDRESS, or the usual one. The corresponding C
  /// function is `sd_bus_open_system`.
  package init(on loop: EventLoop) throws(BusError) {
    self.loop = loop
    do throws(SystemError) { timer = try LoopTimer(.monotonic, on: loop) } catch {
      throw BusError(name: "org.freedesktop.DBus.Error.Failed", message: "\(error)")
    }
    var opened: OpaquePointer?
    try checked("connect to the system bus", sd_bus_open_system(&opened))
    bus = opened
    timer.handler = { [weak self] _ in self?.process() }
    do throws(SystemError) {
      watch = try loop.watch(sd_bus_get_fd(opened), for: .readable) { [weak self] _ in self?.process() }
    } catch {
      sd_bus_close_unref(opened)
      bus = nil
      throw BusError(name: "org.freedesktop.DBus.Error.Failed", message: "\(error)")
    }
    schedule()
  }

  deinit { close() }

  /// Ends the connection, without a reply to calls. Sends nothing that is still unsent.
  package func close() {
    watch = nil
    timer.disarm()
    calls = [:]
    matches = []
    if let bus { sd_bus_close_unref(bus) }
    bus = nil
  }

  /// Calls a method.
  ///
  /// - Parameters:
  ///   - isSecret: whether the arguments contain a password; libsystemd then overwrites the message when it
  ///     frees it.
  ///   - completion: called later, once, unless the connection is closed by `close`.
  package func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = [], isSecret: Bool = false, completion: @escaping (Reply) -> Void
  ) {
    let call = Call(self, completion)
    do throws(BusError) {
      guard let bus else { throw BusError("call \(member)", -ENOTCONN) }
      var made: OpaquePointer?
      try checked(
        "call \(member)", sd_bus_message_new_method_call(bus, &made, destination, path, interface, member))
      guard let message = made else { throw BusError("call \(member)", -ENOMEM) }
      defer { sd_bus_message_unref(message) }
      if isSecret { sd_bus_message_sensitive(message) }
      for argument in arguments { try BusMessage.append(argument, to: message) }
      let pointer = Unmanaged.passUnretained(call).toOpaque()
      try checked(
        "call \(member)",
        sd_bus_call_async(
          bus, &call.slot, message,
          { message, pointer, _ in
            guard let message, let pointer else { return 0 }
            let call = Unmanaged<Call>.fromOpaque(pointer).takeUnretainedValue()
            call.owner.replied(message, to: call)
            return 1
          }, pointer, Self.callMicroseconds))
      calls[ObjectIdentifier(call)] = call
    } catch {
      loop.defer { completion(.failure(error)) }
    }
    schedule()
  }

  private func replied(_ message: OpaquePointer, to call: Call) {
    guard calls.removeValue(forKey: ObjectIdentifier(call)) != nil else { return }
    let reply: Reply
    if sd_bus_message_is_method_error(message, nil) > 0, let error = sd_bus_message_get_error(message) {
      reply = .failure(
        BusError(
          name: error.pointee.name.map { String(cString: $0) } ?? "",
          message: error.pointee.message.map { String(cString: $0) } ?? ""))
    } else {
      do throws(BusError) { reply = .success(try BusMessage.values(of: message)) } catch {
        reply = .failure(error)
      }
    }
    // Not inside of libsystemd, because the completion may close the connection.
    loop.defer { [completion = call.completion] in completion(reply) }
  }

  /// Subscribes to signals by a match rule (the D-Bus specification, "Match Rules").
  package func match(_ rule: String, handler: @escaping (Signal) -> Void) throws(BusError) {
    guard let bus else { throw BusError("match", -ENOTCONN) }
    let match = Match { [weak loop] signal in loop?.defer { handler(signal) } }
    let pointer = Unmanaged.passUnretained(match).toOpaque()
    try checked(
      "match",
      sd_bus_add_match_async(
        bus, &match.slot, rule,
        { message, pointer, _ in
          guard let message, let pointer else { return 0 }
          let match = Unmanaged<Match>.fromOpaque(pointer).takeUnretainedValue()
          func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
          if let values = try? BusMessage.values(of: message) {
            match.handler(
              Signal(
                path: text(sd_bus_message_get_path(message)),
                interface: text(sd_bus_message_get_interface(message)),
                member: text(sd_bus_message_get_member(message)), values: values))
          }
          return 0
        }, nil, pointer))
    matches.append(match)
    schedule()
  }

  // MARK: The loop

  /// Lets libsystemd do what is due. The corresponding C function is `sd_bus_process`.
  private func process() {
    while let bus {
      let result = sd_bus_process(bus, nil)
      if result < 0 { return fail(BusError("process", result)) }
      if result == 0 { break }
    }
    if let bus, sd_bus_is_open(bus) <= 0 { return fail(BusError("process", -ECONNRESET)) }
    schedule()
  }

  private func fail(_ error: BusError) {
    let waiting = calls.values.map(\.completion)
    let lost = lost
    close()
    for completion in waiting { completion(.failure(error)) }
    lost(error)
  }

  /// Waits for what libsystemd waits for.
  private func schedule() {
    guard let bus, let watch else { return }
    let events = sd_bus_get_events(bus)
    guard events >= 0 else { return loop.defer { [weak self] in self?.process() } }
    do throws(SystemError) {
      try watch.update(EventLoop.Readiness(rawValue: UInt32(UInt16(truncatingIfNeeded: events))))
    } catch {
      return loop.defer { [weak self] in
        self?.fail(BusError(name: "org.freedesktop.DBus.Error.Failed", message: "\(error)"))
      }
    }
    var microseconds: UInt64 = 0
    guard sd_bus_get_timeout(bus, &microseconds) > 0, microseconds != .max else { return timer.disarm() }
    let time = ClockTime(
      seconds: Int64(clamping: microseconds / 1_000_000), nanoseconds: Int32(microseconds % 1_000_000) * 1000)
    timer.arm(at: time)
  }
}
