// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A separate package, so that the libraries compared against are not dependencies of the project.

func products(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "flipclock") }
}

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "flipclock", path: "..")],
  targets: [
    .systemLibrary(name: "CPixman", pkgConfig: "pixman-1", providers: [.apt(["libpixman-1-dev"])]),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    // pkg-config is not used, because SwiftPM warns about its flags.
    .systemLibrary(name: "CSDL2", providers: [.apt(["libsdl2-dev"])]),
    .target(name: "BenchmarkCases", dependencies: products("FlipclockRaster") + ["CPixman"]),
    .executableTarget(
      name: "bench", dependencies: products("FlipclockModules") + ["BenchmarkCases", "CCairo", "CSDL2"]),
    .executableTarget(name: "count", dependencies: products("FlipclockRaster") + ["BenchmarkCases"]),
  ],
  swiftLanguageModes: [.v6]
)
