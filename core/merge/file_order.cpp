// SPDX-License-Identifier: MIT
#include "core/merge/file_order.h"

#include <algorithm>

namespace wb::merge {

std::vector<std::size_t> fileOrder(const Model& model) {
    std::vector<std::size_t> order;
    bool isComputed = false;
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        if (model.tensors[i].logical) continue;
        order.push_back(i);
        isComputed = isComputed || model.tensors[i].source.form() == TensorSource::Form::Recipe;
    }
    if (isComputed) return order;
    std::ranges::stable_sort(order, {}, [&model](std::size_t i) {
        const TensorInfo& tensor = model.tensors[i];
        const bool hasFile = tensor.file() < model.files.size();
        return std::pair(hasFile ? std::string_view(model.files[tensor.file()].name) : std::string_view(),
                         tensor.offset().value_or(0));
    });
    return order;
}

} // namespace wb::merge
