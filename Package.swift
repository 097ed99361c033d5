// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The targets, in the order of their dependencies. A target imports its dependencies and no other targets;
// `scripts/modules` checks both.

/// A library target and its tests.
func module(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [],
  tests: [Target.Dependency] = [],
  testResources: [Resource] = [], settings: [SwiftSetting] = []
) -> [Target] {
  [
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings),
    .testTarget(
      name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies + tests,
      resources: testResources, swiftSettings: settings),
  ]
}

let systemLibraries: [Target] = [
  .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
  .systemLibrary(name: "CDRM", pkgConfig: "libdrm", providers: [.apt(["libdrm-dev"])]),
  .systemLibrary(name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"])]),
  .systemLibrary(name: "CRaqm", pkgConfig: "raqm", providers: [.apt(["libraqm-dev"])]),
  .systemLibrary(name: "CUnibreak", pkgConfig: "libunibreak", providers: [.apt(["libunibreak-dev"])]),
  .systemLibrary(name: "CFontconfig", pkgConfig: "fontconfig", providers: [.apt(["libfontconfig-dev"])]),
  .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
  .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
  .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
  .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
  .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
  .systemLibrary(
    name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
  .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
  .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
  .target(name: "CKernels", cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
  .target(name: "CLinux"),
  .target(name: "CRelease"),
  .target(name: "CTOML", linkerSettings: [.linkedLibrary("stdc++")]),
]

/// Optimizes debug builds too, for targets whose tests compute pictures, long random matches or thousands of
/// configurations and messages: without optimization, these tests take two to five times as long. Overflow
/// and bounds are still checked.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

let modules: [Target] = [
  module("Raster", ["CKernels"], settings: optimized),
  module("Spelling", [], settings: optimized),
  module("JSON", [], settings: optimized),
  module("Languages", [], settings: optimized),
  module("Scoreboard", ["Spelling", "Languages"], tests: ["CommandSamples", "JSON"], settings: optimized),
  module("LinuxSystem", ["CLinux"]),
  module("MachineNetwork", [], settings: optimized),
  module("SystemBus", ["LinuxSystem", "CSystemd"]),
  module("CivilTime", ["LinuxSystem", "Languages"], settings: optimized),
  module("Schedule", ["CivilTime"], testResources: [.copy("Tables")], settings: optimized),
  module("Images", ["LinuxSystem", "Raster", "CPNG"], settings: optimized),
  module("Layers", ["Raster"], settings: optimized),
  module(
    "Typography",
    ["Spelling", "Raster", "LinuxSystem", "CFreeType", "CRaqm", "CUnibreak", "CFontconfig"],
    settings: optimized),
  module("Display", ["Raster", "LinuxSystem"], tests: ["CLinux"]),
  module("TOMLConfig", ["Spelling", "LinuxSystem", "CivilTime", "CTOML"], settings: optimized),
  module("MQTTConfig", ["TOMLConfig"], tests: ["LinuxSystem"]),
  module(
    "Commands", ["Spelling", "CivilTime", "Scoreboard"], tests: ["CommandSamples"], settings: optimized),
  module(
    "Settings",
    [
      "Spelling", "Languages", "CivilTime", "Schedule", "Scoreboard", "Raster", "Typography", "Display",
      "TOMLConfig", "Commands", "CEvdev",
    ], tests: ["LinuxSystem"], settings: optimized),
  module("Uevents", ["LinuxSystem", "CUdev"]),
  module("Input", ["LinuxSystem", "Uevents", "CEvdev"]),
  module("KMS", ["Raster", "Display", "LinuxSystem", "Uevents", "CDRM"], settings: optimized),
  module("Varlink", ["JSON"]),
  module("VarlinkSockets", ["JSON", "LinuxSystem", "Varlink"]),
  module("MQTT", ["LinuxSystem", "CMosquitto"], tests: ["BrokerDouble"]),
  module(
    "ControlCalls", ["Spelling", "JSON", "CivilTime", "Scoreboard", "TOMLConfig", "Varlink", "Commands"],
    resources: [.embedInCode("org.flipclock.Control.varlink")],
    tests: ["CommandSamples", "LinuxSystem", "VarlinkSockets"], settings: optimized),
  module(
    "ControlClient",
    [
      "JSON", "LinuxSystem", "CivilTime", "Scoreboard", "Varlink", "VarlinkSockets", "Commands",
      "ControlCalls",
    ]),
  module(
    "ControlServer",
    ["JSON", "LinuxSystem", "Scoreboard", "Varlink", "VarlinkSockets", "Commands", "ControlCalls"],
    tests: ["CommandSamples", "ControlClient", "Schedule", "Settings", "Walls", "WallState"]),
  module("Walls", ["JSON", "Scoreboard"], settings: optimized),
  module(
    "WallState",
    [
      "CivilTime", "JSON", "Schedule", "Scoreboard", "Settings", "Varlink", "Commands", "ControlCalls",
      "Walls",
    ], settings: optimized),
  module(
    "Remotes",
    [
      "Spelling", "JSON", "LinuxSystem", "Varlink", "VarlinkSockets", "Commands", "ControlCalls",
      "ControlClient",
    ],
    tests: ["DaemonDouble", "Scoreboard"]),
  module(
    "HomeAssistant", ["Spelling", "JSON", "Scoreboard", "Commands", "ControlCalls", "MQTT"],
    tests: ["DaemonDouble"]),
  module(
    "MQTTRemote",
    [
      "JSON", "LinuxSystem", "TOMLConfig", "MQTTConfig", "Varlink", "VarlinkSockets", "Commands",
      "ControlCalls",
      "Remotes", "MQTT", "HomeAssistant",
    ], resources: [.embedInCode("org.flipclock.MQTT.varlink")], tests: ["BrokerDouble", "DaemonDouble"]),
  module("Horn", ["Commands", "ControlCalls"], tests: ["Scoreboard"], settings: optimized),
  module(
    "HornRemote",
    ["CALSA", "Spelling", "LinuxSystem", "Varlink", "Commands", "ControlCalls", "Remotes", "Horn"],
    tests: ["DaemonDouble", "Scoreboard"]),
  module(
    "HostRemote",
    [
      "CLinux", "JSON", "LinuxSystem", "MachineNetwork", "SystemBus", "Varlink", "VarlinkSockets", "Commands",
      "ControlCalls", "Remotes",
    ], resources: [.embedInCode("org.flipclock.Host.varlink")], tests: ["DaemonDouble"]),
  module(
    "ConfigReference",
    [
      "LinuxSystem", "Scoreboard", "TOMLConfig", "MQTTConfig", "Settings", "Commands", "ControlCalls",
    ]),
  module(
    "ScoringConsole",
    [
      "JSON", "LinuxSystem", "Scoreboard", "Varlink", "VarlinkSockets", "Commands", "ControlCalls",
      "ControlClient", "Remotes",
    ]),
  module("WebServer", ["CLinux", "LinuxSystem", "CMicrohttpd"], tests: ["WebTestClient"]),
  module(
    "WebRemote",
    [
      "Spelling", "JSON", "LinuxSystem", "Languages", "CivilTime", "Scoreboard", "Varlink", "VarlinkSockets",
      "Commands", "ControlCalls", "ControlClient", "Remotes", "WebServer", "CNettle",
    ],
    resources: [
      .embedInCode("page.html"), .embedInCode("board.html"), .embedInCode("settings.html"),
      .embedInCode("setup.html"), .embedInCode("elements.js"), .embedInCode("time.js"),
      .embedInCode("common.css"), .embedInCode("common.js"), .embedInCode("looks.js"),
      .embedInCode("org.flipclock.Web.varlink"),
    ], tests: ["CommandSamples", "DaemonDouble", "WebTestClient"]),
  module(
    "ConfigChecks",
    [
      "Spelling", "JSON", "CivilTime", "Schedule", "Scoreboard", "TOMLConfig", "Settings", "Varlink",
      "Commands", "ControlCalls", "Walls", "WallState",
    ]),
  module(
    "Widgets",
    [
      "CQREncode", "Languages", "Raster", "Images", "Layers", "Typography", "CivilTime", "Scoreboard",
      "Commands", "Settings",
    ], tests: ["ControlCalls"], testResources: [.copy("Goldens")], settings: optimized),
  module(
    "Doctor",
    [
      "Spelling", "JSON", "LinuxSystem", "Typography", "TOMLConfig", "Settings", "Display", "Input",
      "VarlinkSockets", "Commands", "ControlCalls", "ControlClient", "ConfigChecks",
    ]),
  module(
    "Daemon",
    [
      "CLinux", "Spelling", "Raster", "JSON", "CivilTime", "Schedule", "Scoreboard", "LinuxSystem", "Images",
      "Typography", "TOMLConfig", "Settings", "Display", "KMS", "Input", "VarlinkSockets",
      "Commands", "ControlCalls", "ControlServer", "ConfigChecks", "Walls", "WallState", "Widgets", "Doctor",
      "Languages", "Remotes",
    ]),
].flatMap { $0 }

// Code that several test targets share, and a program that an end-to-end test runs. No product contains them.
let testSupport: [Target] = [
  .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
  .target(
    name: "TestSupport",
    dependencies: ["CAllocationCount", "CLinux", "LinuxSystem"],
    path: "Tests/TestSupport", swiftSettings: optimized),
  .target(
    name: "DaemonDouble",
    dependencies: [
      "LinuxSystem", "Scoreboard", "Settings", "VarlinkSockets", "Commands", "ControlCalls",
      "ControlServer", "Walls", "WallState",
    ],
    path: "Tests/DaemonDouble"),
  .target(name: "BrokerDouble", dependencies: ["LinuxSystem"], path: "Tests/BrokerDouble"),
  .target(name: "WebTestClient", path: "Tests/WebTestClient"),
  .target(name: "CommandSamples", dependencies: ["Commands", "Scoreboard"], path: "Tests/CommandSamples"),
  .executableTarget(
    name: "frame-allocations",
    dependencies: [
      "TestSupport", "Raster", "LinuxSystem", "Display", "Layers", "Typography", "CivilTime", "Scoreboard",
      "Settings", "Widgets",
    ], path: "Tests/FrameAllocations"),
]

/// Only for the benchmarks (`make bench`, `make count`, `make arm64`), so that the libraries that they
/// compare with are not dependencies of the project.
let benchmarks: [Target] =
  Context.environment["FLIPCLOCK_BENCHMARKS"] == nil
  ? []
  : [
    .systemLibrary(
      name: "CPixman", path: "Benchmarks/CPixman", pkgConfig: "pixman-1",
      providers: [.apt(["libpixman-1-dev"])]),
    .systemLibrary(
      name: "CCairo", path: "Benchmarks/CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    // Without `pkgConfig`, because SwiftPM warns about the compiler flags that pkg-config returns for SDL2.
    .systemLibrary(name: "CSDL2", path: "Benchmarks/CSDL2", providers: [.apt(["libsdl2-dev"])]),
    .target(
      name: "BenchmarkCases", dependencies: ["Raster", "CPixman"],
      path: "Benchmarks/BenchmarkCases"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "Raster", "Display", "Layers", "Typography", "CivilTime", "Scoreboard", "Settings", "Widgets",
        "BenchmarkCases", "CCairo", "CSDL2",
      ], path: "Benchmarks/bench"),
    .executableTarget(
      name: "count", dependencies: ["Raster", "CKernels", "BenchmarkCases"], path: "Benchmarks/count"),
  ]

/// The modules with parsers of input from outside, and what the fuzz targets need.
let fuzzed: [Target.Dependency] = [
  "TestSupport", "CEvdev", "CivilTime", "Commands", "ConfigChecks", "ControlCalls", "ControlServer", "Daemon",
  "DaemonDouble", "HomeAssistant", "Images", "Input", "JSON", "KMS", "Languages", "LinuxSystem", "MQTT",
  "Schedule", "Scoreboard", "ScoringConsole", "Settings", "TOMLConfig", "Varlink", "VarlinkSockets",
  "WallState", "Walls", "WebRemote", "WebServer",
]

/// The parsers of input from outside as functions of bytes (`FuzzTarget`). By default this is a test target,
/// which runs them on mutated input. For `make fuzz` it is a program with libFuzzer instead, which not every
/// toolchain has.
let fuzzing: Target
if Context.environment["FLIPCLOCK_FUZZ"] == nil {
  fuzzing = .testTarget(name: "FuzzTests", dependencies: fuzzed, exclude: ["Corpus", "Driver"])
} else {
  fuzzing = .executableTarget(
    name: "fuzz", dependencies: fuzzed, path: "Tests/FuzzTests", exclude: ["Corpus", "ReplayTests.swift"])
}

let programs: [Target] = [
  .executableTarget(
    name: "flipclockd", dependencies: ["CRelease", "LinuxSystem", "Commands", "Doctor", "Daemon"]),
  .executableTarget(
    name: "flipclockctl",
    dependencies: [
      "CRelease", "JSON", "LinuxSystem", "Varlink", "VarlinkSockets", "Commands", "ControlCalls",
      "ControlClient",
      "Remotes", "ScoringConsole",
    ]),
  .executableTarget(name: "flipclock-mqtt", dependencies: ["CRelease", "Remotes", "MQTTRemote"]),
  .executableTarget(name: "flipclock-web", dependencies: ["CRelease", "Remotes", "WebRemote"]),
  .executableTarget(name: "flipclock-horn", dependencies: ["CRelease", "Remotes", "HornRemote"]),
  .executableTarget(name: "flipclock-host", dependencies: ["CRelease", "Remotes", "HostRemote"]),
  // Writes the generated files (`make docs`); it is not installed.
  .executableTarget(name: "generated-files", dependencies: ["ConfigReference", "LinuxSystem"]),
]

// The type checker of Swift 6.0 gives up on a sum of these arrays.
let targets: [[Target]] = [systemLibraries, modules, testSupport, benchmarks, [fuzzing], programs]

let package = Package(
  name: "flipclock",
  products: [
    .executable(name: "flipclockd", targets: ["flipclockd"]),
    .executable(name: "flipclockctl", targets: ["flipclockctl"]),
    .executable(name: "flipclock-mqtt", targets: ["flipclock-mqtt"]),
    .executable(name: "flipclock-web", targets: ["flipclock-web"]),
    .executable(name: "flipclock-horn", targets: ["flipclock-horn"]),
    .executable(name: "flipclock-host", targets: ["flipclock-host"]),
  ],
  targets: Array(targets.joined()),
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
