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
# The directory with the packages to test. Without it, the tests of packages are skipped.
DIRECTORY = os.environ.get("FLIPCLOCK_PACKAGES")


def field(package, name):
    """Returns a field of a package's control file."""
    return subprocess.run(["dpkg-deb", "-f", package, name], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def package(suite, architecture="amd64"):
    """Returns the path of the package for a release of Debian in `DIRECTORY`."""
    number = {"bookworm": 12, "trixie": 13}[suite]
    found = sorted(pathlib.Path(DIRECTORY).glob(f"flipclock_*+deb{number}_{architecture}.deb"))
    if len(found) != 1:
        raise FileNotFoundError(f"{len(found)} packages for {suite} on {architecture} in {DIRECTORY}, not 1")
    return found[0]


def repack(original, version, output):
    """Writes a copy of a package with another version."""
    with tempfile.TemporaryDirectory(prefix="flipclock-") as work:
        command("dpkg-deb", "-R", original, work)
        control = pathlib.Path(work, "DEBIAN/control")
        text = control.read_text(encoding="utf-8")
        control.write_text(re.sub(r"^Version: .*$", f"Version: {version}", text, flags=re.MULTILINE), encoding="utf-8")
        command("dpkg-deb", "-Zgzip", "--root-owner-group", "-b", work, output)


if __name__ == "__main__":
    repack(*sys.argv[1:])
