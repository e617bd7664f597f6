// SPDX-License-Identifier: MIT
#include "core/convert/vendor/find_program.h"

#include "core/base/ascii.h"
#include "core/io/byte_source.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#ifndef _WIN32
#include <unistd.h>
#endif

namespace wb::convert {
namespace {

namespace fs = std::filesystem;

#ifdef _WIN32
constexpr char separator = ';';
constexpr std::array endings = {".exe", ".cmd", ".bat"};
#else
constexpr char separator = ':';
constexpr std::array endings = {""};
#endif

constexpr std::size_t maxEntries = 20'000; // of a folder that is listed

bool canRun(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return false;
#ifdef _WIN32
    return true;
#else
    return ::access(path.c_str(), X_OK) == 0;
#endif
}

std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> all;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end && all.size() < maxEntries; at.increment(error))
        all.push_back(at->path());
    std::ranges::sort(all);
    return all;
}

// Names of packages are equal if they differ in case, "-", "_" and "." alone (PEP 503).
std::string normalized(std::string_view name) {
    std::string out;
    for (const char c : name) out += c == '-' || c == '.' ? '_' : ascii::lower(c);
    return out;
}

// The version in "NAME-VERSION.dist-info".
std::string packageVersion(const fs::path& packages, const std::string& package) {
    constexpr std::string_view ending = ".dist-info";
    for (const fs::path& entry : entries(packages)) {
        const std::string name = io::pathText(entry.filename());
        if (!name.ends_with(ending) || name.size() <= ending.size()) continue;
        const std::string stem = name.substr(0, name.size() - ending.size());
        const std::size_t cut = stem.find('-');
        if (cut != std::string::npos && normalized(stem.substr(0, cut)) == normalized(package)) return stem.substr(cut + 1);
    }
    return {};
}

// Where a Python of this prefix keeps packages: lib/python3.X/site-packages, on Debian lib/python3/dist-packages, on Windows
// Lib/site-packages.
std::vector<fs::path> packageFolders(const fs::path& prefix) {
    std::vector<fs::path> folders = {prefix / "Lib" / "site-packages"};
    for (const fs::path& base : {prefix, prefix / "local"})
        for (const fs::path& entry : entries(base / "lib"))
            if (io::pathText(entry.filename()).starts_with("python3"))
                for (const char* const name : {"site-packages", "dist-packages"}) folders.push_back(entry / name);
    return folders;
}

std::string installedVersion(const fs::path& program, const std::string& package) {
    std::error_code error;
    std::vector<fs::path> prefixes = {program.parent_path().parent_path()};
#ifdef _WIN32
    prefixes.push_back(program.parent_path());
#endif
    if (!fs::exists(prefixes.front() / "pyvenv.cfg", error)) { // a virtual environment sees its own packages alone
        const fs::path real = fs::canonical(program, error);
        if (!error) prefixes.push_back(real.parent_path().parent_path());
        if (const char* const home = std::getenv("HOME")) prefixes.push_back(fs::path(home) / ".local");
    }
    for (const fs::path& prefix : prefixes)
        for (const fs::path& folder : packageFolders(prefix))
            if (std::string version = packageVersion(folder, package); !version.empty()) return version;
    return {};
}

} // namespace

VendorSearch VendorSearch::fromEnvironment() {
    VendorSearch search;
    const char* const path = std::getenv("PATH");
    const std::string_view text = path ? path : "";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        const fs::path folder(std::string(text.substr(at, end - at)));
        if (folder.is_absolute()) search.folders.push_back(folder); // the current folder may belong to anybody
        at = end + 1;
    }
    return search;
}

FoundProgram findProgram(const std::string& name, const std::string& package, const VendorSearch& search) {
    const bool isPython = name.starts_with("python");
    for (const fs::path& folder : search.folders) {
        for (const char* const ending : endings) {
            const fs::path path = folder / (name + ending);
            if (!canRun(path)) continue;
            std::string version = package.empty() ? std::string() : installedVersion(path, package);
            if (isPython && version.empty()) continue;
            return {path, std::move(version)};
        }
    }
    return {};
}

} // namespace wb::convert
