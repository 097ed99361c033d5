// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import LinuxSystem
import Raster

@testable import KMS

/// A card as the kernel manages it: connectors, encoders, CRTCs and planes with their state, framebuffers,
/// blobs, the master, and displays that are plugged in and out. It exists independently of the programs that
/// open it.
///
/// The rules are the kernel's (drm_atomic.c, drm_atomic_helper.c, drm_crtc.c, drm_plane.c): a commit that
/// changes neither mode nor connectors nor `ACTIVE` does not enable an encoder; a second flip while one is
/// pending fails with EBUSY; only the master may commit; damage lies within the framebuffer; removing a
/// framebuffer that is on the display turns the CRTC off. A display shows nothing until its encoder was
/// enabled after it was plugged in.
final class SimulatedCard {
  struct Connector {
    var name: String
    var encoder: UInt32
    var modes: [Timing]
    var isPlugged = true
    var edid: UInt64 = 0
    /// Whether the display gets a signal: a modeset has enabled the encoder since the display was plugged in.
    var isLit = false
  }

  struct Framebuffer {
    var size: PixelSize
    var fourCC: UInt32
    var handle: UInt32
    var pitch: UInt32
    unowned(unsafe) var owner: SimulatedFile
  }

  /// A flip that was accepted and has not completed. It does not keep the file open.
  private struct PendingFlip {
    let timer: LoopTimer
    let event: FlipEvent
    unowned(unsafe) let file: SimulatedFile
  }

  /// The state that commits change. A commit changes a copy, which takes effect if it passes the checks.
  struct State: Equatable {
    /// Property values by object and property name.
    var values: [UInt32: [String: UInt64]] = [:]
    var modes: [UInt32: Timing] = [:]
    /// The damage clips by plane. The kernel forgets them with the next commit.
    var damage: [UInt32: [PixelRect]] = [:]

    subscript(object: UInt32, name: String) -> UInt64 {
      get { values[object]?[name] ?? 0 }
      set { values[object, default: [:]][name] = newValue }
    }
  }

  enum Completion {
    /// Flips complete at the next vblank and have its number.
    case vblanks
    /// Flips complete at once, with number 0.
    case atOnce
    case never
  }

  /// A call that fails.
  struct Fault {
    var call: String
    var errno: Int32
    /// The calls that fail, counted from 1.
    var calls: ClosedRange<Int> = 1...Int.max
    /// The time in nanoseconds from which the calls succeed again.
    var end = Int64.max
  }

  let driver: String
  let time: VirtualTime
  let loop: EventLoop
  let isAtomic: Bool
  private(set) var connectors: [UInt32: Connector] = [:]
  private(set) var encoders: [UInt32: UInt32] = [:]
  private(set) var crtcs: [UInt32] = []
  private(set) var planes: [UInt32: (kind: UInt64, possible: UInt32, formats: [UInt32])] = [:]
  private(set) var propertyIDs: [String: UInt32] = [:]
  var state = State()
  var framebuffers: [UInt32: Framebuffer] = [:]
  var blobs: [UInt32: [UInt8]] = [:]
  weak var master: SimulatedFile?
  var isRemoved = false
  var completion = Completion.vblanks
  var period: Int64 = 16_666_667
  /// How long a flip or a modeset takes in addition to the wait for the vblank, in nanoseconds. Electronic
  /// paper needs seconds.
  var refreshTime: Int64 = 0
  /// Bytes of scanout memory; a dumb buffer that exceeds it fails with ENOMEM.
  var memory = Int.max
  /// Bytes of video memory for the framebuffers on the displays; a commit that exceeds it fails with ENOMEM.
  /// At a flip the old and the new framebuffer are there at the same time (drm_gem_vram_helper.c).
  var videoMemory = Int.max
  /// Modes for which a modeset fails with EINVAL, by size.
  var refusedSizes: Set<PixelSize> = []
  /// The bytes per frame that all active CRTCs together can read; a modeset that exceeds it fails with
  /// ENOSPC.
  var bandwidth = Int.max
  /// CRTCs for which a modeset fails with EINVAL, also one that switches them off.
  var refusedCRTCs: Set<UInt32> = []
  /// Whether a modeset clears the scanout memory, as on QEMU's VGA.
  var clearsMemory = false
  var hasDumbBuffers = true
  /// Whether the driver implements the legacy page flip.
  var hasPageFlips = true
  /// Whether the card has no displays at all, like a Pi's v3d.
  var isRenderOnly: Bool { connectors.isEmpty }
  /// The errno with which the kernel refuses GET_CAP if the card only renders.
  var renderOnlyErrno = EOPNOTSUPP

