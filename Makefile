# SPDX-License-Identifier: Apache-2.0

PREFIX ?= /usr/local
DESTDIR ?=
# Empty keeps the symbols, or for programs of another architecture.
STRIP ?= -s
SWIFT ?= swift
PYTHON ?= python3

RELEASE := -c release --static-swift-stdlib
BIN := .build/release
bindir := $(DESTDIR)$(PREFIX)/bin
libdir := $(DESTDIR)$(PREFIX)/lib
sharedir := $(DESTDIR)$(PREFIX)/share
# The daemon reads it there whatever PREFIX is.
configdir := $(DESTDIR)/etc/flipclock

# Where toolchains are unpacked, for a shell that has none in PATH.
export PATH := $(PATH):/opt/swift/usr/bin:/usr/libexec/swift/bin

.PHONY: help run build test test-long test-unit test-e2e test-vm vm gallery bench count arm64 docs check install clean
.NOTPARALLEL:

help:
	@echo 'make run        build and show the clock: on a display, in the terminal, or as a PNG'
	@echo 'make build      release binaries in $(BIN)/'
	@echo 'make test       all tests: unit, end to end, test machines; under 12 minutes on two cores'
	@echo 'make test-long  the same with all random rounds, kills and long observations; hours'
	@echo 'make test-unit  the Swift tests'
	@echo 'make test-e2e   the release binaries, headless'
	@echo 'make test-vm    the release binaries on real KMS in QEMU (virtio-gpu, vkms, cirrus, simpledrm)'
	@echo 'make vm         the test machine with a window or VNC, to look at'
	@echo 'make gallery    every widget and transition as pictures in .build/gallery/'
	@echo 'make bench      beside memcpy, pixman, cairo and SDL2 [CASES=over,flap] [SMOKE=1]'
	@echo 'make count      instructions per pixel beside pixman [CASES=over,flap]'
	@echo 'make arm64      build, test and count for 64-bit ARM, without a board (Debian 13 on amd64)'
	@echo 'make docs       write the generated parts of the documentation'
	@echo 'make check      format, lint, imports, warnings as errors, scripts, units'
	@echo 'make install    PREFIX=$(PREFIX) DESTDIR=$(DESTDIR); builds nothing'
	@echo 'make clean      remove what was built'

build:
	@scripts/setup build
	$(SWIFT) build $(RELEASE)

run: build
	@scripts/setup run
	@scripts/run

# Not below /tmp: a daemon wakes when entries come and go in a directory on the way to its config.
E2E := TMPDIR=/var/tmp $(PYTHON) -m unittest discover -v -t Tests -s Tests/EndToEnd
VM := $(PYTHON) Tests/VM/parallel.py

# The end-to-end tests wait more than they work: they run beside the test machines', and are printed after them.
test: test-unit build
	@scripts/setup test vm
	@echo 'end to end, and the test machines'
	@$(E2E) >.build/e2e.log 2>&1 & e2e=$$!; \
	  $(VM); vm=$$?; \
	  wait $$e2e; e2e=$$?; \
	  cat .build/e2e.log; \
	  test $$vm -eq 0 && test $$e2e -eq 0

test-long: export FLIPCLOCK_LONG := 1
test-long: test

test-unit:
	@scripts/setup test
	$(SWIFT) test

test-e2e: build
	@scripts/setup test
	$(E2E)

test-vm: build
	@scripts/setup test vm
	$(VM)

vm: build
	@scripts/setup test vm
	@$(PYTHON) Tests/VM/show.py

gallery: build
	@scripts/setup run gallery
	@scripts/gallery

# The table on the standard output, the same as data in .build/bench.json. The two packages share no build
# directory: neither may rebuild what the other has.
bench:
	@scripts/setup bench
	$(SWIFT) build -c release --package-path Benchmarks --scratch-path .build/benchmarks
	@mkdir -p .build
	@.build/benchmarks/release/bench --json .build/bench.json $(if $(CASES),--cases $(CASES)) $(if $(SMOKE),--smoke)

comma := ,

count:
	@scripts/setup count
	$(SWIFT) build -c release --package-path Benchmarks --scratch-path .build/benchmarks --product count
	@scripts/count-instructions .build/benchmarks/release/count '' $(subst $(comma), ,$(CASES))

# The kernels' tests only: an emulated processor is a slow one.
arm64:
	@COUNT='$(subst $(comma), ,$(CASES))' scripts/arm64 build test count

docs:
	@scripts/setup build
	@scripts/docs

check:
	@scripts/setup check
	@scripts/check

# Copies what `make build` made: root needs no toolchain, and leaves no file of its own in .build.
install:
	@test -x $(BIN)/flipclockd || { echo 'install: run `make build` first' >&2; exit 1; }
	install -d $(bindir) $(libdir)/systemd/system $(libdir)/sysusers.d $(libdir)/udev/rules.d
	install $(STRIP) -m 755 $(BIN)/flipclockd $(BIN)/flipclockctl $(bindir)
	for unit in flipclockd.service flipclockd.socket; do \
	  sed 's|/usr/bin/flipclock|$(PREFIX)/bin/flipclock|g' systemd/$$unit > $(libdir)/systemd/system/$$unit && \
	  chmod 644 $(libdir)/systemd/system/$$unit || exit 1; \
	done
	@# Older systemds complain about the settings in it.
	@version=$$(systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p'); \
	if [ "$${version:-0}" -ge 254 ]; then \
	  install -D -m 644 -t $(libdir)/systemd/system/flipclockd.service.d systemd/flipclockd.service.d/*.conf; \
	fi
	install -d -m 755 $(configdir)
	@# Units of before made it the daemon's own.
	@if [ "$$(id -u)" = 0 ]; then chown root:root $(configdir); fi
	install -m 644 systemd/flipclock.sysusers $(libdir)/sysusers.d/flipclock.conf
	install -m 644 systemd/60-flipclock.rules $(libdir)/udev/rules.d
	install -d $(sharedir)/doc/flipclock/examples
	install -m 644 $(wildcard README.md CHANGELOG.md LICENSE config/*.toml) $(sharedir)/doc/flipclock
	install -m 644 $(wildcard config/examples/*.toml) $(sharedir)/doc/flipclock/examples
	@set -e; \
	put() { if [ -e "$$1" ]; then install -D -m 644 "$$1" "$(sharedir)/$$2"; fi; }; \
	for page in man/*.[1-8]; do put $$page man/man$${page##*.}/$$(basename $$page); done; \
	for schema in config/*.schema.json; do put $$schema flipclock/$$(basename $$schema); done; \
	for program in flipclockd flipclockctl; do \
	  put completions/$$program.bash bash-completion/completions/$$program; \
	  put completions/_$$program zsh/site-functions/_$$program; \
	  put completions/$$program.fish fish/vendor_completions.d/$$program.fish; \
	done

clean:
	rm -rf .build .build-check
