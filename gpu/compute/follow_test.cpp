// SPDX-License-Identifier: MIT
#include "gpu/compute/follow_test.h"

#include "core/base/json_writer.h"
#include "core/formats/json/json.h"
#include "core/io/atomic_writer.h"
#include "gpu/compute/kernel_choice.h"
#include "gpu/compute/speed_model.h"
#include "gpu/infer/device_engine.h"
#include "gpu/infer/known_matrix.h"
#include "gpu/device/instance.h"
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

// {"shaders","driver","right"}, one file for each device and set of kernels.
class KeptVerdict {
public:
    KeptVerdict(const DeviceInfo& device, bool isFast) : m_driver(device.driver) {
        const std::filesystem::path& folder = currentSetup().cacheFolder;
        if (!folder.empty()) m_path = folder / ("follow-ups-" + device.id + (isFast ? "-fast.json" : ".json"));
    }

    std::optional<bool> read() const {
        const auto source = io::FileSource::open(m_path);
        if (m_path.empty() || !source) return {};
        std::vector<Problem> problems;
        const auto value = json::readFile(**source, m_path.filename().string(), {}, problems);
        if (!value || !value->object()) return {};
        const Value* const shaders = value->object()->find("shaders");
        const Value* const driver = value->object()->find("driver");
        const Value* const right = value->object()->find("right");
        if (!shaders || shaders->unsignedNumber() != fastShadersHash()) return {};
        if (!driver || !driver->string() || *driver->string() != m_driver || !right) return {};
        const bool* const isRight = std::get_if<bool>(&right->data);
        return isRight ? std::optional(*isRight) : std::nullopt;
    }

    // A failure costs another test in the next process.
    Result<void> write(bool isRight) const {
        if (m_path.empty()) return {};
        std::error_code error;
        std::filesystem::create_directories(m_path.parent_path(), error); // a failure is the writer's
        std::string text;
        JsonWriter json([&](std::string_view piece) { text += piece; });
        json.beginObject();
        json.key("shaders"), json.integer(fastShadersHash());
        json.key("driver"), json.string(m_driver);
        json.key("right"), json.boolean(isRight);
        json.endObject();
        json.finish();
        WB_TRY_ASSIGN(io::AtomicWriter writer, io::AtomicWriter::create(m_path));
        WB_TRY(writer.write(text));
        return writer.commit();
    }

private:
    const std::string m_driver;
    std::filesystem::path m_path; // empty: nothing is kept
};

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
    const bool isFast = mayBeFast(info, set);
    const std::lock_guard lock(mutex);
    if (const auto found = known.find({info.id, isFast}); found != known.end()) return found->second;
    const KeptVerdict kept(info, isFast);
    std::optional<bool> isRight = kept.read();
    if (!isRight) {
        const auto tested = testFollowUps(device, verdicts, set);
        if (!tested) return false;
        isRight = *tested;
        (void)kept.write(*isRight);
    }
    known[{info.id, isFast}] = *isRight;
    return *isRight;
}

} // namespace wb::gpu::compute
