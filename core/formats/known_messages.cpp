// SPDX-License-Identifier: MIT
#include "core/formats/known_messages.h"

#include "core/formats/proto/proto.h"

#include <algorithm>
#include <set>

namespace wb::formats {
namespace {

using proto::Wire;
using Fields = std::set<std::pair<std::uint32_t, Wire>>;

// The outermost fields of a message; empty where it is none, or has more fields than any model.
Fields outermostFields(const io::ByteSource& source) {
    constexpr std::uint64_t most = 1 << 20;
    io::Cursor cursor(source);
    proto::Message message(cursor, source.size(), source.name());
    Fields fields;
    for (std::uint64_t count = 0; count < most; ++count) {
        const auto more = message.next();
        if (!more) return {};
        if (!*more) return fields;
        fields.emplace(message.field(), message.wire());
    }
    return {};
}

bool isSubset(const Fields& fields, const Fields& allowed) { return std::ranges::includes(allowed, fields); }

} // namespace

std::optional<KnownFile> recognizeMessage(const io::ByteSource& source) {
    const Fields fields = outermostFields(source);
    if (fields.empty()) return std::nullopt;
    // saved_model_schema_version, meta_graphs (tensorflow/tensorflow: tensorflow/core/protobuf/saved_model.proto)
    if (fields == Fields{{1, Wire::Varint}, {2, Wire::Bytes}}) return KnownFile{WB_TEXT("a TensorFlow SavedModel"), true};
    // node, library, version, versions (tensorflow/tensorflow: tensorflow/core/framework/graph.proto)
    const Fields graph = {{1, Wire::Bytes}, {2, Wire::Bytes}, {3, Wire::Varint}, {4, Wire::Bytes}, {5, Wire::Bytes}};
    if (isSubset(fields, graph) && fields.contains({1, Wire::Bytes}) && fields.size() > 1)
        return KnownFile{WB_TEXT("a TensorFlow graph"), true};
    return std::nullopt;
}

} // namespace wb::formats
