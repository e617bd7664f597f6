// SPDX-License-Identifier: MIT
#include "core/model/tensor_reader.h"

#include "core/model/element_access.h"
#include "core/tensor/decode.h"

namespace wb {
namespace {

std::string tensorFile(const Model& model, const TensorInfo& tensor) {
    return tensor.file() < model.files.size() ? model.files[tensor.file()].name : io::baseName(model.path);
}

Result<void> checkReadable(const TensorInfo& tensor, const std::string& file) {
    if (!tensor.source.unavailableWhy().empty())
        return fail(ErrorCode::Unsupported, tensor.source.unavailableReason(), About{file},
                    WB_TEXT("Cannot read the values of {} in {}: {}."), tensor.name, file, tensor.source.unavailableWhy());
    if (!tensor.isReadable())
        return fail(ErrorCode::Unsupported, Reason("model.type_unknown"), About{file},
                    WB_TEXT("Cannot read the values of {} in {}: the type {} is not supported."), tensor.name, file,
                    tensor.dtypeName());
    return {};
}

} // namespace

Result<TensorReader> TensorReader::open(const Model& model, const TensorInfo& tensor) {
    OpenPath path;
    return open(model, tensor, path);
}

Result<TensorReader> TensorReader::open(const Model& model, const TensorInfo& tensor, OpenPath& path) {
    const std::string file = tensorFile(model, tensor);
    WB_TRY(checkReadable(tensor, file));
    if (tensor.source.form() == TensorSource::Form::Stored) return openStored(model, tensor, file);
    TensorReader reader;
    reader.m_name = tensor.name;
    reader.m_dtype = tensor.dtype;
    reader.m_shape = tensor.shape;
    reader.m_bigEndian =
        model.bigEndian && tensor.source.form() != TensorSource::Form::Recipe; // a recipe yields little-endian blocks
    switch (tensor.source.form()) {
    case TensorSource::Form::Pieces: {
        WB_TRY_ASSIGN(reader.m_access, openPieces(model, tensor));
        break;
    }
    case TensorSource::Form::Strided: {
        WB_TRY_ASSIGN(reader.m_access, openStrided(model, tensor));
        break;
    }
    default: {
        WB_TRY_ASSIGN(reader.m_access, openRecipe(model, tensor, path));
        break;
    }
    }
    return reader;
}

Result<TensorReader> TensorReader::openStored(const Model& model, const TensorInfo& tensor, const std::string& file) {
    const TensorPlace& place = tensor.source.place();
    const auto outside = [&] {
        return fail(ErrorCode::Malformed, Reason("model.outside"), About{file}, WB_TEXT("The values of {} are outside {}."),
                    tensor.name, file);
    };
    if (place.file >= model.files.size() || !place.offset) return outside();
    TensorReader reader;
    WB_TRY_ASSIGN(reader.m_source, openFile(model, place.file));
    const auto extent = io::Extent::make(reader.m_source->size(), *place.offset, place.bytes);
    const std::uint64_t elements = tensor.shape.elements();
    const bool isPacked = packedBits(tensor.dtype) != 0 && storedBytes(tensor.dtype, elements) == place.bytes;
    if (!extent || (!isPacked && rowBytes(tensor.dtype, elements) != place.bytes)) return outside();
    reader.m_name = reader.m_source->name();
    reader.m_dtype = tensor.dtype;
    reader.m_shape = tensor.shape;
    reader.m_extent = *extent;
    reader.m_bigEndian = model.bigEndian;
    if (isPacked) {
        reader.m_access = openPacked(std::move(reader.m_source), *extent, tensor.dtype, elements);
        reader.m_source.reset();
    }
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
        return fail(ErrorCode::Internal, Reason("model.read_range"), About{m_name},
                    WB_TEXT("A read of {} exceeded the tensor or split a block."), m_name);
    if (count == 0) return {};
    if (m_source) WB_TRY(m_source->readAt(m_extent.offset() + byteCount(first), out));
    else WB_TRY(m_access->readRaw(first, count, out));
    if (m_bigEndian) swapBlockBytes(m_dtype, out);
    return {};
}

Result<void> TensorReader::readF32(std::uint64_t first, std::span<float> out, std::vector<std::byte>& scratch) const {
    if (!canDecode(m_dtype))
        return fail(ErrorCode::Unsupported, Reason("model.no_numbers"), About{m_name},
                    WB_TEXT("{} has values of type {}, which are not single numbers."), m_name, name(m_dtype));
    if (out.empty()) return {}; // the null pointers of empty memory are nothing to copy from
    if (m_dtype == Dtype::F32) return readRaw(first, out.size(), std::as_writable_bytes(out));
    scratch.resize(byteCount(out.size()));
    WB_TRY(readRaw(first, out.size(), scratch));
    decode(m_dtype, scratch, out);
    return {};
}

TensorReader TensorReader::keeping(std::uint64_t limit) const {
    if (byteCount(elements()) > limit) return *this;
    TensorReader kept = *this;
    kept.m_source.reset();
    kept.m_access = openKept(*this);
    kept.m_bigEndian = false; // this reader has swapped the bytes already
    return kept;
}

Result<void> TensorReader::checkUnchanged() const { return m_source ? m_source->checkUnchanged() : m_access->checkUnchanged(); }

} // namespace wb
