// SPDX-License-Identifier: MIT
#include "core/model/tensor_reader.h"

#include "core/tensor/decode.h"

namespace wb {

Result<TensorReader> TensorReader::open(const Model& model, const TensorInfo& tensor) {
    const bool hasFile = tensor.file < model.files.size();
    const std::string file = hasFile ? model.files[tensor.file].name : io::baseName(model.path);
    if (!tensor.unavailable.empty())
        return fail(ErrorCode::Unsupported, WB_TEXT("The values of {} in {} cannot be read: {}."), tensor.name, file,
                    tensor.unavailable);
    if (tensor.dtype == Dtype::Unknown || !tensor.offset)
        return fail(ErrorCode::Unsupported,
                    WB_TEXT("The values of {} in {} cannot be read: its type {} is not known to this program."), tensor.name, file,
                    tensor.dtypeName());
    const auto outside = [&] {
        return fail(ErrorCode::Malformed, WB_TEXT("The values of {} do not lie inside {}."), tensor.name, file);
    };
    if (!hasFile) return outside();
    WB_TRY_ASSIGN(auto source, openFile(model, tensor.file));
    const auto extent = io::Extent::make(source->size(), *tensor.offset, tensor.bytes);
    if (!extent || rowBytes(tensor.dtype, tensor.shape.elements()) != tensor.bytes) return outside();
    TensorReader reader;
    reader.m_source = std::move(source);
    reader.m_dtype = tensor.dtype;
    reader.m_shape = tensor.shape;
    reader.m_extent = *extent;
    reader.m_bigEndian = model.bigEndian;
    return reader;
}

std::uint64_t TensorReader::byteCount(std::uint64_t count) const {
    const DtypeInfo& type = info(m_dtype);
    return count / type.blockElements * type.blockBytes;
}

Result<void> TensorReader::readRaw(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const {
    const std::uint64_t block = info(m_dtype).blockElements;
    if (first % block != 0 || count % block != 0 || first > elements() || count > elements() - first ||
        out.size() != byteCount(count))
        return fail(ErrorCode::Internal, WB_TEXT("A read of {} left the tensor or split a block."), m_source->name());
    WB_TRY(m_source->readAt(m_extent.offset() + byteCount(first), out));
    if (m_bigEndian) swapBlockBytes(m_dtype, out);
    return {};
}

Result<void> TensorReader::readF32(std::uint64_t first, std::span<float> out, std::vector<std::byte>& scratch) const {
    if (!canDecode(m_dtype))
        return fail(ErrorCode::Unsupported, WB_TEXT("{} holds values of type {}, which have no single number each."),
                    m_source->name(), name(m_dtype));
    if (out.empty()) return {}; // the null pointers of empty memory are nothing to copy from
    scratch.resize(byteCount(out.size()));
    WB_TRY(readRaw(first, out.size(), scratch));
    decode(m_dtype, scratch, out);
    return {};
}

} // namespace wb
