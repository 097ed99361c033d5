// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import LinuxSystem
import Raster

@testable import KMS

/// An open node of a simulated card.
final class SimulatedFile: DRMCalls {
  /// The byte that fills new buffers, by which pixels that were never drawn are recognized.
  static let poison: UInt8 = 0xa5

  let card: SimulatedCard
  private let events: FileDescriptor
  private let bell: FileDescriptor
  private var queue: [FlipEvent] = []
  private var isAtomic = false
  private(set) var buffers: [UInt32: (base: UnsafeMutableRawPointer, byteCount: Int)] = [:]
  private var mapped: Set<UInt32> = []
  private(set) var blobs: Set<UInt32> = []
  private var handles: UInt32 = 0

  var fileDescriptor: Int32 { events.rawValue }

  init(_ card: SimulatedCard) throws(SystemError) {
    self.card = card
    var pair: [Int32] = [-1, -1]
    _ = try retryingInterrupts("pipe") { pipe(&pair) }
    events = FileDescriptor(owning: pair[0])
    bell = FileDescriptor(owning: pair[1])
    for descriptor in pair { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    // The first program that opens the node becomes master.
    if card.master == nil { card.master = self }
  }

  deinit {
    card.closed(self)
    for buffer in buffers.values { buffer.base.deallocate() }
  }

  func arrived(_ event: FlipEvent) {
    queue.append(event)
    var byte: UInt8 = 1
    _ = write(bell.rawValue, &byte, 1)
  }

  // MARK: The card

  func driverName() throws(SystemError) -> String {
    try card.enter("VERSION")
    return card.driver
  }

  func capability(_ name: UInt64) throws(SystemError) -> UInt64 {
    try card.enter("GET_CAP")
    switch name {
    case UInt64(DRM_CAP_TIMESTAMP_MONOTONIC): return 1
    // Cards without displays support only some capabilities (drm_getcap).
    case _ where card.isRenderOnly: throw card.refuse("GET_CAP", card.renderOnlyErrno)
    case UInt64(DRM_CAP_DUMB_BUFFER): return card.hasDumbBuffers ? 1 : 0
    case UInt64(DRM_CAP_CRTC_IN_VBLANK_EVENT): return 1
    default: throw card.refuse("GET_CAP", EINVAL)
    }
  }

  func setClientCapability(_ name: UInt64, _ value: UInt64) throws(SystemError) {
    try card.enter("SET_CLIENT_CAP")
    guard name == UInt64(DRM_CLIENT_CAP_ATOMIC) else { return }
    guard card.isAtomic else { throw card.refuse("SET_CLIENT_CAP", EOPNOTSUPP) }
    isAtomic = true
  }

  var isMaster: Bool { card.master === self }

  func setMaster() throws(SystemError) {
    try card.enter("SET_MASTER")
    if card.master === self { return }
    guard card.master == nil else { throw card.refuse("SET_MASTER", EBUSY) }
    card.master = self
  }

  func dropMaster() { if card.master === self { card.master = nil } }

  // MARK: Objects

  func resources() throws(SystemError) -> DRMResources {
    try card.enter("MODE_GETRESOURCES")
    if card.isRenderOnly { throw card.refuse("MODE_GETRESOURCES", EOPNOTSUPP) }
    return DRMResources(
      connectors: card.connectors.keys.sorted(), encoders: card.encoders.keys.sorted(), crtcs: card.crtcs,
      maximumSize: PixelSize(width: 4096, height: 4096))
  }

  func crtc(_ id: UInt32) throws(SystemError) -> CRTCDescription {
    try card.enter("MODE_GETCRTC")
    let plane = card.planes.keys.first { card.state[$0, "CRTC_ID"] == UInt64(id) }
    return CRTCDescription(
      id: CRTCID(id), timing: card.state[id, "ACTIVE"] == 1 ? card.state.modes[id] : nil,
      framebuffer: plane.flatMap { FramebufferID(nonzero: UInt32(card.state[$0, "FB_ID"])) },
      x: plane.map { UInt32(card.state[$0, "SRC_X"] >> 16) } ?? 0,
      y: plane.map { UInt32(card.state[$0, "SRC_Y"] >> 16) } ?? 0, gammaSize: 256)
  }

  func encoder(_ id: UInt32) throws(SystemError) -> EncoderDescription {
    try card.enter("MODE_GETENCODER")
    guard let possible = card.encoders[id] else { throw card.refuse("MODE_GETENCODER", ENOENT) }
    let connector = card.connectors.first { $0.value.encoder == id }?.key
    return EncoderDescription(
      id: EncoderID(id), crtc: connector.flatMap { CRTCID(nonzero: UInt32(card.state[$0, "CRTC_ID"])) },
      possibleCRTCs: possible)
  }

  func connector(_ id: UInt32, probes: Bool) throws(SystemError) -> ConnectorDescription {
    try card.enter(probes ? "MODE_GETCONNECTOR" : "MODE_GETCONNECTOR current")
    guard let connector = card.connectors[id] else { throw card.refuse("MODE_GETCONNECTOR", ENOENT) }
    // Only the master probes (drm_mode_getconnector). The status is always known, as with a hotplug
    // interrupt.
    if probes, isMaster {
      card.probed[id] = connector.isPlugged ? (connector.modes, connector.edid) : ([], 0)
    }
    let crtc = card.state[id, "CRTC_ID"]
    return ConnectorDescription(
      id: ConnectorID(id), name: connector.name, status: connector.isPlugged ? .connected : .disconnected,
      modes: card.probed[id]?.modes ?? [], encoder: crtc == 0 ? nil : EncoderID(connector.encoder),
      encoders: [EncoderID(connector.encoder)])
  }

  func planes() throws(SystemError) -> [UInt32] {
    try card.enter("MODE_GETPLANERESOURCES")
    return card.planes.keys.sorted()
  }

  func plane(_ id: UInt32) throws(SystemError) -> PlaneDescription {
    try card.enter("MODE_GETPLANE")
    guard let plane = card.planes[id] else { throw card.refuse("MODE_GETPLANE", ENOENT) }
    return PlaneDescription(
      id: PlaneID(id), possibleCRTCs: plane.possible,
      crtc: CRTCID(nonzero: UInt32(card.state[id, "CRTC_ID"])),
      framebuffer: FramebufferID(nonzero: UInt32(card.state[id, "FB_ID"])), formats: plane.formats)
  }

  func properties(of object: UInt32, kind: UInt32) throws(SystemError) -> [Property] {
    try card.enter("MODE_OBJ_GETPROPERTIES")
    guard let values = card.state.values[object] else { throw card.refuse("MODE_OBJ_GETPROPERTIES", ENOENT) }
    // Only clients that have enabled atomic commits see the properties that such commits use.
    let atomicOnly: Set<String> = ["CRTC_ID", "MODE_ID", "ACTIVE", "FB_ID"]
    return values.sorted { $0.key < $1.key }.compactMap { name, value in
      guard isAtomic || !atomicOnly.contains(name), let id = card.propertyIDs[name] else { return nil }
      let edid = card.probed[object]?.edid ?? 0
      return Property(id: PropertyID(id), value: name == "EDID" ? edid : value)
    }
  }

  func propertyName(_ id: UInt32) throws(SystemError) -> String {
    try card.enter("MODE_GETPROPERTY")
    guard let name = card.propertyIDs.first(where: { $0.value == id })?.key else {
      throw card.refuse("MODE_GETPROPERTY", ENOENT)
    }
    return name
  }

  // MARK: Blobs

  func readBlob(_ id: UInt32) throws(SystemError) -> [UInt8] {
    try card.enter("MODE_GETPROPBLOB")
    if let edid = card.connectors.values.first(where: { $0.edid == UInt64(id) }) {
      return Array("\(edid.edid)".utf8)
    }
    guard let blob = card.blobs[id] else { throw card.refuse("MODE_GETPROPBLOB", ENOENT) }
    return blob
  }

  func createBlob(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> UInt32 {
    try card.enter("MODE_CREATEPROPBLOB")
    let id = card.newID()
    card.blobs[id] = Array(bytes)
    blobs.insert(id)
    return id
  }

  func destroyBlob(_ id: UInt32) {
    if blobs.remove(id) == nil { card.mistake("DESTROYPROPBLOB of unknown \(id)") }
    card.blobs[id] = nil
  }

  // MARK: Commits

  func commit(_ request: borrowing AtomicRequest, flags: UInt32, token: UInt64) throws(SystemError) {
    let isTest = flags & UInt32(DRM_MODE_ATOMIC_TEST_ONLY) != 0
    let isFlip = flags & UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) == 0
    let call = "MODE_ATOMIC \(isTest ? "test" : isFlip ? "flip" : "modeset")"
    try card.enter(call)
    var new = card.nextState
    var index = 0
    for (object, count) in zip(request.objects, request.counts) {
      for _ in 0..<count {
        let (id, value) = (request.properties[index], request.values[index])
        index += 1
        guard let name = card.propertyIDs.first(where: { $0.value == id })?.key,
          card.state.values[object]?[name] != nil
        else {
          card.mistake("object \(object) has no property \(id)")
          throw card.refuse(call, ENOENT)
        }
        if name == "MODE_ID" {
          if value == 0 {
            new.modes[object] = nil
          } else {
            guard let blob = card.blobs[UInt32(value)], blob.count == MemoryLayout<drmModeModeInfo>.size
            else {
              throw card.refuse(call, EINVAL)
            }
            new.modes[object] = blob.withUnsafeBytes { Timing($0.loadUnaligned(as: drmModeModeInfo.self)) }
          }
        } else if name == "FB_DAMAGE_CLIPS" {
          guard let blob = card.blobs[UInt32(value)], blob.count % MemoryLayout<drm_mode_rect>.size == 0
          else {
            throw card.refuse(call, EINVAL)
          }
          new.damage[object] = PixelRect.clips(blob)
        } else {
          new[object, name] = value
        }
      }
    }
    try card.commit(new, from: self, call, flags: flags, touching: Set(request.objects), token: token)
  }

  func setCRTC(
    _ crtc: UInt32, framebuffer: UInt32, x: UInt32, y: UInt32, connectors: [UInt32], timing: Timing?
  ) throws(SystemError) {
    try card.enter("MODE_SETCRTC")
    var new = card.nextState
    guard let index = card.crtcs.firstIndex(of: crtc) else { throw card.refuse("MODE_SETCRTC", ENOENT) }
    let plane = 70 + UInt32(index)
    for connector in card.connectors.keys where new[connector, "CRTC_ID"] == UInt64(crtc) {
      new[connector, "CRTC_ID"] = 0
    }
    new.modes[crtc] = timing
    new[crtc, "ACTIVE"] = timing == nil ? 0 : 1
    new[plane, "CRTC_ID"] = timing == nil ? 0 : UInt64(crtc)
    new[plane, "FB_ID"] = timing == nil ? 0 : UInt64(framebuffer)
    if let timing {
      (new[plane, "SRC_X"], new[plane, "SRC_Y"]) = (UInt64(x) << 16, UInt64(y) << 16)
      new[plane, "SRC_W"] = UInt64(timing.hDisplay) << 16
      new[plane, "SRC_H"] = UInt64(timing.vDisplay) << 16
      for connector in connectors { new[connector, "CRTC_ID"] = UInt64(crtc) }
    }
    try card.commit(
      new, from: self, "MODE_SETCRTC", flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET), touching: [plane, crtc],
      token: 0)
  }

