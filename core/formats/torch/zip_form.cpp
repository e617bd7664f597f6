// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/pickle/machine.h"
#include "core/formats/pickle/report.h"
#include "core/formats/torch/forms.h"
#include "core/formats/torch/lister.h"
#include "core/formats/torch/records.h"

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

// Follows one pickle of the archive, reports what it would do and lists its tensors. `folder` is where its storages lie.
Result<void> loadPickle(Reading& reading, const Records& records, const zip::Member& member, const std::string& folder,
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
    if (!listsTensors) return {};
    const TensorReading tensors(machine.graph());
    Lister lister(*reading.source, reading.model, reading.findings, reading.options.limits,
                  [&](const Storage& storage) { return recordsPlace(records, folder, storage, reading.findings); });
    const auto plain = listGraph(machine.graph(), stream.root, tensors, lister, reading.model, reading.findings,
                                 reading.options.limits, folder == "constants/" ? "constant" : "");
    lister.finish();
    if (reading.visit && stream.root != pickle::unknownNode) reading.visit(machine.graph(), stream.root, plain);
    return {};
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
    WB_TRY(loadPickle(reading, records, *data, "data/", isScript, true));
    if (!isScript) return {};
    // A frozen module has its weights among the constants, which have positions for names.
    return loadPickle(reading, records, *constants, "constants/", true, reading.model.tensors.empty());
}

} // namespace wb::torch
