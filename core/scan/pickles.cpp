// SPDX-License-Identifier: MIT
#include "core/scan/examine.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/pickle/report.h"
#include "core/io/range_source.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace wb::scan {
namespace {

using pickle::Graph;
using pickle::Kind;
using pickle::NodeId;

constexpr std::size_t listedCalls = 20'000;

// The state of an object by the name of an attribute.
NodeId attribute(const Graph& graph, NodeId object, std::string_view name) {
    for (const NodeId state : graph.states(object))
        if (const NodeId found = graph.find(state, name); found != pickle::unknownNode) return found;
    return pickle::unknownNode;
}

// "f8" of numpy.dtype("f8", …).
std::string_view dtypeCode(const Graph& graph, NodeId dtype) {
    if (!graph.is(dtype, Kind::Call)) return {};
    const auto given = graph.items(graph.arguments(dtype), 1);
    return given.empty() ? std::string_view() : graph.text(given[0]);
}

// How many bytes of an array joblib wrote behind the state of its wrapper (joblib/joblib: joblib/numpy_pickle.py). Empty where the
// array is one of objects, which are a pickle of their own.
std::optional<std::uint64_t> inlineArrayBytes(const Graph& graph, NodeId object, const io::ByteSource& source,
                                              std::uint64_t position) {
    const std::string_view code = dtypeCode(graph, attribute(graph, object, "dtype"));
    std::uint64_t bytes = 0;
    const auto [end, error] =
        std::from_chars(code.data() + std::min<std::size_t>(1, code.size()), code.data() + code.size(), bytes);
    if (error != std::errc() || end != code.data() + code.size() || code.empty() || code[0] == 'O') return std::nullopt;
    if (code[0] == 'U') bytes *= 4;
    for (const NodeId item : graph.items(attribute(graph, object, "shape"), 64)) {
        const auto dimension = graph.number(item);
        const auto product =
            dimension && *dimension >= 0 ? checked::mul(bytes, static_cast<std::uint64_t>(*dimension)) : std::nullopt;
        if (!product) return std::nullopt;
        bytes = *product;
    }
    const NodeId alignment = attribute(graph, object, "numpy_array_alignment_bytes");
    if (!graph.is(alignment, Kind::Int)) return bytes;
    std::array<std::byte, 1> padding{};
    if (!source.readAt(position, padding)) return bytes;
    return checked::add(bytes, 1 + std::to_integer<std::uint64_t>(padding[0])).value_or(std::numeric_limits<std::uint64_t>::max());
}

bool isJoblibArray(const Graph& graph, NodeId object) {
    return graph.is(object, Kind::Call) && graph.isGlobal(graph.callee(object), "joblib.numpy_pickle", "NumpyArrayWrapper");
}

} // namespace

