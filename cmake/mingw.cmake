# Cross-compiles for 64-bit Windows with Debian's mingw-w64. WEIGHBRIDGE_CROSS_LIBRARIES lists the folders of libraries that
# tests/cross/libraries.sh built (./dev windows does both).
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WEIGHBRIDGE_CROSS_LIBRARIES)
set(CMAKE_FIND_ROOT_PATH ${WEIGHBRIDGE_CROSS_LIBRARIES} /usr/x86_64-w64-mingw32)
list(APPEND CMAKE_PREFIX_PATH ${WEIGHBRIDGE_CROSS_LIBRARIES})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
# The package of a library knows what its headers need where the library is static; CMake's own modules do not.
set(CMAKE_FIND_PACKAGE_PREFER_CONFIG ON)
list(TRANSFORM WEIGHBRIDGE_CROSS_LIBRARIES APPEND /lib/pkgconfig OUTPUT_VARIABLE pkgconfig)
list(JOIN pkgconfig ":" pkgconfig)
set(ENV{PKG_CONFIG_LIBDIR} "${pkgconfig}")
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
