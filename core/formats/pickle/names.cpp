// SPDX-License-Identifier: MIT
#include "core/formats/pickle/names.h"

#include "core/formats/pickle/allowed_list.h"
#include "core/formats/pickle/dangerous_list.h"
#include "core/formats/pickle/renamed_list.h"
#include "core/formats/pickle/table_rows.h"

#include <algorithm>
#include <unordered_map>

namespace wb::pickle {
namespace {

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
template <class Value>
using ByText = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

// "module\nname": no name of either part has the character between them in an honest file, and one that has is not on a list.
std::string keyFromModule(std::string_view module, std::string_view name) {
    std::string key;
    key.reserve(module.size() + name.size() + 1);
    return key.append(module).append("\n").append(name);
}

const ByText<AllowedName>& allowedNames() {
    static const ByText<AllowedName> names = [] {
        ByText<AllowedName> out;
        for (const auto& [module, name, level, operations, constraint, reason] : tableRows<6>(allowedList))
            out.emplace(keyFromModule(module, name),
                        AllowedName{level == "A" ? DangerLevel::A : DangerLevel::B, operations, constraint, reason});
        return out;
    }();
    return names;
}

const ByText<std::string_view>& dangerousNames() {
    static const ByText<std::string_view> names = [] {
        ByText<std::string_view> out;
        for (const auto& [name, reason] : tableRows<2>(dangerousList)) out.emplace(std::string(name), reason);
        return out;
    }();
    return names;
}

const ByText<FullName>& renamedNames() {
    static const ByText<FullName> names = [] {
        ByText<FullName> out;
        for (const auto& [module, name, newModule, newName] : tableRows<4>(renamedList))
            out.emplace(keyFromModule(module, name), FullName{newModule, newName});
        return out;
    }();
    return names;
}

// The reason for the longest beginning of "module.name" that is on the list and ends at a dot.
std::string_view dangerOfPath(const std::string& path) {
    const auto& names = dangerousNames();
    for (std::size_t end = path.size(); end != std::string::npos && end > 0; end = path.rfind('.', end - 1))
        if (const auto found = names.find(std::string_view(path).substr(0, end)); found != names.end()) return found->second;
    return {};
}

std::string pathFromModule(std::string_view module, std::string_view name) { return std::string(module).append(".").append(name); }

// A name with dots is a walk along attributes, which may lead through any module that the first one has imported, or through the
// inside of Python to every one.
std::string_view dangerOfWalk(std::string_view name) {
    static constexpr std::string_view ways[] = {"__globals__",      "__builtins__", "__subclasses__", "__class__",   "__bases__",
                                                "__base__",         "__mro__",      "__import__",     "__dict__",    "__code__",
                                                "__getattribute__", "__loader__",   "__spec__",       "__closure__", "__self__"};
    for (std::size_t begin = 0, dot = name.find('.'); dot != std::string_view::npos; begin = dot + 1, dot = name.find('.', begin)) {
        if (const auto reason = dangerOfPath(std::string(name.substr(begin))); !reason.empty()) return reason;
        const std::string_view next = name.substr(dot + 1, name.find('.', dot + 1) - dot - 1);
        if (std::ranges::find(ways, next) != std::end(ways)) return "reaches into the inside of Python";
    }
    return {};
}

} // namespace

FullName mappedName(std::string_view module, std::string_view name) {
    const auto& names = renamedNames();
    if (const auto exact = names.find(keyFromModule(module, name)); exact != names.end()) return exact->second;
    if (const auto whole = names.find(keyFromModule(module, "")); whole != names.end()) return {whole->second.module, name};
    return {module, name};
}

const AllowedName* allowedName(std::string_view module, std::string_view name) {
    const auto [newModule, newName] = mappedName(module, name);
    const auto& names = allowedNames();
    const auto found = names.find(keyFromModule(newModule, newName));
    return found == names.end() ? nullptr : &found->second;
}

std::string_view globalDanger(std::string_view module, std::string_view name) {
    if (const auto reason = dangerOfPath(pathFromModule(module, name)); !reason.empty()) return reason;
    const auto [newModule, newName] = mappedName(module, name);
    if (const auto reason = dangerOfPath(pathFromModule(newModule, newName)); !reason.empty()) return reason;
    return dangerOfWalk(name);
}

DangerLevel globalDangerLevel(std::string_view module, std::string_view name) {
    if (!globalDanger(module, name).empty()) return DangerLevel::D;
    const AllowedName* row = allowedName(module, name);
    return row == nullptr ? DangerLevel::C : row->level;
}

} // namespace wb::pickle
