# SPDX-License-Identifier: Apache-2.0
"""scripts/modules, which checks the imports between modules, on a package with every mistake that it
reports."""

import pathlib
import subprocess
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent

MANIFEST = """\
// swift-tools-version: 6.0
import PackageDescription
let package = Package(
  name: "mistakes",
  targets: [
    .target(name: "Base"), .target(name: "Undeclared"), .target(name: "Upward", dependencies: ["Base", "Top"]),
    .target(name: "Top", dependencies: ["Base"]), .target(name: "Unused", dependencies: ["Base"]),
    .testTarget(name: "BaseTests", dependencies: ["Base", "Unused"]),
  ])
"""
SOURCES = {
    "Sources/Base": "import Glibc\n",
    "Sources/Undeclared": "package import struct Base.Value\n// import Top\n",
    "Sources/Upward": "import Base\n@preconcurrency private import Top\n",
    "Sources/Top": "@testable import Base\n",
    "Sources/Unused": "let text = 1\n",
    "Tests/BaseTests": "import Base\nimport Top\n",
}
TABLE = "| 0 | `Base`, `Undeclared` | a |\n| 2 | `Top` | b |\n| 1 | `Upward` | c |\n| 0 | `Gone` | d |\n"


class ModulesTest(unittest.TestCase):
    """Compares the script's standard error and exit status for a package with the expected ones."""

    def run_script(self, manifest, sources, table):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "Package.swift").write_text(manifest, encoding="utf-8")
            (root / "ARCHITECTURE.md").write_text(table, encoding="utf-8")
            for directory, text in sources.items():
                (root / directory).mkdir(parents=True)
                (root / directory / "File.swift").write_text(text, encoding="utf-8")
            command = [PROJECT / "scripts/modules", root]
            return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)

    def test_reports_every_mistake(self):
        found = self.run_script(MANIFEST, SOURCES, TABLE)
        self.assertEqual(found.returncode, 1, found.stderr)
        for mistake in (
            "Undeclared imports Base, which is not among its dependencies",
            "BaseTests imports Top, which is not among its dependencies",
            "Upward depends on Top, which is below it",
            "Unused does not import Base;",
            "Unused is missing in the table of modules, and 1 in Package.swift",
            "Top is 2 in the table of modules, and 1 in Package.swift",
            "Gone is 0 in the table of modules, and no module in Package.swift",
            "the table of modules is not in the order of the levels",
        ):
            self.assertIn(mistake, found.stderr)
        self.assertEqual(len(found.stderr.splitlines()), 8, found.stderr)

    def test_accepts_a_package_without_mistakes(self):
        manifest = MANIFEST.replace('["Base", "Top"]', '["Base"]').replace('"Unused"]', '"Top"]')
        manifest = manifest.replace('"Undeclared"', '"Undeclared", dependencies: ["Base"]')
        sources = {**SOURCES, "Sources/Upward": "import Base\n", "Sources/Unused": "import Base\n"}
        table = "| 0 | `Base` | a |\n| 1 | `Undeclared`, `Upward`, `Top`, `Unused` | b |\n"
        found = self.run_script(manifest, sources, table)
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        self.assertIn("1 Top Base\n", found.stdout)


if __name__ == "__main__":
    unittest.main()
