// SPDX-License-Identifier: MIT
#include "core/verify/values.h"

#include "core/base/text.h"
#include "core/jobs/thread_pool.h"
#include "core/model/opened_files.h"
#include "core/model/parameters.h"
#include "core/model/stored_files.h"
#include "core/model/tensor_reader.h"
#include "core/tensor/decode.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>

namespace wb::verify {
namespace {

constexpr std::uint64_t slabElements = 1 << 18; // a multiple of every block

// A float by its bits: all bits of the exponent are set in NaN and infinity, and the fraction tells them apart.
template <typename Bits, Bits exponent, Bits fraction>
NotFinite countBits(std::span<const std::byte> bytes) {
    const std::size_t count = bytes.size() / sizeof(Bits);
    constexpr std::size_t run = 4096; // values between two looks, so that the inner loop has no branch
    NotFinite found;
    for (std::size_t first = 0; first < count; first += run) {
        const std::size_t end = std::min(first + run, count);
        Bits any = 0;
        for (std::size_t i = first; i < end; ++i) {
            Bits bits;
            std::memcpy(&bits, bytes.data() + i * sizeof bits, sizeof bits);
            any = static_cast<Bits>(any | static_cast<Bits>((bits & exponent) == exponent));
        }
        for (std::size_t i = first; any != 0 && i < end; ++i) {
            Bits bits;
            std::memcpy(&bits, bytes.data() + i * sizeof bits, sizeof bits);
            if ((bits & exponent) == exponent) ++((bits & fraction) != 0 ? found.nan : found.infinite);
        }
    }
    return found;
}

NotFinite countF32(std::span<const std::byte> bytes) { return countBits<std::uint32_t, 0x7F800000U, 0x007FFFFFU>(bytes); }

bool canHoldNotFinite(Dtype dtype) {
    const DtypeKind kind = info(dtype).kind;
    return kind != DtypeKind::Integer && kind != DtypeKind::Bool;
}

// A weight and the values found in it.
struct Checked {
    const TensorInfo* tensor;
    std::optional<TensorReader> reader;
    std::optional<Error> failure;
    NotFinite found;
};

struct Slab {
    std::size_t tensor;
    std::uint64_t first, count;
};

bool isDamagedValue(const Error& error) {
    return error.code == ErrorCode::Malformed || error.code == ErrorCode::Unsupported || error.code == ErrorCode::TooLarge;
}

class ValueCheck {
public:
    ValueCheck(const Model& model, const Options& options) : m_model(withOpenedFiles(model)), m_options(options) {}

    Result<ValueCounts> run(std::vector<Check>& checks) {
        for (const TensorInfo& tensor : m_model.tensors) WB_TRY(add(tensor));
        WB_TRY(readAll());
        for (const Checked& one : m_weights) report(one, checks);
        return m_counts;
    }

private:
    Result<void> add(const TensorInfo& tensor) {
        if (tensor.isUncounted() || isTrainingState(tensor.name)) return {};
        if (!tensor.isReadable()) {
            ++m_counts.unavailable;
            return {};
        }
        ++m_counts.checked;
        if (!canHoldNotFinite(tensor.dtype) || tensor.shape.elements() == 0) return {};
        Checked& one = m_weights.emplace_back(Checked{&tensor, {}, {}, {}});
        auto reader = TensorReader::open(m_model, tensor);
        if (reader) {
            one.reader = *std::move(reader);
            m_total += one.reader->byteCount(one.reader->elements());
            return {};
        }
        if (!isDamagedValue(reader.error())) return std::unexpected(reader.error());
        one.failure = reader.error();
        return {};
    }

    Result<void> readAll() {
        std::vector<Slab> slabs;
        for (std::size_t i = 0; i < m_weights.size(); ++i) {
            const std::uint64_t elements = m_weights[i].reader ? m_weights[i].reader->elements() : 0;
            for (std::uint64_t at = 0; at < elements; at += slabElements)
                slabs.push_back({i, at, std::min(slabElements, elements - at)});
        }
        m_buffers.resize(jobs::loopWidth(slabs.size(), m_options.threads));
        return jobs::parallelFor(slabs.size(), m_options.threads, m_options.progress.stop,
                                 [&](std::uint64_t i, unsigned slot) { return readSlab(slabs[i], m_buffers[slot]); });
    }

    struct Buffers {
        std::vector<std::byte> raw;
        std::vector<float> values;
    };

    Result<void> readSlab(const Slab& slab, Buffers& buffers) {
        Checked& one = m_weights[slab.tensor];
        const std::uint64_t bytes = one.reader->byteCount(slab.count);
        buffers.raw.resize(bytes);
        const auto read = one.reader->readRaw(slab.first, slab.count, buffers.raw);
        if (!read && !isDamagedValue(read.error())) return std::unexpected(read.error());
        const NotFinite found = read ? countNotFinite(one.tensor->dtype, buffers.raw, slab.count, buffers.values) : NotFinite{};
        {
            const std::lock_guard lock(m_mutex);
            if (!read && !one.failure) one.failure = read.error();
            one.found.nan += found.nan;
            one.found.infinite += found.infinite;
        }
        return m_options.progress.at(m_done += bytes, m_total);
    }

    std::string tensorFile(const TensorInfo& tensor) const {
        return tensor.file() < m_model.files.size() ? storedPlace(m_model, tensor.file()).file : std::string();
    }

    void report(const Checked& one, std::vector<Check>& checks) {
        const std::string name = toUtf8(one.tensor->name);
        m_counts.withNan += one.found.nan > 0;
        m_counts.withInfinity += one.found.infinite > 0;
        if (one.failure) {
            --m_counts.checked;
            ++m_counts.unavailable;
            checks.push_back({makeProblem(Severity::Error, "verify.values", tensorFile(*one.tensor), std::nullopt,
                                          WB_TEXT("Cannot read the values of {}: {}"), name, one.failure->message())});
        } else if (one.found.nan + one.found.infinite > 0) {
            checks.push_back(
                {makeProblem(Severity::Error, "verify.not_finite", tensorFile(*one.tensor), std::nullopt,
                             WB_TEXT("{} contains {} NaN and {} infinite values."), name, one.found.nan, one.found.infinite)});
        }
    }

    const Model m_model;
    const Options& m_options;
    std::vector<Checked> m_weights;
    std::vector<Buffers> m_buffers;
    ValueCounts m_counts;
    std::mutex m_mutex;
    std::uint64_t m_total = 0;
    std::atomic<std::uint64_t> m_done{0};
};

} // namespace

NotFinite countNotFinite(Dtype dtype, std::span<const std::byte> blocks, std::uint64_t elements, std::vector<float>& scratch) {
    switch (dtype) {
    case Dtype::F16:
    case Dtype::C32: return countBits<std::uint16_t, 0x7C00U, 0x03FFU>(blocks);
    case Dtype::BF16: return countBits<std::uint16_t, 0x7F80U, 0x007FU>(blocks);
    case Dtype::F32:
    case Dtype::C64: return countF32(blocks);
    case Dtype::F64:
    case Dtype::C128: return countBits<std::uint64_t, 0x7FF0000000000000U, 0x000FFFFFFFFFFFFFU>(blocks);
    default: break;
    }
    if (!canHoldNotFinite(dtype)) return {};
    scratch.resize(elements);
    decode(dtype, blocks, scratch);
    return countF32(std::as_bytes(std::span(scratch)));
}

Result<ValueCounts> checkValues(const Model& model, const Options& options, std::vector<Check>& checks) {
    return ValueCheck(model, options).run(checks);
}

} // namespace wb::verify
