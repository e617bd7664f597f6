// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <optional>
#include <string>
#include <string_view>

namespace wb::merge {

// The layers of a model by the names of its tensors: "model.layers.3.mlp.up_proj.weight" is in layer 3 behind "model.layers.".
class LayerNames {
public:
    struct Place {
        std::uint64_t layer = 0;
        std::string_view rest; // ".mlp.up_proj.weight"
    };

    // The prefix is the one before the first number in most names.
    explicit LayerNames(const Model& model);

    std::uint64_t count() const { return m_count; }               // the highest layer plus one; 0: none
    std::optional<Place> layerPlace(std::string_view name) const; // empty outside layers
    std::string nameIn(std::uint64_t layer, std::string_view rest) const;

private:
    std::string m_prefix;
    std::uint64_t m_count = 0;
};

} // namespace wb::merge
