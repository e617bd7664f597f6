# The libraries that every build needs, and one clear sentence where one is missing. What only one room needs is found in that room.
macro(wb_find package debian)
  find_package(${package} QUIET ${ARGN})
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} was not found. On Debian install ${debian} (./dev does it by itself); "
                        "docs/install.md has the names for Windows and macOS.")
  endif()
endmacro()

wb_find(fmt libfmt-dev)
wb_find(Threads libc6-dev)
wb_find(ZLIB zlib1g-dev)
wb_find(BZip2 libbz2-dev)
wb_find(LibLZMA liblzma-dev)

# Not every platform's zstd brings a CMake package.
find_path(ZSTD_INCLUDE_DIR zstd.h)
find_library(ZSTD_LIBRARY NAMES zstd zstd_static)
if(NOT ZSTD_INCLUDE_DIR OR NOT ZSTD_LIBRARY)
  message(FATAL_ERROR "zstd was not found. On Debian install libzstd-dev (./dev does it by itself); "
                      "docs/install.md has the names for Windows and macOS.")
endif()
add_library(zstd::zstd UNKNOWN IMPORTED)
set_target_properties(zstd::zstd PROPERTIES IMPORTED_LOCATION "${ZSTD_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${ZSTD_INCLUDE_DIR}")

find_package(hwy QUIET CONFIG)
if(NOT TARGET hwy::hwy)
  # Debian 12 brings Highway with a pkg-config file only.
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(HWY QUIET IMPORTED_TARGET libhwy)
  endif()
  if(NOT TARGET PkgConfig::HWY)
    message(FATAL_ERROR "Google Highway was not found. On Debian install libhwy-dev (./dev does it by itself); "
                        "docs/install.md has the names for Windows and macOS.")
  endif()
  add_library(hwy::hwy ALIAS PkgConfig::HWY)
endif()

if(WEIGHBRIDGE_WINDOW)
  find_package(Qt6 6.4 QUIET COMPONENTS Widgets Svg LinguistTools)
  if(NOT Qt6_FOUND)
    message(FATAL_ERROR "The window needs Qt 6.4 or newer with Widgets, Svg and the Linguist tools: on Debian qt6-base-dev, qt6-svg-dev, "
                        "qt6-tools-dev and qt6-l10n-tools (./dev installs them). Without a window: -DWEIGHBRIDGE_WINDOW=OFF.")
  endif()
  get_target_property(WB_MOC Qt6::moc LOCATION)
  if(CMAKE_HOST_UNIX AND NOT WB_MOC MATCHES "moc_alone$")
    configure_file("${CMAKE_SOURCE_DIR}/cmake/moc_alone.in" "${CMAKE_BINARY_DIR}/generated/moc_alone" @ONLY)
    get_target_property(configurations Qt6::moc IMPORTED_CONFIGURATIONS)
    list(TRANSFORM configurations PREPEND IMPORTED_LOCATION_)
    foreach(property IMPORTED_LOCATION ${configurations})
      set_property(TARGET Qt6::moc PROPERTY ${property} "${CMAKE_BINARY_DIR}/generated/moc_alone")
    endforeach()
  endif()
endif()
