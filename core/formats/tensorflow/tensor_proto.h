// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/formats/index/index.h"
#include "core/formats/proto/proto.h"

// Inside the room: TensorFlow's element types, shapes and TensorProto messages (tensorflow/tensorflow:
// tensorflow/core/framework/tensor.proto, types.proto).
namespace wb::tensorflow {

struct ElementType {
    Dtype dtype = Dtype::Unknown;
    std::string text; // of an Unknown one
};
ElementType elementTypeFromNumber(std::uint64_t number); // of DataType, reference types included

// A TensorShapeProto; empty where a dimension is not known or the shape is impossible.
Result<std::optional<Shape>> readShape(proto::Message message);

// A TensorProto as it is written.
struct ProtoTensor {
    std::uint64_t type = 0;
    std::optional<Shape> shape = Shape();
    std::optional<io::Extent> content; // tensor_content or float8_val, in the source of the message
    std::vector<std::byte> values;     // of the typed lists, in the width of `valueBytes`
    std::uint64_t valueBytes = 0;
    bool isNumbers = false; // `values` are u64 that are narrowed to the element type
};
Result<ProtoTensor> readTensorProto(proto::Message message, const io::ByteSource& source, std::uint64_t maxBytes);

// Where the values of messages are: in file `file` of the model, or in bytes that are not part of it and must be copied.
struct ValuePlace {
    const io::ByteSource& source;
    std::optional<std::uint32_t> file;
};

// The tensor of a message. A list that is shorter than the shape means that its last value repeats.
TensorInfo makeTensor(std::string name, const ProtoTensor& proto, const ValuePlace& place, formats::Index& index,
                      formats::Findings& findings);

} // namespace wb::tensorflow