  func pageFlip(_ crtc: UInt32, framebuffer: UInt32, token: UInt64) throws(SystemError) {
    try card.enter("MODE_PAGE_FLIP")
    // drm_plane.c, drm_mode_page_flip_ioctl():
    // `else if (crtc->funcs->page_flip == NULL || …) return -EINVAL;`
    guard card.hasPageFlips else { throw card.refuse("MODE_PAGE_FLIP", EINVAL) }
    guard card.framebuffers[framebuffer] != nil else { throw card.refuse("MODE_PAGE_FLIP", ENOENT) }
    var new = card.nextState
    guard let index = card.crtcs.firstIndex(of: crtc), new[crtc, "ACTIVE"] == 1 else {
      throw card.refuse("MODE_PAGE_FLIP", EINVAL)
    }
    let plane = 70 + UInt32(index)
    new[plane, "FB_ID"] = UInt64(framebuffer)
    let flags = UInt32(DRM_MODE_PAGE_FLIP_EVENT) | UInt32(DRM_MODE_ATOMIC_NONBLOCK)
    try card.commit(new, from: self, "MODE_PAGE_FLIP", flags: flags, touching: [plane], token: token)
  }

  func markDirty(_ framebuffer: UInt32, _ clips: UnsafeMutablePointer<DRMClip>?, _ count: UInt32)
    throws(SystemError)
  {
    try card.enter("MODE_DIRTYFB")
  }

