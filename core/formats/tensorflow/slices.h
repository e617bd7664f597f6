// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/proto/proto.h"
#include "core/model/tensor_source.h"
#include "core/tensor/shape.h"

#include <optional>
#include <string>
#include <vector>

// Inside the room: variables that were saved as boxes of a whole (tensorflow/tensorflow: tensor_slice.proto,
// tensor_slice_util.h).
namespace wb::tensorflow {

// One side of a box; a length of -1 means the whole side.
struct Side {
    std::int64_t start = 0;
    std::int64_t length = -1;
};
using Box = std::vector<Side>;

Result<Box> readBox(proto::Message message); // a TensorSliceProto

// The key of a box in a bundle: the name and the numbers in TensorFlow's ordered code (tensorflow/tensorflow: tsl/lib/strings or
// core/lib/strings/ordered_code.cc).
std::string sliceKey(const std::string& name, const Box& box);

struct StoredBox {
    Box box;
    std::uint32_t file = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

// The pieces of the whole in row-major order; empty where the boxes do not fill the shape exactly, leave it, or a box has other
// bytes than its sides need.
std::optional<std::vector<TensorPiece>> slicePieces(const Shape& shape, std::uint64_t elementBytes,
                                                    const std::vector<StoredBox>& boxes);

} // namespace wb::tensorflow
