// SPDX-License-Identifier: MIT
#include "app/store/library_index.h"
#include "core/formats/gguf/writer.h"
#include "core/library/scan.h"

#include <QCoreApplication>
#include <QTemporaryDir>

#include <benchmark/benchmark.h>

#include <fstream>

// The library of 10,000 models in as many folders, on a warm disk. Limits: 2 s for the first scan, 200 ms for the next, which reads
// the index and no header (issue 19).
using namespace wb;

namespace {

constexpr int models = 10'000, owners = 100;

std::string smallModel() {
    const std::vector<gguf::StoredPair> pairs = {gguf::makePair("general.architecture", std::string_view("llama")),
                                                 gguf::makePair("general.file_type", std::uint32_t{7}),
                                                 gguf::makePair("llama.context_length", std::uint32_t{4096})};
    const auto layout = gguf::layOut(pairs, {{"token_embd.weight", *Shape::make({64, 64}), Dtype::Q8_0}});
    std::string file = layout->header;
    file.resize(static_cast<std::size_t>(layout->fileBytes));
    return file;
}

// Written once; the index beside them is filled by the first scan.
struct Disk {
    QTemporaryDir folder;
    std::filesystem::path root = folder.path().toStdString();

    Disk() {
        const std::string content = smallModel();
        for (int i = 0; i < models; ++i) {
            const auto home = root / "models" / ("owner" + std::to_string(i % owners)) / ("model-" + std::to_string(i));
            std::filesystem::create_directories(home);
            std::ofstream(home / ("model-" + std::to_string(i) + "-Q8_0.gguf"), std::ios::binary) << content;
        }
    }

    std::size_t scan(const std::filesystem::path& index) const {
        LibraryIndex facts(index);
        const auto listing = library::scan({{library::StoreKind::LmStudio, root / "models", true}}, facts, 0, {});
        return listing ? listing->entries.size() : 0;
    }
};

const Disk& disk() {
    static const Disk disk;
    return disk;
}

void scanFirst(benchmark::State& state) {
    disk().scan(disk().root / "warm.sqlite"); // the disk's cache
    for (auto _ : state) {
        state.PauseTiming();
        std::filesystem::remove(disk().root / "first.sqlite");
        state.ResumeTiming();
        if (disk().scan(disk().root / "first.sqlite") != models) state.SkipWithError("models are missing");
    }
}

void scanAgain(benchmark::State& state) {
    disk().scan(disk().root / "again.sqlite");
    for (auto _ : state)
        if (disk().scan(disk().root / "again.sqlite") != models) state.SkipWithError("models are missing");
}

BENCHMARK(scanFirst)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime()->Iterations(5);
BENCHMARK(scanAgain)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime()->Iterations(20);

} // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
