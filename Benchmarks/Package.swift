// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that the libraries it compares with are not dependencies of flipclock.

func modules(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "flipclock") }
}

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "flipclock", path: "..")],
  targets: [
    .systemLibrary(name: "CPixman", pkgConfig: "pixman-1", providers: [.apt(["libpixman-1-dev"])]),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    // Without pkg-config, because SwiftPM warns about its flags.
    .systemLibrary(name: "CSDL2", providers: [.apt(["libsdl2-dev"])]),
    .target(name: "BenchmarkCases", dependencies: modules("FlipclockRaster") + ["CPixman"]),
    .executableTarget(
      name: "bench", dependencies: modules("FlipclockModules") + ["BenchmarkCases", "CCairo", "CSDL2"]),
    .executableTarget(name: "count", dependencies: modules("FlipclockRaster") + ["BenchmarkCases"]),
  ],
  swiftLanguageModes: [.v6]
)
