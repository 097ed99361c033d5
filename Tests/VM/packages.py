# SPDX-License-Identifier: Apache-2.0
"""The Debian packages of `make deb`, and copies of them with another version for tests of upgrades.

    python3 Tests/VM/packages.py PACKAGE.deb VERSION OUTPUT.deb
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from VM.errors import command  # noqa: E402 (the path comes first)

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
# Each program that connects the daemon with something else has a package.
REMOTES = ("flipclock-web", "flipclock-mqtt", "flipclock-horn", "flipclock-host")
NAMES = ("flipclock", *REMOTES)
# The directory with the packages to test. Without it, the tests of packages are skipped.
DIRECTORY = os.environ.get("FLIPCLOCK_PACKAGES")


def field(package, name):
    """Returns a field of a package's control file."""
    return subprocess.run(["dpkg-deb", "-f", package, name], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def package(name, suite, architecture="amd64"):
    """Returns the path of a package for a release of Debian in `DIRECTORY`."""
    number = {"bookworm": 12, "trixie": 13}[suite]
    found = sorted(pathlib.Path(DIRECTORY).glob(f"{name}_*+deb{number}_{architecture}.deb"))
    if len(found) != 1:
        raise FileNotFoundError(f"{len(found)} packages {name} for {suite} on {architecture} in {DIRECTORY}, not 1")
    return found[0]


def repack(original, version, output):
    """Writes a copy of a package with another version; it depends on a flipclock that is at least as new."""
    with tempfile.TemporaryDirectory(prefix="flipclock-") as work:
        command("dpkg-deb", "-R", original, work)
        control = pathlib.Path(work, "DEBIAN/control")
        text = control.read_text(encoding="utf-8")
        text = re.sub(r"^Version: .*$", f"Version: {version}", text, flags=re.MULTILINE)
        control.write_text(re.sub(r"\bflipclock \(>= .*?\)", f"flipclock (>= {version})", text), encoding="utf-8")
        command("dpkg-deb", "-Zgzip", "--root-owner-group", "-b", work, output)


if __name__ == "__main__":
    repack(*sys.argv[1:])
