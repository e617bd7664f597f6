// SPDX-License-Identifier: MIT
#include "core/base/checked.h"
#include "core/formats/hdf5/hdf5.h"
#include "core/worker/wire.h"

#include <algorithm>
#include <cstring>
#include <zlib.h>

namespace wb::hdf5 {
namespace {

constexpr std::uint64_t maxChunkBytes = 1ull << 30;

std::unexpected<Error> damaged(const io::ByteSource& source) {
    return fail(ErrorCode::Malformed, Reason("hdf5.chunk"), About{source.name()},
                WB_TEXT("{} is corrupted: one of its chunks does not decompress to its size; download it again."), source.name());
}

// As specified.
struct Plan {
    std::uint64_t element = 0;
    std::uint64_t swapWidth = 0;                           // of the numbers that are turned round; 0: none
    std::vector<std::uint64_t> shape, chunkShape, strides; // strides of the result, in elements
    std::vector<Filter> filters;
    std::vector<std::byte> fill;
    std::vector<Chunk> chunks;
    std::uint64_t chunkBytes = 0;
};

std::vector<std::uint64_t> readNumbers(worker::WireReader& in) {
    std::vector<std::uint64_t> numbers(in.count(8));
    for (std::uint64_t& number : numbers) number = in.u64();
    return numbers;
}

void writeNumbers(worker::WireWriter& out, const std::vector<std::uint64_t>& numbers) {
    out.u64(numbers.size());
    for (const std::uint64_t number : numbers) out.u64(number);
}

std::optional<Plan> readPlan(std::span<const std::byte> spec) {
    worker::WireReader in(spec);
    Plan plan;
    plan.element = in.u64();
    plan.swapWidth = in.u64();
    plan.shape = readNumbers(in);
    plan.chunkShape = readNumbers(in);
    const std::uint64_t filters = in.count(8);
    for (std::uint64_t i = 0; i < filters && in.good(); ++i) {
        const std::uint32_t id = in.u32();
        plan.filters.push_back({id, in.u32(), {}});
    }
    const auto fill = in.bytes();
    plan.fill.assign(fill.begin(), fill.end());
    const std::uint64_t chunks = in.count(20);
    for (std::uint64_t i = 0; i < chunks && in.good(); ++i) {
        Chunk chunk;
        chunk.position = in.u64();
        chunk.bytes = in.u64();
        chunk.skipped = in.u32();
        chunk.offset = readNumbers(in);
        if (chunk.offset.size() != plan.shape.size()) in.reject();
        plan.chunks.push_back(std::move(chunk));
    }
    auto bytes = std::optional(plan.element);
    for (const std::uint64_t side : plan.chunkShape)
        if (bytes) bytes = checked::mul(*bytes, side);
    const bool isWidth = plan.swapWidth <= 1 || plan.swapWidth == 2 || plan.swapWidth == 4 || plan.swapWidth == 8;
    if (!in.good() || !bytes || *bytes == 0 || *bytes > maxChunkBytes || plan.chunkShape.size() != plan.shape.size() ||
        plan.shape.empty() || !isWidth || (!plan.fill.empty() && plan.fill.size() != plan.element))
        return std::nullopt;
    plan.chunkBytes = *bytes;
    plan.strides.assign(plan.shape.size(), 1);
    for (std::size_t axis = plan.shape.size() - 1; axis-- > 0;) {
        const auto stride = checked::mul(plan.strides[axis + 1], plan.shape[axis + 1]);
        if (!stride || *stride > ~std::uint64_t{0} / plan.element / 2) return std::nullopt;
        plan.strides[axis] = *stride;
    }
    if (!checked::mul(plan.strides[0] * plan.element, plan.shape[0])) return std::nullopt;
    return plan;
}

bool inflateAll(std::span<const std::byte> packed, std::vector<std::byte>& out, std::uint64_t most) {
    const auto room = checked::narrow<uLongf>(most), given = checked::narrow<uLong>(packed.size()); // 32 bits on Windows
    if (!room || !given) return false;
    uLongf bytes = *room;
    out.resize(most);
    const int status =
        ::uncompress(reinterpret_cast<Bytef*>(out.data()), &bytes, reinterpret_cast<const Bytef*>(packed.data()), *given);
    out.resize(status == Z_OK ? bytes : 0);
    return status == Z_OK;
}

// The bytes of each place of all elements stand together; the remaining bytes are after them.
void unshuffle(std::vector<std::byte>& bytes, std::uint64_t width) {
    if (width < 2 || bytes.size() < width) return;
    const std::uint64_t count = bytes.size() / width;
    std::vector<std::byte> out(bytes);
    for (std::uint64_t place = 0; place < width; ++place)
        for (std::uint64_t i = 0; i < count; ++i) out[i * width + place] = bytes[place * count + i];
    bytes = std::move(out);
}

// HDFGroup/hdf5: src/H5checksum.c, H5_checksum_fletcher32.
std::uint32_t fletcher32(std::span<const std::byte> bytes) {
    std::uint64_t sum1 = 0, sum2 = 0;
    const auto add = [&](std::uint64_t word) {
        sum1 = (sum1 + word) % 65'535;
        sum2 = (sum2 + sum1) % 65'535;
    };
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2)
        add(std::to_integer<std::uint64_t>(bytes[i]) << 8 | std::to_integer<std::uint64_t>(bytes[i + 1]));
    if (bytes.size() % 2 != 0) add(std::to_integer<std::uint64_t>(bytes.back()) << 8);
    return static_cast<std::uint32_t>(sum2 << 16 | sum1);
}

// The library folds its sums to 16 bits, where 0 and 65,535 are the same number.
bool sameSum(std::uint32_t stored, std::uint32_t computed) {
    const auto same = [](std::uint32_t a, std::uint32_t b) { return a % 65'535 == b % 65'535; };
    return same(stored & 0xFFFF, computed & 0xFFFF) && same(stored >> 16, computed >> 16);
}

bool checkFletcher(std::vector<std::byte>& bytes) {
    if (bytes.size() < 4) return false;
    std::uint32_t stored = 0;
    for (std::size_t i = 4; i-- > 0;) stored = stored << 8 | std::to_integer<std::uint32_t>(bytes[bytes.size() - 4 + i]);
    bytes.resize(bytes.size() - 4);
    return sameSum(stored, fletcher32(bytes));
}

Result<std::vector<std::byte>> decodeChunk(const io::ByteSource& source, const Plan& plan, const Chunk& chunk) {
    constexpr std::uint64_t spare = 1 << 16; // checksums inside a deflated stream
    if (chunk.bytes > maxChunkBytes + spare || !io::Extent::make(source.size(), chunk.position, chunk.bytes))
        return damaged(source);
    std::vector<std::byte> bytes(chunk.bytes);
    WB_TRY(source.readAt(chunk.position, bytes));
    for (std::size_t i = plan.filters.size(); i-- > 0;) { // the last one applied comes off first
        if (i < 32 && (chunk.skipped >> i & 1) != 0) continue;
        const Filter& filter = plan.filters[i];
        if (filter.id == deflateFilter) {
            std::vector<std::byte> out;
            if (!inflateAll(bytes, out, plan.chunkBytes + spare)) return damaged(source);
            bytes = std::move(out);
        } else if (filter.id == shuffleFilter) {
            unshuffle(bytes, filter.firstValue);
        } else if (filter.id != fletcherFilter || !checkFletcher(bytes)) {
            return damaged(source);
        }
    }
    if (bytes.size() != plan.chunkBytes) return damaged(source);
    return bytes;
}

// Copies the rows of a chunk that are in the window of the result that `out` is.
class Placer {
public:
    Placer(const Plan& plan, std::uint64_t begin, std::span<std::byte> out) : m_plan(plan), m_begin(begin), m_out(out) {}

