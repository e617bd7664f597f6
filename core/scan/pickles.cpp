// SPDX-License-Identifier: MIT
#include "core/scan/examine.h"

#include "core/base/text.h"
#include "core/formats/hdf5/hdf5.h"
#include "core/formats/npy/header.h"
#include "core/formats/pickle/references.h"
#include "core/formats/pickle/report.h"
#include "core/formats/sklearn/inline_arrays.h"
#include "core/io/range_source.h"

#include <algorithm>

namespace wb::scan {
namespace {

using pickle::Graph;
using pickle::NodeId;
using pickle::NodeKind;

constexpr std::size_t listedCalls = 20'000;

void takeListing(std::vector<pickle::ListedOpcode>& listing, std::uint32_t stream, ScannedFile& file) {
    for (pickle::ListedOpcode& line : listing)
        file.disassembly.push_back({stream, line.position, std::string(line.name), std::move(line.argument)});
    listing.clear();
}

// Whether an import of level D has the form of names, which words of a text seldom have.
bool namesDanger(const Graph& graph, const pickle::Stream& stream) {
    return std::ranges::any_of(stream.trace, [&](const pickle::TraceLine& line) {
        if (line.level != DangerLevel::D || !graph.is(line.object, NodeKind::Global)) return false;
        const pickle::GlobalName& name = graph.global(line.object);
        return pickle::isNameOfPython(name.module) && pickle::isNameOfPython(name.name);
    });
}

} // namespace

// Who loads a joblib file with pickle.load runs the bytes of its arrays as opcodes. Where they start with padding that stops every
// loader at once; any other call of something by a dangerous name is no accident.
void Examiner::takeValuesAsOpcodes(const Item& item, std::uint64_t position, std::uint32_t index, ScannedFile& file) {
    pickle::Machine machine(*item.source, m_options.limits);
    const auto stream = machine.run(position, m_options.progress);
    if (stream && stream->level() == DangerLevel::D)
        pickle::addStream(machine.graph(), *stream, index, file.streams, 0, file, m_danger);
}

// What is after the place where a loader fails is not followed, but a name of level D is found there by the form of its
// opcode: "cos\nsystem\n", or two short texts before STACK_GLOBAL.
void Examiner::findReferences(const Item& item, std::uint64_t from, std::uint32_t index, ScannedFile& file) {
    constexpr std::uint64_t most = 64 << 20;
    if (from >= item.source->size()) return;
    std::string bytes(static_cast<std::size_t>(std::min(item.source->size() - from, most)), '\0');
    if (!item.source->readAt(from, std::as_writable_bytes(std::span(bytes)))) return;
    for (const pickle::FoundName& found : pickle::dangerousNamesIn(bytes)) {
        if (m_danger.calls.size() >= listedCalls) return;
        file.level = DangerLevel::D;
        const std::uint64_t position = from + found.position;
        file.globals.push_back({toUtf8(found.module), toUtf8(found.name), DangerLevel::D, position});
        m_danger.calls.push_back(
            {index, 0, position, toUtf8(found.module), toUtf8(found.name), DangerLevel::D, "import", "", true});
    }
}

bool Examiner::runPickles(const Item& item, bool isCertain, const PickleOptions& options) {
    pickle::Machine machine(*item.source, m_options.limits);
    machine.setKnownModules(options.knownModules);
    ScannedFile file = entry(item, options.format);
    file.weightsOnlyLoads = options.mustBeTorch ? 1 : -1;
    const auto index = static_cast<std::uint32_t>(m_danger.files.size());
    machine.setAfterBuild([&](const Graph& graph, NodeId object, std::uint64_t position) -> std::uint64_t {
        using Array = sklearn::InlineArray;
        const Array array = sklearn::inlineArray(graph, object, position, *item.source);
        if (array.kind == Array::Kind::None) return 0;
        file.format = "joblib";
        if (array.kind == Array::Kind::Values) {
            takeValuesAsOpcodes(item, position, index, file);
            return array.passed;
        }
        if (array.kind == Array::Kind::Unknown) return pickle::Machine::unknownSkip;
        pickle::Machine objects(*item.source, m_options.limits);
        const auto stream = objects.run(position, m_options.progress);
        if (!stream) return pickle::Machine::unknownSkip;
        file.level = std::max(file.level, stream->level());
        file.isIncomplete = file.isIncomplete || !stream->isComplete;
        pickle::addStream(objects.graph(), *stream, index, file.streams, listedCalls, file, m_danger);
        return stream->end - position;
    });
    std::vector<pickle::ListedOpcode> listing;
    if (m_options.disassembles) machine.setListing(&listing);
    Danger before = m_danger;
    std::uint64_t at = options.begin;
    std::vector<pickle::Stream> streams;
    for (std::uint32_t number = 0; number < options.maxStreams && at < item.source->size(); ++number) {
        auto stream = machine.run(at, m_options.progress);
        if (!stream) return malformed(item, stream.error()), true;
        takeListing(listing, number, file);
        const bool isFirst = number == 0;
        const bool begins = isCertain && isFirst;
        // Without the mark of a protocol anything may look like a few opcodes: only a stream with the end of a pickle is one.
        const bool does =
            std::ranges::any_of(stream->trace, [](const pickle::TraceLine& line) { return line.act != pickle::Act::Append; });
        const bool isMarked = stream->protocol >= 2;
        // A name of level D is no accident, whatever becomes of the rest.
        const bool isDangerous = namesDanger(machine.graph(), *stream);
        if (!begins && !stream->isComplete && !(isMarked && does) && !isDangerous) break;
        if (isFirst && !isCertain && !stream->isComplete && !isDangerous) break;
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
    if (!streams.back().isComplete) findReferences(item, streams.back().end, index, file);
    if (!item.isLoaded)
        for (DangerousCall& call : m_danger.calls)
            if (call.file == index) call.level = std::min(call.level, DangerLevel::C);
    const bool isTrailed = at < item.source->size() && streams.back().isComplete;
    (void)add(item, std::move(file));
    for (const auto& stream : streams)
        if (!stream.defects.empty())
            find(item, Severity::Note, "pickle.loader_stops", stream.defects.front().position,
                 WB_TEXT("{}: a loader fails at byte {} of the pickle; everything before it has already run."),
                 {std::to_string(stream.defects.front().position)});
    if (isTrailed && !m_isTorch)
        find(item, Severity::Note, "pickle.trailing_bytes", at, WB_TEXT("{}: {} bytes follow the pickle."),
             {std::to_string(item.source->size() - at)});
    for (const auto& stream : streams) {
        secrets(item, stream.begin, stream.end);
        examinePayloads(item, machine.graph(), stream);
    }
    return true;
}

bool Examiner::pickle(const Item& item, bool isCertain) {
    PickleOptions options;
    options.knownModules = m_knownModules;
    options.mustBeTorch = m_isTorch;
    if (m_isTorch) options.maxStreams = 1; // the rest of a record is ignored
    return runPickles(item, isCertain, options);
}

// Any call in the pickles around the object misleads a loader.
void Examiner::torchLegacy(const Item& item) {
    constexpr std::uint32_t streamCount = 5;
    constexpr std::uint32_t objectStream = 3;
    pickle::Machine machine(*item.source, m_options.limits);
    ScannedFile file = entry(item, "pytorch");
    file.weightsOnlyLoads = 1;
    std::vector<pickle::ListedOpcode> listing;
    if (m_options.disassembles) machine.setListing(&listing);
    const auto index = static_cast<std::uint32_t>(m_danger.files.size());
    std::vector<pickle::Stream> streams;
    std::uint64_t at = 0;
    for (std::uint32_t number = 0; number < streamCount && at < item.source->size(); ++number) {
        auto stream = machine.run(at, m_options.progress);
        if (!stream) return malformed(item, stream.error());
        takeListing(listing, number, file);
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
    if (!streams.empty() && !streams.back().isComplete) findReferences(item, streams.back().end, index, file);
    (void)add(item, std::move(file));
    for (const auto& stream : streams) {
        secrets(item, stream.begin, stream.end);
        examinePayloads(item, machine.graph(), stream);
    }
}

// numpy/numpy: doc/source/reference/generated/numpy.lib.format.rst. An array of objects is a pickle after the header.
void Examiner::npy(const Item& item) {
    std::vector<std::byte> head(std::min(item.source->size(), npy::maxHeaderBytes));
    const auto read = item.source->readAt(0, head);
    const auto header = read ? npy::parseHeader(head, m_file) : std::unexpected(read.error());
    if (header && header->isPlain) return data(item, "npy");
    if (!header) {
        malformed(item, header.error());
        m_danger.files.back().format = "npy";
    }
    // Where the header is invalid to this program, NumPy may still find objects after it.
    const bool isWide = head.size() >= 12 && std::to_integer<unsigned>(head[6]) >= 2;
    std::uint64_t length = 0;
    for (std::size_t i = isWide ? 4 : 2; head.size() >= 12 && i-- > 0;)
        length = length << 8 | std::to_integer<std::uint64_t>(head[8 + i]);
    const std::uint64_t begin = (isWide ? 12 : 10) + length;
    const auto rest =
        begin < item.source->size() ? io::Extent::make(item.source->size(), begin, item.source->size() - begin) : std::nullopt;
    if (!rest) return header ? data(item, "npy") : void();
    const Item objects{std::make_shared<io::RangeSource>(item.source, *rest, m_file), item.member, item.depth, item.isLoaded};
    PickleOptions options;
    options.format = "npy";
    if (header)
        find(item, Severity::Note, "npy.object_array", begin, WB_TEXT("{} contains Python objects (a pickle after its header)."));
    if (runPickles(objects, header.has_value(), options) || !header) return;
    ScannedFile file = entry(item, "npy");
    file.isMalformed = true;
    (void)add(item, std::move(file));
}

// Keras keeps a model's configuration as JSON text in attributes, cut into pieces where it is long.
void Examiner::hdf5(const Item& item) {
    formats::Findings findings(item.member.empty() ? m_file : item.member, formats::Strictness::Lenient);
    (void)add(item, entry(item, "keras-h5"));
    const auto walked = hdf5::walk(*item.source, findings, {}, m_options.progress, [&](const hdf5::Object& object) {
        for (const hdf5::Attribute& attribute : object.attributes)
            if (const std::string* text = attribute.value.string()) {
                secrets(item, *text, std::nullopt);
                if (text->find('{') != std::string::npos) (void)json(item, *text);
            }
    });
    if (!walked) {
        m_danger.files.back().isMalformed = true;
        m_danger.findings.push_back({asProblem(Severity::Warning, "hdf5.damaged", m_file, walked.error()), item.member});
    }
}

} // namespace wb::scan
