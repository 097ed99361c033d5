// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// In the order of their dependencies. A target imports only its dependencies; `make check` verifies that with
// `--explicit-target-dependency-import-check error`.

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

/// For targets whose tests compute pictures or long random matches: these are optimized in debug builds too, where they
/// would take five times as long. Overflow and bounds are still checked.
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
  module("ConfigReference", ["LinuxSystem", "Settings"]),
  module("Uevents", ["LinuxSystem", "CUdev"]),
  module("Input", ["LinuxSystem", "Uevents", "CEvdev"]),
  module("KMS", ["Raster", "Display", "LinuxSystem", "Uevents", "CDRM"]),
  module("Varlink", ["LinuxSystem"]),
  module("Commands", ["Spelling", "CivilTime", "Scoreboard"], tests: ["CommandSamples"]),
  module(
    "Control", ["Spelling", "CivilTime", "LinuxSystem", "Scoreboard", "Varlink", "Commands"],
    resources: [.embedInCode("org.flipclock.Control.varlink")], tests: ["CommandSamples"]),
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

// What the tests share. It is part of no product.
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

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "flipclock",
  products: [
    .executable(name: "flipclockd", targets: ["flipclockd"]),
    .executable(name: "flipclockctl", targets: ["flipclockctl"]),
    // For Benchmarks/, which is a package of its own.
    .library(
      name: "FlipclockModules",
      targets: [
        "Raster", "LinuxSystem", "Display", "Layers", "Typography", "CivilTime", "Scoreboard", "Settings",
        "Widgets",
      ]),
    .library(name: "FlipclockRaster", targets: ["Raster", "CKernels"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ],
  targets: systemLibraries + modules + testSupport + [
    .executableTarget(name: "flipclockd", dependencies: ["Daemon", "Doctor", "LinuxSystem", argumentParser]),
    .executableTarget(
      name: "flipclockctl",
      dependencies: ["LinuxSystem", "Varlink", "Commands", "Control", "ScoringConsole"]),
    // These two write the generated parts of the documentation (`make docs`); they are not installed.
    .executableTarget(name: "config-reference", dependencies: ["ConfigReference", "LinuxSystem"]),
    .executableTarget(name: "manual-synopses", dependencies: ["Commands", "LinuxSystem"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