  /// How long calls take, in nanoseconds, by the names that `enter` gets. Flips go on meanwhile.
  var durations: [String: Int64] = [:]
  /// When another thread's probe of a connector ends. Until then, calls that need the same lock wait.
  var probeEnd: Int64 = 0
  /// The modes and the EDID that the last probe of each connector has found; the kernel keeps them until the
  /// next probe.
  var probed: [UInt32: (modes: [Timing], edid: UInt64)] = [:]

  var fault: Fault?
  private(set) var callCounts: [String: Int] = [:]
  private(set) var totalCalls = 0
  /// CRTCs whose flips never complete until they are switched off and on.
  private(set) var hung: Set<UInt32> = []
  private(set) var modesets = 0
  /// How often a CRTC was turned off because the framebuffer on it was removed.
  private(set) var cutOffs = 0
  /// How many times the node is open.
  private(set) var openFiles = 0
  /// Uses of objects that do not exist, double frees and the like.
  private(set) var mistakes: [String] = []
  /// Flips that are pending, by CRTC.
  private var pending: [UInt32: PendingFlip] = [:]
  private var nextID: UInt32 = 1000

  /// A card with a connector and an encoder for each of `names`, and `extraCRTCs` more CRTCs than connectors.
  /// Every CRTC has a primary plane. Every encoder can use every CRTC.
  init(
    _ driver: String = "vc4", names: [String] = ["HDMI-A-1"], modes: [Timing], on loop: EventLoop,
    _ time: VirtualTime,
    atomic: Bool = true, formats: [ScanoutFormat] = [.xrgb8888, .rgb565], extraCRTCs: Int = 0
  ) {
    self.driver = driver
    self.loop = loop
    self.time = time
    isAtomic = atomic
    let count = names.count + extraCRTCs
    for index in 0..<UInt32(count) {
      crtcs.append(60 + index)
      for name in ["MODE_ID", "ACTIVE", "GAMMA_LUT", "VRR_ENABLED"] { state[60 + index, name] = 0 }
      planes[70 + index] = (1, 1 << index, formats.map(\.fourCC))
      for name in ["type", "FB_ID", "CRTC_ID", "SRC_X", "SRC_Y", "SRC_W", "SRC_H"] {
        state[70 + index, name] = 0
      }
      for name in ["CRTC_X", "CRTC_Y", "CRTC_W", "CRTC_H", "FB_DAMAGE_CLIPS"] { state[70 + index, name] = 0 }
      state[70 + index, "type"] = 1
    }
    for (index, name) in names.enumerated() {
      let id = 40 + UInt32(index)
      encoders[50 + UInt32(index)] = (1 << UInt32(count)) - 1
      connectors[id] = Connector(
        name: name, encoder: 50 + UInt32(index), modes: modes, edid: 500 + UInt64(index))
      var names = [
        "CRTC_ID", "link-status", "EDID", "HDR_OUTPUT_METADATA", "Colorspace", "Broadcast RGB", "left margin",
      ]
      // Only built-in panels have an orientation (drm_connector_set_panel_orientation).
      if name.hasPrefix("DSI") { names.append("panel orientation") }
      for name in names { state[id, name] = 0 }
      state[id, "max bpc"] = 8
    }
    for name in Set(state.values.values.flatMap(\.keys)).sorted() { propertyIDs[name] = newID() }
  }

  /// Removes the last CRTC, as on a card with more connectors than CRTCs.
  func removeCRTC() {
    guard let crtc = crtcs.popLast() else { return }
    planes[crtc + 10] = nil
    for id in encoders.keys { encoders[id] = (1 << UInt32(crtcs.count)) - 1 }
  }

