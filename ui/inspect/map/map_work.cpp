// SPDX-License-Identifier: MIT
#include "ui/inspect/map/map_work.h"

#include "core/tensor/block_parts.h"

#include <algorithm>

namespace wb::ui::inspect {
namespace {

constexpr std::uint32_t fineBins = 8192; // so that a logarithmic axis still has bins near zero
constexpr std::uint32_t scaleBins = 512;
constexpr std::size_t largestListed = 100; // docs/reference/statistics.md, "Channel statistics"

// The tensors of a subject, opened for one piece of work.
struct Readers {
    TensorReader tensor;
    std::optional<TensorReader> minus;

    static Result<Readers> open(const MapSubject& subject) {
        WB_TRY_ASSIGN(auto tensor, TensorReader::open(*subject.model, subject.info()));
        if (!subject.minus) return Readers{std::move(tensor), {}};
        WB_TRY_ASSIGN(auto minus, TensorReader::open(*subject.minus->model, subject.minus->info()));
        return Readers{std::move(tensor), std::move(minus)};
    }
    stats::MapInput input() const { return {&tensor, minus ? &*minus : nullptr}; }
};

} // namespace

Result<MapPtr> buildMap(stats::MapBackend& backend, const MapSubject& subject, const Progress& progress) {
    WB_TRY_ASSIGN(const Readers readers, Readers::open(subject));
    WB_TRY_ASSIGN(auto map, backend.build(readers.input(), subject.matrix(), progress));
    return std::make_shared<const stats::TensorMap>(std::move(map));
}

Result<Detail> readDetail(const MapSubject& subject, const stats::MatrixRegion& region, std::uint32_t cell, const Detail& known,
                          const Progress& progress) {
    WB_TRY_ASSIGN(const Readers readers, Readers::open(subject));
    const auto read = [&](const stats::MapInput& input, const GridPtr& knownGrid) -> Result<GridPtr> {
        WB_TRY_ASSIGN(auto grid, stats::readGrid(input, subject.matrix(), region, cell, progress, knownGrid.get()));
        return std::make_shared<const stats::MapGrid>(std::move(grid));
    };
    Detail detail;
    WB_TRY_ASSIGN(detail.shown, read(readers.input(), known.shown));
    if (cell > 1 || !readers.minus) return detail;
    WB_TRY_ASSIGN(detail.own, read({&readers.tensor, nullptr}, known.own));
    WB_TRY_ASSIGN(detail.other, read({&*readers.minus, nullptr}, known.other));
    return detail;
}

bool MapSubject::isOtherOriginal() const {
    const auto bits = [](const TensorInfo& one) {
        const auto elements = static_cast<double>(std::max<std::uint64_t>(one.shape.elements(), 1));
        return static_cast<double>(one.bytes()) / elements;
    };
    return minus && bits(minus->info()) > bits(info());
}

Result<ElementLook> lookAt(const MapSubject& subject, std::uint64_t row, std::uint64_t column) {
    WB_TRY_ASSIGN(const Readers readers, Readers::open(subject));
    const std::uint64_t element = subject.matrix().index(row, column);
    WB_TRY_ASSIGN(stats::StoredBlock own, stats::readBlock(readers.tensor, element));
    if (!readers.minus) return ElementLook{std::move(own), {}};
    WB_TRY_ASSIGN(stats::StoredBlock other, stats::readBlock(*readers.minus, element));
    return ElementLook{std::move(own), std::move(other)};
}

Result<std::vector<stats::TopElement>> findLargest(const MapSubject& subject, const MapPtr& map, const Progress& progress) {
    WB_TRY_ASSIGN(const Readers readers, Readers::open(subject));
    return stats::largestElements(readers.input(), *map, largestListed, progress);
}

Result<stats::Difference> compareSubject(const MapSubject& subject, unsigned threads, const Progress& progress) {
    WB_TRY_ASSIGN(const Readers readers, Readers::open(subject));
    const bool isSwapped = subject.isOtherOriginal(); // all measures but the relative ones are the same either way
    return stats::compareTensors(isSwapped ? *readers.minus : readers.tensor, isSwapped ? readers.tensor : *readers.minus, threads,
                                 progress);
}

Result<DistributionFacts> findDistribution(stats::Backend& backend, const ModelPtr& model, std::uint32_t tensor, unsigned threads,
                                           const Progress& progress) {
    WB_TRY_ASSIGN(const auto reader, TensorReader::open(*model, model->tensors[tensor]));
    stats::Options options;
    options.bins = fineBins;
    options.threads = threads;
    WB_TRY_ASSIGN(auto stats, backend.compute(reader, options, progress));
    DistributionFacts facts;
    facts.stats = std::make_shared<const stats::TensorStats>(std::move(stats));
    if (!blockFacts(reader.dtype())) return facts;
    WB_TRY_ASSIGN(auto codes, stats::computeCodes(reader, scaleBins, threads, progress));
    facts.codes = std::make_shared<const stats::CodeStats>(std::move(codes));
    return facts;
}

} // namespace wb::ui::inspect
