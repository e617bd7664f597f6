// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/formats/onnx/index.h"
#include "core/formats/proto/proto.h"

#include <map>

namespace wb::onnx {

// TensorProto.DataType, by its number.
struct ElementTypeOfProto {
    Dtype dtype = Dtype::Unknown;
    std::string text; // of an Unknown one
};
ElementTypeOfProto elementType(std::uint64_t number);

// Reads TensorProto and SparseTensorProto messages into the tensors of an index.
class TensorReaderOfProto {
public:
    TensorReaderOfProto(Index& index, const io::ByteSource& source, formats::Findings& findings)
        : m_index(index), m_source(source), m_findings(findings) {}

    Result<TensorInfo> read(proto::Message message);
    Result<TensorInfo> readSparse(proto::Message message);

    // A tensor of these bytes, which the model does not hold as one run.
    TensorInfo copied(std::string name, Dtype dtype, Shape shape, std::span<const std::byte> bytes);

private:
    struct Fields;
    Result<Fields> readFields(proto::Message& message);
    Result<void> readExternal(proto::Message entry, Fields& fields);
    void placeValues(const Fields& fields, TensorInfo& tensor);
    void placeExternal(const Fields& fields, TensorInfo& tensor);
    void makeUnavailable(TensorInfo& tensor, const char* why);
    Result<std::vector<std::byte>> readTensorBytes(const TensorInfo& tensor) const;

    Index& m_index;
    const io::ByteSource& m_source;
    formats::Findings& m_findings;
    std::map<std::string, std::uint32_t> m_external; // file index by name
};

} // namespace wb::onnx