    bool touches(const Chunk& chunk) const {
        std::uint64_t first = 0, last = 0;
        for (std::size_t axis = 0; axis < m_plan.shape.size(); ++axis) {
            if (chunk.offset[axis] >= m_plan.shape[axis]) return false;
            const std::uint64_t side = std::min(m_plan.chunkShape[axis], m_plan.shape[axis] - chunk.offset[axis]);
            if (side == 0) return false;
            first += chunk.offset[axis] * m_plan.strides[axis];
            last += (chunk.offset[axis] + side - 1) * m_plan.strides[axis];
        }
        return first * m_plan.element < m_begin + m_out.size() && (last + 1) * m_plan.element > m_begin;
    }

    void place(const Chunk& chunk, std::span<const std::byte> bytes) const { row(chunk, bytes, 0, 0, 0); }

private:
    // `from` and `to` are elements of the chunk and of the result.
    void row(const Chunk& chunk, std::span<const std::byte> bytes, std::size_t axis, std::uint64_t from, std::uint64_t to) const {
        const std::uint64_t side = std::min(m_plan.chunkShape[axis], m_plan.shape[axis] - chunk.offset[axis]);
        to += chunk.offset[axis] * m_plan.strides[axis];
        if (axis + 1 == m_plan.shape.size()) return copy(bytes, from * m_plan.element, to * m_plan.element, side * m_plan.element);
        std::uint64_t within = 1;
        for (std::size_t i = axis + 1; i < m_plan.shape.size(); ++i) within *= m_plan.chunkShape[i];
        for (std::uint64_t i = 0; i < side; ++i) row(chunk, bytes, axis + 1, from + i * within, to + i * m_plan.strides[axis]);
    }

