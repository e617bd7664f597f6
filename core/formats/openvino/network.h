// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/formats/findings/findings.h"
#include "core/formats/xml/xml.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// Inside the room: the graph of an IR as written in its XML.
namespace wb::openvino {

// Values in the .bin file.
struct Blob {
    std::string name;                                // of the tensor
    std::string type;                                // "f16", "u4"; of old versions "FP16"
    std::optional<std::vector<std::uint64_t>> shape; // absent in versions before 10
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

struct Layer {
    std::string name;
    std::string type; // "Const", "MatMul"
    std::string opset;
    std::optional<std::size_t> blob;               // of a constant: index into Network::blobs
    std::vector<std::uint64_t> output;             // sides of its last output
    std::map<std::uint64_t, std::uint64_t> inputs; // by port: the id of the layer that feeds it
};

// One graph; those inside of an operator (If, Loop, TensorIterator) are separate graphs.
struct Graph {
    std::string prefix; // before the names of its layers
    std::map<std::uint64_t, Layer> layers;
};

struct Network {
    std::string name, version;
    std::vector<Graph> graphs; // the outermost is the first
    std::vector<Blob> blobs;
    std::vector<std::pair<std::string, std::string>> facts; // attributes of <rt_info> and <meta_data>
    std::uint64_t layerCount = 0;
};

// Malformed where the XML or a number in it is invalid, TooLarge beyond the caps of `options`.
Result<Network> readNetwork(std::string_view text, const formats::Findings& findings, const formats::OpenOptions& options);

} // namespace wb::openvino
