# SPDX-License-Identifier: Apache-2.0
"""Debian's kernel, unpacked, with modules built for it. Prepared once per version and kept in the user's
cache.

For amd64 it is the kernel of the host's Debian. For arm64 it is Debian 13's, without the modules built for
it; apt in the root of scripts/debian-root downloads it.
"""

import fcntl
import functools
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from VM import built
from VM.errors import KernelError, command

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "flipclock-vm"

# FLIPCLOCK_VM_KERNEL=6.12 selects that version, if apt's lists have it.
VERSION = os.environ.get("FLIPCLOCK_VM_KERNEL")

# The modules that a scenario may load in the guest; their dependencies are found from the modules themselves.
# virtio_blk, crc32c_generic and ext4 are for a root on a disk, virtio_net for a network. ext4 requests crc32c
# by its name in the kernel's crypto API, so crc32c_generic is not among ext4's dependencies. mac80211_hwsim makes
# radios that see each other, and mac80211 requests ccm and cmac from the crypto API for WPA2; veth is a cable. The
# rest are the modules with which NetworkManager shares a network (nftables), and what a client's DHCP needs.
MODULES = (
    "virtio_pci", "virtio_console", "virtio-gpu", "bochs", "cirrus", "evdev", "uinput", "virtio_blk", "crc32c_generic",
    "ext4", "virtio_net", "mac80211_hwsim", "ccm", "cmac", "ctr", "gcm", "ghash-generic", "aesni-intel", "aes_generic",
    "algif_skcipher", "algif_hash", "veth", "af_packet", "rfkill", "nf_tables", "nft_chain_nat", "nft_masq", "nft_ct",
    "nft_reject_inet", "nf_nat", "xt_MASQUERADE", "nft_compat", "ip_tables", "iptable_nat", "iptable_filter", "xt_tcpudp",
    "xt_conntrack", "xt_comment", "ipt_REJECT", "bridge")

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent

# Part of the cache's key: increment it when the cache's content changes.
LAYOUT = 8


class Kernel:
    """A kernel image and modules in a directory of the cache, and a busybox for its processor."""

    def __init__(self, directory, built_modules=built.NAMES, busybox=None):
        self.directory = directory
        self.built_modules = built_modules
        self.busybox = busybox or shutil.which("busybox")
        self.image = directory / "vmlinuz"
        self.modules = directory / "modules"

    def load_order(self, name):
        """Returns the files to insert for a module, the module itself last."""
        order = []

        def visit(module):
            path = self.modules / f"{module}.ko"
            if not path.exists():
                # The module is built into the kernel image.
                return
            for needed in dependencies(path.read_bytes()):
                visit(needed)
            if path.name not in order:
                order.append(path.name)

        visit(canonical(name))
        return order


def canonical(module):
    """Replaces - with _, which are equivalent in module names."""
    return module.replace("-", "_")


def dependencies(contents):
    """Returns the modules that `modinfo -F depends` lists; the field is plain text in the .modinfo
    section."""
    field = re.search(rb"\0depends=([^\0]*)\0", contents)
    return [canonical(name) for name in field.group(1).decode().split(",") if name] if field else []


@functools.cache
def get(architecture="amd64"):
    """Returns the current kernel, from the cache if possible."""
    if architecture == "arm64":
        return get_arm64()
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        release = current_release()
        if release is None:
            kept = sorted(CACHE.glob(f"{VERSION or ''}*-{LAYOUT}/complete"), key=lambda path: path.stat().st_mtime)
            if not kept:
                raise KernelError("apt does not know linux-image-amd64; run `apt-get update` as root, then try again")
            return Kernel(kept[-1].parent)
        directory = CACHE / f"{release}-{LAYOUT}"
        if not (directory / "complete").exists():
            build(release, directory)
        return Kernel(directory)


