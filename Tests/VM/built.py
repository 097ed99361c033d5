# SPDX-License-Identifier: Apache-2.0
"""Builds modules that Debian does not include, from the kernel's own sources against its headers.

- vkms: a card without hardware, with real vblanks.
- simpledrm: the firmware's frame buffer as a card. It copies only the damage clips of a flip, and supports 16 bits
  per pixel and ten bits per channel. It drives the device that the module of guest/panel.c sets up.
- simpledrm_told: the same source without atomic commits. A flip alone shows nothing until DIRTYFB reports the
  change, as with displays to which the driver sends the picture over USB or SPI.
- lamp: a backlight without hardware.
"""

import lzma
import pathlib
import re
import shutil
import tarfile

from VM.errors import KernelError, command

HERE = pathlib.Path(__file__).resolve().parent
NAMES = ("vkms", "simpledrm", "simpledrm_told", "panel", "lamp")

_VKMS = "drivers/gpu/drm/vkms/"
_SIMPLEDRM = "drivers/gpu/drm/tiny/simpledrm.c"


def build(root, tree, work, source):
    """Builds the modules and returns their paths. `root` has the unpacked packages, `tree` the headers;
    `source` is the tarball."""
    _unpack(source, work)
    # The headers' makefiles contain absolute paths, which must lead into `root`.
    for makefile in root.glob("usr/src/linux-headers-*/Makefile"):
        text = makefile.read_text()
        makefile.write_text(re.sub(r"(?<![\w.])/usr/(src|lib)/", lambda found: f"{root}{found.group()}", text))
    version = re.search(r"gcc-(\d+)", (tree / ".kernelvariables").read_text())
    compiler = version.group() if version and shutil.which(version.group()) else "gcc"
    strip = shutil.which("strip")
    _write_panels(work / "panel")
    for directory in ("vkms", "panel"):
        # BTF types would require pahole.
        command(
            "make", "-C", tree, f"M={work / directory}", f"CC={compiler}", "CONFIG_DRM_VKMS=m",
            "CONFIG_DEBUG_INFO_BTF_MODULES=", "modules")
    modules = [work / ("vkms" if name == "vkms" else "panel") / f"{name}.ko" for name in NAMES]
    for module in modules:
        if strip:
            command(strip, "--strip-debug", module)
    return modules


def _unpack(source, work):
    """Unpacks the needed files of the kernel's sources into one directory per use."""
    for name in ("vkms", "panel"):
        (work / name).mkdir(parents=True)
    simpledrm = work / "panel/simpledrm.c"
    with lzma.open(source) as compressed, tarfile.open(fileobj=compressed, mode="r|") as archive:
        for member in archive:
            _, _, path = member.name.partition("/")
            if path.startswith(_VKMS) and member.isfile():
                (work / "vkms" / pathlib.Path(path).name).write_bytes(archive.extractfile(member).read())
            elif path == _SIMPLEDRM:
                simpledrm.write_bytes(archive.extractfile(member).read())
            elif simpledrm.exists() and (work / "vkms/Makefile").exists() and not path.startswith("drivers/gpu/drm/"):
                break


def _write_panels(directory):
    source = (directory / "simpledrm.c").read_text()
    # Debian's kernel has a built-in simplefb driver with this name.
    source = _with(source, '.name = "simple-framebuffer"', '.name = "simpledrm"')
    (directory / "simpledrm.c").write_text(source)
    told = _with(source, '.name = "simpledrm"', '.name = "simpledrm_told"')
    told = _with(told, "= DRIVER_ATOMIC | DRIVER_GEM", "= DRIVER_GEM")
    # A commit without permission to set a mode is a page flip: do not copy its picture.
    start = "\tdrm_atomic_helper_damage_iter_init("
    told = _with(told, start, f"\tif (!state->allow_modeset)\n\t\tgoto told;\n{start}")
    end = "\tdrm_dev_exit(idx);\nout_drm_gem_fb_end_cpu_access:"
    told = _with(told, end, f"told:\n{end}")
    (directory / "simpledrm_told.c").write_text(told)
    for name in ("panel", "lamp"):
        shutil.copy(HERE / f"guest/{name}.c", directory)
    (directory / "Makefile").write_text("obj-m := simpledrm.o simpledrm_told.o panel.o lamp.o\n")


def _with(text, old, new):
    if text.count(old) != 1:
        raise KernelError(f"simpledrm.c has changed: {old!r} occurs {text.count(old)} times")
    return text.replace(old, new)
