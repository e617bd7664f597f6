// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/pickle/machine.h"
#include "core/formats/pickle/report.h"
#include "core/formats/torch/forms.h"
#include "core/formats/torch/lister.h"
#include "core/formats/torch/records.h"
#include "core/formats/torch/script_facts.h"

#include <algorithm>

namespace wb::torch {
namespace {

StoragePlace recordsPlace(const Records& records, const std::string& folder, const Storage& storage, formats::Findings& findings) {
    const zip::Member* member = records.find(folder + storage.key);
    if (member == nullptr) return {std::nullopt, 0, "", WB_TEXT("its storage is not in the archive")};
    const std::string name = toUtf8(member->name);
    if (!member->isStored()) return {std::nullopt, member->bytes, name, WB_TEXT("its storage is compressed")};
    const std::uint64_t expected = storage.count * std::max<std::uint64_t>(storage.type.bytes, 1); // both below 2^63 and 16 …
    if (storage.type.bytes != 0 && (storage.count > member->bytes || expected != member->bytes))
        findings.add(Severity::Error, "torch.storage_size", member->header,
                     WB_TEXT("{}: the storage {} should have {} elements of {} bytes but has {} bytes."),
                     formats::shown(storage.key), storage.count, storage.type.bytes, member->bytes);
    return {member->data->offset(), member->bytes, name, ""};
}

// The pickle is read in full here; records of values are compared where they are read (core/formats/zip/member_checksums.h).
Result<void> compareChecksum(Reading& reading, const io::ByteSource& record, const zip::Member& member) {
    if (!member.isStored() || member.crc == 0) return {}; // compared when it was unpacked, or not declared
    std::vector<std::byte> slab;
    std::uint32_t crc = 0;
    for (std::uint64_t done = 0; done < record.size(); done += slab.size()) {
        slab.resize(std::min<std::uint64_t>(1 << 20, record.size() - done));
        WB_TRY(record.readAt(done, slab));
        crc = zip::crc32(crc, slab);
    }
    if (crc != member.crc)
        reading.findings.add(Severity::Error, "zip.crc", member.header,
                             WB_TEXT("{}: the checksum of the entry {} does not match its contents."), formats::shown(member.name));
    return {};
}

// "__torch__.toynet.Net", the class of a scripted module; empty for other objects.
std::string rootClass(const pickle::Graph& graph, pickle::NodeId root) {
    if (!graph.is(root, pickle::NodeKind::Call)) return {};
    const pickle::NodeId callee = graph.nodeClass(graph.callee(root));
    if (!graph.is(callee, pickle::NodeKind::Global)) return {};
    return std::string(graph.global(callee).module) + "." + std::string(graph.global(callee).name);
}

// The graph as the code of a script describes it. Class "__torch__.toynet.Net" is in code/__torch__/toynet.py.
void addScriptFacts(Reading& reading, const Records& records, const std::string& root) {
    formats::GraphFacts facts;
    const std::size_t dot = root.rfind('.');
    std::string file = dot == std::string::npos ? std::string() : "code/" + root.substr(0, dot);
    std::ranges::replace(file, '.', '/');
    std::uint64_t left = 16 << 20; // bytes of code that are read
    for (const zip::Member& member : records.archive().members) {
        if (!member.name.ends_with(".py") || member.bytes > left) continue;
        const auto bytes = zip::readMember(*reading.source, member, left, reading.findings);
        if (!bytes) continue; // the scan reports what is damaged
        left -= bytes->size();
        const std::string_view code(reinterpret_cast<const char*>(bytes->data()), bytes->size());
        addCalls(code, facts);
        if (!file.empty() && member.name.ends_with(file + ".py")) addSignature(code, root.substr(dot + 1), facts);
    }
    ValueObject& metadata = reading.model.metadata; // may be cut already
    const std::size_t before = metadata.members.size();
    facts.write(metadata);
    metadata.count += metadata.members.size() - before;
}

// Follows one pickle of the archive, reports what it would do and lists its tensors. `folder` is where its storages lie. Returns
// the class of its object.
Result<std::string> loadPickle(Reading& reading, const Records& records, const zip::Member& member, const std::string& folder,
                               bool isScript, bool listsTensors) {
    WB_TRY_ASSIGN(const auto source, records.open(member));
    WB_TRY(compareChecksum(reading, *source, member));
    pickle::Machine machine(*source, reading.options.limits);
    if (isScript) machine.setKnownModules("__torch__");
    WB_TRY_ASSIGN(const pickle::Stream stream, machine.run(0, reading.options.progress));
    ScannedFile file;
    file.path = reading.findings.file();
    file.member = toUtf8(member.name);
    file.format = "pickle";
    file.weightsOnlyLoads = !isScript && pickle::loadsWeightsOnly(machine.graph(), stream) ? 1 : 0;
    file.isIncomplete = !stream.isComplete;
    pickle::addStream(machine.graph(), stream, static_cast<std::uint32_t>(reading.danger.files.size()), 0, keptHarmlessCalls, file,
                      reading.danger);
    reading.danger.files.push_back(std::move(file));
    if (!stream.isComplete)
        reading.findings.add(Severity::Error, "torch.pickle_broken", member.header,
                             WB_TEXT("{}: the tensor list in {} is truncated or invalid at byte {}."), formats::shown(member.name),
                             stream.defects.empty() ? stream.end : stream.defects.front().position);
    std::string root = rootClass(machine.graph(), stream.root);
    if (!listsTensors) return root;
    const TensorReading tensors(machine.graph());
    Lister lister(*reading.source, reading.model, reading.findings, reading.options.limits,
                  [&](const Storage& storage) { return recordsPlace(records, folder, storage, reading.findings); });
    const auto plain = listGraph(machine.graph(), stream.root, tensors, lister, reading.model, reading.findings,
                                 reading.options.limits, folder == "constants/" ? "constant" : "");
    lister.finish();
    if (reading.visit && stream.root != pickle::unknownNode) reading.visit(machine.graph(), stream.root, plain);
    return root;
}

} // namespace

Result<void> loadArchive(Reading& reading) {
    WB_TRY_ASSIGN(auto archive, zip::readArchive(*reading.source, reading.options, reading.findings));
    const Records records(reading, std::move(archive));
    const zip::Member* data = records.find("data.pkl");
    if (data == nullptr && isExport(records)) return loadExport(reading, records);
    if (data == nullptr)
        return reading.findings.refuse(ErrorCode::Malformed, Reason("torch.no_data"),
                                       WB_TEXT("{} is a zip archive without data.pkl, where PyTorch stores its list of tensors."));
    const zip::Member* constants = records.find("constants.pkl");
    reading.model.format = constants != nullptr ? FormatId::TorchScript : FormatId::PyTorch;
    reading.model.version = "zip";
    reading.model.bigEndian = records.text("byteorder") == "big";
    const bool isScript = constants != nullptr;
    WB_TRY_ASSIGN(const std::string root, loadPickle(reading, records, *data, "data/", isScript, true));
    if (!isScript) return {};
    // A frozen module has its weights among the constants, which have positions for names.
    WB_TRY(loadPickle(reading, records, *constants, "constants/", true, reading.model.tensors.empty()));
    addScriptFacts(reading, records, root);
    return {};
}

} // namespace wb::torch
