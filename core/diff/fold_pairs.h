// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/fold.h"

namespace wb::diff {

// The folded tensors of one side, and their pairs with tensors of the other side, which has no such normalizations. A pair is found
// where folding explains the other tensor much better than the weight alone.
class Folds {
public:
    // Of side `own` (0: A, 1: B). If some exist, adds a model with them to the pairing.
    Folds(std::size_t own, Pairing& pairing);

    bool isEmpty() const { return m_layers.empty(); }

    // Where the folded tensor kept the name of the weight or bias. `find` gives a tensor of the other side without a counterpart.
    std::vector<PlannedPair> pairByName(const std::function<const TensorInfo*(const std::string&)>& find) const;

    // Where names tell nothing, among the tensors without a counterpart, in any order of axes.
    Result<std::vector<PlannedPair>> pairByContent(const std::vector<const TensorInfo*>& own,
                                                   const std::vector<const TensorInfo*>& other, const Options& options) const;

    // The pair that a map file wants: `own` are weightInputs() or biasInputs() of a layer. Empty: of none, or the shapes do not
    // fit.
    std::optional<PlannedPair> wanted(const std::vector<std::string>& own, const TensorInfo& other) const;

private:
    struct Layer {
        NormalizedLayer stored;
        std::vector<TensorInfo> weights, biases; // one for each of usualEpsilons
    };

    static std::vector<std::string> inputs(const Layer& layer, bool isBias);
    std::vector<PlannedPair> relateFolded(const TensorInfo& folded, const TensorInfo& other) const;
    std::optional<PlannedPair> best(const Layer& layer, bool isBias, const TensorInfo& other, double most) const;

    std::size_t m_own, m_index = 0; // of the models
    const Pairing& m_pairing;
    std::vector<Layer> m_layers;
};

} // namespace wb::diff
