// SPDX-License-Identifier: MIT
#include "gpu/compute/inference.h"

#include "core/infer/cached_rows.h"
#include "core/infer/cpu/cpu_engine.h"
#include "core/infer/handover_engine.h"
#include "core/io/byte_source.h"
#include "core/io/system/main_memory.h"
#include "gpu/compute/follow_test.h"
#include "gpu/compute/guarded_engine.h"
#include "gpu/compute/kernel_choice.h"
#include "gpu/compute/measurement.h"
#include "gpu/infer/device_buffers.h"
#include "gpu/infer/device_engine.h"
#include "gpu/infer/self_test.h"
#include "gpu/infer/support.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <set>
#include <utility>

namespace wb::gpu::compute {
namespace {

constexpr std::uint64_t minReserve = 256u << 20; // of a device's memory, for its other users

class Inference final : public infer::Backend {
public:
    explicit Inference(std::shared_ptr<ChosenDevice> chosen) : m_chosen(std::move(chosen)) {}

    Result<infer::Placement> place(const infer::Graph& graph, infer::EngineOptions options) override {
        if (options.context == 0) options.context = graph.context;
        infer::Placement placement;
        placement.options = options;
        placeOnDevice(graph, placement);
        WB_TRY_ASSIGN(placement.main, infer::planMainMemory(graph, options, placement.layersOutsideMain()));
        return placement;
    }

    Result<std::unique_ptr<infer::Engine>> load(const infer::Graph& graph, const infer::Placement& placement,
                                                const Progress& progress) override {
        std::vector<Problem> remarks = placement.remarks;
        if (placement.gpuLayers > 0) {
            auto engine = loadOnDevice(graph, placement, progress);
            if (engine) return guard(std::move(*engine), graph, placement.options, std::move(remarks));
            if (!isOfDevice(engine.error())) return engine;
            remarks.push_back(fallbackRemark(m_chosen->choice(), engine.error()));
        }
        WB_TRY_ASSIGN(auto engine, infer::cpu::makeCpuEngine(graph, placement.options, progress));
        return guard(std::move(engine), graph, placement.options, std::move(remarks));
    }

private:
    std::unique_ptr<infer::Engine> guard(std::unique_ptr<infer::Engine> engine, const infer::Graph& graph,
                                         const infer::EngineOptions& options, std::vector<Problem> remarks) const {
        return makeGuardedEngine(std::move(engine), graph, options, m_chosen->choice(), std::move(remarks));
    }

    // The device may have been lost, and opened again, since the model was placed.
    Result<std::unique_ptr<infer::Engine>> loadOnDevice(const infer::Graph& graph, const infer::Placement& placement,
                                                        const Progress& progress) {
        WB_TRY_ASSIGN(const DevicePtr device, m_chosen->device());
        if (!device) return std::unexpected(noMemory(graph, placement.deviceName));
        WB_TRY(testTypes(device, graph));
        WB_TRY_ASSIGN(auto engine,
                      makeDeviceEngine(device, graph, placement, fastTypes(device, graph, placement.options.kernels), progress));
        if (placement.split == infer::PhaseSplit::None) return engine;
        WB_TRY_ASSIGN(auto other, infer::cpu::makeCpuEngine(graph, placement.options, {progress.stop, {}}));
        if (placement.split == infer::PhaseSplit::ResponseOnGpu) std::swap(engine, other);
        return infer::makeHandoverEngine(graph, std::move(engine), std::move(other));
    }

