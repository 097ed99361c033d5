// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Lowest floor first. A target imports only floors below it; `make check` holds it with
// `--explicit-target-dependency-import-check error`.

/// A library target and its tests, in the rooms that the house gives them.
func room(
  _ name: String, _ floors: [Target.Dependency], resources: [Resource] = [], tests: [Target.Dependency] = [],
  testResources: [Resource] = [], settings: [SwiftSetting] = []
) -> [Target] {
  [
    .target(name: name, dependencies: floors, resources: resources, swiftSettings: settings),
    .testTarget(
      name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + floors + tests,
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

/// For targets whose tests compute pictures or long random matches: optimized in debug builds too, where they would
/// take five times as long. Overflow and bounds are still checked.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

let rooms: [Target] = [
  room("Raster", ["CKernels"], settings: optimized),
  room("Spelling", []),
  room("Scoreboard", [], settings: optimized),
  room("LinuxSystem", ["CLinux"]),
  room("CivilTime", ["LinuxSystem"]),
  room("Images", ["Raster", "CPNG"], settings: optimized),
  room("Layers", ["Raster"], tests: ["Images"], testResources: [.copy("Goldens")], settings: optimized),
  room("Typography", ["Spelling", "Raster", "CFreeType", "CFontconfig"], settings: optimized),
  room("Display", ["Raster", "LinuxSystem"]),
  room(
    "Settings",
    ["Spelling", "CivilTime", "Scoreboard", "LinuxSystem", "Raster", "Display", "CTOML", "CEvdev"]),
  room("ConfigReference", ["LinuxSystem", "Settings"]),
  room("Uevents", ["LinuxSystem", "CUdev"]),
  room("Input", ["LinuxSystem", "Uevents", "CEvdev"]),
  room("KMS", ["Raster", "Display", "LinuxSystem", "Uevents", "CDRM"]),
  room(
    "Control", ["Spelling", "CivilTime", "LinuxSystem", "Scoreboard"],
    resources: [.embedInCode("org.flipclock.Control.varlink")]),
  room("ConfigChecks", ["Spelling", "CivilTime", "Scoreboard", "Settings", "Control"]),
  room(
    "Widgets", ["Raster", "Layers", "Typography", "CivilTime", "Scoreboard", "Settings"],
    tests: ["Images"], testResources: [.copy("Goldens")], settings: optimized),
  room("Doctor", ["Spelling", "LinuxSystem", "Typography", "Settings", "Input", "Control", "ConfigChecks"]),
  room(
    "Daemon",
    [
      "CLinux", "Raster", "CivilTime", "Scoreboard", "LinuxSystem", "Images", "Layers", "Typography",
      "Settings",
      "Display", "KMS", "Input", "Control", "ConfigChecks", "Widgets", "Spelling",
    ]),
].flatMap { $0 }

// What the tests share; no product has a part of it.
let testSupport: [Target] = [
  .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
  .target(name: "TestSupport", dependencies: ["CAllocationCount"], path: "Tests/TestSupport"),
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
    // For Benchmarks/, a package of its own.
    .library(
      name: "FlipclockRooms",
      targets: [
        "Raster", "LinuxSystem", "Display", "Layers", "Typography", "CivilTime", "Scoreboard", "Settings",
        "Widgets",
      ]),
    .library(name: "FlipclockRaster", targets: ["Raster", "CKernels"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ],
  targets: systemLibraries + rooms + testSupport + [
    // Writes the generated files of the documentation (`make docs`); not installed.
    .executableTarget(name: "config-reference", dependencies: ["ConfigReference", "LinuxSystem"]),
    .executableTarget(name: "flipclockd", dependencies: ["Daemon", "LinuxSystem", argumentParser]),
    .executableTarget(
      name: "flipclockctl",
      dependencies: [
        "ConfigChecks", "Control", "Doctor", "LinuxSystem", "Settings", "Spelling", argumentParser,
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
