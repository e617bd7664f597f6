// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/base/progress.h"
#include "core/diff/mapping.h"
#include "core/model/model.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Two models of any formats, tensor by tensor (docs/reference/command_line.md, "diff"; docs/reference/statistics.md,
// "Quantization and error measures"). Tensors are matched by name; a GGUF file and a Hugging Face folder by the rules with which
// the folder would be converted (core/convert/gguf), which tell every transform; then by content, by role and layer, and last
// by shape and correlation. `wb diff` and the view Compare show the same result.
namespace wb::diff {

// Of w, the values of A after the mapping, against v, those of B, with e = w - v. Sums are over elements that are finite on both
// sides.
struct Measures {
    std::uint64_t elements = 0;       // compared
    std::uint64_t changed = 0;        // whose bits differ after decoding; NaN on both sides is equal
    std::optional<double> maxAbs;     // of e; empty where no element is finite on both sides
    std::vector<std::uint64_t> maxAt; // where, as an index of B's tensor
    std::string maxIn;                // the tensor of B with that element, where B has several
    std::optional<double> rmse;       // sqrt(mean e²)
    std::optional<double> relRmse;    // sqrt(Σe² / Σw²)
    std::optional<double> snrDb;      // 10 log10(Σw² / Σe²), infinite where Σe² is 0; empty where a side is all zero
    std::optional<double> cosine;     // Σwv / sqrt(Σw² Σv²); empty where a side is all zero

    double changedShare() const { return elements == 0 ? 0 : static_cast<double>(changed) / static_cast<double>(elements); }
};

// One or several tensors of A and their counterpart of B.
struct Pair {
    std::vector<std::string> a, b;
    Mappings mapping;
    bool isEqual = false; // every element, bit for bit; of structure alone: type and shape after the mapping
    std::uint64_t elements = 0;
    std::optional<Measures> measures; // empty of structure alone, and where the values cannot be read
    std::optional<Error> failure;     // why they cannot be read
};

struct ChangedKey {
    std::string key;
    std::string a, b; // the values as JSON
};

struct KeyOfOneSide {
    std::string key;
    std::string value; // as JSON
};

struct MetadataDifference {
    std::vector<KeyOfOneSide> onlyA, onlyB;
    std::vector<ChangedKey> changed;

    bool isEmpty() const { return onlyA.empty() && onlyB.empty() && changed.empty(); }
};

struct ChangedToken {
    std::string text;
    std::optional<std::uint64_t> a, b; // its ids; empty where the side does not have it
};

// Numbers of tokens and merges: of B compared with A.
struct TokenizerDifference {
    std::uint64_t added = 0, removed = 0; // by text
    std::uint64_t renumbered = 0;         // in both, with another id
    std::uint64_t mergesChanged = 0;      // that only one side has
    std::vector<ChangedToken> tokens;     // the first maxListedTokens of them, by id; those that A has come first

    bool isEmpty() const { return added + removed + renumbered + mergesChanged == 0; }
};

inline constexpr std::size_t maxListedTokens = 10'000;

struct Pairing; // how the pairs are read

struct Comparison {
    std::vector<Pair> pairs; // in A's order
    std::vector<std::string> onlyA, onlyB;
    MetadataDifference metadata;
    std::optional<TokenizerDifference> tokenizer; // empty where a side has none
    std::optional<bool> templateEqual;            // empty where no side has a chat template
    std::optional<std::string> templateA, templateB;
    std::vector<Problem> problems;
    std::shared_ptr<const Pairing> pairing; // for readDetail(); its files are closed

    std::uint64_t equalCount() const;
    bool isDifferent() const; // in anything
};

// The order in which pairs are listed: those that cannot be read first, then the largest relative error.
double pairError(const Pair& pair);

// Decisions of the user about the matching: the content of a map file.
struct WantedPair {
    std::vector<std::string> a, b;
    Mappings mapping;
};
struct MapFile {
    std::vector<WantedPair> pairs;
    std::vector<std::string> ignored; // patterns with * and ?, of names that appear in no list

    bool isEmpty() const { return pairs.empty() && ignored.empty(); }
    void set(WantedPair pair); // in place of the pairs of any of its tensors
};

// {"pairs":[{"a":[names],"b":[names],"mapping"}],"ignore":[patterns]}. Malformed with the file's name.
Result<MapFile> readMapFile(const std::filesystem::path& path);
Result<MapFile> parseMapFile(std::string_view text, const std::string& name);
std::string mapFileText(const MapFile& map);
std::string mapFileText(const Comparison& comparison, const std::vector<std::string>& ignored);

// A tensor of A and one of B as a pair of a map file, with the mapping that their shapes and types ask for. Invalid where a model
// does not have the tensor, or where the shapes do not fit.
Result<WantedPair> proposePair(const Model& a, const std::string& nameA, const Model& b, const std::string& nameB);

struct Options {
    bool isStructureOnly = false; // compares names, types and shapes; reads no tensor data
    MapFile map;
    std::string mapName;                            // of the map file, in sentences
    std::function<bool(const TensorInfo& a)> wants; // of either side; a pair is wanted where one of its tensors is. Empty: all
    unsigned threads = 0;                           // 0: as many as the machine has
    Progress progress;                              // counts bytes of both sides
};

// Compares; no file is changed. Each side is read at most twice, with some MiB of memory a thread. Invalid for a map that names an
// unknown tensor or a mapping that the shapes do not allow; Canceled. Blocks the calling thread.
Result<Comparison> compare(const ModelPtr& a, const ModelPtr& b, const Options& options);

} // namespace wb::diff
