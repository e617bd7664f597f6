# Cross-compiles for 64-bit Windows with Debian's mingw-w64. WEIGHBRIDGE_CROSS_LIBRARIES lists the folders of libraries that
# tests/cross/libraries.sh built (./dev windows does both).
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CROSS_SYSTEM_FOLDER /usr/x86_64-w64-mingw32)
include("${CMAKE_CURRENT_LIST_DIR}/cross.cmake")
# GCC keeps a value in a register where a function of the same source leaves that register alone. On Windows it forgets that the linker may
# take an inline function from another source, where it was compiled otherwise.
set(CMAKE_C_FLAGS_INIT -fno-ipa-ra)
set(CMAKE_CXX_FLAGS_INIT -fno-ipa-ra)
# Qt's programs that write sources are those of this machine.
set(QT_HOST_PATH /usr)
set(QT_HOST_PATH_CMAKE_DIR /usr/lib/x86_64-linux-gnu/cmake)
# One file that needs no other: neither the compiler's run-time libraries nor those of the project are on a machine with Windows.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_EXE_LINKER_FLAGS_RELEASE_INIT -s)
# Tests run in Wine.
set(CMAKE_CROSSCOMPILING_EMULATOR "${CMAKE_CURRENT_LIST_DIR}/../tests/windows/wine.sh")
