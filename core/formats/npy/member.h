// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/npy/header.h"
#include "core/formats/zip/zip.h"
#include "core/worker/worker.h"

#include <mutex>

// Inside the room: deflated members of a .npz, which only a worker unpacks.
namespace wb::npy {

inline constexpr std::uint64_t maxUnpacked = 4ull << 30; // of one member

// The first maxHeaderBytes of each member, or all it has; empty for one that cannot be unpacked. One worker for all of them.
Result<std::vector<std::vector<std::byte>>> unpackHeads(std::shared_ptr<const io::ByteSource> archive,
                                                        std::span<const zip::Member> members, const Progress& progress);

// The member that was unpacked last, shared by all of an archive.
struct UnpackedMember {
    std::mutex mutex;
    const void* of = nullptr;
    std::shared_ptr<const std::vector<std::byte>> bytes;
};

// A deflated member as a source, unpacked when it is first read.
class DeflatedMember final : public io::ByteSource {
public:
    DeflatedMember(std::shared_ptr<const io::ByteSource> archive, zip::Member member, std::shared_ptr<UnpackedMember> last);

    std::uint64_t size() const override { return m_member.bytes; }
    const std::string& name() const override { return m_name; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override;
    Result<void> checkUnchanged() const override { return m_archive->checkUnchanged(); }

private:
    Result<std::shared_ptr<const std::vector<std::byte>>> unpacked() const;

    std::shared_ptr<const io::ByteSource> m_archive;
    zip::Member m_member;
    std::shared_ptr<UnpackedMember> m_last;
    std::string m_name;
};

// A source whose numbers of `width` bytes from `start` to `end` are swapped: one array of a big-endian machine among others.
std::shared_ptr<io::ByteSource> swapped(std::shared_ptr<const io::ByteSource> source, std::uint64_t begin, std::uint64_t end,
                                        std::uint64_t width);

} // namespace wb::npy
