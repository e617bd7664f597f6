#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# For libraries.sh: fetches Debian's source packages without touching the system's lists, and builds each once.
# prepare NAME PACKAGE … sets `prefix`, the folder of the results, and `work`; once STEP … runs steps; finish prints the folder.

say() { printf '%s\n' "$*" >&2; }
die() { say "${0##*/}: $*"; exit 1; }

prepare() {
    local name=$1 key
    shift
    cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/weighbridge/windows
    toolchain=$root/cmake/mingw.cmake
    # What the result depends on.
    key=$({
        dpkg-query -W -f='${source:Package}=${source:Version}\n' "$@" g++-mingw-w64-x86-64-posix mingw-w64-x86-64-dev | sort -u
        cat "$0" "$root/tests/windows/sources.sh" "$toolchain"
    } | sha256sum | cut -c1-16)
    prefix=$cache/$name-$key
    work=$cache/$name-$key.work
    mkdir -p "$prefix/lib/pkgconfig" "$prefix/include" "$cache/sources"
    # Two at a time would write over each other.
    exec 9>"$prefix.lock"
    flock 9
}

# Runs the function STEP where no earlier call has finished it.
once() {
    [ -e "$prefix/done/$1" ] && return
    mkdir -p "$work" "$prefix/done"
    say "windows: $1"
    # In the background, since `set -e` counts for nothing in what is asked whether it fails.
    (set -e; "$1") >"$work/$1.log" 2>&1 9>&- &
    wait $! || {
        tail -n 40 "$work/$1.log" >&2
        die "$1 failed; the whole log is $work/$1.log"
    }
    touch "$prefix/done/$1"
}

finish() {
    [ ! -e "$prefix/unpatched" ] || say "windows: without Debian's patches, which its archive lacks:" $(sort -u "$prefix/unpatched")
    rm -rf "$work"
    printf '%s\n' "$prefix"
}

# Debian's lists of source packages, kept apart from the system's.
fetch_lists() {
    [ ! -e "$work/lists/fetched" ] || return 0
    apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' | sort -u >"$work/sources.list"
    [ -s "$work/sources.list" ] || die "apt knows no archive of Debian; run apt-get update"
    mkdir -p "$work/lists/partial" "$work/archives/partial"
    apt_here -q update
    touch "$work/lists/fetched"
}

apt_here() {
    apt-get -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$work/lists" \
        -o Dir::Cache="$work" -o Dir::Cache::archives="$work/archives" "$@"
}

# unpack SOURCE: the source package with Debian's patches, as $work/SOURCE-VERSION. Where Debian's archive has lost some of its files,
# what the authors released, without patches: from that archive or from the folder sources of the cache; finish tells.
unpack() {
    fetch_lists
    (cd "$work" && apt_here -q source "$1") && return
    local archive
    archive=$(find "$work" "$cache/sources" -maxdepth 1 -name "$1_*.orig.tar.*" ! -name '*.asc' | tail -n 1)
    [ -f "$archive" ] || die "apt cannot fetch the source of $1; put what its authors released into $cache/sources as $1_VERSION.orig.tar.xz"
    mkdir "$work/$1-released"
    tar xf "$archive" -C "$work/$1-released" --strip-components=1
    printf '%s\n' "$1" >>"$prefix/unpatched"
}

build_with_cmake() {
    local source=$1
    shift
    unpack "$source"
    cmake_install "$work/$source"-*/ "$@"
}

# cmake_install FOLDER [OPTION …]
cmake_install() {
    local build launcher=()
    build=$(mktemp -d "$work/build.XXXXXX")
    ! command -v ccache >/dev/null || launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    cmake -G Ninja -S "$1" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DWEIGHBRIDGE_WINDOWS_LIBRARIES="$prefix" \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
        "${launcher[@]}" "${@:2}"
    ninja -C "$build" install
}
