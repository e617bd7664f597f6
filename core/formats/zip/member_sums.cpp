// SPDX-License-Identifier: MIT
#include "core/formats/zip/member_sums.h"

#include "core/formats/zip/inflater.h"
#include "core/jobs/thread_pool.h"
#include "core/worker/wire.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace wb::zip {
namespace {

constexpr const char* taskName = "zip.sums";
constexpr std::uint64_t sumSlabBytes = 4 << 20;   // of a stored member, read at a time
constexpr std::uint64_t inflatedBytes = 64 << 10; // read and written by one step of zlib

bool isDeflated(const Member& member) { return member.data && member.method == deflated && (member.flags & encryptedFlag) == 0; }

// The state if the headers decide it; empty: the data have to be read.
std::optional<SumState> stateWithoutReading(const Member& member) {
    if (!member.data) return SumState::Damaged;
    if ((member.flags & encryptedFlag) != 0 || (member.method != stored && member.method != deflated)) return SumState::NotRead;
    if (member.method == stored && member.packedBytes != member.bytes) return SumState::Damaged;
    if (member.crc == 0 && member.bytes > 0) return SumState::NotDeclared;
    return std::nullopt;
}

struct Slab {
    std::uint32_t member;
    std::uint64_t first;
    std::uint64_t bytes;
    std::uint32_t crc = 0;
};

Result<void> sumSlabs(const io::ByteSource& source, const Archive& archive, std::vector<Slab>& slabs, unsigned threads,
                      std::uint64_t total, const Progress& progress) {
    std::atomic<std::uint64_t> done{0};
    std::vector<std::vector<std::byte>> buffers(jobs::loopWidth(slabs.size(), threads));
    return jobs::parallelFor(slabs.size(), threads, progress.stop, [&](std::uint64_t i, unsigned slot) -> Result<void> {
        Slab& slab = slabs[i];
        buffers[slot].resize(slab.bytes);
        WB_TRY(source.readAt(archive.members[slab.member].data->offset() + slab.first, buffers[slot]));
        slab.crc = crc32(0, buffers[slot]);
        return progress.at(done += slab.bytes, total);
    });
}

// The slabs of one member follow each other.
std::uint32_t joinedSum(std::span<const Slab> slabs) {
    std::uint32_t crc = 0;
    for (const Slab& slab : slabs)
        crc = static_cast<std::uint32_t>(::crc32_combine(crc, slab.crc, static_cast<z_off_t>(slab.bytes)));
    return crc;
}

Result<void> compareStored(const io::ByteSource& source, const Archive& archive, unsigned threads, std::uint64_t total,
                           const Progress& progress, std::vector<SumState>& states) {
    std::vector<Slab> slabs;
    for (std::uint32_t i = 0; i < archive.members.size(); ++i) {
        const Member& member = archive.members[i];
        if (stateWithoutReading(member) || member.method != stored) continue;
        for (std::uint64_t at = 0; at < member.bytes; at += sumSlabBytes)
            slabs.push_back({i, at, std::min(sumSlabBytes, member.bytes - at)});
    }
    WB_TRY(sumSlabs(source, archive, slabs, threads, total, progress));
    for (auto begin = slabs.begin(); begin != slabs.end();) {
        const auto end = std::find_if(begin, slabs.end(), [&](const Slab& slab) { return slab.member != begin->member; });
        if (joinedSum({begin, end}) != archive.members[begin->member].crc) states[begin->member] = SumState::Differs;
        begin = end;
    }
    return {};
}

// Unpacks a deflated member as a stream; output beyond the declared size ends it.
Result<SumState> inflateAndCompare(const io::ByteSource& source, const Member& member, const Progress& progress) {
    WB_TRY_ASSIGN(const Inflater inflater, makeInflater());
    std::vector<std::byte> in, out(inflatedBytes);
    std::uint64_t read = 0, written = 0;
    std::uint32_t crc = 0;
    int status = Z_OK;
    while (status != Z_STREAM_END) {
        if (inflater->avail_in == 0 && read < member.packedBytes) {
            WB_TRY(progress.at(read, member.packedBytes));
            in.resize(std::min(inflatedBytes, member.packedBytes - read));
            WB_TRY(source.readAt(member.data->offset() + read, in));
            read += in.size();
            inflater->next_in = reinterpret_cast<Bytef*>(in.data());
            inflater->avail_in = static_cast<uInt>(in.size());
        }
        inflater->next_out = reinterpret_cast<Bytef*>(out.data());
        inflater->avail_out = static_cast<uInt>(out.size());
        status = ::inflate(inflater.get(), Z_NO_FLUSH);
        const std::size_t count = out.size() - inflater->avail_out;
        written += count;
        crc = crc32(crc, std::span(out).first(count));
        if ((status != Z_OK && status != Z_STREAM_END) || written > member.bytes) return SumState::Damaged;
    }
    if (written != member.bytes) return SumState::Damaged;
    return crc == member.crc ? SumState::Same : SumState::Differs;
}

Result<std::vector<std::byte>> runTask(const worker::TaskInput& input) {
    const io::ByteSource& source = *input.sources.at(0);
    formats::Findings ignored(source.name(), formats::Strictness::Lenient);
    formats::OpenOptions options;
    options.progress = input.progress;
    WB_TRY_ASSIGN(const Archive archive, readArchive(source, options, ignored));
    worker::WireWriter out;
    const Progress quiet{input.progress.stop, {}};
    std::uint64_t done = 0, total = 0;
    for (const Member& member : archive.members)
        if (isDeflated(member)) total += member.packedBytes; // inside the file: no sum of these wraps before the file would
    for (std::uint32_t i = 0; i < archive.members.size(); ++i) {
        const Member& member = archive.members[i];
        if (!isDeflated(member) || stateWithoutReading(member)) continue;
        WB_TRY_ASSIGN(const SumState state, compareMember(source, member, quiet));
        out.u32(i);
        out.u8(static_cast<std::uint8_t>(state));
        WB_TRY(input.progress.at(done += member.packedBytes, total));
    }
    return out.take();
}

// Every number of the reply is checked: the worker read hostile bytes.
Result<void> takeReply(std::span<const std::byte> reply, const std::string& file, std::vector<SumState>& states) {
    worker::WireReader in(reply);
    while (in.good() && !in.atEnd()) {
        const std::uint32_t member = in.u32();
        const std::uint8_t state = in.u8();
        if (member >= states.size() || state > static_cast<std::uint8_t>(lastSumState)) in.reject();
        else states[member] = static_cast<SumState>(state);
    }
    if (in.good()) return {};
    return fail(ErrorCode::Malformed, Reason("zip.sums"), About{file}, WB_TEXT("Cannot compute the checksums of {}."), file);
}

} // namespace

