// SPDX-License-Identifier: MIT
#include "core/query/query.h"
#include "tests/gui/support/test_services.h"
#include "ui/inspect/model_page.h"
#include "ui/inspect/tensors/name_tree_model.h"
#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/inspect/tensors/tensor_views.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QScrollBar>
#include <QTableView>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

// The tensor table of a model with 100,000 tensors. Limits (issue 3, section 4): sort 300 ms, filter 100 ms, one step of scrolling
// 16 ms; the model itself is prepared on a worker.
using namespace wb;
using namespace wb::ui::inspect;

namespace {

constexpr std::uint32_t tensorCount = 100'000;

ModelPtr makeModel() {
    auto model = std::make_shared<Model>();
    model->format = FormatId::Safetensors;
    model->architecture = "qwen3moe";
    model->files.resize(20);
    for (std::uint32_t i = 0; i < tensorCount; ++i) {
        TensorInfo tensor;
        tensor.name =
            fmt::format("model.layers.{}.mlp.experts.{}.{}_proj.weight", i / 384, i / 3 % 128, i % 3 == 0 ? "gate" : "up");
        tensor.dtype = i % 2 == 0 ? Dtype::BF16 : Dtype::F32;
        tensor.shape = *Shape::make({768 + i % 7, 2048});
        tensor.source =
            TensorSource::stored(i / 5000, std::uint64_t{i} * 4'194'304, *rowBytes(tensor.dtype, tensor.shape.elements()));
        model->tensors.push_back(std::move(tensor));
    }
    return model;
}

const Document& document() {
    static const Document all(stats::modelContents(makeModel()));
    return all;
}

void prepareContents(benchmark::State& state) {
    const ModelPtr model = makeModel();
    for (auto _ : state) benchmark::DoNotOptimize(stats::modelContents(model));
}

void rankNames(benchmark::State& state) {
    for (auto _ : state) {
        Document fresh(document().contents());
        benchmark::DoNotOptimize(fresh.nameRanks());
    }
}

void sortColumn(benchmark::State& state) {
    TensorTableModel model(document());
    document().nameRanks();
    for (auto _ : state) {
        model.sort(-1, Qt::AscendingOrder);
        model.sort(static_cast<int>(state.range(0)), Qt::DescendingOrder);
    }
}

void filter(benchmark::State& state, const char* text) {
    TensorTableModel model(document());
    const auto query = query::parse(text);
    for (auto _ : state)
        model.setFilter(
            [&](std::uint32_t i) { return query->matches({document().contents().tensor(i), "qwen3moe", {}, nullptr}); });
}

void buildTree(benchmark::State& state) {
    const TensorTableModel table(document());
    NameTreeModel model(document());
    for (auto _ : state) model.setTensors(table.rows());
}

void scrollTable(benchmark::State& state) {
    TensorTableModel model(document());
    QWidget window;
    QTableView* table = makeTensorTable(&model, document().model(), &window);
    window.resize(1200, 700);
    table->resize(1200, 700);
    window.show();
    int row = 0;
    for (auto _ : state) {
        row = (row + 997) % static_cast<int>(tensorCount);
        table->verticalScrollBar()->setValue(row);
        benchmark::DoNotOptimize(table->viewport()->grab());
    }
}

class NoJobs : public ui::JobRunner {
    std::shared_ptr<ui::JobHandle> start(const ui::Sentence&, QObject*, std::function<Result<void>(const Progress&)>,
                                         std::function<void(Result<void>)>, bool) override {
        return nullptr;
    }
};

// From the opened model to the first picture of its page; the limit for all of opening is 150 ms.
void showPage(benchmark::State& state) {
    NoJobs jobs;
    const test::TestServices services(&jobs);
    for (auto _ : state) {
        Document opened(document().contents());
        StatisticsRunner runner(opened, services);
        ModelPage page(opened, runner, services);
        page.resize(1170, 700);
        benchmark::DoNotOptimize(page.grab());
    }
}

} // namespace

BENCHMARK(showPage)->Unit(benchmark::kMillisecond);
BENCHMARK(prepareContents)->Unit(benchmark::kMillisecond);
BENCHMARK(rankNames)->Unit(benchmark::kMillisecond);
BENCHMARK(sortColumn)->DenseRange(0, columnCount - 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(filter, name, "gate_proj")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(filter, several, "dtype:bf16 size:>1M layer:10-90 name:*.up_proj.*")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(filter, role, "role:experts")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(filter, regex, "name:~experts[.]1[0-9]*[.]up")->Unit(benchmark::kMillisecond);
BENCHMARK(buildTree)->Unit(benchmark::kMillisecond);
BENCHMARK(scrollTable)->Unit(benchmark::kMillisecond);

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    ui::applyTheme(ui::Theme::Light);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
