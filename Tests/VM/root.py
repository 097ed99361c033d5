# SPDX-License-Identifier: Apache-2.0
"""A disk image with Debian and systemd, created once by mmdebstrap and kept in the user's cache.

The Debian release is the host's, because the binaries are linked against the host's libraries. Without root,
mmdebstrap needs user namespaces and newuidmap (the package uidmap). The image does not contain the project;
the tests install it as a user would.
"""

import fcntl
import functools
import hashlib
import pathlib
import re
import shutil
import subprocess
import tempfile

from VM.errors import KernelError, command
from VM.kernel import CACHE

# systemd and its usual companions, the libraries of the binaries, a broker for flipclock-mqtt, and fonts.
PACKAGES = (
    "systemd", "systemd-sysv", "udev", "dbus", "kmod", "libpam-systemd", "login", "procps", "tzdata",
    "libdrm2", "libfreetype6", "libraqm0", "libfontconfig1", "libudev1", "libevdev2", "libstdc++6", "libqrencode4",
    "libmosquitto1", "libsystemd0", "mosquitto",
    "fonts-bebas-neue", "fonts-inter",
)
# What a machine with radios needs besides: NetworkManager and the programs that it runs, a router for others
# (hostapd, and dnsmasq-base, which NetworkManager also runs), and tools for radios and addresses.
RADIO_PACKAGES = (
    "network-manager", "wpasupplicant", "dnsmasq-base", "hostapd", "iw", "iproute2", "iputils-ping", "nftables",
    "polkitd", "wireless-regdb", "rfkill",
)
# Packages whose names differ between Debian 12 and later releases.
RENAMED = {
    "libasound2": "libasound2t64", "libmicrohttpd12": "libmicrohttpd12t64", "libnettle8": "libnettle8t64",
    "libpng16-16": "libpng16-16t64", "libunibreak1": "libunibreak6",
}

# Documentation and translations are not needed in the guest.
EXCLUDED = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*")

SIZE = "1G"

# The release whose swiftlang compiles for other architectures.
FOREIGN_SUITE = "trixie"

# Part of the cache's key: increment it when the image is built differently.
LAYOUT = 1


@functools.cache
def get(architecture="amd64", more=()):
    """Returns the image's path: the host's Debian release, or Debian 13 for another architecture, whose
    programs need qemu-user in binfmt_misc to be configured. `more` are further packages. The image must not
    be written to; QEMU's `snapshot=on` stores the guest's writes elsewhere."""
    suite = release() if architecture == "amd64" else FOREIGN_SUITE
    packages = (*PACKAGES, *more, *(RENAMED if suite == "bookworm" else RENAMED.values()))
    key = hashlib.sha256(repr((LAYOUT, SIZE, sorted(packages), EXCLUDED)).encode()).hexdigest()[:12]
    CACHE.mkdir(parents=True, exist_ok=True)
    image = CACHE / f"root-{suite}-{architecture}-{key}.ext4"
    with open(CACHE / "root-lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not image.exists():
            build(suite, packages, image, architecture)
    return image


@functools.cache
def tools(architecture, packages):
    """Returns a directory with the files of packages and of those on which they depend, not configured."""
    target = CACHE / f"tools-{FOREIGN_SUITE}-{architecture}-{'-'.join(packages)}"
    with open(CACHE / "root-lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.exists():
            with tempfile.TemporaryDirectory(dir=CACHE, prefix="building-") as work:
                made = pathlib.Path(work, "tools")
                command(
                    "mmdebstrap", "--quiet", "--variant=extract", f"--architectures={architecture}",
                    f"--include={','.join(packages)}", *(f"--dpkgopt=path-exclude={path}" for path in EXCLUDED),
                    '--aptopt=Acquire::Languages "none"', FOREIGN_SUITE, made)
                made.rename(target)
    return target


def release(path="/etc/os-release"):
    """Returns the host's code name, e.g. bookworm."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    name = re.search(r"^VERSION_CODENAME=\"?(\w+)", text, re.MULTILINE)
    if name is None or not re.search(r"^ID(_LIKE)?=.*debian", text, re.MULTILINE):
        raise KernelError("the machine with systemd is built from Debian packages and needs a Debian host")
    return name.group(1)


def build(suite, packages, image, architecture):
    """Installs and configures Debian's packages in a file system image with some free space."""
    tools = ("mmdebstrap", "genext2fs", "tune2fs", "resize2fs", "e2fsck")
    missing = [tool for tool in tools if shutil.which(tool, path="/usr/sbin:/sbin:/usr/bin:/bin") is None]
    if missing:
        raise KernelError(f"no {', '.join(missing)}: run `scripts/setup vm`")
    print(f"machine: preparing Debian {suite} ({architecture}) with systemd (once; kept as {image})", flush=True)
    # The directory is next to the image's final path, so that the last step is a rename.
    with tempfile.TemporaryDirectory(dir=CACHE, prefix="building-") as work:
        made = pathlib.Path(work, "root.ext2")
        command(
            "mmdebstrap", "--quiet", "--variant=minbase", f"--architectures={architecture}", f"--include={','.join(packages)}",
            *(f"--dpkgopt=path-exclude={path}" for path in EXCLUDED),
            '--aptopt=Acquire::Languages "none"', "--customize-hook=echo flipclock >$1/etc/hostname",
            suite, made, *mirror(suite))
        # genext2fs supports only ext2.
        command("/sbin/tune2fs", "-O", "extents,uninit_bg,dir_index,has_journal", made)
        # e2fsck exits with 1 after repairs, here of the checksums for the new features.
        subprocess.run(
            ["/sbin/e2fsck", "-f", "-y", made], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        command("/sbin/resize2fs", made, SIZE)
        made.rename(image)


def mirror(suite):
    """Returns the host's package mirror if apt has lists from it; otherwise mmdebstrap uses its default."""
    done = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", f"Codename: {suite}",
         "Origin: Debian"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout.split()[:1]


if __name__ == "__main__":
    print(get())
