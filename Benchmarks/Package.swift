// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that what the project is measured against is no dependency of it.

func rooms(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "flipclock") }
}

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "flipclock", path: "..")],
  targets: [
    .systemLibrary(name: "CPixman", pkgConfig: "pixman-1", providers: [.apt(["libpixman-1-dev"])]),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    // By no pkg-config: SwiftPM warns of its flags.
    .systemLibrary(name: "CSDL2", providers: [.apt(["libsdl2-dev"])]),
    .target(name: "BenchmarkCases", dependencies: rooms("FlipclockRaster") + ["CPixman"]),
    .executableTarget(
      name: "bench", dependencies: rooms("FlipclockRooms") + ["BenchmarkCases", "CCairo", "CSDL2"]),
    .executableTarget(name: "count", dependencies: rooms("FlipclockRaster") + ["BenchmarkCases"]),
  ],
  swiftLanguageModes: [.v6]
)
