# Headers of the standard library, Qt and GoogleTest that most sources need, parsed once for the whole tree: reading them takes more
# than half of a compilation. Only headers of libraries are here, so an edit of ours rebuilds what it did before. GCC alone uses them:
# other compilers demand equal definitions in all targets, and show includes that are missing.
option(WEIGHBRIDGE_PCH "Precompile the headers of libraries, with GCC" ON)

set(WB_PCH_STD <algorithm> <array> <atomic> <bit> <chrono> <cmath> <cstdint> <cstring> <filesystem> <functional> <limits> <map> <memory>
               <mutex> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <vector> <fmt/format.h>)
set(WB_PCH_TEST ${WB_PCH_STD} <fstream> <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp>)
set(WB_PCH_TEST_COMPUTING ${WB_PCH_TEST}) # theirs must be optimized as the code is
set(WB_PCH_QT ${WB_PCH_STD} <QAction> <QApplication> <QComboBox> <QFileInfo> <QHeaderView> <QHBoxLayout> <QJsonObject> <QLabel> <QLineEdit>
              <QLocale> <QPainter> <QPushButton> <QSpinBox> <QSplitter> <QTableView> <QTimer> <QToolButton> <QVBoxLayout> <QWidget>)
set(WB_PCH_GUI_TEST ${WB_PCH_QT} <QAbstractItemModelTester> <QDir> <QJsonArray> <QSignalSpy> <QTabBar> <QTabWidget> <QTemporaryDir> <QTest>)

set(WB_PCH_LIGHT ${WB_PCH_STD}) # for rooms that compute nothing
set(WB_PCH_COMMANDS ${WB_PCH_STD} <CLI/CLI.hpp>)

# The target that owns the precompiled headers WB_PCH_<KIND>; LINKS are the libraries they come from.
function(wb_pch_owner kind)
  cmake_parse_arguments(PCH "" "" "LINKS" ${ARGN})
  string(TOLOWER "pch_${kind}" name)
  set(source "${CMAKE_BINARY_DIR}/generated/${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// Owns precompiled headers.\n")
  add_library(${name} OBJECT "${source}")
  set_target_properties(${name} PROPERTIES AUTOMOC OFF)
  target_link_libraries(${name} PRIVATE ${PCH_LINKS})
  target_precompile_headers(${name} PRIVATE ${WB_PCH_${kind}})
endfunction()

# Lets TARGET use the headers WB_PCH_<KIND>. GCC accepts them only where the code is position-independent as theirs is.
function(wb_use_pch target kind)
  string(TOLOWER "pch_${kind}" owner)
  if(NOT TARGET ${owner})
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
  target_compile_options(${target} PRIVATE -fPIC)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 blames its own std::string (GCC bugs 105329, 105651), and forgets that precompiled headers are the system's.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endfunction()

# Optimizes code less that waits for people and files, and the headers it uses: a quarter of the time of its compilation.
function(wb_light_code name)
  if(TARGET ${name} AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${name} PRIVATE -O1)
  endif()
endfunction()

if(WEIGHBRIDGE_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fpch-preprocess) # ccache needs it
  wb_pch_owner(STD LINKS fmt::fmt)
  wb_pch_owner(LIGHT LINKS fmt::fmt)
  wb_light_code(pch_light)
  if(WEIGHBRIDGE_WINDOW)
    wb_pch_owner(QT LINKS fmt::fmt Qt6::Widgets)
    wb_light_code(pch_qt)
  endif()
endif()
