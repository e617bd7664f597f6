// SPDX-License-Identifier: MIT
#include "core/base/heap.h"
#include "tests/gui/support/test_services.h"
#include "ui/inspect/map/heat_map_panel.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QKeyEvent>
#include <QMouseEvent>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>

// The heat map of a tensor of 4,096 x 14,336: building its overview, and panning it in a picture of 1280 x 800 (issue 4, section 3:
// 60 frames a second on a GPU, 30 on lavapipe with two cores), and the memory that the view takes.
using namespace wb;
using namespace wb::ui;

namespace {

ModelPtr makeModel(Dtype dtype, const Shape& shape = *Shape::make({4096, 14'336})) {
    auto model = std::make_shared<Model>();
    TensorInfo& tensor = model->tensors.emplace_back();
    tensor.name = "blk.0.ffn_down.weight";
    tensor.dtype = dtype;
    tensor.shape = shape;
    tensor.source = TensorSource::stored(0, 0, *rowBytes(dtype, tensor.shape.elements()));
    std::vector<std::byte> bytes(tensor.bytes());
    std::mt19937_64 random(1);
    for (std::size_t at = 0; at + 8 <= bytes.size();
         at += 8) { // BF16 below 2; scales of blocks are small or huge, which costs the same
        const std::uint64_t word = random() & 0xBFFF'BFFF'BFFF'BFFF;
        std::memcpy(bytes.data() + at, &word, 8);
    }
    const auto size = bytes.size();
    model->files.push_back({"made.gguf", size, {}, std::make_shared<io::MemorySource>("made.gguf", std::move(bytes))});
    return model;
}

const ModelPtr& dtypeModel(Dtype dtype) {
    static const ModelPtr bf16 = makeModel(Dtype::BF16), q4 = makeModel(Dtype::Q4_K);
    return dtype == Dtype::BF16 ? bf16 : q4;
}

void buildOverview(benchmark::State& state, Dtype dtype, unsigned threads) {
    const ModelPtr& model = dtypeModel(dtype);
    const auto backend = stats::makeCpuMapBackend(threads);
    std::uint64_t bytes = 0;
    for (auto _ : state) bytes = (*stats::buildMap(*backend, {model, 0, {}, 0}, {}))->bytes();
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

// The view of such a tensor with a picture of 1280 x 800. Requests go together as they do in the window.
struct OpenView {
    explicit OpenView(Dtype dtype)
        : document(stats::modelContents(dtypeModel(dtype))), view(document, services), picture(*view.picture()) {
        picture.setParent(nullptr);
        picture.resize(1280, 800);
        view.resize(320, 240); // in the window they share its memory for painting
        view.show();
        picture.show();
        view.setTensor(0);
        settle();
    }
    ~OpenView() { picture.setParent(&view); }

    void settle() {
        while (jobs.unfinishedCount() > 0 || !picture.shownGrid()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }

    bool zoom(int presses) {
        for (int i = 0; i < presses; ++i) press(picture, Qt::Key_Plus);
        return picture.waitForFrame();
    }

    // Moves the dragging mouse by 16 pixels, a hundred times there and then back; returns milliseconds until the next picture is
    // shown.
    double dragOn() {
        QElapsedTimer time;
        time.start();
        drag(picture, QEvent::MouseMove, 800 - 16.0 * (step < 100 ? step : 200 - step));
        step = (step + 1) % 200;
        for (shown = false; !shown;) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        return static_cast<double>(time.nsecsElapsed()) / 1e6;
    }

    void beginDrag() {
        QObject::connect(&picture, &HeatMap::frameShown, &picture, [this] { shown = true; });
        drag(picture, QEvent::MouseButtonPress, 800);
    }

    QueuedJobRunner jobs;
    std::unique_ptr<stats::Backend> backend = stats::makeCpuBackend();
    std::unique_ptr<stats::MapBackend> maps = stats::makeCpuMapBackend();
    test::TestServices services{&jobs, {}, backend.get(), maps.get()};
    inspect::Document document;
    inspect::HeatMapPanel view;
    HeatMap& picture;
    bool shown = false;
    int step = 0;
};

void pan(benchmark::State& state, Dtype dtype, int zooms) {
    OpenView open(dtype);
    if (!open.zoom(zooms)) return state.SkipWithError(qPrintable(open.picture.unavailableReason()));
    std::vector<double> frames;
    open.beginDrag();
    for (auto _ : state) frames.push_back(open.dragOn());
    std::ranges::sort(frames);
    state.counters["p50 ms"] = frames[frames.size() / 2];
    state.counters["p95 ms"] = frames[frames.size() * 95 / 100];
}

// What the process has in memory of its own, images of a software device among it; without the files that are mapped.
double residentMiB() {
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    double kib = 0;
    for (const QByteArray& line : file.readAll().split('\n'))
        if (line.startsWith("RssAnon:") || line.startsWith("RssShmem:")) kib += line.simplified().split(' ')[1].toDouble();
    return kib / 1024;
}

// What the view takes beside the tensor: more than a plot of a very small one, with the device it is drawn on, after having been
// dragged through at three zooms.
void measureMemory(benchmark::State& state) {
    dtypeModel(Dtype::BF16);
    const double bare = residentMiB();
    const ModelPtr tiny = makeModel(Dtype::BF16, *Shape::make({8, 8}));
    HeatMap plot;
    plot.resize(320, 200);
    plot.setMap(*stats::buildMap(*stats::makeCpuMapBackend(1), {tiny, 0, {}, 0}, {}));
    plot.show();
    if (!plot.waitForFrame()) return state.SkipWithError(qPrintable(plot.unavailableReason()));
    const double device = residentMiB();
    for (auto _ : state) {
        OpenView open(Dtype::BF16);
        open.beginDrag();
        for (const auto& [name, zooms] : {std::pair("overview MiB", 4), {"half MiB", 6}, {"elements MiB", 10}}) {
            open.zoom(zooms);
            for (int i = 0; i < 200; ++i) open.dragOn();
            open.settle();
            state.counters[name] = residentMiB() - device;
        }
    }
    state.counters["device MiB"] = device - bare;
}

} // namespace

BENCHMARK(measureMemory)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1); // first: later ones leave some behind
BENCHMARK_CAPTURE(buildOverview, bf16, Dtype::BF16, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(buildOverview, q4_K, Dtype::Q4_K, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(buildOverview, bf16_all_cores, Dtype::BF16, 0)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(pan, overview, Dtype::BF16, 4)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(200);
BENCHMARK_CAPTURE(pan, half, Dtype::BF16, 10)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(200);
BENCHMARK_CAPTURE(pan, elements, Dtype::BF16, 20)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(200);
BENCHMARK_CAPTURE(pan, elements_q4_K, Dtype::Q4_K, 20)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(200);

int main(int argc, char** argv) {
    returnLargeBlocks(); // as the window does
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    applyTheme(Theme::Light);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
