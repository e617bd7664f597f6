// SPDX-License-Identifier: MIT
#include "core/merge/changes.h"

#include "core/jobs/thread_pool.h"
#include "core/merge/adapters.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace wb::merge {
namespace {

constexpr std::uint64_t slab = 1 << 18; // elements

// A tensor and its previous values.
struct Pair {
    const TensorInfo* after = nullptr;
    const TensorInfo* before = nullptr;
};

std::vector<Pair> mergedPairs(const Model& merged) {
    std::map<std::string_view, const TensorInfo*> byName;
    for (const TensorInfo& tensor : merged.tensors)
        if (tensor.logical) byName.emplace(tensor.name, &tensor);
    std::vector<Pair> pairs;
    for (const TensorInfo& tensor : merged.tensors) {
        if (tensor.logical) continue;
        const std::string name = std::string(beforePrefix) + tensor.name;
        if (const auto before = byName.find(name); before != byName.end()) pairs.push_back({&tensor, before->second});
    }
    return pairs;
}

void add(Change& change, std::span<const float> before, std::span<const float> after) {
    for (std::size_t i = 0; i < before.size(); ++i) {
        change.changed += std::memcmp(&before[i], &after[i], sizeof(float)) != 0;
        const double was = before[i], difference = double{after[i]} - was;
        change.difference2 += difference * difference;
        change.before2 += was * was;
    }
    change.elements += before.size();
}

Result<Change> mergedChange(const Model& merged, const Pair& pair, const std::stop_token& stop) {
    WB_TRY_ASSIGN(const TensorReader before, TensorReader::open(merged, *pair.before));
    WB_TRY_ASSIGN(const TensorReader after, TensorReader::open(merged, *pair.after));
    std::vector<float> was, is;
    std::vector<std::byte> scratch;
    Change change;
    for (std::uint64_t first = 0; first < before.elements(); first += slab) {
        if (stop.stop_requested()) return std::unexpected(canceled());
        const std::uint64_t count = std::min(slab, before.elements() - first);
        was.resize(count);
        is.resize(count);
        WB_TRY(before.readF32(first, was, scratch));
        WB_TRY(after.readF32(first, is, scratch));
        add(change, was, is);
    }
    return change;
}

} // namespace

std::optional<double> Change::relativeChange() const {
    if (before2 == 0) return std::nullopt;
    return std::sqrt(difference2 / before2);
}

Change& Change::operator+=(const Change& other) {
    elements += other.elements;
    changed += other.changed;
    difference2 += other.difference2;
    before2 += other.before2;
    return *this;
}

Result<std::map<std::string, Change>> mergeChanges(const Model& merged, unsigned threads, const Progress& progress) {
    const auto pairs = mergedPairs(merged);
    std::vector<Change> changes(pairs.size());
    const auto measure = [&](std::uint64_t i) -> Result<void> {
        WB_TRY_ASSIGN(changes[i], mergedChange(merged, pairs[i], progress.stop));
        return {};
    };
    WB_TRY(jobs::parallelFor(pairs.size(), threads > 0 ? threads : jobs::machineThreads(), progress.stop, measure));
    std::map<std::string, Change> byName;
    for (std::size_t i = 0; i < pairs.size(); ++i) byName.emplace(pairs[i].after->name, changes[i]);
    return byName;
}

} // namespace wb::merge
