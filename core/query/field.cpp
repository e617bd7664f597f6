// SPDX-License-Identifier: MIT
#include "core/query/field.h"

#include "core/arch/role.h"
#include "core/base/ascii.h"
#include "core/query/text_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace wb::query {
namespace {

using Value = std::optional<double>;

Value asNumber(std::optional<std::uint32_t> value) { return value ? Value(*value) : std::nullopt; }
Value asNumber(std::optional<double> value) { return value; }
Value asNumber(const std::optional<stats::Element>& value) { return value ? Value(stats::asDouble(*value)) : std::nullopt; }
Value asNumber(std::uint64_t value) { return static_cast<double>(value); }

std::string_view subjectName(const Subject& s) { return s.tensor.name; }
std::string_view subjectFile(const Subject& s) { return s.file; }
std::string_view subjectRole(const Subject& s) { return arch::roleName(arch::tensorRole(s.tensor.name, s.architecture)); }
std::string_view subjectPart(const Subject& s) { return arch::tensorPart(s.tensor.name, s.architecture); }
std::string_view subjectType(const Subject& s) {
    if (s.tensor.dtype == Dtype::Unknown && !s.tensor.typeText.empty()) return s.tensor.typeText;
    return wb::name(s.tensor.dtype);
}

Value subjectLayer(const Subject& s) { return asNumber(arch::tensorLayer(s.tensor.name)); }
Value subjectExpert(const Subject& s) { return asNumber(arch::tensorExpert(s.tensor.name)); }
Value subjectRank(const Subject& s) { return asNumber(std::uint64_t{s.tensor.shape.rank()}); }
Value subjectRows(const Subject& s) { return asNumber(s.tensor.shape.rows()); }
Value subjectColumns(const Subject& s) { return asNumber(s.tensor.shape.rowLength()); }
Value subjectElements(const Subject& s) { return asNumber(s.tensor.shape.elements()); }
Value subjectBytes(const Subject& s) { return asNumber(s.tensor.bytes()); }
Value subjectBitsPerWeight(const Subject& s) {
    if (s.tensor.shape.elements() == 0) return std::nullopt;
    return 8.0 * static_cast<double>(s.tensor.bytes()) / static_cast<double>(s.tensor.shape.elements());
}

template <auto member>
Value statistic(const Subject& s) {
    if (s.stats == nullptr) return std::nullopt;
    return asNumber(s.stats->*member);
}

using enum FieldKind;
using Stats = stats::TensorStats;

constexpr std::array fields = {
    Field{"name", Text, subjectName},
    Field{"file", Text, subjectFile},
    Field{"type", Word, subjectType},
    Field{"role", Word, subjectRole},
    Field{"part", Word, subjectPart},
    Field{"layer", Number, nullptr, subjectLayer},
    Field{"expert", Number, nullptr, subjectExpert},
    Field{"shape", Shape},
    Field{"rank", Number, nullptr, subjectRank},
    Field{"rows", Number, nullptr, subjectRows},
    Field{"cols", Number, nullptr, subjectColumns},
    Field{"elements", Number, nullptr, subjectElements},
    Field{"bytes", Number, nullptr, subjectBytes},
    Field{"bpw", Number, nullptr, subjectBitsPerWeight},
    Field{"count", Statistic, nullptr, statistic<&Stats::count>},
    Field{"finite", Statistic, nullptr, statistic<&Stats::finite>},
    Field{"nan", Statistic, nullptr, statistic<&Stats::nan>},
    Field{"inf", Statistic, nullptr, statistic<&Stats::inf>},
    Field{"zeros", Statistic, nullptr, statistic<&Stats::zeros>},
    Field{"denormal", Statistic, nullptr, statistic<&Stats::denormal>},
    Field{"outliers6", Statistic, nullptr, statistic<&Stats::outliers6>},
    Field{"min", Statistic, nullptr, statistic<&Stats::min>},
    Field{"max", Statistic, nullptr, statistic<&Stats::max>},
    Field{"absmax", Statistic, nullptr, statistic<&Stats::absmax>},
    Field{"mean", Statistic, nullptr, statistic<&Stats::mean>},
    Field{"std", Statistic, nullptr, statistic<&Stats::std>},
    Field{"rms", Statistic, nullptr, statistic<&Stats::rms>},
    Field{"skew", Statistic, nullptr, statistic<&Stats::skew>},
    Field{"kurtosis", Statistic, nullptr, statistic<&Stats::kurtosis>},
};

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> aliases = {{
    {"dtype", "type"},
    {"size", "bytes"},
    {"kurt", "kurtosis"},
    {"columns", "cols"},
    {"outliers", "outliers6"},
    {"subnormals", "denormal"},
    {"denormals", "denormal"},
    {"tensor", "name"},
    {"experts", "expert"},
}};

// The number of letters to insert, delete or replace to get from one word to the other.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

} // namespace

const Field* findField(std::string_view name) {
    const std::string wanted = ascii::lowered(name);
    const auto alias = std::ranges::find(aliases, wanted, &std::pair<std::string_view, std::string_view>::first);
    const std::string_view real = alias == aliases.end() ? std::string_view(wanted) : alias->second;
    const auto found = std::ranges::find(fields, real, &Field::name);
    return found == fields.end() ? nullptr : &*found;
}

std::array<std::string_view, 3> nearestFields(std::string_view name) {
    const std::string wanted = ascii::lowered(name.substr(0, 40));
    auto names = fieldNames();
    for (const auto& alias : aliases) names.push_back(alias.first);
    std::ranges::stable_sort(names, {}, [&](std::string_view candidate) { return editDistance(wanted, candidate); });
    return {names[0], names[1], names[2]};
}

std::vector<std::string_view> fieldNames() {
    std::vector<std::string_view> names;
    for (const Field& field : fields) names.push_back(field.name);
    return names;
}

} // namespace wb::query
