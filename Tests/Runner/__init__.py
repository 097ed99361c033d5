# SPDX-License-Identifier: Apache-2.0
"""Runs all tests: those in Swift, those of the release binaries, and those in the test machine (`make test`)."""
