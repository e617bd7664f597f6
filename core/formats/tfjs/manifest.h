// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/json/scanner.h"
#include "core/model/value.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// Inside the room: the JSON of a model.
namespace wb::tfjs {

struct Quantization {
    std::string dtype; // of the codes: uint8, uint16; float16 has no scale
    double scale = 1;
    double min = 0;
};

struct Weight {
    std::string name;
    std::string dtype;
    std::vector<std::uint64_t> shape;
    std::optional<Quantization> quantization;
};

struct Group {
    std::vector<std::string> paths;
    std::vector<Weight> weights;
};

struct Manifest {
    std::vector<Group> groups;
    std::vector<Member> facts;                      // texts and numbers outside the topology
    std::map<std::string, std::uint64_t> operators; // types of nodes or layers of the topology, the first 1000
    std::optional<std::size_t> badAt;               // byte at which the text is not valid
};

// At most `mostWeights` weights.
Manifest readManifest(std::string_view text, std::uint64_t mostWeights);

} // namespace wb::tfjs