bool Examiner::runPickles(const Item& item, bool isCertain, const PickleOptions& options) {
    pickle::Machine machine(*item.source, m_options.limits);
    machine.setKnownModules(options.knownModules);
    ScannedFile file = entry(item, options.format);
    file.weightsOnlyLoads = options.mustBeTorch ? 1 : -1;
    const auto index = static_cast<std::uint32_t>(m_danger.files.size());
    machine.setAfterBuild([&](const Graph& graph, NodeId object, std::uint64_t position) -> std::uint64_t {
        if (!isJoblibArray(graph, object)) return 0;
        file.format = "joblib";
        if (const auto bytes = inlineArrayBytes(graph, object, *item.source, position)) return *bytes;
        pickle::Machine objects(*item.source, m_options.limits);
        const auto stream = objects.run(position, m_options.progress);
        if (!stream) return 0;
        file.level = std::max(file.level, stream->level());
        pickle::addStream(objects.graph(), *stream, index, file.streams, listedCalls, file, m_danger);
        return stream->end - position;
    });
    Danger before = m_danger;
    std::uint64_t at = options.begin;
    std::vector<pickle::Stream> streams;
    for (std::uint32_t number = 0; number < options.mostStreams && at < item.source->size(); ++number) {
        auto stream = machine.run(at, m_options.progress);
        if (!stream) return malformed(item, stream.error()), true;
        const bool isFirst = number == 0;
        const bool begins = isCertain && isFirst;
        // Without the mark of a protocol anything may look like a few opcodes: only what ends as a pickle is one.
        const bool does =
            std::ranges::any_of(stream->trace, [](const pickle::TraceLine& line) { return line.act != pickle::Act::Append; });
        const bool isMarked = stream->protocol >= 2;
        if (!begins && !stream->isComplete && !(isMarked && does)) break;
        if (isFirst && !isCertain && !stream->isComplete) break;
        if (isFirst && !isCertain && !does && stream->opcodes < 3) break;
        at = stream->end;
        streams.push_back(std::move(*stream));
        if (!streams.back().isComplete && streams.back().defects.back().stop != pickle::Stop::BadOperand &&
            streams.back().defects.back().stop != pickle::Stop::MissingMemo)
            break;
    }
    if (streams.empty()) {
        m_danger = std::move(before);
        return false;
    }
    for (std::size_t i = 0; i < streams.size(); ++i) {
        pickle::addStream(machine.graph(), streams[i], index, static_cast<std::uint32_t>(i), listedCalls, file, m_danger);
        if (options.mustBeTorch && !pickle::loadsWeightsOnly(machine.graph(), streams[i])) file.weightsOnlyLoads = 0;
        file.isIncomplete = file.isIncomplete || !streams[i].isComplete;
    }
    if (!item.isLoaded)
        for (DangerousCall& call : m_danger.calls)
            if (call.file == index) call.level = std::min(call.level, DangerLevel::C);
    const bool isTrailed = at < item.source->size() && streams.back().isComplete;
    (void)add(item, std::move(file));
    for (const auto& stream : streams)
        if (!stream.defects.empty())
            find(item, Severity::Note, "pickle.loader_stops", stream.defects.front().position,
                 WB_TEXT("{}: a loader fails at byte {} of the pickle; what stands before it has run by then."),
                 {std::to_string(stream.defects.front().position)});
    if (isTrailed && !m_isTorch)
        find(item, Severity::Note, "pickle.trailing_bytes", at, WB_TEXT("{}: {} bytes follow the pickle."),
             {std::to_string(item.source->size() - at)});
    for (const auto& stream : streams) examinePayloads(item, machine.graph(), stream);
    return true;
}

bool Examiner::pickle(const Item& item, bool isCertain) {
    PickleOptions options;
    options.knownModules = m_knownModules;
    options.mustBeTorch = m_isTorch;
    if (m_isTorch) options.mostStreams = 1; // what follows in a record is not read
    return runPickles(item, isCertain, options);
}

// Any call in the pickles around the object makes a loader believe what is not so.
void Examiner::torchLegacy(const Item& item) {
    constexpr std::uint32_t streamCount = 5;
    constexpr std::uint32_t objectStream = 3;
    pickle::Machine machine(*item.source, m_options.limits);
    ScannedFile file = entry(item, "pytorch");
    file.weightsOnlyLoads = 1;
    const auto index = static_cast<std::uint32_t>(m_danger.files.size());
    std::vector<pickle::Stream> streams;
    std::uint64_t at = 0;
    for (std::uint32_t number = 0; number < streamCount && at < item.source->size(); ++number) {
        auto stream = machine.run(at, m_options.progress);
        if (!stream) return malformed(item, stream.error());
        if (number != objectStream)
            for (pickle::TraceLine& line : stream->trace) line.level = DangerLevel::D;
        pickle::addStream(machine.graph(), *stream, index, number, listedCalls, file, m_danger);
        // torch.load takes no untyped storage in this form, though torch.save writes it.
        const auto isUntyped = [](const DangerousName& name) { return name.name == "UntypedStorage"; };
        if (!pickle::loadsWeightsOnly(machine.graph(), *stream) || std::ranges::any_of(file.globals, isUntyped))
            file.weightsOnlyLoads = 0;
        file.isIncomplete = file.isIncomplete || !stream->isComplete;
        at = stream->end;
        streams.push_back(std::move(*stream));
        if (!streams.back().isComplete) break;
    }
    if (streams.size() < streamCount) file.isMalformed = true;
    (void)add(item, std::move(file));
    for (const auto& stream : streams) examinePayloads(item, machine.graph(), stream);
}

