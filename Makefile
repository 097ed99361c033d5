# SPDX-License-Identifier: Apache-2.0

PREFIX ?= /usr/local
DESTDIR ?=
# Set STRIP to nothing to keep the symbols, or to install programs of another architecture, on which
# `install -s` fails.
STRIP ?= -s
# The major version of systemd for which `make install` installs the units; empty: this machine's.
SYSTEMD_VERSION ?=
SWIFT ?= swift
# Debian's, because the modules that the tests need are Debian packages.
PYTHON ?= /usr/bin/python3

RELEASE := -c release --static-swift-stdlib
BIN := .build/release
bindir := $(DESTDIR)$(PREFIX)/bin
libdir := $(DESTDIR)$(PREFIX)/lib
sharedir := $(DESTDIR)$(PREFIX)/share
# The daemon reads its config here, whatever PREFIX is.
configdir := $(DESTDIR)/etc/flipclock

# Toolchains in the usual directories are found even if they are not in PATH.
export PATH := $(PATH):/opt/swift/usr/bin:/usr/libexec/swift/bin

.PHONY: help run build test test-long test-unit test-e2e test-firefox test-vm test-arm64 vm docs gallery looks fuzz bench count arm64 languages check install clean
.PHONY: deb test-deb image test-image install-flipclock install-flipclock-web install-flipclock-mqtt install-flipclock-horn install-flipclock-host
.NOTPARALLEL:

help:
	@echo 'make run        build, and show the clock on a display, in the terminal, or as a PNG file'
	@echo 'make build      build the release binaries in $(BIN)/'
	@echo 'make test       run all tests: unit, end to end, test machine [ONLY="walls horn"] [STUTTER=2]; 30 to 45 minutes on two cores'
	@echo 'make test-long  run all tests with long random runs, all kills and long observations; hours'
	@echo 'make test-unit  run the Swift tests'
	@echo 'make test-e2e   test the release binaries, headless'
	@echo 'make test-firefox test the page of flipclock-web in Firefox'
	@echo 'make test-vm    test the release binaries on real KMS in QEMU (virtio-gpu, vkms, cirrus, simpledrm)'
	@echo 'make test-arm64 test the arm64 package in an emulated machine with Debian 13'
	@echo 'make vm         show the test machine in a window or over VNC'
	@echo 'make docs       regenerate the reference config, its schema, the manuals and the interface file'
	@echo 'make gallery    draw every widget, transition, theme and game preset in .build/gallery/'
	@echo 'make looks      draw the pictures of the settings page (Sources/WebRemote/looks.js)'
	@echo 'make fuzz       run the parsers on mutated input with libFuzzer [TARGET=zone] [SECONDS=60] [RUNS=N]'
	@echo 'make bench      compare with memcpy, pixman, cairo and SDL2 [CASES=over,flap] [SMOKE=1]'
	@echo 'make count      count instructions per pixel, compared with pixman [CASES=over,flap]'
	@echo 'make arm64      build for 64-bit ARM, run all unit and golden tests in an emulator, and count (on amd64)'
	@echo 'make languages  regenerate the table of languages from CLDR, and docs/languages.md'
	@echo 'make check      check format, imports, warnings, scripts and units'
	@echo 'make deb        build Debian packages in .build/deb/ [ARCH=arm64] [SUITE=trixie]'
	@echo 'make test-deb   test the packages: lintian, piuparts, identical bytes, installation in the test machine'
	@echo 'make image      write an SD card image for a Raspberry Pi to .build/image/ [BOARD=pi]'
	@echo 'make test-image start the image in an emulated machine, set it up with a phone, and cut its power twenty times'
	@echo 'make install    install what `make build` built [PREFIX=$(PREFIX)] [DESTDIR=$(DESTDIR)]; install-flipclock-web etc. for parts'
	@echo 'make clean      remove all build products'

# Every target installs what it needs before it builds: `setup-GROUP` installs the packages of a group of
# scripts/setup.
setup-%:
	@scripts/setup $*

build: setup-build
	@scripts/commit
	$(SWIFT) build $(RELEASE)

run: setup-run build
	@scripts/run

