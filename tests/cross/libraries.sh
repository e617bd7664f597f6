#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# libraries.sh windows|macos — builds what wb needs there from Debian's source packages, once into the user's cache, and prints the
# folder. A newer package or compiler, or a change of this script, gets a folder of its own. For Windows the compiler is mingw-w64, for
# macOS clang as the package ziglang brings it, with the headers of macOS.
set -euo pipefail

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/cross/sources.sh
. "$root/tests/cross/sources.sh"

packages=(zlib1g-dev libfmt-dev libhwy-dev libpcre2-dev libbz2-dev liblzma-dev libzstd-dev libutf8proc-dev libmd4c-dev libgtest-dev
    libcli11-dev nlohmann-json3-dev libvulkan-dev libvulkan-volk-dev)

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
    unpack bzip2
    # On Windows its header declares pointers that somebody would have to load from a DLL.
    sed -i 's/^#ifdef _WIN32/#if 0/' "$work"/bzip2-*/bzlib.h
    (
        cd "$work"/bzip2-*/
        compile_library bz2 blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c
        cp bzlib.h "$prefix/include"
    )
}

build_xz() { build_with_cmake xz-utils -DENABLE_NLS=OFF -DCREATE_XZ_SYMLINKS=OFF -DCREATE_LZMA_SYMLINKS=OFF; }

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

# clang with a linker, the C++ library and the headers of macOS.
fetch_compiler() {
    local tool words
    fetch_wheel ziglang==0.15.2 806316453d1ede7174ed3fefb8e5348154629089c3bb5fe812dfd0e172fac130 "$prefix" --platform manylinux2010_x86_64
    chmod +x "$prefix/ziglang/zig"
    mkdir -p "$prefix/bin"
    for tool in cc c++ ar ranlib; do
        words=$tool
        case $tool in c*) words+=' -target aarch64-macos.13.3 -fno-sanitize=undefined' ;; esac
        printf '#!/bin/sh\nZIG_GLOBAL_CACHE_DIR=%q exec %q %s "$@"\n' "$prefix/cache" "$prefix/ziglang/zig" "$words" >"$prefix/bin/zig-$tool"
        chmod +x "$prefix/bin/zig-$tool"
    done
}

# Part of macOS. The compiler's package has its headers alone, so Debian's copy says which functions there are.
stub_zlib() {
    cp "$prefix"/ziglang/lib/libc/include/any-macos-any/{zlib,zconf}.h "$prefix/include"
    stub_library /usr/lib/x86_64-linux-gnu/libz.so /usr/lib/libz.1.dylib >"$prefix/lib/libz.tbd"
}

prepare "${1:-}" libraries "${packages[@]}"
steps=(link_headers build_fmt build_highway build_pcre2 build_bzip2 build_xz build_zstd build_utf8proc build_md4c build_googletest)
if [ "$system" = macos ]; then steps=(fetch_compiler stub_zlib "${steps[@]}"); fi
for step in "${steps[@]}"; do once "$step"; done
finish