  func newID() -> UInt32 {
    nextID += 1
    return nextID
  }

  func mistake(_ text: String) { mistakes.append(text) }

  // MARK: Displays

  func unplug(_ name: String = "HDMI-A-1") {
    for (id, connector) in connectors where connector.name == name {
      connectors[id]?.isPlugged = false
      connectors[id]?.isLit = false
    }
  }

  /// Plugs a display in. Does nothing if the display with this EDID is plugged in already and `modes` is nil.
  func plug(_ name: String = "HDMI-A-1", edid: UInt64? = nil, modes: [Timing]? = nil) {
    for (id, connector) in connectors where connector.name == name {
      if connector.isPlugged, edid ?? connector.edid == connector.edid, modes == nil { continue }
      connectors[id]?.isPlugged = true
      connectors[id]?.isLit = false
      if let edid { connectors[id]?.edid = edid }
      if let modes { connectors[id]?.modes = modes }
    }
  }

  /// Changes the EDID and the modes that the next probe finds, while the display stays connected.
  func probe(_ name: String = "HDMI-A-1", edid: UInt64, modes: [Timing]) {
    for (id, connector) in connectors where connector.name == name {
      connectors[id]?.edid = edid
      connectors[id]?.modes = modes
    }
  }

  /// Makes the link to a display fail. The display is dark until a commit sets `link-status` to good
  /// (drm_connector.c).
  func failLink(_ name: String = "HDMI-A-1") {
    for (id, connector) in connectors where connector.name == name {
      state[id, "link-status"] = 1
      connectors[id]?.isLit = false
    }
  }

  /// Shows the picture of another program, such as a boot splash, which then stops being the master.
  func showSplash(
    _ timing: Timing, x: UInt32 = 0, on name: String = "HDMI-A-1"
  ) throws(SystemError) -> SimulatedFile {
    let file = try open()
    guard let id = connectors.first(where: { $0.value.name == name })?.key else {
      throw refuse("open", ENOENT)
    }
    let (width, height) = (UInt32(timing.hDisplay) + x, UInt32(timing.vDisplay))
    let buffer = try file.createDumbBuffer(width: width, height: height, bits: 32)
    let framebuffer = try file.addFramebuffer(
      buffer, width: width, height: height, fourCC: ScanoutFormat.xrgb8888.fourCC)
    try file.setCRTC(id + 20, framebuffer: framebuffer, x: x, y: 0, connectors: [id], timing: timing)
    file.dropMaster()
    return file
  }

  /// Suspends and resumes with a driver that restores its registers but no signal: the state stays, the
  /// displays are dark.
  func suspend() { for id in connectors.keys { connectors[id]?.isLit = false } }

  /// The buffer that a display shows; nil if it is dark.
  func picture(on name: String = "HDMI-A-1") -> PixelBuffer? {
    guard let (id, connector) = connectors.first(where: { $0.value.name == name }), connector.isPlugged,
      connector.isLit,
      !isRemoved
    else { return nil }
    let crtc = UInt32(state[id, "CRTC_ID"])
    guard crtc != 0, state[crtc, "ACTIVE"] == 1, let mode = state.modes[crtc],
      let plane = planes.keys.first(where: { state[$0, "CRTC_ID"] == UInt64(crtc) }),
      let framebuffer = framebuffers[UInt32(state[plane, "FB_ID"])]
    else { return nil }
    return pixels(of: framebuffer, mode.size)
  }

  /// A framebuffer's content, or its upper left part.
  func pixels(of framebuffer: Framebuffer, _ size: PixelSize? = nil) -> PixelBuffer? {
    guard let base = framebuffer.owner.buffers[framebuffer.handle]?.base,
      let format = ScanoutFormat(framebuffer.fourCC)
    else { return nil }
    let size = size ?? framebuffer.size
    return PixelBuffer(
      base: base, width: size.width, height: size.height, bytesPerRow: Int(framebuffer.pitch),
      format: format.pixelFormat)
  }

  // MARK: Faults

