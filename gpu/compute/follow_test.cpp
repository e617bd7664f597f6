// SPDX-License-Identifier: MIT
#include "gpu/compute/follow_test.h"

#include "gpu/compute/device_file.h"
#include "gpu/compute/kernel_choice.h"
#include "gpu/compute/speed_model.h"
#include "gpu/infer/device_engine.h"
#include "gpu/infer/kernels.h"
#include "gpu/infer/known_matrix.h"
#include "gpu/infer/support.h"

#include <map>
#include <mutex>

namespace wb::gpu::compute {
namespace {

constexpr SpeedModelSize testedSize{2, 1024, 3072, 16, 4, 1024}; // hundreds of workgroups a product

// Fast kernels may be compiled to other sums with a follow-up, and a number may then be rounded to the next code of 8 bits, which
// costs this much at most (docs/reference/accuracy.md). Numbers that are read too early are wrong by far.
constexpr double maxError = 1e-3;

// Of some tokens, one after the other.
Result<std::vector<float>> tokenLogits(const DevicePtr& device, const infer::Graph& graph, infer::KernelSet set, FastTypes fast) {
    const std::size_t tokens = device->info().software() ? 3 : 16;
    infer::Placement placement;
    placement.options = {.threads = 1, .context = tokens, .kernels = set};
    placement.gpuLayers = graph.layers.size() + 1;
    WB_TRY(checkDeviceRuns(graph, placement.options, device->info()));
    WB_TRY_ASSIGN(const auto engine, makeDeviceEngine(device, graph, placement, std::move(fast), {}));
    std::vector<float> logits(tokens * engine->vocabulary());
    for (std::size_t position = 0; position < tokens; ++position) {
        const infer::Token token = static_cast<infer::Token>(position * 61 % engine->vocabulary());
        const auto row = std::span(logits).subspan(position * engine->vocabulary(), engine->vocabulary());
        WB_TRY(engine->evaluate({std::span(&token, 1), position, row, {}}, {}));
    }
    return logits;
}

// {"right"}, one file for each set of kernels.
DeviceFile verdictFile(const DeviceInfo& device, bool isFast) {
    return {isFast ? "follow-ups-fast" : "follow-ups", device.id, device.driver};
}

std::optional<bool> readVerdict(const DeviceFile& file) {
    const std::optional<Value> value = file.read();
    const Value* const right = value ? value->object()->find("right") : nullptr;
    const bool* const isRight = right ? std::get_if<bool>(&right->data) : nullptr;
    return isRight ? std::optional(*isRight) : std::nullopt;
}

} // namespace

Result<bool> testFollowUps(const DevicePtr& device, std::span<const FastVerdict> verdicts, infer::KernelSet set) {
    WB_TRY_ASSIGN(const infer::Graph graph, infer::planGraph(makeSpeedModel(device->info().software() ? tinySize : testedSize)));
    const auto both = [&](infer::KernelSet kernels, FastTypes fast) -> Result<std::pair<std::vector<float>, std::vector<float>>> {
        fast.followUps = false;
        WB_TRY_ASSIGN(std::vector<float> separate, tokenLogits(device, graph, kernels, fast));
        fast.followUps = true;
        WB_TRY_ASSIGN(std::vector<float> followed, tokenLogits(device, graph, kernels, std::move(fast)));
        return std::pair{std::move(separate), std::move(followed)};
    };
    WB_TRY_ASSIGN(const auto exact, both(infer::KernelSet::Exact, {}));
    if (exact.first != exact.second) return false;
    FastTypes fast = mayBeFast(device->info(), set) ? chooseKernels(verdicts, matrixTypes(graph), set) : FastTypes{};
    if (fast.types.empty() && !fast.attention) return true;
    WB_TRY_ASSIGN(const auto fastly, both(infer::KernelSet::Fast, std::move(fast)));
    return relativeError(fastly.second, fastly.first) <= maxError;
}

bool mayFollowUp(const DevicePtr& device, std::span<const FastVerdict> verdicts, infer::KernelSet set) {
    static std::mutex mutex;
    static std::map<std::pair<std::string, bool>, bool> known; // by the device's id, and whether fast kernels were tried
    const DeviceInfo& info = device->info();
    if (info.storageBuffers < followBindings) return false;
    const bool isFast = mayBeFast(info, set);
    const std::lock_guard lock(mutex);
    if (const auto found = known.find({info.id, isFast}); found != known.end()) return found->second;
    const DeviceFile file = verdictFile(info, isFast);
    std::optional<bool> isRight = readVerdict(file);
    if (!isRight) {
        const auto tested = testFollowUps(device, verdicts, set);
        if (!tested) return false;
        isRight = *tested;
        (void)file.save([&](JsonWriter& json) { json.key("right"), json.boolean(*isRight); }); // else tested again
    }
    known[{info.id, isFast}] = *isRight;
    return *isRight;
}

} // namespace wb::gpu::compute
