#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tools/mpi-bundle.sh FOLDER: packs this machine's Open MPI, what one host needs of it, into FOLDER (build/carry/mpi), for a
# machine that has none and no network: mpi.tar.xz, and activate, which bash there sources: it unpacks the archive beside itself
# once and puts mpirun and mpicc on the PATH.  The other machine's glibc must be as new as this one's.
#
# Left out: networks other than TCP, batch systems, OpenSHMEM, Fortran, Java.
set -e

fail () { echo "mpi-bundle.sh: $*" >&2; exit 1; }
[ $# = 1 ] || fail "usage: see the head of $0"
for tool in mpirun orted ompi_info xz ldd; do
  command -v $tool > /dev/null || fail "$tool is missing"
done
mkdir -p "$1"
folder=$(cd "$1" && pwd)
stage=$(mktemp -d)
chmod 755 "$stage"
trap 'rm -rf "$stage"' 0

# place NAME: a folder of this Open MPI.
place () { ompi_info --path all --parsable | sed -n "s/^path:$1://p" | head -n 1; }
bin=$(place bindir) libraries=$(place libdir) components=$(place pkglibdir) texts=$(place pkgdatadir) headers=$(place incdir)
mkdir -p "$stage/bin" "$stage/lib/components" "$stage/lib/pmix" "$stage/share" "$stage/etc" "$stage/include"

for program in mpirun orted; do
  cp -L "$bin/$program" "$stage/bin/"
done
for file in "$components"/mca_*.so; do
  case ${file##*/mca_} in
    *ucx* | *ofi* | btl_openib* | *psm* | *flux* | *slurm* | *gridengine* | *jsm* | *monitoring* | crs_* | compress_bzip*) ;;   # networks, batch systems
    atomic_* | memheap_* | scoll_* | spml_* | sshmem_*) ;;                                                      # OpenSHMEM
    *) cp -L "$file" "$stage/lib/components/" ;;
  esac
done
pmix=$(dirname "$(ldd "$components"/mca_pmix_ext*.so | awk '/libpmix/ { print $3 }' | xargs readlink -f)")
for kind in compress_zlib prm_default; do
  cp -L "$pmix"/pmix/pmix_mca_*$kind.so "$stage/lib/pmix/" 2> /dev/null || true
done
cp "$texts"/help-*.txt "$stage/share/"
touch "$stage/etc/openmpi-default-hostfile" "$stage/etc/openmpi-mca-params.conf"
for header in mpi.h mpi_portable_platform.h; do
  cp -L "$(find -L "$headers" -name $header | head -n 1)" "$stage/include/"
done

# What all of these load, but glibc and the C and C++ runtimes.
cp -L "$libraries/libmpi.so" "$stage/lib/libmpi.so.40" 2> /dev/null || fail "$libraries/libmpi.so is missing: install Open MPI's headers (Debian: libopenmpi-dev)"
ldd "$stage"/bin/* "$stage"/lib/libmpi.so.40 "$stage"/lib/*/*.so | awk '$3 ~ /^\// { print $3 }' | sort -u |
  grep -v -E '/(libc|libm|libpthread|libdl|librt|libresolv|libutil|libgcc_s|libstdc\+\+|ld-linux[^/]*)\.so' |
  while read -r library; do
    cp -L "$library" "$stage/lib/"
  done
ln -s libmpi.so.40 "$stage/lib/libmpi.so"
strip --strip-unneeded "$stage"/bin/* "$stage"/lib/*.so.* "$stage"/lib/*/*.so 2> /dev/null || true

# Open MPI's own mpicc looks where it was installed.
cat > "$stage/bin/mpicc" <<'MPICC'
#!/bin/sh
# The C compiler, with this folder's MPI.
top=$(cd "$(dirname "$0")/.." && pwd)
case $1 in
  --showme:compile) echo "-I$top/include" ;;
  --showme:link) echo "-L$top/lib -lmpi" ;;
  *) exec ${CC:-cc} "-I$top/include" "$@" "-L$top/lib" -lmpi "-Wl,-rpath-link,$top/lib" ;;
esac
MPICC
chmod +x "$stage/bin/mpicc"
tar -C "$stage" --owner=0 --group=0 -cf - . | xz -T0 -9 > "$folder/mpi.tar.xz"

cat > "$folder/activate" <<'ACTIVATE'
# To be sourced by bash: the MPI of the archive beside this file, unpacked once.
_here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [[ ! $_here/unpacked/ready -nt $_here/mpi.tar.xz ]]; then
  mkdir -p "$_here/unpacked"
  if command -v xz > /dev/null; then
    tar -C "$_here/unpacked" -xJf "$_here/mpi.tar.xz"
  else
    python3 -m tarfile -e "$_here/mpi.tar.xz" "$_here/unpacked"
  fi && touch "$_here/unpacked/ready"
fi
export OPAL_PREFIX=$_here/unpacked
export OPAL_BINDIR=$OPAL_PREFIX/bin OPAL_LIBDIR=$OPAL_PREFIX/lib OPAL_PKGLIBDIR=$OPAL_PREFIX/lib/components
export OPAL_DATADIR=$OPAL_PREFIX/share OPAL_PKGDATADIR=$OPAL_PREFIX/share OPAL_SYSCONFDIR=$OPAL_PREFIX/etc
export PMIX_INSTALL_PREFIX=$OPAL_PREFIX PMIX_LIBDIR=$OPAL_PREFIX/lib PMIX_PKGLIBDIR=$OPAL_PREFIX/lib/pmix PMIX_PKGDATADIR=$OPAL_PREFIX/share
# Processes of one host; in containers they often may not read each other's memory.
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_plm=isolated
PATH=$OPAL_PREFIX/bin:$PATH
export PATH LD_LIBRARY_PATH=$OPAL_PREFIX/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
unset _here
ACTIVATE
ls -l "$folder"