  /// The names under which `enter` counts the calls that set a mode and those that flip.
  var modesetCall: String { isAtomic ? "MODE_ATOMIC modeset" : "MODE_SETCRTC" }
  var flipCall: String { isAtomic ? "MODE_ATOMIC flip" : "MODE_PAGE_FLIP" }

  /// How often a program tried to flip.
  var flips: Int { callCounts[flipCall] ?? 0 }

  /// Makes the next `times` calls of one kind fail.
  func fail(_ call: String, _ errno: Int32, times: Int = 1) {
    let count = callCounts[call] ?? 0
    fault = Fault(call: call, errno: errno, calls: count + 1...count + times)
  }

  /// Counts a call. Throws if `fault` applies to it or the card was removed.
  func enter(_ call: String) throws(SystemError) {
    callCounts[call, default: 0] += 1
    totalCalls += 1
    // The calls that take mode_config.mutex or the lock of the connectors (drm_connector.c,
    // drm_mode_object.c, drm_crtc.c, drm_atomic.c), which a probe holds (drm_probe_helper.c).
    let waits: Set<String> = [
      "MODE_GETCONNECTOR", "MODE_GETCONNECTOR current", "MODE_OBJ_GETPROPERTIES", "MODE_SETCRTC",
      "MODE_SETPROPERTY",
      "MODE_ATOMIC modeset", "MODE_ATOMIC test",
    ]
    pass((waits.contains(call) ? max(probeEnd - time.now, 0) : 0) + (durations[call] ?? 0))
    if isRemoved { throw SystemError("DRM_IOCTL_\(call)", driver, errno: Errno(rawValue: ENODEV)) }
    guard let fault, fault.call == call, time.now < fault.end, fault.calls.contains(callCounts[call] ?? 0)
    else {
      return
    }
    throw SystemError("DRM_IOCTL_\(call)", driver, errno: Errno(rawValue: fault.errno))
  }

  /// Waits in the kernel.
  private func pass(_ duration: Int64) {
    guard duration > 0 else { return }
    time.pass(duration)
    completeDueFlips()
  }

  func refuse(_ call: String, _ code: Int32) -> SystemError {
    SystemError("DRM_IOCTL_\(call)", driver, errno: Errno(rawValue: code))
  }

  // MARK: Commits

  /// A copy of the state for the next commit to change, without the last commit's damage.
  var nextState: State {
    var next = state
    next.damage = [:]
    return next
  }