# Tests/Runner compiles the Swift tests, and meanwhile runs the others. ONLY="walls horn" selects those whose names
# contain one of these words. STUTTER=2 stops the tests' processes at random moments, each for two seconds at most.
RUN_TESTS = cd Tests && $(PYTHON) -m Runner $(if $(STUTTER),--stutter $(STUTTER))

test: setup-test setup-vm build
	@$(RUN_TESTS) $(ONLY)

test-long: export FLIPCLOCK_LONG := 1
# The test of Home Assistant is skipped if that is not installed.
test-long: setup-home-assistant setup-firefox setup-test-deb test test-firefox test-deb

test-unit: setup-test
	@$(RUN_TESTS) --kind unit $(ONLY)

test-e2e: setup-test build
	@$(RUN_TESTS) --kind 'end to end' $(ONLY)

test-firefox: export FLIPCLOCK_BROWSER := firefox
test-firefox: setup-firefox build
	@$(RUN_TESTS) --kind 'end to end' --prefix test_web_page $(ONLY)

test-vm: setup-test setup-vm build
	@$(RUN_TESTS) --kind machine $(ONLY)

# Needs the package that `make deb ARCH=arm64` builds.
test-arm64: setup-vm_arm64
	cd Tests && $(PYTHON) -m unittest -v VM.arm64

vm: setup-vm build
	@$(PYTHON) Tests/VM/show.py

gallery: setup-run setup-gallery build
	@scripts/gallery

looks: setup-run setup-gallery build
	@scripts/looks

# Without TARGET, all fuzz targets run, one after another.
fuzz: setup-build
	@scripts/fuzz $(if $(SECONDS),-t $(SECONDS)) $(if $(RUNS),-n $(RUNS)) $(TARGET)

# FLIPCLOCK_BENCHMARKS adds the benchmarks' targets to the package. They are built in a separate directory.
BUILD_BENCHMARK := FLIPCLOCK_BENCHMARKS=1 $(SWIFT) build -c release --scratch-path .build/benchmarks --product

# Prints a table and writes the same results to .build/bench.json.
bench: setup-bench
	$(BUILD_BENCHMARK) bench
	@mkdir -p .build
	@.build/benchmarks/release/bench --json .build/bench.json $(if $(CASES),--cases $(CASES)) $(if $(SMOKE),--smoke)

comma := ,

count: setup-count
	$(BUILD_BENCHMARK) count
	@scripts/count-instructions .build/benchmarks/release/count '' $(subst $(comma), ,$(CASES))

# In the Debian 13 of scripts/debian-root. Takes half an hour.
arm64: setup-arm64
	@COUNT='$(subst $(comma), ,$(CASES))' scripts/arm64 build test count

docs: setup-build
	@scripts/docs

# Needed only after a change of CLDR's version or of the languages.
languages: setup-languages
	@scripts/languages --document docs/languages.md

check: setup-check build
	$(SWIFT) build --build-tests
	@scripts/check

deb:
	@scripts/deb $(if $(ARCH),-a $(ARCH)) $(if $(SUITE),-s $(SUITE))

test-deb: setup-test-deb deb
	@scripts/test-deb

# Builds the arm64 package from the current sources first.
BOARD := pi
image: setup-image
	@scripts/deb -a arm64
	@scripts/image $(BOARD)

# Takes half an hour, because the processor is emulated.
test-image: setup-vm_arm64 setup-image
	cd Tests && $(PYTHON) -m unittest -v VM.pi VM.pi_set_up

# The parts that `make install` installs; each is also a Debian package with the same name. No unit is
# enabled, except by the package flipclock.
PARTS := flipclock flipclock-web flipclock-mqtt flipclock-horn flipclock-host
programs_flipclock := flipclockd flipclockctl
programs_flipclock-web := flipclock-web
programs_flipclock-mqtt := flipclock-mqtt
programs_flipclock-horn := flipclock-horn
programs_flipclock-host := flipclock-host
# Units without a program of their own, and what they run.
units_flipclock := $(wildcard systemd/flipclock-source*.service systemd/flipclock-source*.timer)
# $(call of_programs,PART,PATTERN…): the files of the part's programs; % in a pattern is a program.
of_programs = $(foreach program,$(programs_$(1)),$(wildcard $(subst %,$(program),$(2))))

