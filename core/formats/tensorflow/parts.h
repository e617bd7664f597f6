// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/tensorflow/tensor_proto.h"

#include <set>

// Inside the room: the readers of the parts of a model, which all add to one index.
namespace wb::tensorflow {

struct Reading {
    const formats::Sources& sources;
    const formats::OpenOptions& options;
    formats::Index& index;
    formats::Findings& findings; // of the source at hand
    std::set<std::string>& operators;
};

// The first byte of a V1 checkpoint's or a bundle's entry without a key decides which of the two a table is.
Result<void> readTable(Reading& reading, std::uint32_t number);

// Inside readTable: a bundle, whose values are in the sources named like it with ".data-00000-of-00001".
Result<void> readBundle(Reading& reading, std::uint32_t number);
Result<void> readVersion1(Reading& reading, std::uint32_t number);

// Constants of a GraphDef, of the graphs of a SavedModel, or of a GraphDef as text.
Result<void> readGraph(Reading& reading, std::uint32_t number);
Result<void> readSavedModel(Reading& reading, std::uint32_t number);
Result<void> readText(Reading& reading, std::uint32_t number);

Result<void> readGraphMessage(Reading& reading, proto::Message graph, const ValuePlace& place);

// A GraphDef in the text form of Protocol Buffers as the same message in binary: of the fields only those that lead to constants.
// Malformed where it is not such a text.
Result<std::vector<std::byte>> binaryFromText(std::string_view text, const std::string& name);

} // namespace wb::tensorflow
