// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import JSON
import LinuxSystem
import Testing

@testable import Doctor

@Suite struct ExaminationTests {
  @Test("A correctly set up machine has neither problems nor notes")
  func well() throws {
    let system = try FakeSystem()
    #expect(system.found(.problem) == [])
    #expect(system.found(.note) == [])
    let examination = Examination(system.view)
    #expect(examination.isWell)
    #expect(examination.text.hasSuffix("\n\nNo problems."))
    #expect(
      examination.text.contains("  ok       HDMI-A-1 on card0: connected, 1920x1080, the first of 2 modes\n"))
    #expect(examination.json["ok"] == .bool(true))
  }

  @Test(
    "The config may select the card by its driver, its name or its path",
    arguments: ["i915", "card0", "/dev/dri/card0"])
  func card(_ card: String) throws {
    let system = try FakeSystem()
    try system.write("/etc/flipclock/config.toml", "[display]\ncard = \"\(card)\"\n")
    #expect(system.found(.problem) == [])
  }

  @Test("What the daemon reports of itself is found, with its kinds")
  func status() throws {
    let system = try FakeSystem()
    system.status = try JSONReader.read(
      Array(
        #"""
        {"unsaved": {"reason": "disk full", "since": "x"}, "warnings": ["the zone is unknown"],
        "leftOut": [{"page": "main", "name": "date", "reason": "there is no room"}],
        "boards": [{"name": "hall"}, {"name": "kitchen", "problem": "no answer"}]}
        """#.utf8))
    let found = Examination(system.view).findings.filter { $0.area == "Display program" }
    #expect(found.map(\.level) == [.problem, .note, .note, .note])
    #expect(found.map(\.kind) == [.unsaved, nil, .leftOut, .boardProblem])
    #expect(found.map(\.subject) == [nil, nil, "date", "kitchen"])
    let json = Examination(system.view).json["findings"]?.array ?? []
    #expect(json.contains { $0["kind"]?.string == "board_problem" && $0["subject"]?.string == "kitchen" })
  }

  @Test("The daemon's own directory is examined; a clock that it may not ask for is not a note")
  func own() throws {
    let system = try FakeSystem()
    (system.stateDirectory, system.clockIsSynchronized) = ("/srv/scores", nil)
    #expect(system.found(.problem) == [])
    #expect(Examination(system.view).findings.contains { $0.text == "/srv/scores" && $0.level == .ok })
    // systemd-timesyncd is installed, and has not synchronized the clock.
    #expect(Examination(system.view).findings.contains { $0.kind == .clockNotSynchronized })
    system.remove(file: "/usr/lib/systemd/system/systemd-timesyncd.service")
    #expect(system.found(.note) == [])
    system.forbidden = ["/srv/scores"]
    #expect(Examination(system.view).findings.contains { $0.kind == .stateNotWritable })
    system.freeBytes = 10
    #expect(Examination(system.view).findings.contains { $0.kind == .diskFull })
  }

  @Test("Another command of flipclockd is not the daemon", arguments: ["doctor", "check", "render"])
  func otherCommand(_ command: String) throws {
    let system = try FakeSystem()
    try system.process(200, "flipclockd", command: "/usr/bin/flipclockd\0\(command)\0--json\0")
    #expect(system.view.daemonProcess == 300)
    try system.write("/proc/200/mounts", "/dev/a / ext4 ro 0 0\n")
    #expect(system.found(.problem) == [])
    try system.process(100, "flipclockd", command: "/usr/bin/flipclockd\0--config\0check\0")
    #expect(system.view.daemonProcess == 100)
  }

  /// A single fault, and words from its finding and remedy.
  struct Ailment: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var level = Finding.Level.problem
    var words: [String]
    var breaking: @Sendable (FakeSystem) throws -> Void

    init(
      _ name: String, _ level: Finding.Level, _ words: [String],
      _ breaking: @escaping @Sendable (FakeSystem) throws -> Void
    ) {
      testDescription = name
      self.level = level
      self.words = words
      self.breaking = breaking
    }

    init(_ name: String, _ words: [String], _ breaking: @escaping @Sendable (FakeSystem) throws -> Void) {
      self.init(name, .problem, words, breaking)
    }
  }

  static let display: [Ailment] = [
    Ailment("no card", ["no graphics card", "lspci -k"]) { $0.remove(file: "/sys/class/drm") },
    Ailment("no card on a Pi", ["no graphics card", "dtoverlay=vc4-kms-v3d"]) {
      $0.remove(file: "/sys/class/drm")
      try $0.write("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    },
    Ailment("no card in a container", ["no graphics card", "container"]) {
      $0.remove(file: "/sys/class/drm")
      try $0.write("/run/systemd/container", "docker")
    },
    Ailment("a card without connectors", ["no card has a connector"]) {
      $0.remove(file: "/sys/class/drm/card0-HDMI-A-1")
    },
    Ailment("no node", ["there is no /dev/dri/card0", "udev"]) { $0.remove(file: "/dev/dri/card0") },
    Ailment("nomodeset", ["'nomodeset'", "/etc/default/grub"]) {
      try $0.write("/proc/cmdline", "quiet nomodeset splash\n")
    },
    Ailment("a driver's modeset=0", ["'i915.modeset=0'", "/boot/firmware/cmdline.txt"]) {
      try $0.write("/boot/firmware/cmdline.txt", "")
      try $0.write("/proc/cmdline", "i915.modeset=0\n")
    },
    Ailment("the firmware's framebuffer only", .note, ["simpledrm", "dmesg"]) {
      try $0.link("/sys/class/drm/card0/device/driver", "../../drivers/simple-framebuffer")
    },
    Ailment("no display", ["no display is connected", "video=HDMI-A-1:1920x1080@60D"]) {
      try $0.connector("card0-HDMI-A-1", "disconnected")
    },
    Ailment("no mode", ["reports no mode", "video=HDMI-A-1:"]) {
      try $0.connector("card0-HDMI-A-1", "connected")
    },
    Ailment("only a display of unknown state", .note, ["one of unknown state is used"]) {
      $0.remove(file: "/sys/class/drm/card0-HDMI-A-1")
      try $0.connector("card0-Composite-1", "unknown", "720x576\n")
    },
    Ailment("the config's connector is not there", ["'HDMI-A-2'", "did you mean 'HDMI-A-1'?"]) {
      try $0.write("/etc/flipclock/config.toml", "[display]\nconnector = \"HDMI-A-2\"\n")
    },
    Ailment("the config's card is not there", ["'vc4'", "card = \"auto\"", "i915"]) {
      try $0.write("/etc/flipclock/config.toml", "[display]\ncard = \"vc4\"\n")
    },
    Ailment("the config's card has no number like this", ["'card7'", "card = \"auto\"", "i915"]) {
      try $0.write("/etc/flipclock/config.toml", "[display]\ncard = \"card7\"\n")
    },
    Ailment("a compositor", ["sway (process 812) has /dev/dri/card0 open", "multi-user.target"]) {
      try $0.process(812, "sway", holds: "/dev/dri/card0")
      $0.daemon = .silent([.connect(ECONNREFUSED)])
    },
    Ailment("a boot splash", ["plymouthd (process 90)", "plymouth quit"]) {
      try $0.process(90, "plymouthd", holds: "/dev/dri/card0")
      $0.daemon = .silent([.connect(ECONNREFUSED)])
    },
    Ailment("an unknown program as master", ["painter (process 77)", "end it"]) {
      try $0.process(77, "painter", holds: "/dev/dri/card0")
      try $0.write(
        "/sys/kernel/debug/dri/0/clients",
        "             command  tgid dev master a   uid      magic\n             painter    77   0   y    y  1000          0\n"
      )
      $0.daemon = .silent([.connect(ECONNREFUSED)])
    },
    Ailment("a program that only renders", .note, ["viewer (process 78)", "does not disturb"]) {
      try $0.process(78, "viewer", holds: "/dev/dri/card0")
      // The viewer is not the master, although the column `a` says that it is authenticated.
      try $0.write(
        "/sys/kernel/debug/dri/0/clients",
        "             command  tgid dev master a   uid      magic\n              viewer    78   0   n    y     0          0\n"
      )
      $0.daemon = .silent([.connect(ECONNREFUSED)])
    },
    Ailment("a compositor beside a daemon that shows", .note, ["Xorg (process 5)", "shows a picture"]) {
      try $0.process(5, "Xorg", holds: "/dev/dri/card0")
    },
    Ailment("a backlight for root", .note, ["10-0045", "the service may not set it", "udevadm trigger"]) {
      try $0.write("/sys/class/backlight/10-0045/max_brightness", "255\n")
      try $0.write("/sys/class/backlight/10-0045/brightness", "255\n")
    },
    Ailment("a display manager", .note, ["gdm.service", "set-default multi-user.target"]) {
      try $0.link("/etc/systemd/system/display-manager.service", "/lib/systemd/system/gdm.service")
    },
  ]

  private static let noServer = ["no time server was reached", "a network with a time server"]

  static let rest: [Ailment] = [
    Ailment("no user for the service", ["user 'flipclock' does not exist", "systemd-sysusers"]) {
      try $0.write("/etc/passwd", "ann:x:1000:1000::/:/bin/sh\n")
    },
    Ailment("the service's user is not in its groups", .note, ["not in input", "systemd-sysusers"]) {
      try $0.write("/etc/group", "root:x:0:\nvideo:x:44:ann,flipclock\ninput:x:104:\n")
    },
    Ailment("no access to the card, and no service", ["ann may not open", "usermod -aG root ann"]) {
      $0.remove(file: "/usr/lib/systemd/system/flipclockd.service")
      $0.forbidden = ["/dev/dri/card0"]
      $0.daemon = .silent([.connect(ENOENT)])
    },
    Ailment("no access to the card, which the service has", .note, ["ann may not open", "by hand"]) {
      $0.forbidden = ["/dev/dri/card0"]
    },
    Ailment("no virtual terminals", ["/dev/tty0", "CONFIG_VT"]) {
      $0.remove(file: "/dev/tty0")
      $0.daemon = .silent([.connect(ENOENT)])
    },
    Ailment("a login on tty1", .note, ["agetty (process 44) is on tty1", "getty@tty1"]) {
      try $0.process(44, "agetty", command: "/sbin/agetty\0--noclear\0tty1\0linux\0")
    },
    Ailment("no service and no daemon", ["flipclockd.service is not installed", "make install"]) {
      $0.remove(file: "/usr/lib/systemd/system/flipclockd.service")
      $0.daemon = .silent([.connect(ENOENT)])
    },
    Ailment("a masked service", ["is masked", "unmask"]) {
      try $0.link("/etc/systemd/system/flipclockd.service", "/dev/null")
    },
    Ailment("a service that is not enabled", .note, ["does not start with the machine", "enable --now"]) {
      $0.remove(file: "/etc/systemd/system/multi-user.target.wants")
    },
    Ailment("a service that failed", ["it has failed", "journalctl"]) { $0.serviceState = "failed" },
    Ailment("a daemon by hand", .note, ["inactive", "by hand"]) { $0.serviceState = "inactive" },
    Ailment("no systemd", .note, ["systemd does not run here"]) { $0.remove(file: "/run/systemd") },
    Ailment("no daemon", ["not running", "no /run/flipclock/control.sock", "enable --now"]) {
      $0.daemon = .silent([.connect(ENOENT)])
    },
    Ailment("a stale socket", ["/run/user/1000/s is stale", "restart"]) {
      $0.daemon = .silent([.connect(ENOENT), .connect(ECONNREFUSED, "/run/user/1000/s")])
    },
    Ailment("a socket of others", ["may not connect", "since your last login: log out"]) {
      $0.daemon = .silent([.connect(EACCES, "/run/flipclock/none.sock")])
    },
    Ailment("another program's socket", ["Protocol wrong type", "--socket"]) {
      $0.daemon = .silent([.connect(EPROTOTYPE)])
    },
    Ailment("a daemon that is stuck", ["no reply within", "systemctl status"]) {
      $0.daemon = .failed("no reply within 5 s")
    },
    Ailment("a daemon of another release", .note, ["0.0.9", "restart"]) {
      $0.daemon = .answers(path: "/s", version: "0.0.9", configPath: nil, outputs: ["x"])
    },
    Ailment("a daemon without a display", ["no display to show on", "journalctl"]) {
      $0.daemon = .answers(path: "/s", version: Release.version, configPath: nil, outputs: [])
    },
    Ailment(
      "one display of two that is dark", .note, ["HDMI-A-2: no display is connected", "flipclockctl status"]
    ) {
      $0.daemon = .answers(
        path: "/s", version: Release.version, configPath: nil, outputs: ["HDMI-A-1 1920x1080@60"],
        troubles: [.init(connector: "HDMI-A-2", reason: "no display is connected")])
    },
    Ailment(
      "settings for a connector that no card has", .note, ["[outputs.HDMI-A-2]", "did you mean 'HDMI-A-1'?"]
    ) {
      try $0.write("/etc/flipclock/config.toml", "[outputs.HDMI-A-2]\nrotation = 90\n")
    },
    Ailment("a service near its limit of memory", .note, ["950 MiB of 1000 MiB", "MemoryMax="]) {
      try $0.memory(megabytes: 950, of: 1000, kills: 0)
    },
    Ailment("a service that was killed for its memory", ["killed 3 times", "MemoryMax="]) {
      try $0.memory(megabytes: 20, of: 1000, kills: 3)
    },
    Ailment("a config with an error", ["config.toml:2:8: error", "must be a string", "flipclockd check"]) {
      try $0.write("/etc/flipclock/config.toml", "[display]\nmode = 7\n")
    },
    Ailment("a config with an unknown key", .note, ["config.toml:2:1: warning", "did you mean 'mode'?"]) {
      try $0.write("/etc/flipclock/config.toml", "[display]\nmod = \"auto\"\n")
    },
    Ailment("a font that is missing", .note, ["no font family", "fonts-bebas-neue"]) {
      $0.fontProblems = ["no font family 'Bebas Neue'"]
    },
    Ailment("no fontconfig", .note, ["fontconfig is not set up"]) { $0.remove(file: "/etc/fonts") },
    Ailment("a state directory of somebody else", ["does not belong", "chown"]) {
      try $0.write("/etc/passwd", "ann:x:1000:1000::/:/bin/sh\nflipclock:x:\(getuid() + 77):9::/:/\n")
      chown($0.root + "/var/lib/flipclock", getuid() + 1, 0)
    },
    Ailment(
      "a state directory that the service may not write to", ["user flipclock", "cannot write", "chmod 750"]
    ) {
      chmod($0.root + "/var/lib/flipclock", 0o500)
    },
    Ailment("a state directory of root", ["user flipclock", "chown -R flipclock"]) {
      try $0.write("/etc/passwd", "ann:x:1000:1000::/:/bin/sh\nflipclock:x:\(getuid() + 77):9::/:/\n")
    },
    Ailment("a disk that cannot be written", ["/var is mounted read-only", "remount"]) {
      try $0.write("/proc/mounts", "/dev/a / ext4 rw 0 0\n/dev/b /var ext4 noatime,ro 0 0\n")
    },
    Ailment("no place for scores by hand", ["/ cannot be written to", "--state-dir"]) {
      $0.remove(file: "/usr/lib/systemd")
      $0.remove(file: "/var/lib/flipclock")
      $0.forbidden = ["/"]
    },
    Ailment("a state directory for everybody", ["every user may write", "mode 777", "chmod o-w"]) {
      chmod($0.root + "/var/lib/flipclock", 0o777)
    },
    Ailment("no home", ["HOME is not set", "--state-dir"]) {
      $0.remove(file: "/usr/lib/systemd")
      $0.remove(file: "/var/lib/flipclock")
      $0.environment = [:]
    },
    Ailment("a full disk", ["/var/lib/flipclock is full", "no score can be saved", "journalctl --vacuum"]) {
      $0.freeBytes = 0
    },
    Ailment("a full disk, by hand", ["is full", "no score can be saved"]) {
      $0.remove(file: "/usr/lib/systemd")
      $0.remove(file: "/var/lib/flipclock")
      $0.freeBytes = 4096
    },
    Ailment("a disk with no room for files", ["no room for another file", "df -i"]) { $0.freeFiles = 0 },
    Ailment(
      "a mount that is read-only for the daemon alone", ["for the running flipclockd", "restart flipclockd"]
    ) {
      try $0.write(
        "/proc/300/mounts", "/dev/a / ext4 ro 0 0\n/dev/a /var/lib/flipclock ext4 ro,noatime 0 0\n")
    },
    Ailment("another terminal in front", ["tty3 is in front", "tty1", "chvt 1"]) {
      try $0.write("/sys/class/tty/tty0/active", "tty3\n")
      $0.daemon = .answers(path: "/s", version: Release.version, configPath: nil, outputs: [])
    },
    Ailment("a socket unit that failed", ["flipclockd.socket has failed", "restart flipclockd.socket"]) {
      $0.socketState = "failed"
    },
    Ailment("a socket unit that was not started", .note, ["flipclockd.socket is inactive", "calls during"]) {
      $0.socketState = "inactive"
    },
    Ailment("a masked socket unit", .note, ["flipclockd.socket is masked", "unmask flipclockd.socket"]) {
      try $0.link("/etc/systemd/system/flipclockd.socket", "/dev/null")
    },
    Ailment("no client of NTP", .note, ["no NTP client is installed", "apt install systemd-timesyncd"]) {
      $0.clockIsSynchronized = false
      $0.remove(file: "/usr/lib/systemd/system/systemd-timesyncd.service")
    },
    Ailment("a time that the daemon marks", .note, ["nothing has confirmed the time", "set-time"]) {
      ($0.clockIsSynchronized, $0.timeIsConfirmed) = (false, false)
    },
    Ailment("a board that starts without the time", .note, ["nothing has confirmed the time", "set-time"]) {
      $0.clockIsSynchronized = false
      try $0.write("/sys/firmware/devicetree/base/model", "Raspberry Pi 4 Model B")
    },
    Ailment("no time zone", .note, ["shows UTC", "set-timezone"]) { $0.remove(file: "/etc/localtime") },
    Ailment("a clock that no service sets", .note, ["keeps the machine's clock", "set-ntp"]) {
      $0.clockIsSynchronized = false
    },
    Ailment("a client of NTP that runs without a network", .note, noServer) {
      $0.clockIsSynchronized = false
      try $0.write("/run/systemd/timesync/x", "")
    },
    Ailment("a client of NTP that starts with the machine", .note, noServer) {
      $0.clockIsSynchronized = false
      try $0.write("/usr/lib/systemd/system/chrony.service", "")
      try $0.link(
        "/etc/systemd/system/multi-user.target.wants/chrony.service", "/usr/lib/systemd/system/chrony.service"
      )
    },
  ]

  @Test("Each fault is reported with its remedy", arguments: display + rest)
  func ailments(ailment: Ailment) throws {
    let system = try FakeSystem()
    try ailment.breaking(system)
    let found = system.found(ailment.level)
    #expect(
      found.contains { line in ailment.words.allSatisfy { line.contains($0) } },
      "\(Examination(system.view).text)")
    #expect(Examination(system.view).isWell == (system.found(.problem) == []))
  }

  @Test(
    "A driver is named as in status and the config",
    arguments: [
      ("i915", "i915"), ("vc4-drm", "vc4"), ("bochs-drm", "bochs-drm"), ("simple-framebuffer", "simpledrm"),
      ("virtio-pci", "virtio_gpu"), ("amdgpu", "amdgpu"),
    ])
  func driverName(bus: String, name: String) throws {
    let system = try FakeSystem()
    try system.link("/sys/class/drm/card0/device/driver", "../../../bus/pci/drivers/\(bus)")
    if bus == "virtio-pci" {
      try system.link(
        "/sys/class/drm/card0/device/virtio1/driver", "../../../../bus/virtio/drivers/virtio_gpu")
    }
    #expect(system.view.cards.map(\.driver) == [name])
    try system.write("/etc/flipclock/config.toml", "[display]\ncard = \"\(name)\"\n")
    #expect(system.found(.problem) == [])
  }

  @Test("Another terminal in front is not a problem while a picture is shown, or without the service")
  func terminalInFront() throws {
    let system = try FakeSystem()
    try system.write("/sys/class/tty/tty0/active", "tty3\n")
    #expect(system.found(.problem) == [])
    system.daemon = .silent([.connect(ENOENT)])
    system.serviceState = "inactive"
    #expect(!system.found(.problem).contains { $0.contains("in front") })
  }

  @Test("Output to a silenced descriptor is discarded, and later output is not")
  func silence() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    SystemView.silencing(ends[1]) { for _ in 0..<14 { _ = write(ends[1], "no room\n", 8) } }
    #expect(write(ends[1], "after", 5) == 5)
    close(ends[1])
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(ends[0], &bytes, bytes.count)
    close(ends[0])
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "after")
  }

  @Test("Every problem has a remedy, and control characters do not reach the terminal")
  func form() throws {
    let system = try FakeSystem()
    system.daemon = .failed("odd \u{1b}[31m reply")
    try system.process(9, "evil\u{1b}[2J", holds: "/dev/dri/card0")
    system.remove(file: "/sys/class/drm/card0-HDMI-A-1")
    let examination = Examination(system.view)
    let problems = examination.areas.flatMap(\.findings).filter { $0.level == .problem }
    #expect(problems.count == 2)
    #expect(problems.allSatisfy { $0.remedy?.isEmpty == false })
    #expect(!examination.text.contains("\u{1b}"))
    #expect(examination.text.contains("\n2 problems. Fix the first one first"))
    #expect(examination.json["ok"] == .bool(false))
    #expect(examination.json["findings"]?.array?.count == examination.areas.flatMap(\.findings).count)
  }
}
