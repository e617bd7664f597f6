#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the window needs on every other system, for the scripts that bring its libraries. sources.sh comes first.
recipes+=("$root/tests/cross/window.sh")

# Without its backends, which nothing uses.
build_imgui() {
    unpack imgui
    (
        cd "$work"/imgui-*/
        compile_library imgui imgui.cpp imgui_draw.cpp imgui_tables.cpp imgui_widgets.cpp
        mkdir -p "$prefix/include/imgui"
        cp imgui.h imconfig.h "$prefix/include/imgui"
        sed "s|@prefix@|$prefix|; s|@libdir@|lib|; s|@includedir@|include/imgui|; s|@version@|1|; /^Requires:/d" imgui.pc.in \
            >"$prefix/lib/pkgconfig/imgui.pc"
    )
}

# Headers that are the same for every system, and Qt's texts.
link_window_headers() {
    mkdir -p "$prefix/include" "$prefix/share/cmake"
    ln -sfn /usr/include/glm "$prefix/include/glm"
    ln -sfn /usr/share/cmake/glm "$prefix/share/cmake/glm"
    ln -sfn /usr/share/qt6/translations "$prefix/translations"
}

# Programs that run here.
link_linguist_tools() {
    local name tools=$prefix/lib/cmake/Qt6LinguistTools
    mkdir -p "$tools"
    for name in Qt6LinguistToolsConfig.cmake Qt6LinguistToolsConfigVersion.cmake; do
        echo "include(/usr/lib/x86_64-linux-gnu/cmake/Qt6LinguistTools/$name)" >"$tools/$name"
    done
}
