# SPDX-License-Identifier: Apache-2.0
"""Runs all tests (`make test`): in Swift, of the release binaries, and in the test machine."""
