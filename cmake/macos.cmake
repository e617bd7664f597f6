# Cross-compiles for Macs with Apple's processors. WEIGHBRIDGE_CROSS_LIBRARIES lists the folders of libraries that tests/cross/libraries.sh
# built (./dev macos does both); the first one has the compiler.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_VERSION 22.4) # macOS 13.3
set(CMAKE_SYSTEM_PROCESSOR arm64)
list(GET WEIGHBRIDGE_CROSS_LIBRARIES 0 tools)
set(CMAKE_C_COMPILER ${tools}/bin/zig-cc)
set(CMAKE_CXX_COMPILER ${tools}/bin/zig-c++)
set(CMAKE_AR ${tools}/bin/zig-ar)
set(CMAKE_RANLIB ${tools}/bin/zig-ranlib)
# Names of libraries are changed where a bundle is installed, which is not done here; the package of the compiler has no such tool.
set(CMAKE_INSTALL_NAME_TOOL true)
set(CMAKE_OSX_SYSROOT "")
include("${CMAKE_CURRENT_LIST_DIR}/cross.cmake")
# The compiler's package switches off the marks of its C++ library that refuse what macOS 13.3 does not have yet, and switches on what
# C++17 removed.
set(CMAKE_CXX_FLAGS_INIT "-Xclang -U_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS -Xclang -D_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS=1")
string(APPEND CMAKE_CXX_FLAGS_INIT " -Xclang -U_LIBCPP_ENABLE_CXX17_REMOVED_UNEXPECTED_FUNCTIONS")
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON) # its front end does not take them
