// SPDX-License-Identifier: MIT
#include "core/stats/map/subject.h"

#include <algorithm>

namespace wb::stats {
namespace {

constexpr std::size_t largestListed = 100; // docs/reference/statistics.md, "Channel statistics"

// The tensors of a subject, opened for one piece of work.
struct Readers {
    TensorReader tensor;
    std::optional<TensorReader> minus;

    static Result<Readers> open(const MapSubject& subject) {
        WB_TRY_ASSIGN(auto tensor, subject.pass ? subject.pass->reader() : TensorReader::open(*subject.model, subject.info()));
        if (!subject.minus) return Readers{std::move(tensor), {}};
        WB_TRY_ASSIGN(auto minus, TensorReader::open(*subject.minus->model, subject.minus->info()));
        return Readers{std::move(tensor), std::move(minus)};
    }
    MapInput input() const { return {&tensor, minus ? &*minus : nullptr}; }
};

} // namespace

Result<MapPtr> buildMap(MapBackend& backend, const MapSubject& subject, const Progress& progress) {
    WB_TRY_ASSIGN(const Readers readers, Readers::open(subject));
    WB_TRY_ASSIGN(auto map, backend.build(readers.input(), subject.matrix(), progress));
    return std::make_shared<const TensorMap>(std::move(map));
}

Result<MapDetail> readDetail(const MapSubject& subject, const MatrixRegion& region, std::uint32_t cell, const MapDetail& known,
                             const Progress& progress) {
    WB_TRY_ASSIGN(const Readers readers, Readers::open(subject));
    const auto read = [&](const MapInput& input, const GridPtr& knownGrid) -> Result<GridPtr> {
        WB_TRY_ASSIGN(auto grid, readGrid(input, subject.matrix(), region, cell, progress, knownGrid.get()));
        return std::make_shared<const MapGrid>(std::move(grid));
    };
    MapDetail detail;
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
    WB_TRY_ASSIGN(StoredBlock own, readBlock(readers.tensor, element));
    if (!readers.minus) return ElementLook{std::move(own), {}};
    WB_TRY_ASSIGN(StoredBlock other, readBlock(*readers.minus, element));
    return ElementLook{std::move(own), std::move(other)};
}

Result<std::vector<TopElement>> findLargest(const MapSubject& subject, const MapPtr& map, const Progress& progress) {
    WB_TRY_ASSIGN(const Readers readers, Readers::open(subject));
    return largestElements(readers.input(), *map, largestListed, progress);
}

Result<Difference> compareSubject(const MapSubject& subject, unsigned threads, const Progress& progress) {
    WB_TRY_ASSIGN(const Readers readers, Readers::open(subject));
    const bool isSwapped = subject.isOtherOriginal(); // all measures but the relative ones are the same either way
    return compareTensors(isSwapped ? *readers.minus : readers.tensor, isSwapped ? readers.tensor : *readers.minus, threads,
                          progress);
}

} // namespace wb::stats
