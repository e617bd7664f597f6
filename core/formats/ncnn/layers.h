// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// Inside the room: which weights a layer reads, in their order (Tencent/ncnn: src/layer/*.cpp, load_model).
namespace wb::ncnn {

struct Layer {
    std::string type, name;
    std::map<std::int64_t, std::int64_t> parameters; // whole numbers by their key
};

struct WeightRead {
    const char* name;
    std::uint64_t elements = 0;
    bool isTagged = false;                 // a number before the values is the way in which they are stored
    std::vector<std::uint64_t> shape = {}; // where the layer gives one
};

// Empty where the layer may have weights that this program does not know.
std::optional<std::vector<WeightRead>> weightPlan(const Layer& layer);

} // namespace wb::ncnn
