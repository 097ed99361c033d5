# SPDX-License-Identifier: Apache-2.0
"""Tests of the release binaries as a user runs them, without a display: headless, in a pty, and writing PNG
files."""