    // As much of the model as the device computes and holds.
    void placeOnDevice(const infer::Graph& graph, infer::Placement& placement) {
        const infer::EngineOptions& options = placement.options;
        const bool isAutomatic = m_chosen->choice().isAutomatic() && !options.gpuLayers;
        const auto giveUp = [&](const Error& error) {
            Problem remark = fallbackRemark(m_chosen->choice(), error);
            const bool isExpected = isAutomatic && remark.severity == Severity::Note;
            if (!isExpected) placement.remarks.push_back(std::move(remark));
        };
        if (options.gpuLayers == 0) return;
        const auto opened = m_chosen->device();
        if (!opened) return giveUp(opened.error());
        if (!*opened) return;
        const DevicePtr& device = *opened;
        const std::optional<Measurement> measured = isAutomatic ? readMeasurement(device->info()) : std::nullopt;
        const bool maySplit = measured && measured->split() != infer::PhaseSplit::None && infer::canHandOver(graph, options);
        if (isAutomatic && !maySplit && !mayChoose(device->info(), measured, placement.remarks)) return;
        if (const auto runs = checkDeviceRuns(graph, options, device->info()); !runs) return giveUp(runs.error());
        if (const auto right = testTypes(device, graph); !right) return giveUp(right.error());
        const std::uint64_t free = device->freeMemory(), usable = free - std::min(free, std::max(minReserve, free / 20));
        const std::uint64_t fitting = fittingLayers(graph, options, device->info(), usable);
        const std::uint64_t layers = possibleLayers(graph, options.gpuLayers.value_or(fitting));
        const std::uint64_t wanted = std::min<std::uint64_t>(options.gpuLayers.value_or(layers), graph.layers.size() + 1);
        if (layers < wanted)
            placement.remarks.push_back(makeProblem(
                Severity::Note, Reason("infer.shared_caches"), "", {},
                WB_TEXT("{0} of the requested {1} layers are on the GPU, since other layers need their caches on the same device."),
                layers, wanted));
        const auto memory = planDeviceMemory(graph, options, layers, device->info());
        if (layers == 0 || !memory) return giveUp(noMemory(graph, device->info().name));
        if (maySplit && layers == graph.layers.size() + 1 && hasSpaceForBoth(graph, options, device->info(), *memory)) {
            placement.split = measured->split();
            placement.remarks.push_back(splitRemark(placement.split, device->info()));
        } else if (maySplit && !mayChoose(device->info(), measured, placement.remarks)) {
            return;
        }
        if (isAutomatic && !measured)
            placement.remarks.push_back(makeProblem(Severity::Note, Reason("device.not_measured"), "", {},
                                                    WB_TEXT("The model runs on the GPU {}, whose speed has not been measured yet; "
                                                            "measure it in Settings or with wb devices --measure."),
                                                    device->info().name));
        placement.device = device->info().option();
        placement.deviceName = device->info().name;
        placement.deviceFree = free;
        placement.gpuLayers = layers;
        placement.driver = device->info().driver;
        placement.deviceMemory = *memory;
    }

    // Each type, and recurrent operations, once.
    Result<void> testTypes(const DevicePtr& device, const infer::Graph& graph) {
        const std::lock_guard lock(m_mutex);
        begin(device);
        for (const Dtype type : matrixTypes(graph)) {
            if (m_right.contains(type)) continue;
            WB_TRY(testInference(device, *findWeightLayout(type)));
            m_right.insert(type);
        }
        if (graph.states.empty() || m_recursRight) return {};
        WB_TRY(testRecurrence(device));
        m_recursRight = true;
        return {};
    }

    // Whether an automatic choice takes this device: where both were measured, the faster one; else a card with its own memory.
    static bool mayChoose(const DeviceInfo& device, const std::optional<Measurement>& measured, std::vector<Problem>& remarks) {
        if (measured ? measured->isGpuFaster() : device.kind == DeviceKind::Discrete) return true;
        if (measured)
            remarks.push_back(makeProblem(Severity::Note, Reason("device.slower"), "", {},
                                          WB_TEXT("The model runs on the CPU, which is faster than the GPU {} (measured)."),
                                          device.name));
        else
            remarks.push_back(makeProblem(Severity::Note, Reason("device.not_measured"), "", {},
                                          WB_TEXT("The model runs on the CPU, since the speed of the GPU {} has not been measured "
                                                  "yet; measure it in Settings or with wb devices --measure."),
                                          device.name));
        return false;
    }

