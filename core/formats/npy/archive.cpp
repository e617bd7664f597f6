// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/npy/array.h"
#include "core/formats/npy/member.h"
#include "core/formats/npy/npy.h"

#include <algorithm>

namespace wb::npy {
namespace {

constexpr std::string_view ending = ".npy";

// Bytes of the numbers that are swapped: a complex element is two.
std::uint64_t numberBytes(Dtype dtype) {
    const DtypeInfo& type = info(dtype);
    return type.kind == DtypeKind::Complex ? type.blockBytes / 2u : type.blockBytes;
}

class Reader {
public:
    Reader(std::shared_ptr<io::ByteSource> source, ModelFile file, const formats::OpenOptions& options)
        : m_source(std::move(source)), m_options(options), m_findings(m_source->name(), options.strictness) {
        m_model.format = FormatId::Npz;
        m_model.files.push_back(std::move(file));
    }

    Result<Model> read() {
        WB_TRY_ASSIGN(const zip::Archive archive, zip::readArchive(*m_source, m_options, m_findings));
        std::vector<zip::Member> deflated;
        for (const zip::Member& member : archive.members)
            if (!member.isFolder() && !member.isStored()) deflated.push_back(member);
        WB_TRY_ASSIGN(auto heads, deflatedHeads(deflated));
        auto head = heads.begin();
        for (const zip::Member& member : archive.members) {
            if (member.isFolder()) continue;
            if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            if (member.isStored()) WB_TRY(addStored(member));
            else WB_TRY(addDeflated(member, *head++));
        }
        m_model.metadata.count = m_model.metadata.members.size();
        m_model.problems = m_findings.take();
        return std::move(m_model);
    }

private:
    using Heads = std::vector<std::vector<std::byte>>;

    Result<Heads> deflatedHeads(const std::vector<zip::Member>& deflated) {
        if (deflated.empty()) return Heads();
        auto heads = unpackHeads(m_source, deflated, m_options.progress);
        if (heads || m_findings.strict() || heads.error().code == ErrorCode::Canceled) return heads;
        m_findings.add(Severity::Error, "npz.not_unpacked", heads.error());
        return Heads(deflated.size());
    }

    std::string memberName(const zip::Member& member) const {
        const std::string name = toUtf8(member.name);
        return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : name;
    }

    Result<void> addStored(const zip::Member& member) {
        std::vector<std::byte> head(std::min<std::uint64_t>(member.bytes, maxHeaderBytes));
        WB_TRY(m_source->readAt(member.data->offset(), head));
        return add(member, head, {0, member.data->offset(), member.bytes});
    }

    Result<void> addDeflated(const zip::Member& member, const std::vector<std::byte>& head) {
        if (!head.empty() || member.bytes == 0) {
            auto source = std::make_shared<DeflatedMember>(m_source, member, m_last);
            const auto file = static_cast<std::uint32_t>(m_model.files.size());
            ModelFile entry{source->name(), member.bytes, {}, source};
            m_model.files.push_back(std::move(entry));
            return add(member, head, {file, 0, member.bytes});
        }
        if (member.method != zip::deflated && member.method != zip::stored)
            return m_findings.defect(Severity::Error, "npz.method", member.header,
                                     WB_TEXT("{}: {} is compressed with {}, which is not supported; save it with numpy.savez."),
                                     formats::shown(member.name), zip::methodText(member.method));
        return m_findings.defect(Severity::Error, "npz.member", member.header, WB_TEXT("{}: {} cannot be decompressed."),
                                 formats::shown(member.name));
    }

    Result<void> add(const zip::Member& member, std::span<const std::byte> head, ArrayPlace place) {
        const auto header = parseHeader(head, m_source->name());
        if (!header)
            return m_findings.defect(Severity::Error, "npz.header", member.header,
                                     WB_TEXT("{}: {} is not a supported NumPy array."), formats::shown(member.name));
        if (header->isBigEndian && header->dtype != Dtype::Unknown) place = swap(*header, place);
        WB_TRY_ASSIGN(auto tensor, makeTensor(*header, memberName(member), place, m_findings));
        m_model.metadata.members.push_back({toUtf8(member.name), Value::of(header->description)});
        if (!tensor) return {};
        auto details = std::make_shared<TensorDetails>();
        details->member = toUtf8(member.name);
        tensor->details = std::move(details);
        m_model.tensors.push_back(std::move(*tensor));
        return {};
    }

    // Byte order belongs to a model, but each array of an archive has its own.
    ArrayPlace swap(const Header& header, ArrayPlace place) {
        const ModelFile& file = m_model.files[place.file];
        const std::shared_ptr<const io::ByteSource> source = place.file == 0 ? m_source : file.source;
        auto view = swapped(source, place.begin + header.bytes, place.begin + place.bytes, numberBytes(header.dtype));
        ModelFile entry{file.name, file.bytes, {}, std::move(view)};
        m_model.files.push_back(std::move(entry));
        place.file = static_cast<std::uint32_t>(m_model.files.size() - 1);
        return place;
    }

    std::shared_ptr<io::ByteSource> m_source;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    std::shared_ptr<UnpackedMember> m_last = std::make_shared<UnpackedMember>();
    Model m_model;
};

} // namespace

bool isArchive(std::span<const std::string> memberNames) {
    const auto isFolder = [](const std::string& name) { return name.ends_with('/'); };
    const auto isArray = [](const std::string& name) { return name.ends_with(ending); };
    return std::ranges::any_of(memberNames, isArray) &&
           std::ranges::all_of(memberNames, [&](const std::string& name) { return isFolder(name) || isArray(name); });
}

Result<ModelPtr> openArchive(const std::filesystem::path& path, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(auto source, io::FileSource::open(path));
    WB_TRY_ASSIGN(Model model, Reader(source, namedFile(path, source), options).read());
    model.path = path;
    model.folder = path.parent_path();
    return std::make_shared<const Model>(std::move(model));
}

Result<ModelPtr> openArchive(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options) {
    ModelFile file{source->name(), source->size(), {}, source};
    WB_TRY_ASSIGN(Model model, Reader(std::move(source), std::move(file), options).read());
    return std::make_shared<const Model>(std::move(model));
}

} // namespace wb::npy
