// SPDX-License-Identifier: MIT
#include "ui/inspect/tensors/tensor_order.h"

#include <algorithm>
#include <bit>
#include <map>

namespace wb::ui::inspect {
namespace {

// Every column is sorted as one unsigned number a tensor, so that 100,000 rows compare without making a text.
using Key = std::optional<std::uint64_t>;

struct Entry {
    bool empty;
    std::uint64_t key;
    std::uint32_t nameRank;
    std::uint32_t tensor;
};

// Unsigned integers in the order of the doubles they come from.
std::uint64_t ordered(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return bits >> 63 ? ~bits : bits | (std::uint64_t{1} << 63);
}

Key ordered(const std::optional<double>& value) { return value ? Key(ordered(*value)) : std::nullopt; }

Key ordered(const std::optional<stats::Element>& value) { return value ? Key(ordered(stats::asDouble(*value))) : std::nullopt; }

Key statisticKey(const stats::TensorStats& stats, Column column) {
    switch (column) {
    case Column::Min: return ordered(stats.min);
    case Column::Max: return ordered(stats.max);
    case Column::AbsMax: return ordered(stats.absmax);
    case Column::Mean: return ordered(stats.mean);
    case Column::Std: return ordered(stats.std);
    case Column::Kurtosis: return ordered(stats.kurtosis);
    case Column::Zeros: return stats.zeros;
    case Column::NaN: return stats.nan;
    default: return stats.outliers6;
    }
}

Key optionalKey(const std::optional<std::uint32_t>& value) { return value ? Key(*value) : std::nullopt; }

class Sorter {
public:
    Sorter(const stats::Contents& contents, const std::vector<std::uint32_t>& nameRanks)
        : m_contents(contents), m_nameRanks(nameRanks) {}

    std::vector<Entry> entries(const std::vector<std::uint32_t>& tensors, Column column) const {
        switch (column) {
        case Column::Type: return ranked<std::string>(tensors, [&](std::uint32_t t) { return m_contents.tensor(t).dtypeName(); });
        case Column::Role: return ranked<QString>(tensors, [&](std::uint32_t t) { return shownCell(m_contents, t, Column::Role); });
        case Column::Shape: return ranked<std::vector<std::uint64_t>>(tensors, [&](std::uint32_t t) { return dimensions(t); });
        default: return numbered(tensors, [&](std::uint32_t t) { return key(t, column); });
        }
    }

private:
    Key key(std::uint32_t tensor, Column column) const {
        const TensorInfo& info = m_contents.tensor(tensor);
        switch (column) {
        case Column::Name: return m_nameRanks[tensor];
        case Column::Elements: return info.shape.elements();
        case Column::Size: return info.bytes();
        case Column::Share: return info.logical ? Key() : Key(info.bytes());
        case Column::Layer: return optionalKey(m_contents.facts[tensor].layer);
        case Column::File: return info.file();
        default: break;
        }
        const stats::TensorStats* stats = m_contents.statistics(tensor);
        return stats ? statisticKey(*stats, column) : Key();
    }

    std::vector<std::uint64_t> dimensions(std::uint32_t tensor) const {
        const auto span = m_contents.tensor(tensor).shape.dimensions();
        return {span.begin(), span.end()};
    }

    std::vector<Entry> numbered(const std::vector<std::uint32_t>& tensors, auto keyOf) const {
        std::vector<Entry> out;
        out.reserve(tensors.size());
        for (const std::uint32_t tensor : tensors) {
            const Key key = keyOf(tensor);
            out.push_back({!key, key.value_or(0), m_nameRanks[tensor], tensor});
        }
        return out;
    }

    // Columns of few different values: the place of each tensor's value among them.
    template <typename Value>
    std::vector<Entry> ranked(const std::vector<std::uint32_t>& tensors, auto valueOf) const {
        std::map<Value, std::uint64_t> places;
        for (const std::uint32_t tensor : tensors) places.try_emplace(valueOf(tensor), 0);
        std::uint64_t next = 0;
        for (auto& [value, place] : places) place = next++;
        return numbered(tensors, [&](std::uint32_t tensor) { return Key(places.find(valueOf(tensor))->second); });
    }

    const stats::Contents& m_contents;
    const std::vector<std::uint32_t>& m_nameRanks;
};

} // namespace

void sortTensors(std::vector<std::uint32_t>& tensors, const stats::Contents& contents, const std::vector<std::uint32_t>& nameRanks,
                 Column column, Qt::SortOrder order) {
    std::vector<Entry> entries = Sorter(contents, nameRanks).entries(tensors, column);
    const bool descending = order == Qt::DescendingOrder;
    std::ranges::sort(entries, [descending](const Entry& a, const Entry& b) {
        if (a.empty != b.empty) return b.empty;
        if (a.key != b.key) return descending ? a.key > b.key : a.key < b.key;
        return a.nameRank < b.nameRank;
    });
    std::ranges::transform(entries, tensors.begin(), &Entry::tensor);
}

} // namespace wb::ui::inspect
