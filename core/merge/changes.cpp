// SPDX-License-Identifier: MIT
#include "core/merge/changes.h"

#include "core/jobs/thread_pool.h"
#include "core/merge/adapters.h"
#include "core/merge/models_recipe.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace wb::merge {
namespace {

constexpr std::uint64_t slab = 1 << 18; // elements

// A merged tensor and those that it was made of, the base's first.
struct Comparison {
    const TensorInfo* after = nullptr;
    std::vector<const TensorInfo*> before;
    std::vector<std::string> models; // of `before`; empty where only the base is compared
};

std::vector<Comparison> comparisons(const Model& merged) {
    std::map<std::string_view, const TensorInfo*> byName;
    for (const TensorInfo& tensor : merged.tensors)
        if (tensor.logical) byName.emplace(tensor.name, &tensor);
    std::vector<Comparison> all;
    for (const TensorInfo& tensor : merged.tensors) {
        if (tensor.logical) continue;
        const auto base = byName.find(std::string(beforePrefix) + tensor.name);
        if (base == byName.end()) continue;
        Comparison comparison{&tensor, {base->second}, {}};
        const auto* recipe = dynamic_cast<const ModelsRecipe*>(tensor.source.recipe().get());
        if (recipe) comparison.models = recipe->models();
        for (std::size_t i = 1; recipe && i < recipe->inputs().size(); ++i) {
            const auto other = byName.find(recipe->inputs()[i]);
            comparison.before.push_back(other == byName.end() ? nullptr : other->second);
        }
        all.push_back(std::move(comparison));
    }
    return all;
}

void add(Change& change, std::span<const float> before, std::span<const float> after) {
    for (std::size_t i = 0; i < before.size(); ++i) {
        change.changed += std::memcmp(&before[i], &after[i], sizeof(float)) != 0;
        const double was = before[i], is = after[i], difference = is - was;
        change.difference2 += difference * difference;
        change.before2 += was * was;
        change.after2 += is * is;
        change.product += was * is;
    }
    change.elements += before.size();
}

Result<TensorChange> measure(const Model& merged, const Comparison& comparison, const std::stop_token& stop) {
    WB_TRY_ASSIGN(const TensorReader after, TensorReader::open(merged, *comparison.after));
    std::vector<TensorReader> readers;
    for (const TensorInfo* before : comparison.before) {
        if (!before)
            return fail(ErrorCode::Internal, Reason("merge.input"), About{comparison.after->name},
                        "{}: an input of the merge is missing.", comparison.after->name);
        WB_TRY_ASSIGN(TensorReader reader, TensorReader::open(merged, *before));
        readers.push_back(std::move(reader));
    }
    std::vector<Change> changes(readers.size());
    std::vector<float> was, is;
    std::vector<std::byte> scratch;
    for (std::uint64_t first = 0; first < after.elements(); first += slab) {
        if (stop.stop_requested()) return std::unexpected(canceled());
        const std::uint64_t count = std::min(slab, after.elements() - first);
        was.resize(count);
        is.resize(count);
        WB_TRY(after.readF32(first, is, scratch));
        for (std::size_t i = 0; i < readers.size(); ++i) { // a longer vocabulary counts with its first rows
            WB_TRY(readers[i].readF32(first, was, scratch));
            add(changes[i], was, is);
        }
    }
    TensorChange change{changes.front(), {}};
    for (std::size_t i = 0; i < comparison.models.size(); ++i) change.parents.push_back({comparison.models[i], changes[i]});
    return change;
}

} // namespace

std::optional<double> Change::relativeChange() const {
    if (before2 == 0) return std::nullopt;
    return std::sqrt(difference2 / before2);
}

std::optional<double> Change::cosine() const {
    if (before2 == 0 || after2 == 0) return std::nullopt;
    return product / std::sqrt(before2 * after2);
}

Change& Change::operator+=(const Change& other) {
    elements += other.elements;
    changed += other.changed;
    difference2 += other.difference2;
    before2 += other.before2;
    after2 += other.after2;
    product += other.product;
    return *this;
}

TensorChange& TensorChange::operator+=(const TensorChange& other) {
    Change::operator+=(other);
    if (parents.empty()) parents = other.parents;
    else
        for (std::size_t i = 0; i < std::min(parents.size(), other.parents.size()); ++i)
            parents[i].change += other.parents[i].change;
    return *this;
}

Result<std::map<std::string, TensorChange>> mergeChanges(const Model& merged, unsigned threads, const Progress& progress) {
    const auto all = comparisons(merged);
    std::vector<TensorChange> changes(all.size());
    const auto work = [&](std::uint64_t i) -> Result<void> {
        WB_TRY_ASSIGN(changes[i], measure(merged, all[i], progress.stop));
        return {};
    };
    WB_TRY(jobs::parallelFor(all.size(), threads > 0 ? threads : jobs::machineThreads(), progress.stop, work));
    std::map<std::string, TensorChange> byName;
    for (std::size_t i = 0; i < all.size(); ++i) byName.emplace(all[i].after->name, std::move(changes[i]));
    return byName;
}

TensorChange totalChange(const std::map<std::string, TensorChange>& changes) {
    TensorChange total;
    for (const auto& [name, change] : changes) total += change;
    return total;
}

} // namespace wb::merge
