#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# libraries.sh — builds what wb needs on Windows with mingw-w64 from Debian's source packages, once into the user's cache, and prints
# the folder. A newer package or compiler, or a change of this script, gets a folder of its own.
set -euo pipefail

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/windows/sources.sh
. "$root/tests/windows/sources.sh"

packages=(libfmt-dev libhwy-dev libpcre2-dev libbz2-dev liblzma-dev libzstd-dev libutf8proc-dev libmd4c-dev libgtest-dev
    libcli11-dev nlohmann-json3-dev libvulkan-dev libvulkan-volk-dev libz-mingw-w64-dev)

# Headers without a library are the same for every system. The whole include folder would bring those of glibc along.
link_headers() {
    local name
    mkdir -p "$prefix/include" "$prefix/share/cmake"
    for name in CLI nlohmann vulkan vk_video volk.h volk.c; do ln -sfn "/usr/include/$name" "$prefix/include/$name"; done
    for name in CLI11 nlohmann_json; do ln -sfn "/usr/share/cmake/$name" "$prefix/share/cmake/$name"; done
}

build_fmt() { build_with_cmake fmtlib -DFMT_TEST=OFF -DFMT_DOC=OFF; }

# Without its sorting, which takes longer than all else. Of the rest only headers are used.
build_highway() {
    build_with_cmake highway -DHWY_ENABLE_CONTRIB=OFF -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_TESTS=OFF -DBUILD_TESTING=OFF
    mkdir -p "$prefix/include/hwy/contrib/math"
    cp "$work"/highway-*/hwy/contrib/math/*-inl.h "$prefix/include/hwy/contrib/math"
}

build_pcre2() {
    build_with_cmake pcre2 -DPCRE2_BUILD_TESTS=OFF -DPCRE2_BUILD_PCRE2GREP=OFF -DPCRE2_SUPPORT_JIT=ON
    # The room asks pkg-config where there is no package of CMake, as it does on Debian.
    rm -rf "$prefix/cmake"
    sed -i 's/^Cflags:.*/& -DPCRE2_STATIC/' "$prefix/lib/pkgconfig/libpcre2-8.pc"
}

build_bzip2() {
    local source object
    unpack bzip2
    # On Windows its header declares pointers that somebody would have to load from a DLL.
    sed -i 's/^#ifdef _WIN32/#if 0/' "$work"/bzip2-*/bzlib.h
    (
        cd "$work"/bzip2-*/
        for source in blocksort huffman crctable randtable compress decompress bzlib; do
            x86_64-w64-mingw32-gcc-posix -O2 -D_FILE_OFFSET_BITS=64 -c "$source.c"
            object+=("$source.o")
        done
        x86_64-w64-mingw32-ar rcs "$prefix/lib/libbz2.a" "${object[@]}"
        cp bzlib.h "$prefix/include"
    )
}

build_xz() { build_with_cmake xz-utils -DENABLE_NLS=OFF; }

build_zstd() {
    unpack libzstd
    cmake_install "$work"/libzstd-*/build/cmake -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_TESTS=OFF -DZSTD_BUILD_SHARED=OFF
}

build_utf8proc() {
    build_with_cmake utf8proc
    sed -i 's/^Cflags:.*/& -DUTF8PROC_STATIC/' "$prefix/lib/pkgconfig/libutf8proc.pc"
}

build_md4c() { build_with_cmake md4c; }

# GoogleTest's package is its source.
build_googletest() { cmake_install /usr/src/googletest; }

prepare libraries "${packages[@]}"
for step in link_headers build_fmt build_highway build_pcre2 build_bzip2 build_xz build_zstd build_utf8proc build_md4c build_googletest; do
    once "$step"
done
finish
