// SPDX-License-Identifier: MIT
#include "core/arch/role.h"

#include "core/arch/family.h"
#include "core/arch/name_path.h"
#include "core/arch/part_table.h"
#include "core/base/ascii.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace wb::arch {
namespace {

constexpr std::array roleNames = {"embedding", "attention",   "mlp",  "experts", "router",
                                  "recurrent", "convolution", "norm", "output",  "other"};

void forEachWord(std::string_view words, auto&& use) {
    while (!words.empty()) {
        const std::size_t blank = words.find(' ');
        if (blank != 0) use(words.substr(0, blank));
        words.remove_prefix(blank == std::string_view::npos ? words.size() : blank + 1);
    }
}

// Whether the spelling is the end of the path, from one dot on or as a whole.
bool endsWith(std::string_view path, std::string_view spelling) {
    return path.ends_with(spelling) && (path.size() == spelling.size() || path[path.size() - spelling.size() - 1] == '.');
}

std::string_view lastComponent(std::string_view path) { return path.substr(path.rfind('.') + 1); }

// All spellings of the three tables, by their last component and there the longest first.
class Spellings {
public:
    Spellings() {
        for (const auto& table : {transformerParts(), recurrentParts(), diffusionParts()})
            for (const RolePart& part : table)
                forEachWord(part.spellings, [&](std::string_view spelling) {
                    m_rows[lastComponent(spelling)].push_back({spelling, {part.role, part.name}});
                });
        for (auto& [last, row] : m_rows)
            std::ranges::sort(row, std::ranges::greater(), [](const Entry& e) { return e.spelling.size(); });
    }

    // The meaning of the longest spelling that the path ends with.
    const RoleAndPart* find(std::string_view path) const {
        const auto row = m_rows.find(lastComponent(path));
        if (row == m_rows.end()) return nullptr;
        const auto found = std::ranges::find_if(row->second, [&](const Entry& entry) { return endsWith(path, entry.spelling); });
        return found == row->second.end() ? nullptr : &found->meaning;
    }

private:
    struct Entry {
        std::string_view spelling;
        RoleAndPart meaning;
    };
    std::unordered_map<std::string_view, std::vector<Entry>> m_rows;
};

// The name as spellings see it: "^" and the components without numbers and trailing storage words, each after a dot.
std::string pathFromTensorName(std::string_view tensorName) {
    std::string path = "^";
    path.reserve(tensorName.size() + 2);
    while (!tensorName.empty()) {
        const std::string_view component = takeComponent(tensorName);
        if (!numberIn(component)) (path += '.') += component;
    }
    for (std::size_t dot = path.rfind('.'); dot > 1 && dot != std::string::npos; dot = path.rfind('.')) {
        if (!isStorageWord(std::string_view(path).substr(dot + 1))) break;
        path.resize(dot);
    }
    return path;
}

const RoleAndPart* inTables(std::string_view path) {
    static const Spellings spellings;
    const RoleAndPart* const found = spellings.find(path);
    return found != nullptr ? found : spellings.find(withoutStorageEnding(path));
}

bool endsWithAny(std::string_view path, std::string_view spellings) {
    bool found = false;
    forEachWord(spellings, [&](std::string_view spelling) { found = found || endsWith(path, spelling); });
    return found;
}

const RolePart* findPart(std::span<const RolePart> parts, std::string_view path) {
    const auto found = std::ranges::find_if(parts, [path](const RolePart& part) { return endsWithAny(path, part.spellings); });
    return found == parts.end() ? nullptr : &*found;
}

// Every part that only some families have: few names end like one of them, and only those need the family.
std::vector<RolePart> listFamilyParts() {
    std::vector<RolePart> parts;
    for (const Family& family : families()) parts.insert(parts.end(), family.parts.begin(), family.parts.end());
    return parts;
}

std::optional<RoleAndPart> inFamily(std::string_view path, std::string_view architecture) {
    static const std::vector<RolePart> all = listFamilyParts();
    if (!findPart(all, path)) return std::nullopt;
    const Family* const family = findFamilyOfAnyName(architecture);
    const RolePart* const part = family ? findPart(family->parts, path) : nullptr;
    return part ? std::optional(RoleAndPart{part->role, part->name}) : std::nullopt;
}

RoleAndPart byWords(std::string_view tensorName) {
    const std::string text = ascii::lowered(tensorName);
    for (const RoleWord& row : roleWords())
        if (text.find(row.text) != std::string::npos) return {row.role, {}};
    return {};
}

} // namespace

const char* roleName(Role role) { return roleNames[static_cast<std::size_t>(role)]; }

std::optional<Role> roleFromName(std::string_view name) {
    const auto found = std::ranges::find(roleNames, name);
    if (found == roleNames.end()) return std::nullopt;
    return static_cast<Role>(found - roleNames.begin());
}

RoleAndPart tensorRoleAndPart(std::string_view tensorName, std::string_view architecture) {
    const std::string path = pathFromTensorName(tensorName);
    if (const auto meaning = inFamily(path, architecture)) return *meaning;
    const RoleAndPart* found = inTables(path);
    RoleAndPart meaning = found ? *found : byWords(tensorName);
    if (meaning.role == Role::Mlp && tensorExpert(tensorName)) meaning.role = Role::Experts;
    return meaning;
}

Role tensorRole(std::string_view tensorName, std::string_view architecture) {
    return tensorRoleAndPart(tensorName, architecture).role;
}

std::string_view tensorPart(std::string_view tensorName, std::string_view architecture) {
    return tensorRoleAndPart(tensorName, architecture).part;
}

} // namespace wb::arch
