// SPDX-License-Identifier: MIT
#include "core/model/natural_order.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace wb {

std::string naturalKey(std::string_view name) {
    std::string key;
    key.reserve(name.size() + 8);
    for (std::size_t i = 0; i < name.size();) {
        if (!ascii::isDigit(name[i])) {
            key += name[i++];
            continue;
        }
        std::size_t end = i;
        while (end < name.size() && ascii::isDigit(name[end])) ++end;
        while (i + 1 < end && name[i] == '0') ++i;
        // A longer number is a larger one, so its length goes first, as a character among the digits' neighbors.
        key += static_cast<char>('0' + std::min<std::size_t>(end - i, 70));
        key += name.substr(i, end - i);
        i = end;
    }
    return key;
}

std::vector<std::uint32_t> naturalRanks(const std::vector<TensorInfo>& tensors) {
    std::vector<std::string> keys;
    keys.reserve(tensors.size());
    for (const TensorInfo& tensor : tensors) keys.push_back(naturalKey(tensor.name));

    std::vector<std::uint32_t> order(tensors.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) -> const std::string& { return keys[i]; });

    std::vector<std::uint32_t> ranks(tensors.size());
    for (std::uint32_t place = 0; place < order.size(); ++place) ranks[order[place]] = place;
    return ranks;
}

bool isOrderedByName(const Model& model) {
    constexpr FormatId formats[] = {FormatId::Safetensors, FormatId::HuggingFace, FormatId::Diffusers, FormatId::Peft};
    return std::ranges::find(formats, model.format) != std::end(formats);
}

} // namespace wb