Result<SumState> compareMember(const io::ByteSource& source, const Member& member, const Progress& progress) {
    if (const auto known = stateWithoutReading(member)) return *known;
    if (member.method == deflated) return inflateAndCompare(source, member, progress);
    std::uint32_t crc = 0;
    std::vector<std::byte> slab;
    for (std::uint64_t at = 0; at < member.bytes; at += slab.size()) {
        WB_TRY(progress.at(at, member.bytes));
        slab.resize(std::min(sumSlabBytes, member.bytes - at));
        WB_TRY(source.readAt(member.data->offset() + at, slab));
        crc = crc32(crc, slab);
    }
    return crc == member.crc ? SumState::Same : SumState::Differs;
}

std::span<const worker::WorkerTask> tasks() {
    static constexpr std::array all = {worker::WorkerTask{taskName, runTask}};
    return all;
}

Result<std::vector<SumState>> compareMembers(std::shared_ptr<const io::ByteSource> source, const Archive& archive, unsigned threads,
                                             const Progress& progress) {
    std::vector<SumState> states(archive.members.size(), SumState::Same);
    std::uint64_t storedTotal = 0, deflatedTotal = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
        const Member& member = archive.members[i];
        if (const auto known = stateWithoutReading(member)) states[i] = *known;
        else (member.method == stored ? storedTotal : deflatedTotal) += member.packedBytes;
    }
    const std::uint64_t total = storedTotal + deflatedTotal;
    WB_TRY(compareStored(*source, archive, threads, total, progress, states));
    if (deflatedTotal == 0) return states;
    const Progress rest{progress.stop, [&](std::uint64_t done, std::uint64_t) {
                            if (progress.report) progress.report(storedTotal + std::min(done, deflatedTotal), total);
                        }};
    const std::string file = source->name();
    const std::uint64_t maxReply = 64 + 5 * static_cast<std::uint64_t>(states.size());
    WB_TRY_ASSIGN(const auto reply, worker::run({taskName, file, {}, {std::move(source)}, maxReply}, rest));
    WB_TRY(takeReply(reply, file, states));
    return states;
}

} // namespace wb::zip
