// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/source/adapter_file.h"
#include "core/convert/source/merge_choices.h"
#include "core/convert/weights/weights_plan.h"

#include <map>
#include <set>
#include <string>

// Plans to write weights as files: what the window or `wb convert --save-plan` decided, to be done again on the same source, also
// by a run that continues after a restart. JSON, version 1: { "weighbridge_weights": 1, "folder": bool, "adapters": [{"path",
// "scale"}, …], "type": "F16" | null, "shard_bytes", "shard_tensors",
//   "trusts_source": bool, "training_state": bool (absent: false), "metadata": {"<key>": "<text>", …}, "left_out": ["<name>", …], "names": {"<name>": "<new name>", …},
//   "types": {"<name>": "<type>", …} }
// A plan that merges models is of version 2 and has "merge", as writeMerge() writes it. Names are those of the source; tensors that
// no member names follow the general rule.
namespace wb::convert {

struct WeightsPlanFile {
    bool isFolder = false;
    std::vector<AdapterFile> adapters; // merged into the source, in this order
    MergeChoices merge;                // other models that are merged with the source
    std::optional<Dtype> type;         // of weightTypes(); empty: as stored
    std::uint64_t shardBytes = 0;      // 0: no limit
    std::uint64_t shardTensors = 0;    // 0: no limit
    bool trustsSource = false;         // it may be a file that would run something where it is loaded
    bool withTrainingState = false;    // see WeightsRequest
    std::vector<std::pair<std::string, std::string>> metadata;
    std::set<std::string> leftOut;
    std::map<std::string, std::string> names;
    std::map<std::string, Dtype> types;

    bool operator==(const WeightsPlanFile&) const = default;
};

// Whether a text is of such a plan, and not of one that makes a GGUF file.
bool isWeightsPlan(std::string_view text);

std::string weightsPlanText(const WeightsPlanFile& plan); // with a final newline

// Reads one that may come from anybody: Unknown, Malformed, TooLarge or Unsupported (another version) with the name of the file.
Result<WeightsPlanFile> parseWeightsPlan(std::string_view text, const std::string& name);
Result<WeightsPlanFile> readWeightsPlan(const std::filesystem::path& path);

// The request for planWeights in the plan.
WeightsRequest requestFromPlan(const WeightsPlanFile& plan);

} // namespace wb::convert
