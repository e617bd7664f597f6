// SPDX-License-Identifier: MIT
#include "core/formats/npy/member.h"

#include "core/formats/index/derived.h"
#include "core/formats/npy/npy.h"
#include "core/worker/wire.h"

#include <algorithm>
#include <array>

namespace wb::npy {
namespace {

void writeMember(worker::WireWriter& out, const zip::Member& member) {
    out.text(member.name);
    out.u32(member.flags);
    out.u32(member.method);
    out.u32(member.crc);
    out.u64(member.packedBytes);
    out.u64(member.bytes);
    out.u64(member.data ? member.data->offset() : 0);
}

// The request comes from the parent, which is trusted.
zip::Member readMember(worker::WireReader& in, std::uint64_t archiveBytes) {
    zip::Member member;
    member.name = in.text();
    member.flags = static_cast<std::uint16_t>(in.u32());
    member.method = static_cast<std::uint16_t>(in.u32());
    member.crc = in.u32();
    member.packedBytes = in.u64();
    member.bytes = in.u64();
    member.data = io::Extent::make(archiveBytes, in.u64(), member.packedBytes);
    return member;
}

Result<std::vector<std::byte>> unpackOne(const worker::TaskInput& input) {
    worker::WireReader in(input.request);
    const zip::Member member = readMember(in, input.sources.at(0)->size());
    formats::Findings findings(input.sources[0]->name(), formats::Strictness::Lenient);
    return zip::readMember(*input.sources[0], member, maxUnpacked, findings);
}

// Whole members are unpacked for their first bytes: the header of an array says itself how long it is, and zlib stops nowhere else.
Result<std::vector<std::byte>> unpackAllHeads(const worker::TaskInput& input) {
    worker::WireReader in(input.request);
    formats::Findings findings(input.sources.at(0)->name(), formats::Strictness::Lenient);
    worker::WireWriter out;
    const std::uint32_t count = in.u32();
    for (std::uint32_t i = 0; i < count && in.good(); ++i) {
        const zip::Member member = readMember(in, input.sources[0]->size());
        const auto bytes = zip::readMember(*input.sources[0], member, maxUnpacked, findings);
        const std::span<const std::byte> whole = bytes ? std::span(*bytes) : std::span<const std::byte>();
        out.bytes(whole.first(std::min<std::size_t>(whole.size(), maxHeaderBytes)));
    }
    return out.take();
}

} // namespace

std::span<const worker::WorkerTask> tasks() {
    static constexpr std::array all = {worker::WorkerTask{"npy.heads", unpackAllHeads},
                                       worker::WorkerTask{"npy.member", unpackOne}};
    return all;
}

Result<std::vector<std::vector<std::byte>>> unpackHeads(std::shared_ptr<const io::ByteSource> archive,
                                                        std::span<const zip::Member> members, const Progress& progress) {
    worker::WireWriter request;
    request.u32(static_cast<std::uint32_t>(members.size()));
    for (const zip::Member& member : members) writeMember(request, member);
    const std::string subject = archive->name();
    WB_TRY_ASSIGN(const auto reply, worker::run({"npy.heads", subject, request.take(), {std::move(archive)}}, progress));
    worker::WireReader in(reply);
    std::vector<std::vector<std::byte>> heads;
    for (std::size_t i = 0; i < members.size(); ++i) {
        auto head = in.bytes();
        head = head.first(std::min<std::uint64_t>({head.size(), maxHeaderBytes, members[i].bytes}));
        heads.emplace_back(head.begin(), head.end());
    }
    return heads;
}

DeflatedMember::DeflatedMember(std::shared_ptr<const io::ByteSource> archive, zip::Member member,
                               std::shared_ptr<UnpackedMember> last)
    : m_archive(std::move(archive)), m_member(std::move(member)), m_last(std::move(last)),
      m_name(m_archive->name() + "/" + formats::shown(m_member.name)) {}

Result<std::shared_ptr<const std::vector<std::byte>>> DeflatedMember::unpacked() const {
    const std::lock_guard lock(m_last->mutex);
    if (m_last->of == this) return m_last->bytes;
    m_last->of = nullptr;
    m_last->bytes.reset();
    worker::WireWriter request;
    writeMember(request, m_member);
    WB_TRY_ASSIGN(auto bytes, worker::run({"npy.member", m_archive->name(), request.take(), {m_archive}, maxUnpacked}, {}));
    if (bytes.size() != m_member.bytes)
        return fail(ErrorCode::Malformed, Reason("npy.member_size"), About{m_archive->name()},
                    WB_TEXT("{} does not decompress to the size stated in its archive."), m_name);
    m_last->bytes = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    m_last->of = this;
    return m_last->bytes;
}

Result<void> DeflatedMember::readAt(std::uint64_t offset, std::span<std::byte> out) const {
    const auto range = io::Extent::make(m_member.bytes, offset, out.size());
    if (!range)
        return fail(ErrorCode::Malformed, Reason("npy.member_end"), About{m_archive->name()},
                    WB_TEXT("{} ends before the requested data."), m_name);
    WB_TRY_ASSIGN(const auto bytes, unpacked());
    std::copy_n(bytes->begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
    return {};
}

std::shared_ptr<io::ByteSource> swapped(std::shared_ptr<const io::ByteSource> source, std::uint64_t begin, std::uint64_t end,
                                        std::uint64_t width) {
    return std::make_shared<formats::SwappedSource>(std::move(source), begin, end, width);
}

} // namespace wb::npy
