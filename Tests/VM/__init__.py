# SPDX-License-Identifier: Apache-2.0
"""The test machine: runs the release binaries on a real kernel's KMS in QEMU, without hardware and without
root."""
