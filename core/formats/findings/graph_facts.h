// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/value.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wb::formats {

// Collects the inputs, outputs and operators of a graph for the metadata of its model. At most `maxFacts` of each are kept, and all
// are counted.
class GraphFacts {
public:
    static constexpr std::size_t maxFacts = 1000;

    // "pixels: F32 [?, 3, 224, 224]". `sides` are numbers, or names of sides that are known at run time alone; "" becomes "?".
    // Without `sides` the number of dimensions is not known.
    static std::string value(const std::string& name, const std::string& type,
                             const std::optional<std::vector<std::string>>& sides);

    void addInput(std::string text) { m_inputs.add(std::move(text)); }
    void addOutput(std::string text) { m_outputs.add(std::move(text)); }
    void addOperator(const std::string& type, std::uint64_t count = 1);

    // Appends the members "inputs" and "outputs", lists of texts, and "operators", an object with the count of each type, the most
    // frequent first. A member without content is omitted.
    void write(ValueObject& metadata) const;

private:
    struct List {
        std::uint64_t count = 0;
        std::vector<Value> first;

        void add(std::string text);
    };
    static void write(const char* key, const List& list, ValueObject& metadata);

    List m_inputs, m_outputs;
    std::map<std::string, std::uint64_t> m_operators;
    std::uint64_t m_otherTypes = 0; // operators beyond maxFacts types, counted together
};

} // namespace wb::formats
