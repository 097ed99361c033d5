# SPDX-License-Identifier: Apache-2.0
"""Builds the guest's initramfs: busybox, modules, the tests' tools, fonts, time zones, and the release
binaries."""

import hashlib
import pathlib
import re
import shutil
import subprocess
import tempfile

from VM import errors, kernel
from VM.archive import Archive

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
RELEASE = PROJECT / ".build/release"
PROGRAMS = ("flipclockd", "flipclockctl")

# A time zone that a host is unlikely to use, with an offset from UTC that is not a whole number of hours.
ZONE = "Asia/Kathmandu"
FONTS = (
    "/usr/share/fonts/opentype/bebas-neue/*.otf",
    "/usr/share/fonts/opentype/inter/Inter-Regular.otf",
    "/usr/share/fonts/opentype/inter/Inter-Medium.otf",
    "/usr/share/fonts/opentype/inter/Inter-SemiBold.otf",
    "/usr/share/fonts/opentype/inter/Inter-Bold.otf",
)


class MissingBinary(Exception):
    """The release build does not exist."""


def build(booted, work):
    """Writes the initramfs for a kernel into a directory, and returns its path. The programs are not in it,
    but on a disk (`programs`)."""
    archive = base(booted, "init")
    archive.file("bin/agent", (HERE / "guest/agent").read_bytes(), 0o755)
    for name in ("kms", "keys", "crowd", "get-status", "synchronized"):
        archive.file(f"usr/bin/{name}", tool(name).read_bytes(), 0o755)

    archive.file("etc/passwd", b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n")
    archive.file("etc/group", b"root:x:0:\ntty:x:5:\nvideo:x:44:\nnogroup:x:65534:\n")
    for zone in ("UTC", ZONE, "Europe/Berlin"):
        archive.copy(pathlib.Path("/usr/share/zoneinfo", zone).resolve(), f"usr/share/zoneinfo/{zone}")
    archive.link("etc/localtime", f"/usr/share/zoneinfo/{ZONE}")
    for directory in ("/etc/fonts", "/usr/share/fontconfig/conf.avail"):
        if pathlib.Path(directory).is_dir():
            archive.tree(directory)
    for pattern in FONTS:
        for font in sorted(pathlib.Path("/").glob(pattern.lstrip("/"))):
            archive.copy(font)

    path = work / "initramfs"
    archive.write(path)
    return path


def programs(work, names):
    """Writes a tar archive with programs, without their symbols, and with the libraries with which they are
    linked; returns its path. A name with a path is a program of the host."""
    stage = work / "programs"
    for name in names:
        path = RELEASE / name
        if not path.exists():
            raise MissingBinary(f"{path} is missing: run `make build` first")
        for library in libraries(path):
            copy = stage / library.lstrip("/")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, copy)
        target = stage / "usr/bin" / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
        if shutil.which("strip"):
            errors.command("strip", target)
    return archive_of(stage, work / "programs.tar")


def archive_of(stage, path):
    """Moves the files of a directory into a tar archive, owned by root; returns its path."""
    errors.command("tar", "-cf", path, "--owner=0", "--group=0", "--numeric-owner", "-C", stage, ".")
    shutil.rmtree(stage)
    return path


def base(booted, init):
    """Returns the common part of every initramfs: guest/INIT as its first process, busybox, the modules and
    `load`."""
    archive = Archive()
    archive.character_device("dev/console", 5, 1)
    if booted.busybox is None:
        raise errors.KernelError("no busybox: apt-get install busybox-static")
    archive.copy(booted.busybox, "bin/busybox")
    archive.file("init", (HERE / "guest" / init).read_bytes(), 0o755)
    archive.file("bin/load", (HERE / "guest/load").read_bytes(), 0o755)
    for module in sorted(booted.modules.glob("*.ko")):
        archive.copy(module, f"modules/{module.name}")
    for name in (*kernel.MODULES, *booted.built_modules):
        order = "".join(f"{file}\n" for file in booted.load_order(name))
        archive.file(f"modules/{kernel.canonical(name)}.order", order.encode())
    return archive


def tool(name, compiler="gcc", linking=("-static",)):
    """Compiles guest/NAME.c statically, so that it needs nothing in the guest, or with other options; returns
    the program, which is kept in the user's cache."""
    source = HERE / f"guest/{name}.c"
    options = ("-O1", "-Wall", "-Wextra", "-Werror", *linking, "-I/usr/include/libdrm")
    key = hashlib.sha256(repr((compiler, options)).encode() + source.read_bytes()).hexdigest()[:16]
    program = kernel.CACHE / "tools" / f"{name}-{key}"
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        # Another process may compile it, too.
        with tempfile.TemporaryDirectory(dir=program.parent) as work:
            errors.command(compiler, *options, source, "-o", f"{work}/{name}")
            pathlib.Path(work, name).rename(program)
    return program


def libraries(path):
    """Returns the libraries that the loader would map, by the paths at which it looks for them."""
    listed = subprocess.run(["ldd", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.findall(r"(?:=> |^\s+)(/\S+) \(0x", listed, re.MULTILINE)
