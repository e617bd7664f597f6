// SPDX-License-Identifier: MIT
#include "core/formats/dcp/join.h"

#include "core/base/checked.h"
#include "core/formats/training/assemble.h"
#include "core/formats/training/window_source.h"
#include "core/formats/torch/torch.h"
#include "core/io/range_source.h"
#include "core/model/fragments.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace wb::dcp {
namespace {

constexpr std::size_t listedParts = 256;

// "model.embed.weight [6, 0]": a chunk with the coordinates of its first element.
std::string chunkName(const std::string& tensor, const std::vector<std::uint64_t>& offsets) {
    return fmt::format("{} [{}]", tensor, fmt::join(offsets, ", "));
}

std::string_view baseFromName(const std::string& name) { return std::string_view(name).substr(name.rfind('/') + 1); }

std::vector<PathStep> metadataPath(const MetadataFile& metadata, const std::string& name) {
    const auto known = metadata.paths.find(name);
    return known != metadata.paths.end() ? known->second : std::vector<PathStep>{{name, false}};
}

std::uint64_t chunkVolume(const Chunk& chunk) {
    const auto shape = Shape::make(chunk.sizes);
    return shape ? shape->elements() : 0;
}

} // namespace

Joiner::Joiner(formats::Index& index, const formats::Sources& sources, const std::vector<std::string>& names,
               const MetadataFile& metadata, const formats::OpenOptions& options)
    : m_index(index), m_names(names), m_metadata(metadata), m_options(options) {
    for (const auto& source : sources) m_sources.push_back(training::readThroughWindows(source));
    for (std::uint32_t i = 0; i < sources.size(); ++i) m_files[std::string(baseFromName(names[i]))] = {i, 0, false};
}

void Joiner::listChunk(const SliceRecord& slice, TensorInfo stored, std::uint32_t source) {
    auto& tensors = m_index.model.tensors;
    stored.name = chunkName(slice.name, *slice.offsets);
    stored.rawName.clear();
    TensorPlace place = stored.source.place();
    place.file = source;
    if (place.offset) place.offset = *place.offset + slice.offset; // inside the source, as the slice is
    if (stored.source.form() == TensorSource::Form::Strided)
        stored.source = TensorSource::strided(source, place.offset.value_or(0), stored.source.strides(), place.bytes);
    else stored.source.setPlace(place);
    if (!m_chunks.emplace(stored.name, tensors.size()).second) return;
    tensors.push_back(std::move(stored));
}

Result<void> Joiner::readSlice(const SliceRecord& slice, Danger& danger) {
    if (slice.offsets) m_chunkFiles.emplace(chunkName(slice.name, *slice.offsets), slice.file);
    DataFile& file = m_files[slice.file];
    if (file.isMissing) return {};
    const auto& source = m_sources[file.source];
    const auto extent = io::Extent::make(source->size(), slice.offset, slice.length);
    if (!extent) {
        ++file.cut;
        return {};
    }
    if (slice.isTransformed) return {};
    const auto range = std::make_shared<io::RangeSource>(source, *extent, source->name());
    formats::OpenOptions own = m_options;
    own.progress.report = nullptr;
    own.strictness = formats::Strictness::Lenient;
    std::optional<Value> plain;
    auto part = torch::load(range, own, [&plain](const auto&, auto, const std::optional<Value>& value) { plain = value; });
    if (!part && part.error().code == ErrorCode::Canceled) return std::unexpected(std::move(part).error());
    if (!part) {
        ++file.cut;
        return {};
    }
    if (part->danger && part->danger->verdict() != Verdict::Clean) {
        Danger one = *part->danger;
        for (ScannedFile& scanned : one.files) scanned.path = m_names[file.source];
        append(danger, std::move(one));
    }
    m_index.model.bigEndian = m_index.model.bigEndian || part->bigEndian;
    if (slice.offsets && part->tensors.size() == 1) listChunk(slice, std::move(part->tensors.front()), file.source);
    else if (!slice.offsets && plain) m_objects.add(metadataPath(m_metadata, slice.name), std::move(*plain));
    return {};
}

