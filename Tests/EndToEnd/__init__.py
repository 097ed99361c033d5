# SPDX-License-Identifier: Apache-2.0
"""The two release binaries as a person runs them, without a display: headless, in a pty, and offline."""
