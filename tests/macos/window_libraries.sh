#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# window_libraries.sh LIBRARIES — brings what the window needs on macOS beyond tests/cross/libraries.sh, whose folder is LIBRARIES, once
# into the user's cache, and prints the folder. It is enough to compile and link, not to run: nothing for macOS runs here.
set -euo pipefail

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/cross/sources.sh
. "$root/tests/cross/sources.sh"
# shellcheck source=tests/cross/window.sh
. "$root/tests/cross/window.sh"
recipes+=("$root/tests/macos/Qt6Config.cmake.in")
libraries=$1
host=/usr/lib/x86_64-linux-gnu

# Qt's authors give no frameworks alone; PySide6 brings those of all modules.
fetch_qt() {
    local version=6.4.2 framework name
    fetch_wheel PySide6-Essentials==$version 8f208567e27c9caede517f07ec53cb6b3f9472d72866080393f3150393683c46 "$work/pyside" \
        --platform macosx_10_14_universal2 --python-version 3.10
    mkdir -p "$prefix/frameworks" "$prefix/lib/cmake/Qt6"
    for name in Core Gui Widgets Network Sql Svg Test; do
        framework=Qt$name.framework
        mv "$work/pyside/PySide6/Qt/lib/$framework" "$prefix/frameworks"
        ln -sfn "Versions/A/Qt$name" "$prefix/frameworks/$framework/Qt$name"
    done
    sed "s|@version@|$version|; s|@prefix@|$prefix|" "$root/tests/macos/Qt6Config.cmake.in" >"$prefix/lib/cmake/Qt6/Qt6Config.cmake"
    cat >"$prefix/lib/cmake/Qt6/Qt6ConfigVersion.cmake" <<END
set(PACKAGE_VERSION $version)
set(PACKAGE_VERSION_COMPATIBLE TRUE)
END
}

# Its form for macOS needs headers of Apple's own language, which only Xcode has; the functions are those of Debian's.
stub_keychain() {
    mkdir -p "$prefix/lib/cmake/Qt6Keychain"
    ln -sfn /usr/include/qt6keychain "$prefix/include/qt6keychain"
    stub_library $host/libqt6keychain.so @rpath/libqt6keychain.1.dylib >"$prefix/lib/libqt6keychain.tbd"
    cat >"$prefix/lib/cmake/Qt6Keychain/Qt6KeychainConfig.cmake" <<END
if(NOT TARGET qt6keychain)
  add_library(qt6keychain INTERFACE IMPORTED GLOBAL)
  target_include_directories(qt6keychain SYSTEM INTERFACE "$prefix/include")
  target_link_libraries(qt6keychain INTERFACE "$prefix/lib/libqt6keychain.tbd" Qt6::Core)
endif()
END
}

prepare macos window qt6-base-dev qt6-svg-dev qt6-l10n-tools qt6-translations-l10n libimgui-dev libglm-dev qtkeychain-qt6-dev
for step in fetch_qt stub_keychain build_imgui link_window_headers; do once "$step"; done
finish