  func hideCursor(_ crtc: UInt32) throws(SystemError) { try card.enter("MODE_CURSOR") }

  func hidePlane(_ plane: UInt32) throws(SystemError) { try card.enter("MODE_SETPLANE") }

  func setConnectorProperty(_ connector: UInt32, _ property: UInt32, _ value: UInt64) throws(SystemError) {
    try card.enter("MODE_SETPROPERTY")
    guard let name = card.propertyIDs.first(where: { $0.value == property })?.key else {
      throw card.refuse("MODE_SETPROPERTY", ENOENT)
    }
    var new = card.nextState
    new[connector, name] = value
    try card.commit(
      new, from: self, "MODE_SETPROPERTY", flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET), touching: [],
      token: 0)
  }

  func resetGamma(_ crtc: UInt32, size: Int) throws(SystemError) {
    try card.enter("MODE_SETGAMMA")
    card.state[crtc, "GAMMA_LUT"] = 0
  }

  // MARK: Buffers

  func createDumbBuffer(width: UInt32, height: UInt32, bits: UInt32) throws(SystemError) -> DRMDumbBuffer {
    try card.enter("MODE_CREATE_DUMB")
    let pitch = width * bits / 8 + 16
    let count = Int(pitch * height)
    guard buffers.values.reduce(count, { $0 + $1.byteCount }) <= card.memory else {
      throw card.refuse("MODE_CREATE_DUMB", ENOMEM)
    }
    handles += 1
    let base = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
    memset(base, Int32(Self.poison), count)
    buffers[handles] = (base, count)
    return DRMDumbBuffer(handle: handles, pitch: pitch, byteCount: UInt64(count))
  }

  func destroyDumbBuffer(_ handle: UInt32) {
    guard let buffer = buffers.removeValue(forKey: handle) else {
      return card.mistake("DESTROY_DUMB of unknown \(handle)")
    }
    if mapped.contains(handle) { card.mistake("DESTROY_DUMB of \(handle), which is mapped") }
    buffer.base.deallocate()
  }

  func addFramebuffer(
    _ buffer: DRMDumbBuffer, width: UInt32, height: UInt32, fourCC: UInt32
  ) throws(SystemError) -> UInt32 {
    try card.enter("MODE_ADDFB2")
    let id = card.newID()
    card.framebuffers[id] = SimulatedCard.Framebuffer(
      size: PixelSize(width: Int(width), height: Int(height)), fourCC: fourCC, handle: buffer.handle,
      pitch: buffer.pitch, owner: self)
    return id
  }

  func removeFramebuffer(_ id: UInt32) { card.removeFramebuffer(id) }

  func map(_ buffer: DRMDumbBuffer) throws(SystemError) -> UnsafeMutableRawPointer {
    try card.enter("MODE_MAP_DUMB")
    guard let base = buffers[buffer.handle]?.base else { throw card.refuse("MODE_MAP_DUMB", ENOENT) }
    mapped.insert(buffer.handle)
    return base
  }

  func unmap(_ base: UnsafeMutableRawPointer, byteCount: Int) {
    guard let handle = buffers.first(where: { $0.value.base == base })?.key, mapped.remove(handle) != nil
    else {
      return card.mistake("munmap of unknown memory")
    }
  }

  // MARK: Events

  func readEvents(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    var byte: UInt8 = 0
    if queue.isEmpty { while read(events.rawValue, &byte, 1) == 1 {} }
    try card.enter("read")
    while read(events.rawValue, &byte, 1) == 1 {}
    let size = MemoryLayout<drm_event_vblank>.size
    var count = 0
    while !queue.isEmpty, count + size <= buffer.count {
      let flip = queue.removeFirst()
      var event = drm_event_vblank()
      event.base.type = UInt32(DRM_EVENT_FLIP_COMPLETE)
      event.base.length = UInt32(size)
      event.user_data = flip.token
      event.sequence = flip.sequence
      event.tv_sec = UInt32(flip.time / 1_000_000_000)
      event.tv_usec = UInt32(flip.time % 1_000_000_000 / 1000)
      buffer.baseAddress?.advanced(by: count).storeBytes(of: event, as: drm_event_vblank.self)
      count += size
    }
    return count
  }

  func waitForEvent(nanoseconds: Int64) -> Bool {
    guard queue.isEmpty else { return true }
    let end = card.time.now + nanoseconds
    guard let next = card.nextCompletion, next <= end else {
      card.time.pass(nanoseconds)
      return false
    }
    card.time.pass(next - card.time.now)
    card.completeDueFlips()
    return !queue.isEmpty
  }
}

extension PixelRect {
  /// The rectangles in a blob of `struct drm_mode_rect`.
  fileprivate static func clips(_ blob: [UInt8]) -> [PixelRect] {
    blob.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: MemoryLayout<drm_mode_rect>.size).map { offset in
        let clip = bytes.loadUnaligned(fromByteOffset: offset, as: drm_mode_rect.self)
        return PixelRect(
          x: Int(clip.x1), y: Int(clip.y1), width: Int(clip.x2 - clip.x1), height: Int(clip.y2 - clip.y1))
      }
    }
  }
}
