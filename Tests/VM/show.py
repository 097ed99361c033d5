# SPDX-License-Identifier: Apache-2.0
"""`make vm`: runs the daemon on the test machine for interactive use."""

import os
import pathlib
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from VM import errors, image  # noqa: E402
from VM.channel import ChannelError  # noqa: E402
from VM.machine import Machine  # noqa: E402

CONFIG = "/etc/flipclock/config.toml"


def display_options():
    """Returns QEMU's options for a window if there is a desktop and QEMU supports it, otherwise for VNC on
    this host only."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        known = subprocess.run(
            ["qemu-system-x86_64", "-display", "help"], stdout=subprocess.PIPE, text=True, check=False).stdout.split()
        for kind in ("gtk", "sdl"):
            if kind in known:
                return ["-display", kind]
    return ["-display", "vnc=127.0.0.1:0,to=99"]


def where(machine, display):
    """Returns how the display can be viewed."""
    if not display[1].startswith("vnc"):
        return "in the window"
    port = int(machine.qmp.execute("query-vnc")["service"])
    return (f"by VNC at 127.0.0.1:{port} (e.g. `vncviewer 127.0.0.1:{port}`; from elsewhere, "
            f"`ssh -L {port}:127.0.0.1:{port} {os.uname().nodename}` first)")


def start_daemon(machine):
    """Starts the daemon as its unit does, with the project's config and the host's time zone."""
    zone = pathlib.Path("/etc/localtime")
    if zone.exists():
        machine.push("/etc/localtime", zone.read_bytes())
    config = pathlib.Path(os.environ.get("CONFIG") or image.PROJECT / "config/flipclock.toml")
    if config.exists():
        machine.push(CONFIG, config.read_bytes())
    machine.run("mkdir -p /run/flipclock /var/lib/flipclock; "
                "setsid -c flipclockd --display kms </dev/tty1 >/run/flipclockd.log 2>&1 &")


def talk(machine):
    """Runs lines from the terminal as flipclockctl commands, or with ! as shell commands, until the end of
    input."""
    print("Type a flipclockctl command (`status`, `set-score home 7`), `!COMMAND` for the guest's shell,")
    print("or `log` for the daemon's log; Ctrl-C exits.")
    for line in iter(lambda: sys.stdin.readline() if not sys.stdin.isatty() else input("> ") + "\n", ""):
        line = line.strip()
        if not line:
            continue
        if line == "log":
            line = "!cat /run/flipclockd.log"
        try:
            command = line[1:] if line.startswith("!") else f"flipclockctl {shlex.join(shlex.split(line))}"
        except ValueError as error:
            print(error)
            continue
        result = machine.run(command, check=False)
        print("\n".join(part for part in (result.text, result.error_text) if part))


def main():
    """Boots the machine, starts the daemon, prints where to view it, and runs commands until interrupted."""
    card = os.environ.get("CARD", "virtio_gpu")
    display = display_options()
    print(f"vm: booting with {card}, without KVM; this takes some ten seconds")
    try:
        with Machine(card, display=display) as machine:
            start_daemon(machine)
            print(f"vm: flipclockd is running on {card}; view it {where(machine, display)}")
            talk(machine)
            # There is no terminal to read from: wait until QEMU ends or is interrupted.
            machine.wait()
    except (KeyboardInterrupt, EOFError):
        print()
    except (ChannelError, errors.KernelError, image.MissingBinary) as error:
        print(f"vm: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
