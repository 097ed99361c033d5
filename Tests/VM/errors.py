# SPDX-License-Identifier: Apache-2.0
"""Errors of the test machine, and a helper for commands on the host."""

import subprocess


class KernelError(Exception):
    """A kernel or an image could not be prepared; the message says what to do."""


def command(*arguments, **options):
    """Runs a command and returns its output. If it fails, the error contains the end of the output."""
    done = subprocess.run(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode != 0:
        raise KernelError(f"{' '.join(map(str, arguments))} failed:\n{done.stdout[-4000:]}")
    return done.stdout
