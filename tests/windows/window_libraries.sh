#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# window_libraries.sh — builds what the window needs on Windows beyond libraries.sh with mingw-w64 from Debian's source packages, once
# into the user's cache (half an hour on two cores, nearly all of it Qt), and prints the folder. Qt is static here: what this proves
# needs one file; releases link it dynamically. A source that Debian's archive has lost is taken from the folder sources beside the
# result: qt6-svg_6.4.2.orig.tar.xz, for one.
set -euo pipefail

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/cross/sources.sh
. "$root/tests/cross/sources.sh"
# shellcheck source=tests/cross/window.sh
. "$root/tests/cross/window.sh"

packages=(qt6-base-dev qt6-svg-dev qt6-l10n-tools qt6-translations-l10n libsqlite3-0 libimgui-dev libglm-dev qtkeychain-qt6-dev)

# Debian takes SQLite out of Qt's source; put back as one file, Qt's own way of building it works again.
put_sqlite_back() {
    unpack sqlite3
    (
        mkdir "$work/sqlite3.build" && cd "$work/sqlite3.build"
        "$work"/sqlite3-*/configure --disable-tcl
        make sqlite3.c
        mkdir -p "$1/src/3rdparty/sqlite"
        cp sqlite3.c sqlite3.h "$1/src/3rdparty/sqlite"
    )
}

build_qt() {
    local source
    unpack qt6-base
    source=$(echo "$work"/qt6-base-*/)
    put_sqlite_back "$source"
    # Without direct2d the font database of DirectWrite is not compiled, and yet the platform plugin refers to it.
    sed -i '500,515s/#if QT_CONFIG(directwrite3)/#if 0/' "$source/src/plugins/platforms/windows/qwindowsintegration.cpp"
    cmake_install "$source" -DQT_QMAKE_TARGET_MKSPEC=win32-g++ \
        -DQT_BUILD_EXAMPLES=OFF -DQT_BUILD_TESTS=OFF -DQT_FORCE_BUILD_TOOLS=OFF -DBUILD_WITH_PCH=ON -DINPUT_opengl=no \
        -DFEATURE_system_{zlib,pcre2,png,jpeg,harfbuzz,doubleconversion,textmarkdownreader,sqlite}=OFF \
        -DFEATURE_{pkg_config,vulkan,opengl,freetype,dbus,printsupport,concurrent,xml,openssl,icu,glib,zstd,brotli,gssapi,qmake}=OFF \
        -DFEATURE_{sql_odbc,sql_mysql,sql_psql,tabletevent,direct2d,androiddeployqt,windeployqt,macdeployqt}=OFF \
        -DFEATURE_{sql_sqlite,schannel,sspi,testlib}=ON
}

build_svg() {
    build_with_cmake qt6-svg -DQT_BUILD_EXAMPLES=OFF -DQT_BUILD_TESTS=OFF
}

# Tokens go into the system's Credential Manager.
build_keychain() {
    build_with_cmake qtkeychain -DBUILD_WITH_QT6=ON -DBUILD_TRANSLATIONS=OFF
}

link_portable() {
    link_window_headers
    link_linguist_tools
}

prepare windows window "${packages[@]}"
for step in build_qt build_svg build_keychain build_imgui link_portable; do
    once "$step"
done
finish
