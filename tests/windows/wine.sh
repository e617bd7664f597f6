#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# wine.sh PROGRAM [WORD …] — runs a program for Windows in Wine, in a Windows folder of this project's own; CTest starts tests with it.
set -euo pipefail

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
export WINEPREFIX=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/weighbridge/windows/wine
# Without its own messages, offers to fetch .NET and a browser, and entries in the user's menus.
export WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=;winemenubuilder.exe=d' LC_ALL=C.UTF-8
unset QT_QPA_PLATFORM # of tests for Linux
# Z: is this machine's root.
shared=${WEIGHBRIDGE_SHARED:-$root/../shared}
data=${WEIGHBRIDGE_TEST_DATA:-$root/tests/data}
export WEIGHBRIDGE_SHARED=Z:${shared#Z:} WEIGHBRIDGE_TEST_DATA=Z:${data#Z:}
exec wine "$@"
