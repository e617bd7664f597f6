// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/trees/columns.h"

#include <optional>
#include <string>
#include <vector>

// Inside the room: the model that both forms of the file describe, made of the events of their readers.
namespace wb::xgboost {

class Builder {
public:
    void beginObject() { begin(false); }
    void beginArray() { begin(true); }
    void key(std::string_view name) { m_key = name; }
    void end();

    void number(double value);
    void text(std::string_view value);

    bool hasLearner() const { return m_hasLearner; }

    // Moves the tensors and the metadata into the index.
    void finish(formats::Index& index);

private:
    struct Level {
        bool isArray = false;
        std::string name;        // the key that the container has, "#" in an array
        std::size_t textEnd = 0; // bytes of m_path before it
    };

    void begin(bool isArray);
    void chooseColumn(std::string_view name);
    void addFact(Value value);
    bool isInTrees() const { return m_treeDepth != 0; }

    trees::Columns m_columns;
    ValueObject m_facts;
    std::vector<Level> m_levels;
    std::string m_path; // the keys of the open containers, joined by dots
    std::string m_key;
    std::optional<trees::Columns::Column> m_column; // of the present array
    std::optional<ValueArray> m_list;               // a present array of other values
    std::size_t m_treeDepth = 0;                    // of the array of trees; 0 outside
    std::uint64_t m_trees = 0;
    std::uint64_t m_nodes = 0; // of the present tree
    bool m_hasLearner = false;
};

} // namespace wb::xgboost
