// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// How several models become one (docs/reference/conversion.md, "Merging models"). The base is the model that the differences of
// the others are taken from.
namespace wb::merge {

enum class MergeMethod : std::uint8_t {
    Linear,         // weighted average
    Slerp,          // between two models, along the arc
    TaskArithmetic, // weighted differences, added
    Ties,           // the largest differences, those of the elected sign averaged
    DareLinear,     // random differences, added
    DareTies,       // random differences, those of the elected sign added
    Layers,         // whole layers of the models, one after another
};
std::span<const MergeMethod> mergeMethods();
const char* name(MergeMethod method); // "linear", "task-arithmetic" …
std::optional<MergeMethod> mergeMethodFromName(std::string_view text);

// Whether differences are dropped, so that a density counts.
bool dropsDifferences(MergeMethod method);
bool dropsAtRandom(MergeMethod method);
bool electsSigns(MergeMethod method);

// The factor of the differences that DARE keeps.
enum class MergeRescale : std::uint8_t {
    Density, // 1 / density
    L1,      // so that the sum of the magnitudes of the tensor stays
    None,
};
const char* name(MergeRescale rescale); // "density", "l1", "no"
std::optional<MergeRescale> mergeRescaleFromName(std::string_view text);

enum class MergeKey : std::uint8_t { Weight, Density, T };
const char* name(MergeKey key); // "weight", "density", "t"
std::optional<MergeKey> mergeKeyFromName(std::string_view text);

// Another number for the tensors whose names the pattern matches somewhere, for each of the other models. Several values are
// spread over the layers of the base: layer i of L is at i / (L - 1), linear between them; such a rule does not match tensors
// outside layers. Of the rules of one key the first that matches holds.
struct MergeRule {
    std::string pattern; // core/regex
    MergeKey key = MergeKey::Weight;
    std::vector<double> values;

    bool operator==(const MergeRule&) const = default;
};

// Layers `first` to `last`, both included, of the base (0) or of another model (1 …).
struct LayerSlice {
    std::uint64_t model = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;

    bool operator==(const LayerSlice&) const = default;
};

struct MergeSettings {
    MergeMethod method = MergeMethod::Linear;
    double baseWeight = 1;               // of the base; Linear
    std::vector<double> weights = {};    // of the other models
    double t = 0.5;                      // 0: the base, 1: the other; Slerp
    double density = 1;                  // share of the differences that is kept, in 0 < density ≤ 1
    double lambda = 1;                   // of the sum of differences
    std::optional<bool> normalizes = {}; // whether sums are divided by the sum of their weights; empty: Linear and Ties do
    MergeRescale rescale = MergeRescale::Density;
    std::uint64_t seed = 0; // of the masks of DARE
    std::vector<MergeRule> rules = {};
    std::vector<LayerSlice> layers = {}; // of the result, in order

    bool isNormalized() const { return normalizes.value_or(method == MergeMethod::Linear || method == MergeMethod::Ties); }
    bool operator==(const MergeSettings&) const = default;
};

// Invalid, with the setting that is out of range or does not belong to the method.
Result<void> checkSettings(const MergeSettings& settings);

// REGEX:KEY=V or REGEX:KEY=V,V,… Invalid.
Result<MergeRule> parseMergeRule(const std::string& text);
std::string settingText(const MergeRule& rule);

// "A:0-15,B:8-31": A is the base, B the first other model … Invalid.
Result<std::vector<LayerSlice>> parseLayerSlices(const std::string& text);
std::string settingText(std::span<const LayerSlice> slices);

} // namespace wb::merge
