// SPDX-License-Identifier: MIT
#include "gpu/compute/inference.h"

#include "core/infer/cpu/cpu_engine.h"
#include "core/io/byte_source.h"
#include "gpu/compute/follow_test.h"
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

// An engine that the CPU takes over from where the device fails: it loads the model, reads again the tokens that are in the
// cache, and continues.
class GuardedEngine final : public infer::Engine {
public:
    GuardedEngine(std::unique_ptr<infer::Engine> engine, const infer::Graph& graph, infer::EngineOptions options, DeviceRef choice,
                  std::vector<Problem> remarks)
        : m_engine(std::move(engine)), m_graph(graph), m_options(options), m_choice(std::move(choice)),
          m_remarks(std::move(remarks)), m_vocabulary(graph.vocabulary), m_context(m_engine->context()) {}

    std::string device() const override { return m_engine ? m_engine->device() : "cpu"; }
    std::size_t vocabulary() const override { return m_vocabulary; }
    std::size_t width() const override { return m_graph.width; }
    std::size_t layers() const override { return m_graph.layers.size(); }
    std::size_t hiddenWidth(std::size_t layer) const override { return m_engine ? m_engine->hiddenWidth(layer) : width(); }
    std::size_t context() const override { return m_context; }
    std::size_t maxBatch() const override { return m_engine ? m_engine->maxBatch() : deviceBatch; }
    infer::EngineLoad load() const override { return m_engine ? m_engine->load() : infer::EngineLoad{}; }
    std::uint64_t gpuLayers() const override { return m_engine ? m_engine->gpuLayers() : 0; }
    std::string kernels() const override { return m_engine ? m_engine->kernels() : std::string(); }
    std::vector<Problem> remarks() const override { return m_remarks; }
    std::size_t maxRanked() const override { return m_engine ? m_engine->maxRanked() : 0; }
    std::size_t reusable(std::size_t count) const override { return m_engine ? m_engine->reusable(count) : count; }
    std::size_t tailTokens() const override { return m_engine ? m_engine->tailTokens() : 0; }

    Result<void> evaluate(const infer::Batch& batch, const std::stop_token& stop) override {
        auto done = m_engine ? m_engine->evaluate(batch, stop) : Result<void>(std::unexpected(outOfMemory()));
        if (!done && (!m_engine || (m_engine->gpuLayers() > 0 && isOfDevice(done.error())))) {
            WB_TRY(moveToProcessor(done.error(), batch.position, stop));
            done = evaluateOnProcessor(batch, stop);
        }
        if (!done) return done;
        m_tokens.resize(std::min(m_tokens.size(), batch.position));
        m_tokens.insert(m_tokens.end(), batch.tokens.begin(), batch.tokens.end());
        return {};
    }

private:
    // The CPU's engine gives all logits.
    Result<void> evaluateOnProcessor(infer::Batch batch, const std::stop_token& stop) {
        if (batch.ranked.empty()) return m_engine->evaluate(batch, stop);
        std::vector<float> logits(m_vocabulary);
        const std::span<text::TokenLogit> ranked = std::exchange(batch.ranked, {});
        batch.logits = logits;
        WB_TRY(m_engine->evaluate(batch, stop));
        std::ranges::fill(ranked, text::TokenLogit{});
        std::ranges::copy(text::highestLogits(logits, ranked.size()), ranked.begin());
        return {};
    }

    Result<void> moveToProcessor(const Error& error, std::size_t position, const std::stop_token& stop) {
        if (m_engine) m_remarks.push_back(fallbackRemark(m_choice, error));
        m_engine.reset(); // its memory is needed
        WB_TRY_ASSIGN(auto engine, infer::cpu::makeCpuEngine(m_graph, m_options, {stop, {}}));
        const std::span<const infer::Token> before = std::span(m_tokens).first(std::min(position, m_tokens.size()));
        for (std::size_t done = 0; done < before.size();) {
            const auto piece = before.subspan(done, std::min(engine->maxBatch(), before.size() - done));
            WB_TRY(engine->evaluate({piece, done, {}, {}}, stop));
            done += piece.size();
        }
        m_engine = std::move(engine);
        return {};
    }

    std::unique_ptr<infer::Engine> m_engine; // null: the device failed, and the CPU could not take over yet
    const infer::Graph m_graph;
    const infer::EngineOptions m_options;
    const DeviceRef m_choice;
    std::vector<Problem> m_remarks;
    const std::size_t m_vocabulary, m_context;
    std::vector<infer::Token> m_tokens; // in the cache
};

class Inference final : public infer::Backend {
public:
    explicit Inference(std::shared_ptr<ChosenDevice> chosen) : m_chosen(std::move(chosen)) {}

    Result<infer::Placement> place(const infer::Graph& graph, infer::EngineOptions options) override {
        if (options.context == 0) options.context = graph.context;
        infer::Placement placement;
        placement.options = options;
        placeOnDevice(graph, placement);
        WB_TRY_ASSIGN(placement.main, infer::planMainMemory(graph, options, placement.gpuLayers));
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
        return std::make_unique<GuardedEngine>(std::move(engine), graph, options, m_chosen->choice(), std::move(remarks));
    }

    // The device may have been lost, and opened again, since the model was placed.
    Result<std::unique_ptr<infer::Engine>> loadOnDevice(const infer::Graph& graph, const infer::Placement& placement,
                                                        const Progress& progress) {
        WB_TRY_ASSIGN(const DevicePtr device, m_chosen->device());
        if (!device) return std::unexpected(noMemory(graph, placement.deviceName));
        WB_TRY(testTypes(device, graph));
        return makeDeviceEngine(device, graph, placement, fastTypes(device, graph, placement.options.kernels), progress);
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
        if (isAutomatic && !mayChoose(device->info(), measured, placement.remarks)) return;
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
