// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The targets, in the order of their dependencies. A target imports only its dependencies; `make check` verifies
// that with `--explicit-target-dependency-import-check error`.

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
  .systemLibrary(name: "CDRM", pkgConfig: "libdrm", providers: [.apt(["libdrm-dev"])]),
  .systemLibrary(name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"])]),
  .systemLibrary(name: "CFontconfig", pkgConfig: "fontconfig", providers: [.apt(["libfontconfig-dev"])]),
  .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
  .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
  .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
  .target(name: "CKernels", cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
  .target(name: "CLinux"),
  .target(name: "CTOML", linkerSettings: [.linkedLibrary("stdc++")]),
]

/// Optimizes debug builds too, for targets whose tests compute pictures or long random matches: without optimization,
/// these tests take five times as long. Overflow and bounds are still checked.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

let modules: [Target] = [
  module("Raster", ["CKernels"], settings: optimized),
  module("Spelling", []),
  module("Scoreboard", [], settings: optimized),
  module("LinuxSystem", ["CLinux"]),
  module("CivilTime", ["LinuxSystem"]),
  module("Images", ["Raster", "CPNG"], settings: optimized),
  module("Layers", ["Raster"], settings: optimized),
  module(
    "Typography", ["Spelling", "Raster", "LinuxSystem", "CFreeType", "CFontconfig"], settings: optimized),
  module("Display", ["Raster", "LinuxSystem"]),
  module(
    "Settings",
    ["Spelling", "CivilTime", "Scoreboard", "LinuxSystem", "Raster", "Display", "CTOML", "CEvdev"]),
  module("Uevents", ["LinuxSystem", "CUdev"]),
  module("Input", ["LinuxSystem", "Uevents", "CEvdev"]),
  module("KMS", ["Raster", "Display", "LinuxSystem", "Uevents", "CDRM"], settings: optimized),
  module("Varlink", ["LinuxSystem"]),
  module("Commands", ["Spelling", "CivilTime", "Scoreboard"], tests: ["CommandSamples"]),
  module(
    "Control", ["Spelling", "CivilTime", "LinuxSystem", "Scoreboard", "Varlink", "Commands"],
    resources: [.embedInCode("org.flipclock.Control.varlink")], tests: ["CommandSamples"]),
  module("ConfigReference", ["LinuxSystem", "Settings", "Commands", "Control"]),
  module("ScoringConsole", ["LinuxSystem", "Scoreboard", "Varlink", "Commands", "Control"]),
  module(
    "ConfigChecks", ["Spelling", "CivilTime", "Scoreboard", "Settings", "Varlink", "Commands", "Control"]),
  module(
    "Widgets", ["Raster", "Layers", "Typography", "CivilTime", "Scoreboard", "Settings"],
    tests: ["Images"], testResources: [.copy("Goldens")], settings: optimized),
  module(
    "Doctor",
    [
      "Spelling", "LinuxSystem", "Typography", "Settings", "Input", "Varlink", "Commands", "Control",
      "ConfigChecks",
    ]),
  module(
    "Daemon",
    [
      "CLinux", "Raster", "CivilTime", "Scoreboard", "LinuxSystem", "Images", "Layers", "Typography",
      "Settings", "Display", "KMS", "Input", "Varlink", "Commands", "Control", "ConfigChecks", "Widgets",
    ]),
].flatMap { $0 }

// Code that several test targets share, and a program that an end-to-end test runs. No product contains them.
let testSupport: [Target] = [
  .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
  .target(
    name: "TestSupport", dependencies: ["CAllocationCount", "CPNG", "Images", "Raster"],
    path: "Tests/TestSupport", swiftSettings: optimized),
  .target(name: "CommandSamples", dependencies: ["Commands", "Scoreboard"], path: "Tests/CommandSamples"),
  .executableTarget(
    name: "frame-allocations",
    dependencies: [
      "TestSupport", "Raster", "LinuxSystem", "Display", "Layers", "Typography", "CivilTime", "Scoreboard",
      "Settings", "Widgets",
    ], path: "Tests/FrameAllocations"),
]

/// Only for `make bench` and `make count`, so that the libraries compared against are not dependencies of the project.
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
      name: "BenchmarkCases", dependencies: ["Raster", "CKernels", "CPixman"],
      path: "Benchmarks/BenchmarkCases"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "Raster", "LinuxSystem", "Display", "Layers", "Typography", "CivilTime", "Scoreboard", "Settings",
        "Widgets", "BenchmarkCases", "CCairo", "CSDL2",
      ], path: "Benchmarks/bench"),
    .executableTarget(
      name: "count", dependencies: ["Raster", "CKernels", "BenchmarkCases"], path: "Benchmarks/count"),
  ]

/// The parsers of input from outside as functions of bytes (`FuzzTarget`), run on mutated input.
let fuzzing: [Target] = [
  .testTarget(
    name: "FuzzTests",
    dependencies: [
      "TestSupport", "CEvdev", "CivilTime", "Commands", "ConfigChecks", "Control", "Daemon", "Input", "KMS",
      "LinuxSystem", "Scoreboard", "ScoringConsole", "Settings", "Varlink",
    ], exclude: ["Corpus"])
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "flipclock",
  products: [
    .executable(name: "flipclockd", targets: ["flipclockd"]),
    .executable(name: "flipclockctl", targets: ["flipclockctl"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ],
  targets: systemLibraries + modules + testSupport + benchmarks + fuzzing + [
    .executableTarget(name: "flipclockd", dependencies: ["Daemon", "Doctor", "LinuxSystem", argumentParser]),
    .executableTarget(
      name: "flipclockctl",
      dependencies: ["LinuxSystem", "Varlink", "Commands", "Control", "ScoringConsole"]),
    // Writes the generated files (`make docs`); it is not installed.
    .executableTarget(name: "generated-files", dependencies: ["ConfigReference", "LinuxSystem"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
