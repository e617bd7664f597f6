// SPDX-License-Identifier: MIT
#include "core/formats/xgboost/builder.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace wb::xgboost {
namespace {

constexpr std::size_t maxFacts = 10'000, keptValues = 64;

// Arrays of a tree by their names (dmlc/xgboost: doc/model.schema); others hold integers.
Dtype treeType(std::string_view name) {
    static constexpr std::array real = {std::string_view("loss_changes"), std::string_view("sum_hessian"),
                                        std::string_view("base_weights"), std::string_view("split_conditions"),
                                        std::string_view("leaf_weights")};
    if (std::ranges::find(real, name) != real.end()) return Dtype::F32;
    return name == "default_left" || name == "split_type" ? Dtype::U8 : Dtype::I32;
}

} // namespace

void Builder::begin(bool isArray) {
    const bool isInArray = !m_levels.empty() && m_levels.back().isArray;
    std::string name = isInArray ? "#" : std::exchange(m_key, {});
    const std::size_t textEnd = m_path.size();
    if (!name.empty() && !isInArray) m_path += (m_path.empty() ? "" : ".") + name;
    m_hasLearner = m_hasLearner || (m_levels.size() == 1 && name == "learner");
    m_column.reset();
    m_list.reset();
    m_levels.push_back({isArray, name, textEnd});
    if (isArray && name == "trees" && !isInTrees()) m_treeDepth = m_levels.size();
    else if (isArray && !isInArray) chooseColumn(name);
}

void Builder::chooseColumn(std::string_view name) {
    if (m_treeDepth != 0) {
        // Arrays of a tree itself, not those of objects in it.
        if (m_levels.size() == m_treeDepth + 2) m_column = m_columns.column("trees." + std::string(name), treeType(name));
        return;
    }
    const bool isInBooster = m_path.find("gradient_booster") != std::string::npos;
    if (isInBooster && (name == "weights" || name == "weight_drop")) m_column = m_columns.column(name, Dtype::F32);
    else if (isInBooster && (name == "tree_info" || name == "iteration_indptr")) m_column = m_columns.column(name, Dtype::I32);
    else m_list.emplace();
}

void Builder::end() {
    if (m_levels.empty()) return;
    if (m_list) {
        ValueArray list = std::move(*m_list);
        m_list.reset();
        addFact(Value::of(std::move(list)));
    }
    if (isInTrees() && m_levels.size() == m_treeDepth + 1) {
        ++m_trees;
        m_columns.add(m_columns.column("trees.nodes", Dtype::I32), static_cast<double>(std::exchange(m_nodes, 0)));
    }
    if (m_levels.size() == m_treeDepth) m_treeDepth = 0;
    m_path.resize(m_levels.back().textEnd);
    m_levels.pop_back();
    m_column.reset();
}

void Builder::addFact(Value value) {
    std::string name = m_path;
    if (!m_key.empty()) name += (name.empty() ? "" : ".") + std::exchange(m_key, {});
    ++m_facts.count;
    if (m_facts.members.size() < maxFacts) m_facts.members.push_back({toUtf8(name), std::move(value)});
}

void Builder::number(double value) {
    if (m_column) {
        if (m_levels.back().name == "left_children") ++m_nodes;
        return m_columns.add(*m_column, value);
    }
    if (m_list) {
        ++m_list->count;
        if (m_list->first.size() < keptValues) m_list->first.push_back(Value::ofFloat(ValueType::F64, value));
        return;
    }
    if (!m_levels.empty() && !m_levels.back().isArray && !isInTrees()) addFact(Value::ofFloat(ValueType::F64, value));
    m_key.clear();
}

void Builder::text(std::string_view value) {
    if (m_list) {
        ++m_list->count;
        if (m_list->first.size() < keptValues) m_list->first.push_back(Value::of(toUtf8(value)));
        return;
    }
    if (!m_levels.empty() && !m_levels.back().isArray && !isInTrees()) addFact(Value::of(toUtf8(value)));
    m_key.clear();
}

void Builder::finish(formats::Index& index) {
    Model& model = index.model;
    model.format = FormatId::XgBoost;
    std::string version;
    for (const Member& member : m_facts.members) {
        if (member.key != "version" || member.value.array() == nullptr) continue;
        for (const Value& number : member.value.array()->first) {
            version += version.empty() ? "" : ".";
            version += std::to_string(static_cast<std::int64_t>(std::clamp(number.number().value_or(0), 0.0, 1e6)));
        }
    }
    if (!version.empty()) model.version = version;
    model.metadata = std::move(m_facts);
    model.metadata.members.push_back({"trees", Value::ofUnsigned(ValueType::U64, m_trees)});
    ++model.metadata.count;
    m_columns.finish(index);
}

} // namespace wb::xgboost
