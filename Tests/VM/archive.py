# SPDX-License-Identifier: Apache-2.0
"""Writes an initramfs in the kernel's "newc" format, without root and without cpio."""

import pathlib
import stat


class Archive:
    """Files, directories, links and device nodes by their path in the guest."""

    def __init__(self):
        self._parts = []
        self._names = set()
        self._serial = 0

    def directory(self, name, mode=0o755):
        """Adds a directory and its parents; a second call does nothing."""
        name = name.strip("/")
        if not name or name in self._names:
            return
        self.directory(str(pathlib.PurePosixPath(name).parent).removeprefix("."))
        self._add(name, stat.S_IFDIR | mode, b"")

    def file(self, name, contents, mode=0o644):
        """Adds a file with the given contents."""
        self._parent(name)
        self._add(name.strip("/"), stat.S_IFREG | mode, contents)

    def copy(self, source, name=None):
        """Copies a file from the host, to the same path if no other is given."""
        source = pathlib.Path(source)
        executable = source.stat().st_mode & 0o111
        self.file(name or str(source), source.read_bytes(), 0o755 if executable else 0o644)

    def tree(self, source, name=None):
        """Copies a directory from the host, with links kept as links."""
        source = pathlib.Path(source)
        target = pathlib.PurePosixPath(name or source)
        self.directory(str(target))
        for path in sorted(source.rglob("*")):
            inside = str(target / path.relative_to(source))
            if path.is_symlink():
                self.link(inside, str(path.readlink()))
            elif path.is_file():
                self.copy(path, inside)

    def link(self, name, target):
        """Adds a symbolic link."""
        self._parent(name)
        self._add(name.strip("/"), stat.S_IFLNK | 0o777, target.encode())

    def character_device(self, name, major, minor):
        """Adds a device node. An archive can describe one without root."""
        self._parent(name)
        self._add(name.strip("/"), stat.S_IFCHR | 0o600, b"", (major, minor))

    def write(self, path):
        """Writes the archive with its trailer. Several archives may be concatenated."""
        with open(path, "wb") as file:
            file.writelines(self._parts)
            file.write(_entry(0, "TRAILER!!!", 0, b"", (0, 0)))

    def _parent(self, name):
        parent = str(pathlib.PurePosixPath(name.strip("/")).parent)
        if parent != ".":
            self.directory(parent)

    def _add(self, name, mode, contents, device=(0, 0)):
        if name in self._names:
            return
        self._names.add(name)
        self._serial += 1
        self._parts.append(_entry(self._serial, name, mode, contents, device))


def _entry(serial, name, mode, contents, device):
    """Returns an entry in the format of the kernel's
    Documentation/driver-api/early-userspace/buffer-format.rst."""
    encoded = name.encode() + b"\0"
    fields = (serial, mode, 0, 0, 1, 0, len(contents), 0, 0, *device, len(encoded), 0)
    header = b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
    return _padded(header) + _padded(contents)


def _padded(part):
    return part + b"\0" * (-len(part) % 4)
