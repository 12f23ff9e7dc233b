# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later

VERSION := $(shell sed -n 's/^Version: *//p' DESCRIPTION)
TARBALL = build/gpureduce-$(VERSION).tar.gz

# An installation into build/ is for this machine: its own instruction sets and GPUs, or
# the PTX of one architecture to see that everything compiles.  Packages (dist) say nothing, and
# configure decides.
GPUS_HERE = $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | tr -d . | grep -x '[0-9][0-9]*' | sort -u)
LOCAL_ARCHS = $(or $(GPUREDUCE_CUDA_ARCHS),$(GPUS_HERE),compute_80)
# Without a GPU nobody runs them: they need only compile, and do so in a quarter of the time.
LOCAL_NVCC_FLAGS = $(or $(GPUREDUCE_NVCC_FLAGS),$(if $(GPUREDUCE_CUDA_ARCHS)$(GPUS_HERE),,--Ofast-compile=max))
LOCAL = GPUREDUCE_CUDA_ARCHS='$(LOCAL_ARCHS)' GPUREDUCE_NVCC_FLAGS='$(LOCAL_NVCC_FLAGS)' \
  GPUREDUCE_ISAS='$(or $(GPUREDUCE_ISAS),native)'
TESTED = $(LOCAL) GPUREDUCE_ISAS='$(or $(GPUREDUCE_ISAS),here)'
# make check compiles the CPU's loops at -O1, in a third of the time and with the same bits; kernels that
# nothing will run nvcc only reads, and makes no code of them.  check-long compiles all as users do.
CHECKED = $(TESTED) CFLAGS='$(or $(CFLAGS),-O1)' \
  GPUREDUCE_NVCC_FLAGS='$(or $(GPUREDUCE_NVCC_FLAGS),$(if $(GPUREDUCE_CUDA_ARCHS)$(GPUS_HERE),,--fdevice-syntax-only))'

help:
	@echo 'make demo         set up, build, and show the package at work: on the CPU first; installs into build/ only'
	@echo 'make test T=NAME  one test, on what is built: a function (gpu_sum), a rule, a unit test (fixup_test);'
	@echo '                  make test lists what NAME can be'
	@echo 'make quick        the most telling tests, in less than a minute once built'
	@echo 'make check        every test that needs no GPU'
	@echo 'make check-long   the same with every random test at full length, and sanitizers'
	@echo 'make check-gpu    the tests that need one'
	@echo 'make check-releases  the same functions in other releases of Octave, each in a Debian of its own (as root)'
	@echo 'make check-web    the pages of gpu_trace and gpu_compare, in a browser'
	@echo 'make bench        times against the built-in functions'
	@echo 'make bench-gpu    times against CUB, cuBLAS, Thrust, CuPy and PyTorch, on a GPU'
	@echo 'make build        build and install into build/ only'
	@echo 'make install      install the package for this user (pkg install)'
	@echo 'make dist         $(TARBALL), for pkg install'
	@echo 'make dist-binary  the same for machines without a compiler'
	@echo 'make prebuilt     one a release of Octave, each made and tried in a Debian of its own (as root);'
	@echo '                  SUITES="bookworm trixie forky" chooses'
	@echo 'make doc          the manual in build/doc'
	@echo 'make lab          the sheet and the slides of the laboratory in build/lab'
	@echo 'make release      build/release: all files of a release, and its entry for the package index'
	@echo 'make clean        removes build/ and what was built in src/'
	@echo
	@echo 'SETUP=no          demo and check install nothing and use no network'
	@echo 'GPUREDUCE_CUDA=no, GPUREDUCE_CUDA_ARCHS="80 90", GPUREDUCE_NVCC=..., GPUREDUCE_NVCC_FLAGS=...,'
	@echo 'GPUREDUCE_ISAS=...: see src/configure'

setup:
	@tools/setup.sh

dist:
	@tools/dist.sh

# pkg install alone compiles everything anew.  So what was edited is compiled first, and pkg install takes the modules from build/cache.
build: dist
	@$(LOCAL) ASK=yes tools/install.sh $(TARBALL) || $(LOCAL) tools/compile.sh package
	@$(LOCAL) tools/install.sh $(TARBALL)

demo: setup
	@$(LOCAL) WITH_CUDA='$(if $(GPUREDUCE_CUDA_ARCHS)$(GPUS_HERE),yes,no)' tools/demo.sh

test:
	@$(TESTED) tests/one.sh '$(T)'

quick:
	@$(TESTED) tests/quick.sh

check: setup
	@$(CHECKED) tests/check.sh

check-long: setup
	@GPUREDUCE_CUDA_ARCHS='$(LOCAL_ARCHS:compute_80=80)' tests/check.sh long

check-gpu: build
	@tests/check-gpu.sh

check-releases:
	@tests/releases.sh

check-web: build
	@tests/web.sh

bench: build
	@tools/octave bench/bench.m

bench-gpu: build
	@bench/bench-gpu.sh

install: dist
	octave-cli --quiet --norc --no-history --eval "pkg install $(TARBALL)"

dist-binary: dist
	@tools/dist-binary.sh $(TARBALL)

prebuilt:
	@tools/prebuilt.sh $(or $(SUITES),bookworm trixie forky)

doc:
	@doc/build.sh

lab: build
	@lab/build.sh

release:
	@tools/release.sh

clean:
	rm -rf build
	@$(MAKE) --no-print-directory -C src clean
	@$(MAKE) --no-print-directory -C tests/unit clean

.PHONY: help setup dist build demo test quick check check-long check-gpu check-releases check-web bench bench-gpu install dist-binary prebuilt doc lab release clean
