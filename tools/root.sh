#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A Debian in a folder, to try the package where nothing of this machine is.
#
#   tools/root.sh make SUITE FOLDER [PACKAGE...]   makes it (debootstrap), or adds PACKAGEs
#   tools/root.sh in FOLDER COMMAND...             runs COMMAND there
#   tools/root.sh fresh FOLDER COMMAND...          the same in a copy that is thrown away
#   tools/root.sh copy FOLDER PLACE                this working tree, without what was
#                                                  built, to PLACE there
#
# Nothing of this environment is seen there, but what `env NAME=VALUE` before COMMAND says.
# DEBIAN_MIRROR: where packages come from (default: as on this Debian).
set -e

fail () { echo "root.sh: $*" >&2; exit 1; }

# ---- running ---------------------------------------------------------------------

# inside FOLDER COMMAND...: in a mount name space of its own, so that whatever ends it,
# nothing stays mounted.
inside () {
  folder=$1
  shift
  # shellcheck disable=SC2016
  unshare --mount --propagation private sh -c '
    [ -z "$OVERLAY" ] || mount -t overlay overlay -o "$OVERLAY" "$1" || exit 125
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" || exit 125
    exec chroot "$@"' sh "$folder" \
    env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ${TERM:+TERM="$TERM"} "$@"
}

fresh () {
  layer=$(mktemp -d "$1.XXXXXX")
  mkdir "$layer/changes" "$layer/work" "$layer/root"
  trap 'rm -rf "$layer"' 0
  trap 'exit 130' INT TERM
  OVERLAY="lowerdir=$1,upperdir=$layer/changes,workdir=$layer/work"
  export OVERLAY
  shift
  inside "$layer/root" "$@"
}

# ---- making ----------------------------------------------------------------------

make_root () {
  suite=$1 root=$2
  shift 2
  command -v debootstrap > /dev/null || fail "debootstrap is missing (Debian and Ubuntu: apt-get install debootstrap)"
  if [ ! -f "$root/made" ]; then
    mirror=${DEBIAN_MIRROR:-$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2> /dev/null |
      sed -n -e 's/^URIs: *\([^ ]*\).*/\1/p' -e 's/^deb \(\[[^]]*\] \)*\([^ ]*\).*/\2/p' | grep -v -e security | head -n 1)}
    [ -n "$mirror" ] || fail "this system's apt names no mirror of Debian: DEBIAN_MIRROR=URL does"
    rm -rf "$root"
    mkdir -p "$root"
    # A suite that is younger than debootstrap is made like the youngest.
    script=
    [ -e "/usr/share/debootstrap/scripts/$suite" ] || script=/usr/share/debootstrap/scripts/sid
    debootstrap --variant=minbase "$suite" "$root" "$mirror" $script > "$root.log" 2>&1 ||
      fail "debootstrap of $suite from $mirror failed: $(tail -n 1 "$root.log") (all of it: $root.log)"
    for settings in /etc/apt/apt.conf.d/99* /etc/resolv.conf; do        # a proxy, say
      [ ! -f "$settings" ] || cp "$settings" "$root$settings"
    done
    # And what pip trusts, at a place where no package puts its own.
    certificates=$(sed -n 's/^ *cert *= *//p' /etc/pip.conf 2> /dev/null)
    if [ -n "$certificates" ]; then
      cp "$certificates" "$root/etc/pip-certificates.pem"
      sed 's,^\( *cert *= *\).*,\1/etc/pip-certificates.pem,' /etc/pip.conf > "$root/etc/pip.conf"
    fi
    touch "$root/made"
  fi
  missing=$([ $# = 0 ] || printf '%s\n' "$@" | grep -v -x -F -f "$root/made" || true)
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2016,SC2086
  inside "$root" sh -c 'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"' sh $missing >> "$root.log" 2>&1 ||
    fail "apt-get install in $root failed: $(tail -n 1 "$root.log") (all of it: $root.log)"
  echo "$missing" >> "$root/made"
}

# copy FOLDER PLACE
copy () {
  cd "$(dirname "$0")/.."
  rm -rf "${1:?}$2"
  mkdir -p "$1$2"
  git ls-files --cached --others --exclude-standard | while read -r file; do
    [ ! -e "$file" ] || echo "$file"
  done | tar -cf - -T - | tar -xf - -C "$1$2"
}

action=$1
[ $# -ge 3 ] || fail "usage: see the head of $0"
shift
[ "$(id -u)" = 0 ] || fail "a root of its own takes chroot, which only root may do"
PATH=$PATH:/usr/sbin:/sbin
case $action in
  make) make_root "$@" ;;
  in) inside "$@" ;;
  fresh) fresh "$@" ;;
  copy) copy "$@" ;;
  *) fail "usage: see the head of $0" ;;
esac
