// SPDX-License-Identifier: MIT
#include "core/convert/source/tensor_inputs.h"

namespace wb::convert {

Result<std::shared_ptr<TensorInputs>> TensorInputs::open(const Model& model, const std::vector<TensorInfo>& named) {
    auto inputs = std::make_shared<TensorInputs>();
    Model& files = inputs->m_model;
    files.path = model.path;
    files.folder = model.folder;
    files.files = model.files;
    files.tensors = named;
    files.bigEndian = model.bigEndian;
    for (std::uint32_t i = 0; i < files.files.size(); ++i) {
        WB_TRY_ASSIGN(files.files[i].source, openFile(model, i));
    }
    return inputs;
}

Result<void> TensorInputs::add(std::span<const TensorInfo* const> sources) {
    auto& readers = m_readers.emplace_back();
    for (const TensorInfo* source : sources) {
        WB_TRY_ASSIGN(TensorReader reader, TensorReader::open(m_model, *source));
        readers.push_back(std::move(reader));
    }
    return {};
}

Result<void> TensorInputs::checkUnchanged() const {
    for (const ModelFile& file : m_model.files) WB_TRY(file.source->checkUnchanged());
    return {};
}

} // namespace wb::convert
