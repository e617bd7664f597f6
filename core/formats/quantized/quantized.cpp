// SPDX-License-Identifier: MIT
#include "core/formats/quantized/quantized.h"

#include "core/formats/quantized/schemes.h"

#include <algorithm>
#include <array>

namespace wb::quantized {
namespace {

struct Sign {
    std::string_view ending; // of the name of a part that only this scheme has
    void (*add)(Collector&, const TensorInfo&);
};

constexpr std::array signs = {Sign{".qweight", addIntegerGroups},
                              Sign{".weight_packed", addCompressed},
                              Sign{".quant_state.bitsandbytes__nf4", addBitsAndBytes},
                              Sign{".quant_state.bitsandbytes__fp4", addBitsAndBytes},
                              Sign{".SCB", addInt8},
                              Sign{"_scale_inv", addScaled},
                              Sign{"_scale", addScaled},
                              Sign{"_blocks", addBlocks}};

const Sign* tensorSign(const TensorInfo& tensor, std::string_view prefix) {
    if (tensor.logical || !tensor.name.starts_with(prefix)) return nullptr;
    const auto found = std::ranges::find_if(signs, [&](const Sign& sign) { return tensor.name.ends_with(sign.ending); });
    return found == signs.end() ? nullptr : &*found;
}

// A scheme in the configuration that is not supported.
void noteUndecoded(Collector& collector, const std::string& file) {
    const Config& config = collector.config();
    if (collector.hasTensors() || config.method.empty()) return;
    const std::string what = config.format.empty() ? config.method : config.method + " " + config.format;
    collector.note(makeProblem(
        Severity::Note, "quantized.scheme", file, std::nullopt,
        WB_TEXT("The weights are quantized as {}, which Weighbridge cannot decode; their components are listed as stored."), what));
}

void noteInferred(Collector& collector, const std::string& file) {
    if (!collector.hasTensors() || !collector.config().method.empty()) return;
    collector.note(makeProblem(Severity::Note, "quantized.inferred", file, std::nullopt,
                               WB_TEXT("No configuration specifies the quantization scheme; it was inferred from the names, types "
                                       "and shapes of the components.")));
}

} // namespace

Result<void> addLogicalTensors(Model& model, std::string_view prefix, const Value* config, const formats::OpenOptions& options) {
    Config parsed = parseConfig(config);
    const bool isQuantized =
        !parsed.method.empty() || std::ranges::any_of(model.tensors, [&](const TensorInfo& t) { return tensorSign(t, prefix); });
    if (!isQuantized) return {};
    Collector collector(model, prefix, std::move(parsed));
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        if (i % 1024 == 0 && options.progress.stop.stop_requested()) return std::unexpected(canceled());
        if (const Sign* sign = tensorSign(model.tensors[i], prefix)) sign->add(collector, model.tensors[i]);
    }
    const std::string file = model.files.empty() ? std::string() : model.files.front().name;
    noteUndecoded(collector, file);
    noteInferred(collector, file);
    auto tensors = collector.takeTensors();
    auto problems = collector.takeProblems();
    std::ranges::move(tensors, std::back_inserter(model.tensors));
    std::ranges::move(problems, std::back_inserter(model.problems));
    return {};
}

} // namespace wb::quantized