def get_arm64():
    """Returns Debian 13's current kernel for arm64, from the cache if possible."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "lock-arm64", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command(PROJECT / "scripts/debian-root", "--", PROJECT / "scripts/setup", "cross")
        listed = command(PROJECT / "scripts/debian-root", "--", "apt-cache", "depends", "linux-image-arm64:arm64")
        found = re.search(r"Depends: linux-image-([^\s<>:]+)", listed)
        if found is None:
            raise KernelError("Debian 13's package lists have no linux-image-arm64; run "
                              "`scripts/debian-root -- apt-get update`, then try again")
        release = found.group(1)
        directory = CACHE / f"{release}-{LAYOUT}"
        if not (directory / "complete").exists():
            build_arm64(release, directory)
        return Kernel(directory, built_modules=(), busybox=directory / "busybox")


def build_arm64(release, directory):
    """Downloads and unpacks the kernel and busybox for arm64 into `directory`."""
    print(f"machine: preparing kernel {release} (once; kept in {directory})", flush=True)
    packages = PROJECT / ".build/arm64/packages"
    shutil.rmtree(packages, ignore_errors=True)
    packages.mkdir(parents=True)
    command(
        PROJECT / "scripts/debian-root", "--", "apt-get", "-q", "-o", "APT::Sandbox::User=root", "download",
        f"linux-image-{release}:arm64", "busybox-static:arm64", cwd=packages)
    with tempfile.TemporaryDirectory(dir=CACHE, prefix="building-") as temporary:
        root, ready = pathlib.Path(temporary, "root"), pathlib.Path(temporary, "ready")
        (ready / "modules").mkdir(parents=True)
        for package in packages.glob("*.deb"):
            command("dpkg-deb", "-x", package, root)
        shutil.copy(root / f"boot/vmlinuz-{release}", ready / "vmlinuz")
        shutil.copy(next(path for path in root.glob("**/bin/busybox")), ready / "busybox")
        collect_modules(root, release, ready / "modules", ())
        (ready / "complete").touch()
        shutil.rmtree(directory, ignore_errors=True)
        ready.rename(directory)
    shutil.rmtree(packages)


def depends(package):
    """Returns a package's dependencies according to apt, including alternatives."""
    done = subprocess.run(
        ["apt-cache", "depends", "--no-recommends", "--no-suggests", package],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return re.findall(r"Depends: ([^\s<>]+)$", done.stdout, re.MULTILINE)


def current_release():
    """Returns the release of the kernel, e.g. 6.1.0-56-amd64; None if apt does not know its package."""
    if os.uname().machine != "x86_64":
        raise KernelError("the test machine supports only x86-64")
    for package in depends("linux-image-" + (f"{VERSION}-amd64" if VERSION else "amd64")):
        if package.startswith("linux-image-"):
            return package.removeprefix("linux-image-")
    return None


def build(release, directory):
    """Downloads and unpacks the packages, builds the modules, and puts the kernel and the modules into
    `directory`."""
    print(f"machine: preparing kernel {release} (once; kept in {directory})", flush=True)
    # The directory is next to its final path, so that the last step is a rename.
    with tempfile.TemporaryDirectory(dir=CACHE, prefix="building-") as temporary:
        work = pathlib.Path(temporary)
        root = work / "root"
        ready = work / "ready"
        (ready / "modules").mkdir(parents=True)
        version = re.match(r"\d+\.\d+", release).group()
        headers = f"linux-headers-{release}"
        build_files = [
            name for name in depends(headers) if name.startswith(("linux-headers-", "linux-kbuild-"))]
        source = f"linux-source-{version}"
        download(work, [f"linux-image-{release}", headers, *build_files, source])
        for package in sorted(work.glob("*.deb")):
            # dpkg-deb -x needs no root, because the user owns what it writes.
            command("dpkg-deb", "-x", package, root)

        shutil.copy(root / f"boot/vmlinuz-{release}", ready / "vmlinuz")
        shutil.copy(root / f"boot/config-{release}", ready / "config")
        tree = root / f"usr/src/linux-headers-{release}"
        for module in built.build(root, tree, work / "built", root / f"usr/src/{source}.tar.xz"):
            shutil.copy(module, ready / "modules")
        collect_modules(root, release, ready / "modules")
        (ready / "complete").touch()
        shutil.rmtree(directory, ignore_errors=True)
        ready.rename(directory)


def download(directory, packages):
    """Downloads packages with `apt-get download`, which uses the system's lists and needs no root."""
    try:
        command("apt-get", "-q", "download", *packages, cwd=directory)
    except KernelError as error:
        raise KernelError(f"{error}\nIf the lists are outdated, run `apt-get update` as root.") from error


def collect_modules(root, release, target, built_modules=built.NAMES):
    """Copies MODULES, and the dependencies of these and of the built modules, uncompressed, under canonical
    names."""
    found = {}
    for directory in (root / "lib/modules", root / "usr/lib/modules"):
        for path in directory.glob(f"{release}/kernel/**/*.ko*"):
            found[canonical(path.name.split(".")[0])] = path
    wanted = [canonical(name) for name in MODULES]
    wanted += [needed for name in built_modules for needed in dependencies((target / f"{name}.ko").read_bytes())]
    while wanted:
        name = wanted.pop()
        file = target / f"{name}.ko"
        if file.exists() or name not in found:
            continue
        contents = found[name].read_bytes()
        if found[name].suffix == ".xz":
            contents = lzma.decompress(contents)
        file.write_bytes(contents)
        wanted += dependencies(contents)


if __name__ == "__main__":
    print(get().directory)
