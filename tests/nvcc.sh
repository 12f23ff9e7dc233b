#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/nvcc.sh TARBALL: the installation where nvcc is missing or broken.
cd "$(dirname "$0")/.." || exit 1
. tests/expect.sh
top=$(pwd)
work=$top/build/check/nvcc
rm -rf "$work"
mkdir -p "$work/bin"
unset GPUREDUCE_NVCC GPUREDUCE_CUDA GPUREDUCE_CUDA_ARCHS GPUREDUCE_BUILD_CACHE CUDACXX CUDA_HOME CUDA_PATH NVCC_CCBIN GPUREDUCE_NVCC_FLAGS
export GPUREDUCE_PREFIX="$work/octave"

# One unpacked tree for all cases, built in place and without OpenMP, so that the C
# sources are compiled once, and that way too; for one instruction set and at -O0, since
# what they compute is not the matter here; and without the simulator, whose folder is named
# wrongly, so that the rest must build without it.  One job: other stages run beside this one.
tar -C "$work" -xzf "$1"
tree=$(echo "$work"/gpureduce-*)
one_function "$tree"
# The oct-file depends on none of what follows, and takes as long as a third of the rest.
cp build/package/src/__gpr_octave__.oct "$tree/src/" 2> /dev/null
export GPUREDUCE_OPENMP=no OMP_NUM_THREADS=1 MAKEFLAGS='ISAS=baseline CFLAGS=-O0 SIM_DIR=no-simulator'

# nvcc WHAT-IT-DOES: makes a stand-in for nvcc.
make_nvcc () {
  cat > "$work/nvcc" <<EOF
#!/bin/sh
case "\$*" in
  *--version) echo "Cuda compilation tools, release 99.9"; exit ;;
  --list-gpu-arch) echo compute_80; exit ;;
esac
for out; do [ "\$previous" != -o ] || break; previous=\$out; done
$1
EOF
  chmod +x "$work/nvcc"
}

