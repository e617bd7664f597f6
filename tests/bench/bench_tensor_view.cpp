// SPDX-License-Identifier: MIT
#include "ui/inspect/tensor_view.h"
#include "ui/shell/job_runner.h"
#include "ui/shell/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>

// The heat map of a tensor of 4,096 x 14,336: building its overview, and panning it in a picture of 1280 x 800 (issue 4, section 3: 60
// frames a second on a GPU, 30 on lavapipe with two cores).
using namespace wb;
using namespace wb::ui;

namespace {

ModelPtr makeModel(Dtype dtype) {
    auto model = std::make_shared<Model>();
    TensorInfo& tensor = model->tensors.emplace_back();
    tensor.name = "blk.0.ffn_down.weight";
    tensor.dtype = dtype;
    tensor.shape = *Shape::make({4096, 14'336});
    tensor.offset = 0;
    tensor.bytes = *rowBytes(dtype, tensor.shape.elements());
    std::vector<std::byte> bytes(tensor.bytes);
    std::mt19937_64 random(1);
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) { // BF16 below 2; scales of blocks are small or huge, which costs the same
        const std::uint64_t word = random() & 0xBFFF'BFFF'BFFF'BFFF;
        std::memcpy(bytes.data() + at, &word, 8);
    }
    const auto size = bytes.size();
    model->files.push_back({"made.gguf", size, {}, std::make_shared<io::MemorySource>("made.gguf", std::move(bytes))});
    return model;
}

const ModelPtr& modelOf(Dtype dtype) {
    static const ModelPtr bf16 = makeModel(Dtype::BF16), q4 = makeModel(Dtype::Q4_K);
    return dtype == Dtype::BF16 ? bf16 : q4;
}

void buildOverview(benchmark::State& state, Dtype dtype, unsigned threads) {
    const ModelPtr& model = modelOf(dtype);
    const auto backend = stats::makeCpuMapBackend(threads);
    std::uint64_t bytes = 0;
    for (auto _ : state) bytes = (*inspect::buildMap(*backend, {model, 0, {}, 0}, {}))->bytes();
    state.counters["elements/s"] = benchmark::Counter(4096.0 * 14'336, benchmark::Counter::kIsIterationInvariantRate);
    state.counters["MiB"] = static_cast<double>(bytes) / (1 << 20);
}

void press(QWidget& widget, int key) {
    QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

void drag(QWidget& widget, QEvent::Type type, double x) {
    QMouseEvent event(type, {x, 400}, {x, 400}, Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

// Milliseconds from a step of the mouse that drags the picture by 16 pixels to the next picture that is shown; with `zooms` presses of +
// before. Requests go together as they do in the window.
void pan(benchmark::State& state, Dtype dtype, int zooms) {
    QueuedJobRunner jobs;
    const auto backend = stats::makeCpuBackend();
    const auto maps = stats::makeCpuMapBackend();
    const Services services{&jobs, backend.get(), {}, 0, maps.get()};
    inspect::Document document(inspect::contentsOf(modelOf(dtype)));
    inspect::TensorView view(document, services);
    HeatMap& picture = *view.picture();
    picture.setParent(nullptr);
    picture.resize(1280, 800);
    view.show();
    picture.show();
    view.setTensor(0);
    while (jobs.unfinishedCount() > 0 || !picture.shownGrid()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    for (int i = 0; i < zooms; ++i) press(picture, Qt::Key_Plus);
    if (!picture.waitForFrame()) return state.SkipWithError(qPrintable(picture.unavailableReason()));

    bool shown = false;
    QObject::connect(&picture, &HeatMap::frameShown, &picture, [&shown] { shown = true; });
    std::vector<double> frames;
    int step = 0;
    drag(picture, QEvent::MouseButtonPress, 800);
    for (auto _ : state) {
        QElapsedTimer time;
        time.start();
        drag(picture, QEvent::MouseMove, 800 - 16.0 * (step < 100 ? step : 200 - step)); // there and back
        ++step;
        for (shown = false; !shown;) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        frames.push_back(static_cast<double>(time.nsecsElapsed()) / 1e6);
    }
    std::ranges::sort(frames);
    state.counters["p50 ms"] = frames[frames.size() / 2];
    state.counters["p95 ms"] = frames[frames.size() * 95 / 100];
    picture.setParent(&view);
}

} // namespace

BENCHMARK_CAPTURE(buildOverview, bf16, Dtype::BF16, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(buildOverview, q4_K, Dtype::Q4_K, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(buildOverview, bf16_all_cores, Dtype::BF16, 0)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(pan, overview, Dtype::BF16, 4)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(200);
BENCHMARK_CAPTURE(pan, half, Dtype::BF16, 10)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(200);
BENCHMARK_CAPTURE(pan, elements, Dtype::BF16, 20)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(200);
BENCHMARK_CAPTURE(pan, elements_q4_K, Dtype::Q4_K, 20)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(200);

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    applyTheme(Theme::Light);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
