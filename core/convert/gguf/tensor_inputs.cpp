// SPDX-License-Identifier: MIT
#include "core/convert/gguf/tensor_inputs.h"

namespace wb::convert {

Result<std::shared_ptr<const TensorInputs>> TensorInputs::open(const ConvertPlan& plan) {
    const Model& model = *plan.folder.model;
    auto inputs = std::make_shared<TensorInputs>();
    Model& source = inputs->m_source;
    source.path = model.path;
    source.folder = model.folder;
    source.files = model.files;
    source.tensors = model.tensors; // what recipes name
    source.bigEndian = model.bigEndian;
    for (std::uint32_t i = 0; i < source.files.size(); ++i) {
        WB_TRY_ASSIGN(source.files[i].source, openFile(model, i));
    }
    for (const PlannedTensor& tensor : plan.tensors) {
        auto& readers = inputs->m_readers.emplace_back();
        for (std::size_t i = 0; i < tensor.sources.size(); ++i) {
            const TensorInfo& read = tensor.views.empty() ? model.tensors[tensor.sources[i]] : tensor.views[i];
            WB_TRY_ASSIGN(TensorReader reader, TensorReader::open(source, read));
            readers.push_back(std::move(reader));
        }
    }
    return inputs;
}

Result<void> TensorInputs::checkUnchanged() const {
    for (const ModelFile& file : m_source.files) WB_TRY(file.source->checkUnchanged());
    return {};
}

} // namespace wb::convert
