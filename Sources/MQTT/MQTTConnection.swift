// SPDX-License-Identifier: Apache-2.0

import CMosquitto
import Glibc
import LinuxSystem

/// One connection to a broker: a client of libmosquitto without threads.
///
/// It is `@unchecked Sendable` because, except for `interrupt`, only one thread uses it at a time: the thread
/// that connects, and then the loop's. The library's callbacks only add to `events` and set `complaint`.
final class MQTTConnection: @unchecked Sendable {
  enum Event: Hashable {
    /// The broker's reply to the connection: 0, or a reason code.
    case reply(Int32)
    /// A message, and whether the library has acknowledged it.
    case received(MQTTDelivery, isAcknowledged: Bool)
    /// The message with this number was acknowledged, or refused.
    case published(Int32, isAccepted: Bool)
    /// The reply to the subscription with this number.
    case subscribed(Int32, isGranted: Bool)
    /// The broker ended the connection.
    case ended(Int32)
  }

  /// What the callbacks reported since the last call of `takeEvents`.
  private var events: [Event] = []
  /// The last error or warning that the library logged.
  private(set) var complaint: String?
  let version: Int32
  private let options: MQTTOptions
  private let client: OpaquePointer

  private static let initialized: Bool = mosquitto_lib_init() == Int32(MOSQ_ERR_SUCCESS.rawValue)
  /// The maximum number of bytes that a packet has besides its payload, for its topic and properties.
  private static let packetOverhead = 8 * 1024