void Joiner::reportFiles() {
    constexpr std::size_t listed = 50;
    for (const auto& [name, file] : m_files) {
        if (!file.isMissing && file.cut == 0) continue;
        if (m_missing.size() >= listed) return;
        m_missing.push_back({CheckpointPart::Weights, name});
        if (file.isMissing)
            m_index.model.problems.push_back(
                makeProblem(Severity::Error, "dcp.file_missing", name, std::nullopt,
                            WB_TEXT("The data file {} is missing; its tensors cannot be read. Copy it to the folder."), name));
        else
            m_index.model.problems.push_back(makeProblem(
                Severity::Error, "dcp.file_cut", name, std::nullopt,
                WB_TEXT("{} is truncated or damaged: {} of its pieces cannot be read. Copy it again."), name, file.cut));
    }
}

Result<void> Joiner::run(Danger& danger) {
    std::uint64_t done = 0;
    for (const SliceRecord& slice : m_metadata.slices) {
        if (done++ % 256 == 0) WB_TRY(m_options.progress.at(done, m_metadata.slices.size()));
        if (m_index.model.tensors.size() + m_metadata.tensors.size() >= m_options.limits.tensorsPerFile) break;
        WB_TRY(readSlice(slice, danger));
    }
    reportFiles();
    for (const TensorRecord& record : m_metadata.tensors) joinTensor(record);
    return {};
}

void Joiner::joinTensor(const TensorRecord& record) {
    TensorInfo tensor;
    tensor.name = record.name;
    tensor.dtype = record.type.dtype;
    if (tensor.dtype == Dtype::Unknown) tensor.typeText = record.type.text;
    tensor.shape = record.size;
    tensor.logical = true;
    TensorDetails details;
    details.scheme = "dcp";
    details.bitsPerWeight = static_cast<double>(record.type.bytes * 8);
    std::vector<training::PlacedChunk> chunks;
    std::string why = m_pieces + record.chunks.size() > maxPieces ? WB_TEXT("the tensors consist of too many pieces") : "";
    std::optional<std::uint64_t> volume = 0;
    for (std::size_t i = 0; i < record.chunks.size() && why.empty(); ++i) {
        const Chunk& chunk = record.chunks[i];
        if (chunk.offsets.size() != record.size.rank() || chunk.sizes.size() != record.size.rank()) {
            why = WB_TEXT("its pieces have another number of axes");
            break;
        }
        if (chunkVolume(chunk) == 0) continue;
        volume = volume ? checked::add(*volume, chunkVolume(chunk)) : std::nullopt;
        const std::string name = chunkName(record.name, chunk.offsets);
        const auto known = m_chunks.find(name);
        const TensorInfo* own = known == m_chunks.end() ? nullptr : &m_index.model.tensors[known->second];
        const bool isSame =
            own != nullptr && own->isReadable() && own->dtype == tensor.dtype && own->shape == Shape::make(chunk.sizes);
        if (!isSame) {
            const auto file = m_chunkFiles.find(name);
            why = file == m_chunkFiles.end() ? fragment::pieceWithoutFile : fragmentText(fragment::pieceInFile, file->second);
            break;
        }
        if (details.parts.size() < listedParts) details.parts.push_back(name);
        chunks.push_back({known->second, chunk.offsets});
    }
    if (why.empty() && volume != record.size.elements()) why = WB_TEXT("its pieces overlap or leave holes");
    m_pieces += chunks.size();
    if (!why.empty()) tensor.source = TensorSource::unavailable("dcp.incomplete", std::move(why));
    else tensor.source = training::assemble(m_index.model, tensor.dtype, tensor.shape, chunks);
    if (tensor.source.form() == TensorSource::Form::Unavailable)
        tensor.source.setPlace({noFile, std::nullopt, checked::mul(record.size.elements(), record.type.bytes).value_or(0)});
    tensor.details = std::make_shared<const TensorDetails>(std::move(details));
    m_index.model.tensors.push_back(std::move(tensor));
}

} // namespace wb::dcp
