// SPDX-License-Identifier: MIT
#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/pickle/machine.h"
#include "core/formats/pickle/report.h"
#include "core/formats/torch/forms.h"
#include "core/formats/torch/lister.h"
#include "core/tensor/bytes.h"

#include <algorithm>
#include <array>
#include <unordered_map>

// Five pickles one after the other: a magic number, the protocol, what the writer's machine was like, the object, the keys of its
// storages. Then each storage in that order: a count of its elements and their bytes (torch/serialization.py, _legacy_load).
namespace wb::torch {
namespace {

using pickle::NodeId;
using pickle::NodeKind;

constexpr std::size_t objectStream = 3;
constexpr std::size_t streamCount = 5;

using Places = std::unordered_map<std::string, StoragePlace>;

// The object's data of each storage: the bytes of an element, and of untyped ones all of them.
struct Known {
    std::uint64_t elementBytes = 0;
    std::optional<std::uint64_t> bytes;
};

std::unordered_map<std::string, Known> knownStorages(const pickle::Graph& graph, const TensorReading& tensors) {
    std::unordered_map<std::string, Known> known;
    for (NodeId node = 0; node < graph.size(); ++node) {
        const auto storage = graph.is(node, NodeKind::Persistent) ? tensors.storage(node) : std::nullopt;
        if (!storage) continue;
        // Writers disagree whether the count before an untyped storage is one of bytes or of elements; the object always counts
        // bytes.
        const auto bytes = storage->type.isUntyped && storage->viewKey.empty() ? std::optional(storage->count) : std::nullopt;
        known.try_emplace(storage->key, Known{storage->type.bytes, bytes});
    }
    return known;
}

Result<Places> findStorages(Reading& reading, const pickle::Graph& graph, const TensorReading& tensors, NodeId keys,
                            std::uint64_t at) {
    const auto known = knownStorages(graph, tensors);
    const io::ByteSource& source = *reading.source;
    Places places;
    for (const NodeId key : graph.items(keys)) {
        const std::string name = graph.number(key) ? std::to_string(*graph.number(key)) : toUtf8(graph.text(key));
        const auto storage = known.find(name);
        std::array<std::byte, 8> count{};
        if (!io::Extent::make(source.size(), at, count.size()) || storage == known.end()) {
            reading.findings.add(
                Severity::Error, "torch.storages", at,
                WB_TEXT("{}: the storage {} is missing or has an unknown type; it and all following storages cannot be read."),
                formats::shown(name));
            return places;
        }
        WB_TRY(source.readAt(at, count));
        at += count.size();
        const auto elements = wb::load<std::int64_t>(count.data());
        auto bytes = elements < 0 ? std::nullopt : checked::mul(static_cast<std::uint64_t>(elements), storage->second.elementBytes);
        if (storage->second.bytes && bytes && *bytes <= *storage->second.bytes) bytes = storage->second.bytes;
        if (!bytes || !io::Extent::make(source.size(), at, *bytes)) {
            reading.findings.add(Severity::Error, "torch.storages", at,
                                 WB_TEXT("{} is truncated: the storage {} and all following ones are incomplete."),
                                 formats::shown(name));
            return places;
        }
        places[name] = StoragePlace{at, *bytes, "", ""};
        at += *bytes;
    }
    if (at < source.size())
        reading.findings.add(Severity::Warning, "torch.trailing_bytes", at, WB_TEXT("{}: {} bytes follow the last storage."),
                             source.size() - at);
    return places;
}

StoragePlace placesPlace(const Places& places, const Storage& storage) {
    const auto found = places.find(storage.key);
    if (found == places.end()) return {std::nullopt, 0, "", WB_TEXT("its storage is not in the file")};
    StoragePlace place = found->second;
    const std::uint64_t elementBytes = std::max<std::uint64_t>(storage.type.bytes, 1);
    const auto skipped = checked::mul(storage.viewOffset, elementBytes);
    if (!skipped || *skipped > place.bytes) return {std::nullopt, 0, "", WB_TEXT("its storage exceeds the storage it is part of")};
    place.offset = *place.offset + *skipped;
    place.bytes -= *skipped;
    return place;
}

} // namespace

Result<void> loadLegacy(Reading& reading) {
    reading.model.format = FormatId::PyTorch;
    reading.model.version = "legacy";
    pickle::Machine machine(*reading.source, reading.options.limits);
    ScannedFile file;
    file.path = reading.findings.file();
    file.format = "pytorch";
    file.weightsOnlyLoads = 1;
    std::vector<pickle::Stream> streams;
    std::uint64_t at = 0;
    const auto index = static_cast<std::uint32_t>(reading.danger.files.size());
    while (streams.size() < streamCount) {
        WB_TRY_ASSIGN(pickle::Stream stream, machine.run(at, reading.options.progress));
        at = stream.end;
        const bool isHeader = streams.size() != objectStream;
        // Honest writers have constants there; a call before the object would mislead loaders.
        if (isHeader)
            for (pickle::TraceLine& line : stream.trace) line.level = DangerLevel::D;
        pickle::addStream(machine.graph(), stream, index, static_cast<std::uint32_t>(streams.size()), keptHarmlessCalls, file,
                          reading.danger);
        // torch.load takes no untyped storage in this form, though torch.save writes it.
        const auto isUntyped = [](const DangerousName& name) { return name.name == "UntypedStorage"; };
        if (!pickle::loadsWeightsOnly(machine.graph(), stream) || std::ranges::any_of(file.globals, isUntyped))
            file.weightsOnlyLoads = 0;
        file.isIncomplete = file.isIncomplete || !stream.isComplete;
        const bool isComplete = stream.isComplete;
        streams.push_back(std::move(stream));
        if (!isComplete) break;
    }
    reading.danger.files.push_back(file);
    if (streams.size() < streamCount || !streams.back().isComplete)
        reading.findings.add(Severity::Error, "torch.pickle_broken", streams.back().begin,
                             WB_TEXT("{} is truncated or corrupted: its pickle {} of {} is invalid."), streams.size(), streamCount);
    if (streams.size() <= objectStream) return {};
    const TensorReading tensors(machine.graph());
    Places places;
    if (streams.size() == streamCount && streams.back().isComplete) {
        WB_TRY_ASSIGN(places, findStorages(reading, machine.graph(), tensors, streams.back().root, at));
    }
    Lister lister(*reading.source, reading.model, reading.findings, reading.options.limits,
                  [&](const Storage& storage) { return placesPlace(places, storage); });
    const auto plain = listGraph(machine.graph(), streams[objectStream].root, tensors, lister, reading.model, reading.findings,
                                 reading.options.limits);
    lister.finish();
    const NodeId root = streams[objectStream].root;
    if (reading.visit && root != pickle::unknownNode) reading.visit(machine.graph(), root, plain);
    return {};
}

} // namespace wb::torch
