// SPDX-License-Identifier: MIT
#include "ui/inspect/contents.h"

namespace wb::ui::inspect {

double Contents::share(std::uint32_t index) const {
    if (tensor(index).logical || totalBytes == 0) return 0;
    return static_cast<double>(tensor(index).bytes) / static_cast<double>(totalBytes);
}

bool Contents::hasFinding(std::uint32_t index) const {
    if (!tensor(index).unavailable.empty()) return true;
    const stats::TensorStats* known = statistics(index);
    return known && (known->nan > 0 || known->inf > 0);
}

Contents contentsOf(ModelPtr model) {
    const std::string_view architecture = model->architecture ? std::string_view(*model->architecture) : std::string_view();
    Contents contents;
    contents.facts.reserve(model->tensors.size());
    for (const TensorInfo& tensor : model->tensors)
        contents.facts.push_back(
            {arch::roleOf(tensor.name, architecture), arch::partOf(tensor.name, architecture), arch::layerOf(tensor.name)});
    contents.stats.resize(model->tensors.size());
    contents.totalBytes = model->tensorBytes();
    contents.model = std::move(model);
    return contents;
}

} // namespace wb::ui::inspect
