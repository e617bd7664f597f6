// SPDX-License-Identifier: MIT
#include "app/cli/user_folders.h"

#include "core/io/system/own_program.h"

#include <cstdlib>

namespace wb::cli {
namespace {

#ifdef _WIN32
std::filesystem::path valueFromVariable(const char* variable) {
    const wchar_t* value = _wgetenv(std::filesystem::path(variable).c_str());
    return value == nullptr ? L"" : value;
}
#else
std::filesystem::path valueFromVariable(const char* variable) {
    const char* value = std::getenv(variable);
    return value == nullptr ? "" : value;
}
#endif

// A relative path would be another folder wherever the program is started.
std::filesystem::path folderIn(const char* variable, const char* beneath) {
    const std::filesystem::path value = valueFromVariable(variable);
    return value.is_absolute() ? value / beneath : std::filesystem::path();
}

// Looked for once: the folder of a program that is carried around.
const std::filesystem::path& portable() {
    static const std::filesystem::path folder = io::portableFolder();
    return folder;
}

} // namespace

std::filesystem::path cacheFolder() {
    if (!portable().empty()) return portable() / "cache";
#if defined(_WIN32)
    return folderIn("LOCALAPPDATA", "cache/weighbridge");
#elif defined(__APPLE__)
    return folderIn("HOME", "Library/Caches/weighbridge");
#else
    const std::filesystem::path named = folderIn("XDG_CACHE_HOME", "weighbridge");
    return named.empty() ? folderIn("HOME", ".cache/weighbridge") : named;
#endif
}

std::filesystem::path stateFolder() {
    if (!portable().empty()) return portable() / "settings";
#if defined(_WIN32)
    return folderIn("LOCALAPPDATA", "weighbridge");
#elif defined(__APPLE__)
    return folderIn("HOME", "Library/Preferences/weighbridge");
#else
    const std::filesystem::path named = folderIn("XDG_CONFIG_HOME", "weighbridge");
    return named.empty() ? folderIn("HOME", ".config/weighbridge") : named;
#endif
}

std::filesystem::path modelsFolder() {
    if (!portable().empty()) return portable() / "models";
#if defined(_WIN32)
    return folderIn("LOCALAPPDATA", "weighbridge/models");
#elif defined(__APPLE__)
    return folderIn("HOME", "Library/Application Support/weighbridge/models");
#else
    const std::filesystem::path named = folderIn("XDG_DATA_HOME", "weighbridge/models");
    return named.empty() ? folderIn("HOME", ".local/share/weighbridge/models") : named;
#endif
}

std::filesystem::path homeFolder() {
#ifdef _WIN32
    return valueFromVariable("USERPROFILE");
#else
    return valueFromVariable("HOME");
#endif
}

std::filesystem::path environmentPath(const char* variable) { return valueFromVariable(variable); }

} // namespace wb::cli
