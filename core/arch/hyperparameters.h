// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::arch {

// One hyperparameter of a file, under GGUF's key without the architecture ("attention.head_count").
struct Hyperparameter {
    std::string key;
    Value value;
    std::string source; // the key as in the file, for errors
};

// Reads hyperparameters with their caps. The first error is kept, and what is requested afterwards is zero, so that a reader asks
// for everything and looks for the error once.
class Hyperparameters {
public:
    explicit Hyperparameters(std::string file) : m_file(std::move(file)) {}

    void add(std::string key, Value value, std::string source) {
        m_entries.push_back({std::move(key), std::move(value), std::move(source)});
    }
    const Hyperparameter* find(std::string_view key) const;
    bool has(std::string_view key) const { return find(key) != nullptr; }
    bool isPerLayer(std::string_view key) const;
    const std::vector<Hyperparameter>& entries() const { return m_entries; }
    const std::string& file() const { return m_file; }

    // An integer of at most `max`. The key may hold one for each layer: then it is the largest of them.
    std::uint64_t number(std::string_view key, std::uint64_t max, std::uint64_t otherwise = 0);
    // A number that loaders read as u32 and refuse in any other type; at least `min` if present.
    std::uint64_t exactNumber(std::string_view key, std::uint64_t min, std::uint64_t max);
    // One for each layer; a single number holds for all. `exact` as above.
    std::vector<std::uint64_t> perLayer(std::string_view key, std::size_t layers, std::uint64_t max, std::uint64_t otherwise = 0,
                                        bool exact = false);
    // A truth value for each layer; empty where the key contains no list of them.
    std::optional<std::vector<bool>> flags(std::string_view key, std::size_t layers);
    std::vector<std::uint64_t> list(std::string_view key, std::size_t maxCount, std::uint64_t max);
    float real(std::string_view key, float otherwise);
    bool flag(std::string_view key, bool otherwise);
    std::string text(std::string_view key) const;

    void fail(Error error);
    void failRange(std::string_view key, std::uint64_t value, std::uint64_t min, std::uint64_t max);
    const std::optional<Error>& error() const { return m_error; }

private:
    std::uint64_t checked(const Hyperparameter& entry, const Value& value, std::uint64_t max);
    void failType(const Hyperparameter& entry, const char* found);
    bool hasOneForEach(const Hyperparameter& entry, const ValueArray& list, std::size_t layers);

    std::string m_file;
    std::vector<Hyperparameter> m_entries;
    std::optional<Error> m_error;
};

} // namespace wb::arch
