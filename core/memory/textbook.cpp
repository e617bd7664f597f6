// SPDX-License-Identifier: MIT
#include "core/memory/textbook.h"

#include "core/base/text.h"
#include "core/memory/rules_table.h"
#include "core/memory/table.h"

#include <map>
#include <string>

namespace wb::memory {
namespace {

std::map<std::string, TextbookRule, std::less<>> readRules() {
    std::map<std::string, TextbookRule, std::less<>> rules;
    for (const TableRow& row : tableRows(rulesTable)) {
        const auto number = [&](std::size_t column) { return parseDouble(row.text(column)).value_or(0); };
        rules[std::string(row.text(0))] = {number(1), number(2), number(3), number(4), number(5), number(6)};
    }
    return rules;
}

} // namespace

const TextbookRule& textbookRule(std::string_view use) {
    static const auto rules = readRules();
    static const TextbookRule none;
    const auto found = rules.find(use);
    return found == rules.end() ? none : found->second;
}

} // namespace wb::memory
