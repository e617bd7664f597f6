// SPDX-License-Identifier: MIT
#include "ui/inspect/tensors/totals.h"

#include "ui/inspect/document/glossary.h"
#include "ui/widgets/numbers.h"

#include <algorithm>
#include <map>

namespace wb::ui::inspect {
namespace {

// `describe(tensor, total)` writes title and explanation when a group is met for the first time.
template <typename Key>
std::vector<Total> totals(const stats::Contents& contents, auto keyOf, auto describe) {
    std::map<Key, Total> groups;
    for (std::uint32_t i = 0; i < contents.count(); ++i) {
        const TensorInfo& tensor = contents.tensor(i);
        if (tensor.isUncounted()) continue;
        const auto [group, isNew] = groups.try_emplace(keyOf(i));
        Total& total = group->second;
        if (isNew) describe(i, total);
        ++total.tensors;
        total.elements += tensor.shape.elements();
        total.bytes += tensor.bytes();
        total.share += contents.share(i);
    }
    std::vector<Total> out;
    for (auto& [key, total] : groups) out.push_back(std::move(total));
    std::ranges::stable_sort(out, std::ranges::greater(), &Total::bytes);
    return out;
}

} // namespace

std::vector<Total> totalsByType(const stats::Contents& contents) {
    return totals<std::string>(
        contents, [&](std::uint32_t i) { return contents.tensor(i).dtypeName(); },
        [&](std::uint32_t i, Total& total) {
            total.title = text(contents.tensor(i).dtypeName());
            total.explanation = dtypeExplanation(contents.tensor(i).dtype);
        });
}

std::vector<Total> totalsByRole(const stats::Contents& contents) {
    return totals<arch::Role>(
        contents, [&](std::uint32_t i) { return contents.facts[i].role; },
        [&](std::uint32_t i, Total& total) {
            total.title = roleTitle(contents.facts[i].role);
            total.explanation = roleExplanation(contents.facts[i].role);
        });
}

} // namespace wb::ui::inspect
