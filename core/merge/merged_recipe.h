// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/recipe.h"

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace wb::merge {

// Decoded factors of the matrices that are computed at the moment, at most some 64 MiB of them. Thread-safe.
class FactorStore {
public:
    struct Factors {
        std::vector<float> left;                  // [rows, rank]
        std::vector<float> right;                 // [rank, columns]
        std::vector<float> otherLeft, otherRight; // of a second product, or other numbers of a TunedRecipe
        std::uint64_t rank = 0, otherRank = 0;    // of a TunedRecipe
    };

    // Those under `key`, or what `load` gives, which may run more than once.
    Result<std::shared_ptr<const Factors>> get(const std::string& key, const std::function<Result<Factors>()>& load);

private:
    struct Entry {
        std::string key;
        std::shared_ptr<const Factors> factors;
    };
    std::mutex m_mutex;
    std::list<Entry> m_entries; // the newest first
    std::uint64_t m_bytes = 0;
};

// A tensor with what adapters add to it: values of the first input, plus scale · L · R for each pair of inputs that follows, plus
// scale · v for each single one, in f32, rounded once to the tensor's type.
class MergedRecipe final : public Recipe {
public:
    struct Term {
        double scale = 1;
        std::uint64_t rank = 0;    // 0: a tensor of the same shape is added
        bool isTransposed = false; // the inputs are those of the transpose: L is the second one's, R the first one's
        std::string key;           // of the factors in the store
    };

    // `inputs` has the tensor itself, then two for each term with a rank (A and B as stored), one for each other.
    MergedRecipe(std::vector<std::string> inputs, std::vector<Term> terms, Dtype dtype, std::shared_ptr<FactorStore> store)
        : m_inputs(std::move(inputs)), m_terms(std::move(terms)), m_dtype(dtype), m_store(std::move(store)) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;
    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override;

private:
    Result<void> addProduct(const Term& term, std::span<const TensorReader> factors, const Shape& shape, std::uint64_t first,
                            std::span<float> values) const;

    std::vector<std::string> m_inputs;
    std::vector<Term> m_terms;
    Dtype m_dtype;
    std::shared_ptr<FactorStore> m_store;
};

} // namespace wb::merge
