# What the toolchains for other systems share: libraries lie in the folders that WEIGHBRIDGE_CROSS_LIBRARIES lists, and in
# CROSS_SYSTEM_FOLDER, and nowhere else; programs that run are those of this machine.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WEIGHBRIDGE_CROSS_LIBRARIES)
set(CMAKE_FIND_ROOT_PATH ${WEIGHBRIDGE_CROSS_LIBRARIES} ${CROSS_SYSTEM_FOLDER})
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