    // Whether RAM has space for the whole model, and where the GPU shares it, for the GPU's copy, too.
    static bool hasSpaceForBoth(const infer::Graph& graph, const infer::EngineOptions& options, const DeviceInfo& device,
                                const infer::EngineMemory& deviceMemory) {
        const std::optional<std::uint64_t> free = io::mainMemory().free;
        const auto main = infer::planMainMemory(graph, options, 0);
        const std::uint64_t shared = device.kind == DeviceKind::Discrete ? 0 : deviceMemory.total();
        return free && main && main->total() <= *free && shared <= *free - main->total();
    }

    static Problem splitRemark(infer::PhaseSplit split, const DeviceInfo& device) {
        const auto remark = [&](const char* sentence) {
            return makeProblem(Severity::Note, Reason("device.split"), "", {}, sentence, device.name);
        };
        if (split == infer::PhaseSplit::PromptOnGpu)
            return remark(WB_TEXT("The GPU {} reads prompts and the CPU writes responses, which is faster than either alone "
                                  "(measured); the weights are in memory twice."));
        return remark(WB_TEXT("The CPU reads prompts and the GPU {} writes responses, which is faster than either alone "
                              "(measured); the weights are in memory twice."));
    }

    FastTypes fastTypes(const DevicePtr& device, const infer::Graph& graph, infer::KernelSet set) {
        const std::lock_guard lock(m_mutex);
        begin(device);
        FastTypes fast = mayBeFast(device->info(), set) ? chosenKernels(device, graph, set) : FastTypes{};
        fast.followUps = mayFollowUp(device, m_fast, set);
        return fast;
    }

    // Those of the model, by the measurement of the device; what that lacks is tried once. A device that cannot try them has none.
    FastTypes chosenKernels(const DevicePtr& device, const infer::Graph& graph, infer::KernelSet set) {
        if (auto measured = readMeasurement(device->info())) m_fast = std::move(measured->kernels);
        const std::vector<Dtype> types = matrixTypes(graph);
        for (const Dtype used : types) {
            const Dtype type = testedDtype(used);
            if (type == Dtype::Unknown || bestForm(m_fast, type)) continue;
            const auto verdicts = testForms(device, type);
            if (verdicts) m_fast.insert(m_fast.end(), verdicts->begin(), verdicts->end());
            else m_fast.push_back({.dtype = type, .error = std::numeric_limits<double>::infinity()});
        }
        if (!bestForm(m_fast, Dtype::Unknown)) {
            const auto verdict = testFastAttention(device);
            m_fast.push_back(verdict ? *verdict : FastVerdict{.error = std::numeric_limits<double>::infinity()});
        }
        return chooseKernels(m_fast, types, set);
    }

    // Results of another device are discarded.
    void begin(const DevicePtr& device) {
        if (std::exchange(m_tested, device) == device) return;
        m_right.clear();
        m_recursRight = false;
        m_fast.clear();
    }

    static Error noMemory(const infer::Graph& graph, const std::string& device) {
        const std::string name = io::baseName(graph.model->path);
        return makeError(ErrorCode::TooLarge, Reason("infer.device_memory"), About{name},
                         WB_TEXT("{} runs on the CPU: the GPU {} has too little free memory for any layer."), name, device);
    }

    const std::shared_ptr<ChosenDevice> m_chosen;
    std::mutex m_mutex;
    DevicePtr m_tested;              // whose self-tests
    std::set<Dtype> m_right;         // these types passed
    bool m_recursRight = false;      // recurrent operations did
    std::vector<FastVerdict> m_fast; // of all forms that were tried; infinitely wrong: could not be
};

} // namespace

std::unique_ptr<infer::Backend> makeInference(const ComputeDevice& device) { return std::make_unique<Inference>(device.chosen()); }

} // namespace wb::gpu::compute