    void copy(std::span<const std::byte> bytes, std::uint64_t from, std::uint64_t to, std::uint64_t count) const {
        const std::uint64_t begin = std::max(to, m_begin), end = std::min(to + count, m_begin + m_out.size());
        if (begin < end) std::memcpy(m_out.data() + (begin - m_begin), bytes.data() + from + (begin - to), end - begin);
    }

    const Plan& m_plan;
    std::uint64_t m_begin;
    std::span<std::byte> m_out;
};

} // namespace

std::vector<std::byte> unpackSpec(const Dataset& dataset) {
    worker::WireWriter out;
    out.u64(dataset.type.bytes);
    const bool isComplex = dataset.type.dtype == Dtype::C64 || dataset.type.dtype == Dtype::C128;
    out.u64(!dataset.type.isBigEndian ? 0 : isComplex ? dataset.type.bytes / 2 : dataset.type.bytes);
    writeNumbers(out, dataset.shape);
    writeNumbers(out, dataset.chunkShape);
    out.u64(dataset.filters.size());
    for (const Filter& filter : dataset.filters) {
        out.u32(filter.id);
        out.u32(filter.firstValue);
    }
    out.bytes(dataset.fill.size() == dataset.type.bytes ? std::span(dataset.fill) : std::span<const std::byte>());
    out.u64(dataset.chunks.size());
    for (const Chunk& chunk : dataset.chunks) {
        out.u64(chunk.position);
        out.u64(chunk.bytes);
        out.u32(chunk.skipped);
        writeNumbers(out, chunk.offset);
    }
    return out.take();
}

Result<void> unpack(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out) {
    const auto plan = readPlan(spec);
    if (!plan) return damaged(source);
    // Whole elements, so that fill values and numbers to be swapped are complete.
    const std::uint64_t before = offset % plan->element;
    const std::uint64_t count = (before + out.size() + plan->element - 1) / plan->element;
    std::vector<std::byte> window(count * plan->element);
    if (!plan->fill.empty())
        for (std::uint64_t i = 0; i < count; ++i)
            std::ranges::copy(plan->fill, window.begin() + static_cast<std::ptrdiff_t>(i * plan->element));
    const Placer placer(*plan, offset - before, window);
    for (const Chunk& chunk : plan->chunks) {
        if (!placer.touches(chunk)) continue;
        WB_TRY_ASSIGN(const auto bytes, decodeChunk(source, *plan, chunk));
        placer.place(chunk, bytes);
    }
    if (plan->swapWidth > 1)
        for (std::size_t i = 0; i + plan->swapWidth <= window.size(); i += plan->swapWidth)
            std::ranges::reverse(std::span(window).subspan(i, plan->swapWidth));
    std::copy_n(window.begin() + static_cast<std::ptrdiff_t>(before), out.size(), out.begin());
    return {};
}

} // namespace wb::hdf5