# install_tree: into a fresh prefix; post_install's line, and a sum.
install_tree () {
  rm -rf "$GPUREDUCE_PREFIX" "$tree"/inst/*-*-* "$tree"/inst/gpureduce_*
  mkdir "$GPUREDUCE_PREFIX"
  octave-cli --quiet --norc --no-history --eval \
    "source ('$top/tools/use_build.m'); warning ('off', 'Octave:shadowed-function'); addpath ('$top/tools/first'); pkg ('install', '$tree'); pkg load gpureduce; assert (gpu_sum (1:10), 55)"
}

path=$PATH
PATH=$(echo "$PATH" | tr ':' '\n' | while read -r dir; do [ -x "$dir/nvcc" ] || printf '%s:' "$dir"; done)
sed -i "s,^standard_place=.*,standard_place='$work/nowhere'," "$tree/src/configure"
without=$PATH
expect "no nvcc to be found" 'CPU backend (one thread.*; no simulator.*; no CUDA backend: no nvcc found; install' install_tree
PATH=$path

GPUREDUCE_NVCC=$work/nvcc
export GPUREDUCE_NVCC
make_nvcc 'echo "nvcc fatal: licence expired"; exit 1'
expect "an nvcc that fails" 'no CUDA backend: .*nvcc does not work here: nvcc fatal: licence expired; ' install_tree

make_nvcc 'case "$*" in *conftest*) echo made > "$out" ;; *) echo "x.cu(1): error: too hard"; exit 1 ;; esac'
expect "an nvcc that fails on the kernels" \
  'no CUDA backend: the build with .* failed: .*too hard; see gpureduce_cuda.log' install_tree
expect "its log is kept" "too hard" cat "$GPUREDUCE_PREFIX"/gpureduce-*/gpureduce_cuda.log

cd "$tree/src" || exit 1
make_nvcc 'case "$*" in *-ccbin\ g++-9*) echo made > "$out" ;; *) echo "error: unsupported GNU version"; exit 1 ;; esac'
printf '#!/bin/sh\n' > "$work/bin/g++-9"
chmod +x "$work/bin/g++-9"
expect "an nvcc that refuses the host compiler gets an older one" 'CUDA: nvcc 99.9, sm_80 compute_80' \
  env PATH="$work/bin:$PATH" ./configure
expect "and keeps it" '^NVCC = .*/nvcc -ccbin g++-9$' cat config-cuda.mk
make_nvcc 'case "$*" in *-ccbin\ g++-19*) echo made > "$out" ;; *) echo "error: unsupported GNU version"; exit 1 ;; esac'
cp "$work/bin/g++-9" "$work/bin/g++-19"
expect "or a newer one" 'CUDA: nvcc 99.9' env PATH="$work/bin:$PATH" ./configure
make_nvcc 'printf "error: "; for i in $(seq 100); do printf "word%d " $i; done; exit 1'
expect "of a long error the first words are told" 'error: word1 .* word[0-9]* \.\.\.; install a g++ that it accepts (see gpureduce_cuda.log)' ./configure
expect "and the log has them all" 'word100' cat gpureduce_cuda.log
make_nvcc 'echo "/usr/include/bits/mathcalls.h(79): error: exception specification is incompatible with that of previous function \"cospi\""; exit 1'
expect "a C library that is too new is named" '"cospi"; the C library here (.*) is newer than this CUDA' ./configure

make_nvcc 'echo made > "$out"'
mkdir -p "$work/old/bin"
printf '#!/bin/sh\nexit 1\n' > "$work/old/bin/nvcc"
chmod +x "$work/old/bin/nvcc"
unset GPUREDUCE_NVCC
expect "a CUDA_HOME without nvcc is named, and another taken" 'CUDA: nvcc 99.9, sm_80 compute_80 (passed over: CUDA_HOME=.*nowhere has no bin/nvcc)' \
  env CUDA_HOME="$work/nowhere" PATH="$work:$PATH" ./configure
expect "one that is too old too" '(passed over: CUDA_PATH: .*/old/bin/nvcc does not say what architectures it knows.*CUDA 11.5 or later' \
  env CUDA_PATH="$work/old" PATH="$work:$PATH" ./configure
expect "and where there is no other" 'CUDA: CUDACXX=nonesuch is no program; CUDA_HOME=.*nowhere has no bin/nvcc; no nvcc found' \
  env CUDACXX=nonesuch CUDA_HOME="$work/nowhere" PATH="$without" ./configure
GPUREDUCE_NVCC=$work/nvcc
export GPUREDUCE_NVCC
expect "an architecture that nvcc does not know" 'makes no code for architecture 70 (it knows 80)' \
  env GPUREDUCE_CUDA_ARCHS=70 ./configure
expect "an nvcc that is not there" 'nowhere is no program' env GPUREDUCE_NVCC="$work/nowhere" ./configure
expect "PTX alone" 'CUDA: nvcc 99.9, compute_80$' env GPUREDUCE_CUDA_ARCHS=compute_80 ./configure
expect "CUDA not wanted" 'CUDA: not wanted' env GPUREDUCE_CUDA=no ./configure
# gpus CAPABILITY...: a stand-in for nvidia-smi, first in PATH.
gpus () {
  printf '#!/bin/sh\n' > "$work/bin/nvidia-smi"
  printf 'echo %s\n' "$@" >> "$work/bin/nvidia-smi"
  chmod +x "$work/bin/nvidia-smi"
}
configured () { env PATH="$work/bin:$PATH" "$@" ./configure; }
sed -i 's/--list-gpu-arch) echo compute_80/--list-gpu-arch) printf "compute_%s\\n" 75 80 90/' "$GPUREDUCE_NVCC"
gpus 9.0 9.0
expect "by default kernels are for the GPUs here" 'CUDA: nvcc 99.9, sm_90 compute_90$' configured
expect "for a list where that is asked" 'CUDA: nvcc 99.9, sm_75 sm_80 sm_90 compute_90$' configured GPUREDUCE_CUDA_ARCHS=list
gpus 12.0
expect "and where nvcc does not know the GPU" 'CUDA: nvcc 99.9, sm_75 sm_80 sm_90 compute_90$' configured
gpus
expect "and where there is no GPU" 'CUDA: nvcc 99.9, sm_75 sm_80 sm_90 compute_90$' configured
expect "it says what is compiled, and for how long" 'compiling the CPU backend, .*9\.0 .*: about [0-9]* min on [0-9]* cores' configured
