// SPDX-License-Identifier: MIT
#include "core/formats/npy/array.h"

#include "core/base/checked.h"

namespace wb::npy {
namespace {

std::vector<std::uint64_t> columnStrides(const Shape& shape) {
    std::vector<std::uint64_t> strides;
    std::uint64_t stride = 1;
    for (const std::uint64_t side : shape.dimensions()) {
        strides.push_back(stride);
        stride *= side; // divides the number of elements, unless none exist
    }
    return strides;
}

void noteNoNumbers(const Header& header, const std::string& name, std::uint64_t begin, formats::Findings& findings) {
    if (header.holdsObjects)
        findings.add(
            Severity::Warning, "npy.objects", begin + header.bytes,
            WB_TEXT(
                "{}: {} contains pickled Python objects, which can run code when NumPy loads them; Weighbridge never loads them."),
            name);
    else
        findings.add(Severity::Note, "npy.type", begin,
                     WB_TEXT("{}: {} has no numbers, but elements of type {}, so it is not a tensor."), name,
                     formats::shown(header.typeText));
}

} // namespace

Result<std::optional<TensorInfo>> makeTensor(const Header& header, const std::string& name, const ArrayPlace& place,
                                             formats::Findings& findings) {
    if (header.dtype == Dtype::Unknown) {
        noteNoNumbers(header, name, place.begin, findings);
        return std::nullopt;
    }
    const auto bytes = checked::mul(header.shape.elements(), info(header.dtype).blockBytes);
    const std::uint64_t present = place.bytes - header.bytes, offset = place.begin + header.bytes;
    TensorInfo tensor;
    tensor.name = name;
    tensor.dtype = header.dtype;
    tensor.shape = header.shape;
    const bool isStrided = header.isColumnMajor && header.shape.rank() > 1 && header.shape.elements() != 0;
    tensor.source = isStrided ? TensorSource::strided(place.file, offset, columnStrides(header.shape), bytes.value_or(0))
                              : TensorSource::stored(place.file, offset, bytes.value_or(0));
    if (!bytes || *bytes > present) {
        WB_TRY(findings.defect(Severity::Error, "npy.cut", offset, WB_TEXT("{}: {} has the shape {}, but only {} bytes of data."),
                               name, header.shape.toString(), present));
        tensor.source.makeUnavailable(Reason("npy.cut"), WB_TEXT("it is truncated"));
    } else if (*bytes < present) {
        findings.add(Severity::Warning, "npy.trailing", offset + *bytes, WB_TEXT("{}: {} bytes follow the elements of {}."),
                     present - *bytes, name);
    }
    if (header.isInterpreted)
        findings.add(
            Severity::Note, "npy.interpreted", place.begin,
            WB_TEXT("{}: the elements of {} are two bytes without a type; they are read as BF16 (the ml_dtypes convention)."),
            name);
    return tensor;
}

} // namespace wb::npy