install: $(PARTS:%=built-%) $(PARTS:%=install-%)

# The binaries are those of `make build`, so root needs no toolchain and creates no files in .build.
built-%:
	@for program in $(programs_$*); do \
	  test -x $(BIN)/$$program || { echo 'install: run `make build` first' >&2; exit 1; }; \
	done

# Installs the programs of a part, and their units, users, manuals and completions.
programs-%: built-%
	install -d $(bindir) $(libdir)/systemd/system $(libdir)/sysusers.d
	install $(STRIP) -m 755 $(programs_$*:%=$(BIN)/%) $(bindir)
	for unit in $(notdir $(call of_programs,$*,systemd/%.service systemd/%-*.service systemd/%.socket systemd/%-*.socket systemd/%-*.path) $(units_$*)); do \
	  sed 's#/usr/\(bin\|share\)/flipclock#$(PREFIX)/\1/flipclock#g' systemd/$$unit > $(libdir)/systemd/system/$$unit && \
	  chmod 644 $(libdir)/systemd/system/$$unit || exit 1; \
	done
	@# Versions of systemd before 254 warn about the settings in these drop-ins.
	@version=$(SYSTEMD_VERSION); \
	version=$${version:-$$(systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p')}; \
	[ "$${version:-0}" -lt 254 ] || for file in $(call of_programs,$*,systemd/%.service.d/*.conf); do \
	  install -D -m 644 $$file $(libdir)/systemd/system/$${file#systemd/} || exit 1; \
	done
	install -m 644 systemd/$*.sysusers $(libdir)/sysusers.d/$*.conf
	@set -e; \
	put() { if [ -e "$$1" ]; then install -D -m 644 "$$1" "$(sharedir)/$$2"; fi; }; \
	for page in $(call of_programs,$*,man/%.[1-8]); do put $$page man/man$${page##*.}/$$(basename $$page); done; \
	for program in $(programs_$*); do \
	  put completions/$$program.bash bash-completion/completions/$$program; \
	  put completions/_$$program zsh/site-functions/_$$program; \
	  put completions/$$program.fish fish/vendor_completions.d/$$program.fish; \
	done

install-flipclock: programs-flipclock
	install -d -m 755 $(configdir) $(configdir)/config.toml.d $(configdir)/sources
	@# Earlier versions of the unit gave the directory to the daemon's user.
	@if [ "$$(id -u)" = 0 ]; then chown root:root $(configdir); fi
	install -D -m 644 -t $(libdir)/udev/rules.d systemd/60-flipclock.rules
	install -D -m 644 systemd/flipclock-source.tmpfiles $(libdir)/tmpfiles.d/flipclock-source.conf
	install -D -m 755 -t $(sharedir)/flipclock systemd/source-result
	install -D -m 755 -t $(sharedir)/doc/flipclock/examples/sources config/sources/*
	install -D -m 644 -t $(sharedir)/man/man5 man/flipclock.toml.5
	install -D -m 644 -t $(sharedir)/flipclock config/flipclock.schema.json
	install -D -m 644 -t $(sharedir)/doc/flipclock README.md CHANGELOG.md LICENSE config/flipclock.toml
	install -D -m 644 -t $(sharedir)/doc/flipclock/examples config/examples/*.toml
	install -D -m 644 -t $(sharedir)/doc/flipclock/docs docs/*.md
	sed -i '1s|^#:schema .*|#:schema $(PREFIX)/share/flipclock/flipclock.schema.json|' \
	  $(sharedir)/doc/flipclock/flipclock.toml $(sharedir)/doc/flipclock/examples/*.toml

install-flipclock-web: programs-flipclock-web
	install -D -m 644 systemd/flipclock-web.avahi $(sharedir)/flipclock-web/avahi.service

install-flipclock-mqtt: programs-flipclock-mqtt
	install -D -m 644 -t $(sharedir)/doc/flipclock-mqtt config/mqtt.toml

install-flipclock-horn: programs-flipclock-horn

install-flipclock-host: programs-flipclock-host
	install -D -m 644 -t $(libdir)/udev/rules.d systemd/60-flipclock-host.rules
	install -D -m 644 -t $(sharedir)/polkit-1/rules.d systemd/flipclock-host.rules

clean:
	rm -rf .build