  init(_ options: MQTTOptions, version: Int32) throws(MQTTFailure) {
    self.options = options
    self.version = version
    guard Self.initialized, let client = mosquitto_new(options.clientID, true, nil) else {
      throw .other("out of memory")
    }
    self.client = client
    mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
    setCallbacks()
    // Small messages are sent at once, without Nagle's algorithm.
    _ = mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
    try check(mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, version))
    if let username = options.username {
      try check(mosquitto_username_pw_set(client, username, options.password))
    }
    if let will = options.will {
      try check(
        mosquitto_will_set(
          client, will.topic, Int32(will.payload.count), will.payload, 1, will.isRetained))
    }
    if let tls = options.tls {
      do throws(MQTTFailure) {
        try check(cmosquitto_tls(client, tls.authorities, tls.certificate, tls.key))
      } catch {
        throw .tls("'ca', 'certificate' or 'key' cannot be read")
      }
    }
  }

  deinit { mosquitto_destroy(client) }

  private func check(_ result: Int32) throws(MQTTFailure) {
    if result != 0 { throw failure(result, errno) }
  }

  private func failure(_ result: Int32, _ error: Int32) -> MQTTFailure {
    MQTTFailure(result: result, error: error, complaint: complaint)
  }

  /// Fails if the host's name cannot be resolved. Blocks for as long as the resolver does.
  func lookUp() throws(MQTTFailure) {
    let error = cmosquitto_look_up(options.host)
    if error != 0 { throw failure(Int32(MOSQ_ERR_EAI.rawValue), error) }
  }

  /// Makes `connect` on another thread fail. The descriptor is read without a lock: it is set before the
  /// connection is made. An outdated value does harm only if another thread has just opened the same
  /// descriptor.
  func interrupt() {
    let socket = mosquitto_socket(client)
    if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  /// Looks up the host and connects, which blocks for as long as the system does.
  func connect() throws(MQTTFailure) {
    var error: Int32 = 0
    let result = cmosquitto_connect(
      client, options.host, Int32(options.port), Int32(options.keepalive), version,
      UInt32(options.maximumPayload + Self.packetOverhead), &error)
    if result != 0 { throw failure(result, error) }
  }

  // MARK: The loop's side

  /// The descriptor to wait for; −1 if there is no connection.
  var socket: Int32 { mosquitto_socket(client) }
  var wantsWrite: Bool { mosquitto_want_write(client) }

  func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  /// Reads the packets that have arrived, at most `limit`.
  ///
  /// - Returns: whether there may be more.
  func read(limit: Int) throws(MQTTFailure) -> Bool {
    let first = events.count
    defer { acknowledge() }
    for _ in 0..<limit {
      let before = events.count
      var wouldBlock = false
      var error: Int32 = 0
      let result = cmosquitto_read(client, &wouldBlock, &error)
      if result != 0 { throw failure(result, error) }
      // The library may have read data from the socket that it has not handled, which no event of the socket
      // would report. So reading goes on until a call has done nothing, or `limit` is reached.
      if wouldBlock, events.count == before { return false }
    }
    return events.count > first
  }

  /// Has the kernel acknowledge at once what it has received; see TCP_QUICKACK in tcp(7). A broker without
  /// TCP_NODELAY, such as mosquitto by default, sends its next message only after the acknowledgement, which
  /// otherwise takes up to 40 ms. The option does not last, so it is set after each read.
  private func acknowledge() {
    setSocketOption(socket, Int32(IPPROTO_TCP), TCP_QUICKACK, 1)
  }

  func write() throws(MQTTFailure) {
    var error: Int32 = 0
    let result = cmosquitto_write(client, &error)
    if result != 0 { throw failure(result, error) }
  }

  /// Pings the broker if there was no message for the keepalive time, or fails if it did not reply to the
  /// last ping.
  func keepAlive() throws(MQTTFailure) {
    let result = mosquitto_loop_misc(client)
    if result != 0 { throw failure(result, 0) }
  }

  /// Sends a message with an acknowledgement (QoS 1).
  ///
  /// - Returns: the message's number; nil if this message cannot be sent, e.g. because of its topic or its
  ///   length.
  func publish(_ message: MQTTMessage) throws(MQTTFailure) -> Int32? {
    var number: Int32 = 0
    let result = mosquitto_publish(
      client, &number, message.topic, Int32(message.payload.count), message.payload, 1, message.isRetained)
    switch Int(result) {
    case 0: return number
    case Int(MOSQ_ERR_INVAL.rawValue), Int(MOSQ_ERR_PAYLOAD_SIZE.rawValue),
      Int(MOSQ_ERR_MALFORMED_UTF8.rawValue), Int(MOSQ_ERR_OVERSIZE_PACKET.rawValue),
      Int(MOSQ_ERR_RETAIN_NOT_SUPPORTED.rawValue), Int(MOSQ_ERR_QOS_NOT_SUPPORTED.rawValue):
      return nil
    default: throw failure(result, errno)
    }
  }

  /// - Parameter live: whether messages that the broker has kept are left out, and others have the retain
  ///   flag with which they were published. Without MQTT 5 this has no effect.
  func subscribe(_ filter: String, live: Bool) throws(MQTTFailure) -> Int32 {
    var number: Int32 = 0
    let options = MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue | MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue
    try check(
      mosquitto_subscribe_v5(
        client, &number, filter, 1, live && version == MQTT_PROTOCOL_V5 ? Int32(options) : 0, nil))
    return number
  }

  func unsubscribe(_ filter: String) throws(MQTTFailure) {
    try check(mosquitto_unsubscribe(client, nil, filter))
  }

  /// Has the broker send a reply, without an effect on other clients. The library has no function that sends
  /// a ping at once.
  func probe() throws(MQTTFailure) { try unsubscribe("flipclock/probe") }

  /// Ends the connection so that the broker publishes the will at once.
  func leave() { cmosquitto_leave(client, version) }

  // MARK: Callbacks

  private static func connection(_ data: UnsafeMutableRawPointer?) -> MQTTConnection? {
    data.map { Unmanaged<MQTTConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  private func setCallbacks() {
    mosquitto_connect_v5_callback_set(client) { _, data, code, _, _ in
      MQTTConnection.connection(data)?.events.append(.reply(code))
    }
    mosquitto_disconnect_v5_callback_set(client) { _, data, code, _ in
      // A positive code below 0x80 is the library's, for a connection that ended otherwise.
      if code >= 0x80 { MQTTConnection.connection(data)?.events.append(.ended(code)) }
    }
    mosquitto_publish_v5_callback_set(client) { _, data, number, code, _ in
      MQTTConnection.connection(data)?.events.append(.published(number, isAccepted: code < 0x80))
    }
    mosquitto_subscribe_v5_callback_set(client) { _, data, number, count, granted, _ in
      let isGranted = count > 0 && granted.map { $0[0] < 0x80 } ?? false
      MQTTConnection.connection(data)?.events.append(.subscribed(number, isGranted: isGranted))
    }
    mosquitto_message_v5_callback_set(client) { _, data, message, _ in
      guard let connection = MQTTConnection.connection(data), let message = message?.pointee,
        let topic = message.topic
      else { return }
      let length = max(Int(message.payloadlen), 0)
      var payload: [UInt8] = []
      if length <= connection.options.maximumPayload, let bytes = message.payload {
        payload = Array(UnsafeRawBufferPointer(start: bytes, count: length))
      }
      connection.events.append(
        .received(
          MQTTDelivery(
            String(cString: topic), payload, isRetained: message.retain, length: length),
          isAcknowledged: message.qos > 0))
    }
    mosquitto_log_callback_set(client) { _, data, level, text in
      guard Int(level) & Int(MOSQ_LOG_ERR | MOSQ_LOG_WARNING) != 0, let text else { return }
      MQTTConnection.connection(data)?.complaint = String(cString: text)
    }
  }
}
