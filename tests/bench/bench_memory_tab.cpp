// SPDX-License-Identifier: MIT
#include "tests/gui/support/test_services.h"
#include "ui/memory/memory_session.h"
#include "ui/memory/memory_tab.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QSpinBox>

#include <benchmark/benchmark.h>

// The Memory tab of the window. Limits (issue 18, section 11): opened in 50 ms, a step of the slider in 16 ms.
using namespace wb;

namespace {

struct Bench {
    ui::QueuedJobRunner jobs;
    test::TestServices services{&jobs};
};

void openTab(benchmark::State& state) {
    Bench bench;
    for (auto _ : state) {
        ui::MemoryTab tab(bench.services);
        tab.resize(1170, 700);
        benchmark::DoNotOptimize(tab.grab());
    }
}

void count(ui::MemoryTab& tab, const QString& what) {
    tab.session().open(what);
    while (tab.session().isOpening()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

// From a size that is typed to the picture of its parts, every type and every card.
void openAndCount(benchmark::State& state) {
    Bench bench;
    for (auto _ : state) {
        ui::MemoryTab tab(bench.services);
        tab.resize(1170, 700);
        count(tab, QStringLiteral("7B"));
        benchmark::DoNotOptimize(tab.grab());
    }
}

void moveTheSlider(benchmark::State& state) {
    Bench bench;
    ui::MemoryTab tab(bench.services);
    tab.resize(1170, 700);
    count(tab, QStringLiteral("Qwen3-30B-A3B"));
    auto* context = tab.findChild<QSpinBox*>(QStringLiteral("context"));
    for (auto _ : state) {
        context->setValue(context->value() == 8192 ? 16384 : 8192);
        benchmark::DoNotOptimize(tab.grab());
    }
}

} // namespace

BENCHMARK(openTab)->Unit(benchmark::kMillisecond);
BENCHMARK(openAndCount)->Unit(benchmark::kMillisecond);
BENCHMARK(moveTheSlider)->Unit(benchmark::kMillisecond);

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    ui::applyTheme(ui::Theme::Light);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
