// SPDX-License-Identifier: MIT
#include "gpu/compute/measurement.h"

#include "core/infer/cpu/cpu_engine.h"
#include "core/infer/session.h"
#include "core/text/sampler.h"
#include "gpu/compute/follow_test.h"
#include "gpu/compute/kernel_choice.h"
#include "gpu/compute/speed_model.h"
#include "gpu/infer/device_engine.h"
#include "gpu/infer/support.h"

#include <algorithm>
#include <chrono>

namespace wb::gpu::compute {
namespace {

using Clock = std::chrono::steady_clock;

// Seconds after which nothing new begins. Software devices, which are for tests, are measured briefly.
double kernelSeconds(const DeviceInfo& device) { return device.software() ? 0 : 6; }
double modelSeconds(const DeviceInfo& device) { return device.software() ? 0.3 : 2; }

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// The best of as many rounds as fit in the time, at least one.
class Timer {
public:
    Timer(std::unique_ptr<infer::Engine> engine, std::size_t prompt, std::size_t response, double seconds,
          const std::stop_token& stop)
        : m_session(std::move(engine)), m_prompt(prompt, 1), m_response(response), m_seconds(seconds), m_progress{stop, {}} {
        m_session.needRanked(m_sampler.neededLogits());
    }

    Result<ModelSpeed> run() {
        // The first of each kind of batch compiles kernels.
        WB_TRY(m_session.replace(std::span(m_prompt).first(2), m_progress));
        WB_TRY(append(1));
        ModelSpeed best;
        const auto begin = Clock::now();
        do {
            WB_TRY_ASSIGN(const double read, time(m_prompt.size(), [&] { return readPrompt(); }));
            WB_TRY_ASSIGN(const double written, time(m_response, [&] { return append(m_response); }));
            best = {std::max(best.prompt, read), std::max(best.generate, written)};
        } while (secondsSince(begin) < m_seconds);
        return best;
    }

private:
    Result<void> readPrompt() {
        m_session.truncate(0);
        return m_session.append(m_prompt, m_progress);
    }

    Result<void> append(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const infer::Token next = m_session.ranked().empty() ? m_sampler.sample(m_session.logits(), m_session.tokens())
                                                                 : m_sampler.sample(m_session.ranked());
            WB_TRY(m_session.append(std::span(&next, 1), m_progress));
        }
        return {};
    }

    // Tokens a second.
    template <class Work>
    static Result<double> time(std::size_t tokens, Work work) {
        const auto begin = Clock::now();
        WB_TRY(work());
        return static_cast<double>(tokens) / std::max(secondsSince(begin), 1e-9);
    }

    infer::Session m_session;
    text::Sampler m_sampler{{}};
    const std::vector<infer::Token> m_prompt;
    const std::size_t m_response;
    const double m_seconds;
    const Progress m_progress;
};

} // namespace

Result<std::vector<FastVerdict>> tryKernels(const DevicePtr& device, const Progress& progress) {
    std::vector<FastVerdict> verdicts;
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < fastDtypes.size(); ++i) {
        if (i > 0 && secondsSince(begin) > kernelSeconds(device->info())) break;
        WB_TRY(progress.at(i, fastDtypes.size() + 2));
        const auto forms = testForms(device, fastDtypes[i]);
        if (!forms && forms.error().code == ErrorCode::Unsupported) break;
        if (!forms) return forms;
        verdicts.insert(verdicts.end(), forms->begin(), forms->end());
    }
    const auto attention = testFastAttention(device);
    if (attention) verdicts.push_back(*attention);
    else if (attention.error().code != ErrorCode::Unsupported) return std::unexpected(attention.error());
    return verdicts;
}

Result<Measurement> measureDevice(const DevicePtr& device, unsigned threads, const Progress& progress) {
    const auto begin = Clock::now();
    const DeviceInfo& info = device->info();
    Measurement measurement{info.id, info.driver, {}, {}, {}, 0};
    WB_TRY_ASSIGN(measurement.kernels, tryKernels(device, progress));
    const bool isSoftware = info.software();
    const std::size_t prompt = isSoftware ? 64 : 256, response = isSoftware ? 8 : 16, parts = fastDtypes.size() + 2;
    WB_TRY_ASSIGN(const infer::Graph graph, infer::planGraph(makeSpeedModel(isSoftware ? tinySize : usualSize)));
    infer::Placement placement;
    placement.options = {.threads = threads, .context = prompt + response};
    placement.gpuLayers = graph.layers.size() + 1;
    WB_TRY(checkDeviceRuns(graph, placement.options, info));
    const std::vector<Dtype> types = matrixTypes(graph);
    const infer::KernelSet set = placement.options.kernels;
    FastTypes fast = mayBeFast(info, set) ? chooseKernels(measurement.kernels, types, set) : FastTypes{};
    fast.followUps = mayFollowUp(device, measurement.kernels, set);
    WB_TRY(progress.at(parts - 2, parts));
    WB_TRY_ASSIGN(auto onDevice, makeDeviceEngine(device, graph, placement, fast, {progress.stop, {}}));
    WB_TRY_ASSIGN(measurement.gpu, Timer(std::move(onDevice), prompt, response, modelSeconds(info), progress.stop).run());
    WB_TRY(progress.at(parts - 1, parts));
    WB_TRY_ASSIGN(auto onProcessor, infer::cpu::makeCpuEngine(graph, placement.options, {progress.stop, {}}));
    WB_TRY_ASSIGN(measurement.cpu, Timer(std::move(onProcessor), prompt, response, modelSeconds(info), progress.stop).run());
    measurement.seconds = secondsSince(begin);
    return measurement;
}

infer::PhaseSplit Measurement::split() const {
    constexpr double least = 0.8;
    const double alone = std::min(gpu.turnSeconds(), cpu.turnSeconds());
    const ModelSpeed promptOnGpu{gpu.prompt, cpu.generate}, responseOnGpu{cpu.prompt, gpu.generate};
    if (promptOnGpu.turnSeconds() <= least * alone) return infer::PhaseSplit::PromptOnGpu;
    if (responseOnGpu.turnSeconds() <= least * alone) return infer::PhaseSplit::ResponseOnGpu;
    return infer::PhaseSplit::None;
}

} // namespace wb::gpu::compute