// numpy/numpy: doc/source/reference/generated/numpy.lib.format.rst. An array of objects is a pickle behind the header.
void Examiner::npy(const Item& item) {
    std::array<std::byte, 12> start{};
    const bool isWhole = item.source->size() >= start.size() && item.source->readAt(0, start);
    const bool isWide = isWhole && std::to_integer<unsigned>(start[6]) >= 2;
    std::uint64_t length = 0;
    for (std::size_t i = isWide ? 4 : 2; i-- > 0;) length = length << 8 | std::to_integer<std::uint64_t>(start[8 + i]);
    const std::uint64_t from = isWide ? 12 : 10;
    constexpr std::uint64_t longest = 64 << 10;
    const auto header = io::Extent::make(item.source->size(), from, length);
    ScannedFile file = entry(item, "npy");
    if (!isWhole || !header || length > longest) {
        file.isMalformed = true;
        (void)add(item, std::move(file));
        return;
    }
    std::string text(length, '\0');
    if (!item.source->readAt(from, std::as_writable_bytes(std::span(text)))) return data(item, "npy");
    const std::size_t descr = text.find("descr");
    const std::size_t end = text.find("fortran_order", descr == std::string::npos ? 0 : descr);
    const std::string_view type =
        descr == std::string::npos ? std::string_view(text) : std::string_view(text).substr(descr, end - descr);
    const bool holdsObjects = type.find("|O") != std::string_view::npos || type.find("'O'") != std::string_view::npos ||
                              type.find("object") != std::string_view::npos;
    if (!holdsObjects) return data(item, "npy");
    find(item, Severity::Note, "npy.object_array", from, WB_TEXT("{} holds Python objects, which are a pickle behind its header."));
    const auto rest = io::Extent::make(item.source->size(), from + length, item.source->size() - from - length);
    const Item objects{std::make_shared<io::RangeSource>(item.source, *rest, m_file), item.member, item.depth, item.isLoaded};
    PickleOptions options;
    options.format = "npy";
    if (runPickles(objects, true, options)) return;
    file.isMalformed = true;
    (void)add(item, std::move(file));
}

// Keras keeps a model's configuration as JSON text in an attribute; a Lambda layer in it is code.
void Examiner::hdf5(const Item& item) {
    constexpr std::uint64_t slab = 1 << 20;
    constexpr std::uint64_t searched = 256 << 20; // attributes stand near the beginning
    std::string text;
    std::string carried;
    bool hasLambda = false;
    std::uint64_t place = 0;
    for (std::uint64_t at = 0; at < std::min(item.source->size(), searched) && !hasLambda; at += slab) {
        text.resize(std::min(slab, item.source->size() - at));
        if (!item.source->readAt(at, std::as_writable_bytes(std::span(text)))) break;
        const std::string window = carried + text;
        for (const std::string_view sign : {"\"class_name\": \"Lambda\"", "\"class_name\":\"Lambda\""}) {
            const std::size_t found = window.find(sign);
            if (found == std::string::npos) continue;
            hasLambda = true;
            place = at + found - carried.size();
        }
        carried = text.substr(text.size() - std::min<std::size_t>(text.size(), 64));
    }
    ScannedFile file = entry(item, "keras-h5");
    if (hasLambda) file.level = DangerLevel::D;
    (void)add(item, std::move(file));
    if (hasLambda)
        find(item, Severity::Error, "keras.lambda", place,
             WB_TEXT("{}: a Lambda layer holds code that runs when the model is loaded."));
}

} // namespace wb::scan
