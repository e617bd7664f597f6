// SPDX-License-Identifier: MIT
#include "core/diff/diff.h"

#include "core/diff/compare_runs.h"
#include "core/diff/gguf_view.h"
#include "core/diff/metadata.h"
#include "core/diff/pairing.h"

#include <algorithm>
#include <limits>

namespace wb::diff {
namespace {

// A GGUF file next to a folder is compared with the file that the folder would be converted to.
std::shared_ptr<const GgufView> viewFor(const ModelPtr& a, const ModelPtr& b) {
    const bool isGgufA = a->format == FormatId::Gguf, isGgufB = b->format == FormatId::Gguf;
    if (isGgufA == isGgufB) return nullptr;
    auto view = makeGgufView(isGgufA ? b : a);
    return view ? std::make_shared<const GgufView>(*std::move(view)) : nullptr;
}

// Of structure alone: type and shape after the mapping.
bool agreesInStructure(const Mappings& mapping) {
    return std::ranges::none_of(mapping, [](Mapping each) {
        return each == Mapping::Cast || each == Mapping::Dequantized || each == Mapping::Padded || each == Mapping::Guess;
    });
}

void noteUnread(Comparison& comparison, const Pair& pair) {
    if (!pair.failure) return;
    comparison.problems.push_back(asProblem(Severity::Error, pair.failure->reason, pair.failure->subject, *pair.failure));
}

} // namespace

double pairError(const Pair& pair) {
    if (pair.isEqual) return 0; // also without any finite element
    if (!pair.measures) return std::numeric_limits<double>::infinity();
    if (pair.measures->relRmse) return *pair.measures->relRmse;
    return pair.measures->rmse.value_or(std::numeric_limits<double>::max());
}

std::uint64_t Comparison::equalCount() const { return static_cast<std::uint64_t>(std::ranges::count(pairs, true, &Pair::isEqual)); }

bool Comparison::isDifferent() const {
    return equalCount() != pairs.size() || !onlyA.empty() || !onlyB.empty() || !metadata.isEmpty() ||
           (tokenizer && !tokenizer->isEmpty()) || templateEqual == false;
}

Result<Comparison> compare(const ModelPtr& a, const ModelPtr& b, const Options& options) {
    const Sides sides{a, b, viewFor(a, b)};
    WB_TRY_ASSIGN(Pairing pairing, pairTensors(sides, options));
    if (!options.isStructureOnly) WB_TRY(compareRuns(pairing, options));
    Comparison comparison;
    for (PlannedPair& planned : pairing.pairs) {
        if (options.isStructureOnly) planned.pair.isEqual = agreesInStructure(planned.pair.mapping);
        noteUnread(comparison, planned.pair);
        comparison.pairs.push_back(planned.pair);
    }
    comparison.onlyA = std::move(pairing.onlyA);
    comparison.onlyB = std::move(pairing.onlyB);
    WB_TRY_ASSIGN(comparison.metadata, compareMetadata(sides));
    WB_TRY_ASSIGN(comparison.tokenizer, compareTokenizers(sides));
    comparison.templateA = chatTemplate(*a);
    comparison.templateB = chatTemplate(*b);
    if (comparison.templateA || comparison.templateB) comparison.templateEqual = comparison.templateA == comparison.templateB;
    pairing.models.clear();
    comparison.pairing = std::make_shared<const Pairing>(std::move(pairing));
    return comparison;
}

} // namespace wb::diff
