# Cross-compiles for 64-bit ARM on a Debian machine, whose libraries for both machines lie side by side (./dev test --arm installs them).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_IGNORE_PATH /usr/lib/x86_64-linux-gnu)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
# Tests run on an emulated processor with NEON. Qemu's own choice has SVE2, which Macs have not.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static;-cpu;cortex-a72)
