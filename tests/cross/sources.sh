#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# For the scripts that cross-build libraries: fetches Debian's source packages without touching the system's lists, and builds each once.
# prepare SYSTEM NAME PACKAGE … (SYSTEM: windows or macos) sets `system`, `prefix`, the folder of the results, and `work`; once STEP runs
# a step; finish prints the folder.

recipes=("$root/tests/cross/sources.sh" "$root/cmake/cross.cmake") # of what prepare makes, beside the script itself

libraries= # folders of an earlier call that this one needs, with semicolons

say() { printf '%s\n' "$*" >&2; }
die() { say "${0##*/}: $*"; exit 1; }

prepare() {
    system=$1
    local name=$2 key
    shift 2
    cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/weighbridge/$system
    case $system in
    windows)
        toolchain=$root/cmake/mingw.cmake
        set -- "$@" g++-mingw-w64-x86-64-posix mingw-w64-x86-64-dev
        ;;
    macos) toolchain=$root/cmake/macos.cmake ;;
    *) die "$system is neither windows nor macos" ;;
    esac
    # What the result depends on.
    key=$({
        dpkg-query -W -f='${source:Package}=${source:Version}\n' "$@" | sort -u
        cat "$0" "${recipes[@]}" "$toolchain"
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
    say "$system: $1"
    # In the background, since `set -e` counts for nothing in what is asked whether it fails.
    (set -e; "$1") >"$work/$1.log" 2>&1 9>&- &
    wait $! || {
        tail -n 40 "$work/$1.log" >&2
        die "$1 failed; the whole log is $work/$1.log"
    }
    touch "$prefix/done/$1"
}

finish() {
    [ ! -e "$prefix/unpatched" ] || say "$system: without Debian's patches, which its archive lacks:" $(sort -u "$prefix/unpatched")
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
    cmake -G Ninja -S "$1" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DWEIGHBRIDGE_CROSS_LIBRARIES="${libraries:-$prefix}" \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
        "${launcher[@]}" "${@:2}"
    ninja -C "$build" install
}

# compile_library NAME FILE …: sources of the current folder, all C or all C++, as a static library, where the authors have no build for it.
compile_library() {
    local name=$1 file objects=() compiler archiver tools
    shift
    case $system in
    windows) compiler=(x86_64-w64-mingw32-gcc-posix -fno-ipa-ra) archiver=x86_64-w64-mingw32-ar ;;
    macos)
        tools=${libraries%%;*}
        tools=${tools:-$prefix}/bin
        compiler=("$tools/zig-cc") archiver=$tools/zig-ar
        case $1 in *.cpp) compiler=("$tools/zig-c++") ;; esac
        ;;
    esac
    for file in "$@"; do
        "${compiler[@]}" -O2 -D_FILE_OFFSET_BITS=64 -c "$file" -o "$file.o"
        objects+=("$file.o")
    done
    "$archiver" rcs "$prefix/lib/lib$name.a" "${objects[@]}"
}

# stub_library FILE NAME: what a linker for macOS has to know of the library NAME, with the functions of this machine's FILE.
stub_library() {
    printf '%s\n' '--- !tapi-tbd' 'tbd-version: 4' 'targets: [ arm64-macos ]' "install-name: '$2'" 'exports:' '  - targets: [ arm64-macos ]'
    nm -D --defined-only "$1" | awk '$2 ~ /[TWVDBR]/ { sub(/@.*/, "", $3); printf "%s_%s", n++ ? ", " : "    symbols: [ ", $3 } END { print " ]" }'
    echo ...
}

# fetch_wheel PACKAGE==VERSION SHA256 FOLDER [PIP OPTION …]: a package of PyPI, unpacked. Nothing of it is installed or run by Python.
fetch_wheel() {
    local package=$1 sum=$2 folder=$3 file
    shift 3
    python3 -m pip download --quiet --no-deps --no-cache-dir --only-binary=:all: --dest "$work/wheel-${package%%=*}" "$@" "$package"
    file=$(echo "$work/wheel-${package%%=*}"/*.whl)
    printf '%s  %s\n' "$sum" "$file" | sha256sum --check --status || die "$package is not what was expected"
    python3 -m zipfile -e "$file" "$folder"
}
