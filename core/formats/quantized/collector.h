// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/quantized/config.h"
#include "core/formats/quantized/parts_recipe.h"

#include <map>
#include <string_view>
#include <unordered_map>

namespace wb::quantized {

// Gathers the logical tensors of one model while its stored ones are inspected. Not thread-safe.
class Collector {
public:
    Collector(const Model& model, std::string_view prefix, Config config);

    const Config& config() const { return m_config; }

    // The stored tensor of this name, else null.
    const TensorInfo* find(const std::string& name) const;
    // Of these names those that are stored.
    std::vector<std::string> existing(const std::vector<std::string>& names) const;

    // The bytes of a small tensor; empty where it has more than `mostBytes` or cannot be read.
    std::vector<std::byte> read(const TensorInfo& tensor, std::uint64_t maxBytes) const;

    // The same from what all calls together may read: a look at values that are not needed to list the tensors.
    std::vector<std::byte> sample(const TensorInfo& tensor);

    // A logical tensor. It is unavailable where one of the parts that are read is.
    void add(const std::string& name, const Shape& shape, std::shared_ptr<const PartsRecipe> recipe);
    // The parts of a weight do not fit `scheme`.
    void refuse(const std::string& name, const char* scheme, const TensorInfo& part);
    void note(Problem problem);

    std::vector<TensorInfo> takeTensors() { return std::move(m_tensors); }
    std::vector<Problem> takeProblems();
    bool hasTensors() const { return !m_tensors.empty(); }

private:
    static constexpr std::uint64_t listedOfOneCode = 50;

    const Model& m_model;
    Config m_config;
    std::uint64_t m_sampleBytes = 1 << 20;                      // left for sample()
    std::unordered_map<std::string_view, std::size_t> m_stored; // names into Model::tensors
    std::vector<TensorInfo> m_tensors;
    std::vector<Problem> m_problems;
    std::map<std::string_view, std::uint64_t> m_counts; // of problems by code
};

} // namespace wb::quantized
