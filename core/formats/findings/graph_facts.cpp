// SPDX-License-Identifier: MIT
#include "core/formats/findings/graph_facts.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::formats {

std::string GraphFacts::value(const std::string& name, const std::string& type,
                              const std::optional<std::vector<std::string>>& sides) {
    std::string text = toUtf8(name) + ": " + toUtf8(type);
    if (!sides) return text;
    text += " [";
    for (std::size_t i = 0; i < sides->size(); ++i)
        text += (i == 0 ? "" : ", ") + ((*sides)[i].empty() ? std::string("?") : toUtf8((*sides)[i]));
    return text + "]";
}

void GraphFacts::addOperator(const std::string& type, std::uint64_t count) {
    const std::string name = toUtf8(type);
    if (m_operators.size() < maxFacts || m_operators.contains(name)) m_operators[name] += count;
    else ++m_otherTypes;
}

void GraphFacts::List::add(std::string text) {
    ++count;
    if (first.size() < maxFacts) first.push_back(Value::of(std::move(text)));
}

void GraphFacts::write(const char* key, const List& list, ValueObject& metadata) {
    if (list.count == 0) return;
    metadata.members.push_back({key, Value::of(ValueArray{ValueType::String, list.count, list.first, {}})});
}

void GraphFacts::write(ValueObject& metadata) const {
    write("inputs", m_inputs, metadata);
    write("outputs", m_outputs, metadata);
    if (m_operators.empty()) return;
    ValueObject counts;
    for (const auto& [type, count] : m_operators) counts.members.push_back({type, Value::ofUnsigned(ValueType::U64, count)});
    std::ranges::stable_sort(counts.members, std::ranges::greater(),
                             [](const Member& member) { return member.value.unsignedNumber().value_or(0); });
    counts.count = counts.members.size() + m_otherTypes;
    metadata.members.push_back({"operators", Value::of(std::move(counts))});
}

} // namespace wb::formats
