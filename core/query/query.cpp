// SPDX-License-Identifier: MIT
#include "core/query/query.h"

#include "core/query/node.h"
#include "core/query/text_match.h"

#include <algorithm>

namespace wb::query {
namespace {

Truth truth(bool value) { return value ? Truth::Yes : Truth::No; }

bool fits(std::string_view text, const Contains& wanted) { return containsLowered(text, wanted.part); }
bool fits(std::string_view text, const Equals& wanted) { return equalsLowered(text, wanted.text); }
bool fits(std::string_view text, const Glob& wanted) { return fitsGlob(text, wanted.pattern); }
bool fits(std::string_view text, const regex::Regex& wanted) { return wanted.search(text) == regex::Found::Yes; }

Truth ask(const Node& node, const Subject& subject);

Truth ask(const TextTerm& term, const Subject& subject) {
    const std::string_view text = term.field->text(subject);
    return truth(std::visit([&](const auto& wanted) { return fits(text, wanted); }, term.wanted) != term.negated);
}

Truth ask(const NumberTerm& term, const Subject& subject) {
    const auto value = term.field->number(subject);
    if (!value) return term.field->kind == FieldKind::Statistic ? Truth::Unknown : Truth::No;
    const bool inside =
        (term.lowClosed ? *value >= term.low : *value > term.low) && (term.highClosed ? *value <= term.high : *value < term.high);
    return truth(inside != term.negated);
}

Truth ask(const ShapeTerm& term, const Subject& subject) {
    const auto dimensionFits = [](std::uint64_t have, const std::optional<std::uint64_t>& wanted) {
        return !wanted || have == *wanted;
    };
    return truth(std::ranges::equal(subject.tensor.shape.dimensions(), term.dimensions, dimensionFits) != term.negated);
}

Truth ask(const Group& group, const Subject& subject) {
    if (group.junction == Junction::Not) {
        const Truth inner = ask(group.members.front(), subject);
        return inner == Truth::Unknown ? inner : truth(inner == Truth::No);
    }
    const Truth decides = group.junction == Junction::And ? Truth::No : Truth::Yes;
    Truth result = group.junction == Junction::And ? Truth::Yes : Truth::No;
    for (const Node& member : group.members) {
        const Truth one = ask(member, subject);
        if (one == decides) return one;
        if (one == Truth::Unknown) result = one;
    }
    return result;
}

Truth ask(const Node& node, const Subject& subject) {
    return std::visit([&](const auto& content) { return ask(content, subject); }, node.content);
}

bool asksStatistic(const Node& node) {
    if (const auto* number = std::get_if<NumberTerm>(&node.content)) return number->field->kind == FieldKind::Statistic;
    const auto* const group = std::get_if<Group>(&node.content);
    return group != nullptr && std::ranges::any_of(group->members, asksStatistic);
}

} // namespace

bool Query::matches(const Subject& subject) const { return !m_root || ask(*m_root, subject) == Truth::Yes; }

bool Query::needsStatistics() const { return m_root && asksStatistic(*m_root); }

} // namespace wb::query
