// SPDX-License-Identifier: MIT
#include "core/arch/family.h"

#include "core/arch/families/families.h"
#include "core/base/ascii.h"

#include <algorithm>
#include <string>
#include <vector>

namespace wb::arch {
namespace {

using namespace records;
constexpr const std::span<const Family>* groups[] = {
    &arcee, &bailing, &bert,    &cohere,  &databricks, &deepseek, &ernie, &exaone, &falcon,   &gemma,    &glm,
    &gpt,   &gptOss,  &granite, &hunyuan, &kimi,       &lfm,      &llama, &mamba,  &minicpm,  &mistral,  &nemotron,
    &olmo,  &others,  &phi,     &qwen,    &qwen3,      &qwenNext, &rwkv,  &smollm, &stablelm, &starcoder};

std::string withoutPunctuation(std::string_view name) {
    std::string out = ascii::lowered(name);
    std::erase_if(out, [](char c) { return !((c >= 'a' && c <= 'z') || ascii::isDigit(c)); });
    return out;
}

struct NamedFamily {
    std::string name;
    const Family* family;
};

// GGUF names and model types without punctuation, the longest first.
std::vector<NamedFamily> listNames() {
    std::vector<NamedFamily> names;
    for (const Family& family : families()) {
        names.push_back({withoutPunctuation(family.architecture), &family});
        for (const ModelType& type : family.modelTypes)
            if (!type.name.empty()) names.push_back({withoutPunctuation(type.name), &family});
    }
    std::ranges::stable_sort(names, std::ranges::greater(), [](const NamedFamily& each) { return each.name.size(); });
    return names;
}

} // namespace

std::span<const std::span<const Family>* const> familyGroups() { return groups; }

const Family* findFamily(std::string_view architecture) {
    for (const Family& family : families())
        if (family.architecture == architecture) return &family;
    return nullptr;
}

const Family* findFamilyOfAnyName(std::string_view name) {
    static const std::vector<NamedFamily> names = listNames();
    const std::string plain = withoutPunctuation(name);
    const auto found = std::ranges::find_if(names, [&plain](const NamedFamily& each) { return plain.starts_with(each.name); });
    return found == names.end() ? nullptr : found->family;
}

FolderFamily findFolderFamily(std::string_view modelClass, std::string_view architecture) {
    FolderFamily found;
    if (modelClass.empty()) return found;
    for (const Family& family : families())
        for (const FolderRules& rules : family.folders)
            if ((!found || (family.architecture == architecture && found.family != &family)) &&
                std::ranges::find(rules.classes, modelClass) != std::end(rules.classes))
                found = {&family, &rules};
    return found;
}

std::vector<std::string_view> folderClasses() {
    std::vector<std::string_view> classes;
    for (const Family& family : families())
        for (const FolderRules& rules : family.folders)
            std::ranges::copy_if(rules.classes, std::back_inserter(classes), [&classes](std::string_view each) {
                return !each.empty() && std::ranges::find(classes, each) == classes.end();
            });
    return classes;
}

FoundModelType findModelType(std::string_view name) {
    for (const Family& family : families())
        for (const ModelType& type : family.modelTypes)
            if (!type.name.empty() && type.name == name) return {&family, &type};
    return {};
}

} // namespace wb::arch
