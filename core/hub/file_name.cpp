// SPDX-License-Identifier: MIT
#include "core/hub/file_name.h"

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/io/byte_source.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <memory>

#include <utf8proc.h>

namespace wb::hub {
namespace {

constexpr std::size_t maxComponent = 240; // space for ".part.journal" below the usual 255
constexpr std::size_t maxComponents = 64;
constexpr std::size_t shownBytes = 200;

std::unexpected<Error> refused(Reason reason, const char* sentence, std::string_view name) {
    return fail(ErrorCode::Malformed, reason, About{shownName(name)}, sentence, shownName(name));
}

// Zero-width characters, those that turn the direction of text, and the one that stands for text that is no Unicode (half a
// surrogate pair in JSON): the file has another name on the hub.
bool isHidden(utf8proc_int32_t c) {
    constexpr utf8proc_int32_t replacement = 0xFFFD;
    return c == replacement || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
           c == 0xFEFF;
}

bool hasHidden(std::string_view name) {
    const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(name.data());
    auto left = static_cast<utf8proc_ssize_t>(name.size());
    while (left > 0) {
        utf8proc_int32_t c = 0;
        const utf8proc_ssize_t bytes = utf8proc_iterate(at, left, &c);
        if (bytes <= 0 || isHidden(c)) return true;
        at += bytes;
        left -= bytes;
    }
    return false;
}

std::vector<std::string_view> componentsFromName(std::string_view name) {
    std::vector<std::string_view> components;
    while (true) {
        const std::size_t slash = name.find('/');
        components.push_back(name.substr(0, slash));
        if (slash == std::string_view::npos) return components;
        name.remove_prefix(slash + 1);
    }
}

// Folders that version control and the hubs' clients keep for themselves.
bool isOfTools(const std::vector<std::string_view>& components) {
    const bool isGit = std::ranges::any_of(components, [](std::string_view part) { return ascii::same(part, ".git"); });
    return isGit || (components.size() >= 2 && ascii::same(components[0], ".cache") && ascii::same(components[1], "huggingface"));
}

// Names that a file system without case, or one that composes characters, holds for the same name.
std::string foldedName(std::string_view name) {
    utf8proc_uint8_t* folded = nullptr;
    const auto options = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
    const utf8proc_ssize_t bytes = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()),
                                                static_cast<utf8proc_ssize_t>(name.size()), &folded, options);
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(folded, std::free);
    if (bytes < 0) return std::string(name);
    return {reinterpret_cast<const char*>(folded), static_cast<std::size_t>(bytes)};
}

} // namespace

std::string shownName(std::string_view name) {
    const std::string_view begin = name.substr(0, shownBytes);
    return escapeControls(toUtf8(begin)) + (begin.size() < name.size() ? "…" : "");
}

Result<void> checkFileName(std::string_view name) {
    const auto components = componentsFromName(name);
    const bool isLong =
        components.size() > maxComponents || std::ranges::any_of(components, [](auto part) { return part.size() > maxComponent; });
    if (isLong || name.size() > 4096)
        return refused(Reason("hub.name_too_long"), WB_TEXT("{} is skipped: its path is too long or too deep."), name);
    if (!isUtf8(name) || hasHidden(name))
        return refused(Reason("hub.name_hidden"), WB_TEXT("{} is skipped: its name contains characters that disguise it."), name);
    if (!io::isPlainRelativeName(name))
        return refused(Reason("hub.name_unsafe"),
                       WB_TEXT("{} is skipped: its name points outside the folder or is unsafe on some systems."), name);
    if (isOfTools(components))
        return refused(Reason("hub.name_of_tools"),
                       WB_TEXT("{} is skipped: its name is reserved for files that other programs trust."), name);
    return {};
}

std::vector<Result<void>> checkTogether(const std::vector<std::string>& names) {
    std::vector<Result<void>> results(names.size());
    std::map<std::string, bool> seen; // folded name → whether it is a folder
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!checkFileName(names[i])) continue;
        const std::string folded = foldedName(names[i]);
        bool isTaken = seen.contains(folded);
        for (std::size_t slash = folded.find('/'); slash != std::string::npos; slash = folded.find('/', slash + 1)) {
            const auto folder = seen.find(folded.substr(0, slash));
            isTaken = isTaken || (folder != seen.end() && !folder->second);
        }
        if (isTaken) {
            results[i] =
                refused(Reason("hub.name_twice"),
                        WB_TEXT("{} is skipped: another file in the repository has the same name apart from case."), names[i]);
            continue;
        }
        for (std::size_t slash = folded.find('/'); slash != std::string::npos; slash = folded.find('/', slash + 1))
            seen.emplace(folded.substr(0, slash), true);
        seen.emplace(folded, false);
    }
    return results;
}

} // namespace wb::hub