  /// Checks `new` and puts it into effect.
  func commit(
    _ new: State, from file: SimulatedFile, _ call: String, flags: UInt32, touching: Set<UInt32>,
    token: UInt64
  ) throws(SystemError) {
    guard master === file else { throw refuse(call, EACCES) }
    var modeset: Set<UInt32> = []
    var affected = touching.intersection(crtcs)
    for crtc in crtcs {
      let users = connectors.keys.filter { new[$0, "CRTC_ID"] == UInt64(crtc) }
      let before = connectors.keys.filter { state[$0, "CRTC_ID"] == UInt64(crtc) }
      let isEnabled = new.modes[crtc] != nil
      if isEnabled != !users.isEmpty { throw refuse(call, EINVAL) }
      if new[crtc, "ACTIVE"] == 1, !isEnabled { throw refuse(call, EINVAL) }
      if new.modes[crtc] != state.modes[crtc] || new[crtc, "ACTIVE"] != state[crtc, "ACTIVE"]
        || Set(users) != Set(before)
        || users.contains(where: { new[$0, "link-status"] != state[$0, "link-status"] })
      {
        modeset.insert(crtc)
        let isRefused = new.modes[crtc].map { refusedSizes.contains($0.size) } ?? false
        if isRefused || refusedCRTCs.contains(crtc) { throw refuse(call, EINVAL) }
      }
      for user in users {
        guard let connector = connectors[user], let index = crtcs.firstIndex(of: crtc),
          (encoders[connector.encoder] ?? 0) & (1 << UInt32(index)) != 0
        else { throw refuse(call, EINVAL) }
      }
    }
    for (id, plane) in planes {
      let (crtc, framebuffer) = (UInt32(new[id, "CRTC_ID"]), UInt32(new[id, "FB_ID"]))
      if (crtc == 0) != (framebuffer == 0) { throw refuse(call, EINVAL) }
      if touching.contains(id) {
        for crtc in [crtc, UInt32(state[id, "CRTC_ID"])] where crtc != 0 { affected.insert(crtc) }
      }
      guard crtc != 0, touching.contains(id) else { continue }
      guard let index = crtcs.firstIndex(of: crtc), plane.possible & (1 << UInt32(index)) != 0 else {
        throw refuse(call, EINVAL)
      }
      guard let buffer = framebuffers[framebuffer] else { throw refuse(call, EINVAL) }
      guard plane.formats.contains(buffer.fourCC) else { throw refuse(call, EINVAL) }
      if Int((new[id, "SRC_X"] + new[id, "SRC_W"]) >> 16) > buffer.size.width
        || Int((new[id, "SRC_Y"] + new[id, "SRC_H"]) >> 16) > buffer.size.height
      {
        throw refuse(call, ENOSPC)
      }
      let whole = PixelRect(x: 0, y: 0, width: buffer.size.width, height: buffer.size.height)
      if let clips = new.damage[id], clips.contains(where: { $0.isEmpty || !whole.contains($0) }) {
        throw refuse(call, EINVAL)
      }
    }
    if !modeset.isEmpty, flags & UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) == 0 { throw refuse(call, EINVAL) }
    if !modeset.isEmpty, bytesPerFrame(new) > bandwidth { throw refuse(call, ENOSPC) }
    let wantsEvent = flags & UInt32(DRM_MODE_PAGE_FLIP_EVENT) != 0
    affected.formUnion(modeset)
    if wantsEvent, affected.contains(where: { new[$0, "ACTIVE"] == 0 }) || affected.isEmpty {
      throw refuse(call, EINVAL)
    }
    if flags & UInt32(DRM_MODE_ATOMIC_TEST_ONLY) != 0 { return }
    let pinned = Set([new, state].flatMap { state in planes.keys.map { UInt32(state[$0, "FB_ID"]) } })
    let bytes = pinned.compactMap { framebuffers[$0] }.reduce(0) { $0 + Int($1.pitch) * $1.size.height }
    if bytes > videoMemory { throw refuse(call, ENOMEM) }
    for crtc in affected where pending[crtc] != nil {
      if flags & UInt32(DRM_MODE_ATOMIC_NONBLOCK) != 0 { throw refuse(call, EBUSY) }
      // A blocking commit waits for the flip, at most as long as the kernel does (10 s).
      let rest = pending[crtc].map { $0.event.time - time.now } ?? 0
      time.pass(completion == .never || hung.contains(crtc) ? 10_000_000_000 : max(period, rest))
      complete(crtc)
    }
    state = new
    for crtc in modeset where state[crtc, "ACTIVE"] == 1 {
      modesets += 1
      hung.remove(crtc)
      for (id, connector) in connectors where state[id, "CRTC_ID"] == UInt64(crtc) {
        connectors[id]?.isLit = connector.isPlugged && state[id, "link-status"] == 0
      }
      if clearsMemory { for framebuffer in framebuffers.values { pixels(of: framebuffer)?.clear() } }
    }
    // A modeset waits until the pictures are shown (drm_atomic_helper_wait_for_flip_done).
    if modeset.contains(where: { state[$0, "ACTIVE"] == 1 }) { time.pass(refreshTime) }
    for crtc in modeset where state[crtc, "ACTIVE"] == 0 {
      for id in connectors.keys where state[id, "CRTC_ID"] == UInt64(crtc) || state[id, "CRTC_ID"] == 0 {
        connectors[id]?.isLit = false
      }
    }
    if wantsEvent { for crtc in affected { schedule(crtc, token, file) } }
  }

  /// The bytes that the active CRTCs read for each frame.
  private func bytesPerFrame(_ state: State) -> Int {
    planes.keys.reduce(0) { sum, plane in
      let crtc = UInt32(state[plane, "CRTC_ID"])
      guard state[crtc, "ACTIVE"] == 1, let size = state.modes[crtc]?.size,
        let format = framebuffers[UInt32(state[plane, "FB_ID"])].flatMap({ ScanoutFormat($0.fourCC) })
      else { return sum }
      return sum + size.width * size.height * format.pixelFormat.bytesPerPixel
    }
  }

  private func schedule(_ crtc: UInt32, _ token: UInt64, _ file: SimulatedFile) {
    let done = time.now + refreshTime
    let number = completion == .atOnce ? 0 : done / period + 1
    let event = FlipEvent(
      token: token, sequence: UInt32(truncatingIfNeeded: number),
      time: completion == .atOnce ? done : number * period)
    guard let timer = try? LoopTimer(.monotonic, on: loop, handler: { [weak self] _ in self?.complete(crtc) })
    else {
      return
    }
    pending[crtc] = PendingFlip(timer: timer, event: event, file: file)
    if completion != .never, !hung.contains(crtc) { timer.arm(at: ClockTime(totalNanoseconds: event.time)) }
  }

  private func complete(_ crtc: UInt32) {
    guard let flip = pending.removeValue(forKey: crtc) else { return }
    flip.timer.cancel()
    if isCompleting(crtc) { flip.file.arrived(flip.event) }
  }

  /// Completes the flips that are due, as interrupts do while a program waits in the kernel.
  func completeDueFlips() {
    for (crtc, flip) in pending where isCompleting(crtc) && flip.event.time <= time.now { complete(crtc) }
  }

  /// The time of the next pending flip's completion.
  var nextCompletion: Int64? { pending.filter { isCompleting($0.key) }.values.map(\.event.time).min() }

  private func isCompleting(_ crtc: UInt32) -> Bool { completion != .never && !hung.contains(crtc) }

  /// Makes the active CRTCs hang, or only the one of a connector, as after "flip_done timed out".
  func hang(_ name: String? = nil) {
    let users = connectors.filter { $0.value.name == name ?? $0.value.name }.keys
    hung.formUnion(users.map { UInt32(state[$0, "CRTC_ID"]) }.filter { $0 != 0 && state[$0, "ACTIVE"] == 1 })
  }

  // MARK: Programs

  func open() throws(SystemError) -> SimulatedFile {
    try enter("open")
    let file = try SimulatedFile(self)
    openFiles += 1
    return file
  }

  /// Removes a framebuffer; if it is on the display, the CRTC is turned off (drm_framebuffer_remove).
  func removeFramebuffer(_ id: UInt32) {
    guard framebuffers.removeValue(forKey: id) != nil else { return mistake("RMFB of unknown \(id)") }
    for plane in planes.keys where state[plane, "FB_ID"] == UInt64(id) {
      cutOffs += 1
      let crtc = UInt32(state[plane, "CRTC_ID"])
      (state[plane, "FB_ID"], state[plane, "CRTC_ID"]) = (0, 0)
      state[crtc, "ACTIVE"] = 0
      state[crtc, "MODE_ID"] = 0
      state.modes[crtc] = nil
      for connector in connectors.keys where state[connector, "CRTC_ID"] == UInt64(crtc) {
        state[connector, "CRTC_ID"] = 0
        connectors[connector]?.isLit = false
      }
    }
  }

  /// Called when a file is closed (drm_release): removes its framebuffers and pending flips, and ends its
  /// role as master.
  func closed(_ file: SimulatedFile) {
    openFiles -= 1
    for (id, framebuffer) in framebuffers where framebuffer.owner === file { removeFramebuffer(id) }
    if master === file { master = nil }
    for (crtc, flip) in pending where flip.file === file {
      flip.timer.cancel()
      pending[crtc] = nil
    }
  }
}

extension PixelBuffer {
  /// Fills the memory, including the rows' padding, with a byte.
  func clear(_ byte: UInt8 = 0) { memset(base, Int32(byte), bytesPerRow * height) }
}

extension ScanoutFormat {
  init?(_ fourCC: UInt32) {
    guard let format = Self.allCases.first(where: { $0.fourCC == fourCC }) else { return nil }
    self = format
  }
}
