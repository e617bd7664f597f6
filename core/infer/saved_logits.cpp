// SPDX-License-Identifier: MIT
#include "core/infer/saved_logits.h"

#include "core/base/checked.h"
#include "core/tensor/bytes.h"

#include <algorithm>
#include <cmath>

namespace wb::infer {
namespace {

constexpr std::string_view magic = "_logits_";
constexpr std::size_t headBytes = 8 + 4 + 4 + 4;
constexpr std::uint32_t maxContext = 1 << 24, maxVocabulary = 1 << 28, maxWindows = 1 << 24;
constexpr float range = 16; // log-probabilities further below the best are not distinguished

std::unexpected<Error> malformed(const io::ByteSource& source) {
    return fail(
        ErrorCode::Malformed, Reason("infer.saved_logits"), About{source.name()},
        WB_TEXT("{} is not a saved-logits file, or it is truncated; create it again with --save-logits or llama-perplexity."),
        source.name());
}

// Fills codes from logits; answers scale and lowest log-probability.
void encode(std::span<const float> logits, std::byte* record) {
    const auto [least, most] = std::ranges::minmax(logits);
    const float low = std::max(least, most - range);
    double sum = 0;
    for (const float logit : logits) sum += static_cast<double>(std::exp(logit - most));
    const float scale = (most - low) / 65535.0F;
    store(record, scale);
    store(record + 4, low - most - static_cast<float>(std::log(sum)));
    const float inverse = scale > 0 ? 1.0F / scale : 0.0F;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const float code = logits[i] > low ? std::min(65535.0F, std::nearbyint((logits[i] - low) * inverse)) : 0.0F;
        store(record + 8 + 2 * i, static_cast<std::uint16_t>(code));
    }
}

} // namespace

Result<LogitsWriter> LogitsWriter::create(const std::filesystem::path& path, const SavedLogitsHead& head) {
    WB_TRY_ASSIGN(io::AtomicWriter file, io::AtomicWriter::create(path));
    LogitsWriter writer(std::move(file), head.vocabulary);
    writer.m_record.resize(head.recordBytes());
    std::vector<std::byte> start(headBytes);
    std::ranges::copy(std::as_bytes(std::span(magic)), start.begin());
    store(start.data() + 8, head.context);
    store(start.data() + 12, head.vocabulary);
    store(start.data() + 16, static_cast<std::uint32_t>(head.windows()));
    WB_TRY(writer.m_writer.write(start));
    WB_TRY(writer.m_writer.write(std::as_bytes(std::span(head.tokens).first(head.windows() * head.context))));
    return writer;
}

Result<void> LogitsWriter::add(std::span<const float> logits) {
    for (std::size_t at = 0; at + m_vocabulary <= logits.size(); at += m_vocabulary) {
        encode(logits.subspan(at, m_vocabulary), m_record.data());
        WB_TRY(m_writer.write(m_record));
    }
    return {};
}

Result<LogitsReader> LogitsReader::open(const std::filesystem::path& path) {
    WB_TRY_ASSIGN(std::shared_ptr<const io::ByteSource> source, io::FileSource::open(path));
    return open(std::move(source));
}

Result<LogitsReader> LogitsReader::open(std::shared_ptr<const io::ByteSource> source) {
    std::array<std::byte, headBytes> start;
    if (source->size() < headBytes) return malformed(*source);
    WB_TRY(source->readAt(0, start));
    LogitsReader reader;
    SavedLogitsHead& head = reader.m_head;
    head.context = load<std::uint32_t>(start.data() + 8);
    head.vocabulary = load<std::uint32_t>(start.data() + 12);
    const auto windows = load<std::uint32_t>(start.data() + 16);
    const bool isMagic = std::ranges::equal(std::span(start).first(8), std::as_bytes(std::span(magic)));
    if (!isMagic || head.context < 4 || head.context > maxContext || head.vocabulary < 2 || head.vocabulary > maxVocabulary ||
        windows == 0 || windows > maxWindows)
        return malformed(*source);
    const std::uint64_t tokens = std::uint64_t{windows} * head.context;
    const auto records = checked::mul(std::uint64_t{windows} * head.positions(), std::uint64_t{head.recordBytes()});
    reader.m_firstRecord = headBytes + 4 * tokens;
    // The tokens are read only where the file is as long as everything must be, so that they cannot take more memory than it has.
    if (!records || source->size() < reader.m_firstRecord || source->size() - reader.m_firstRecord < *records)
        return malformed(*source);
    head.tokens.resize(static_cast<std::size_t>(tokens));
    WB_TRY(source->readAt(headBytes, std::as_writable_bytes(std::span(head.tokens))));
    reader.m_source = std::move(source);
    return reader;
}

Result<void> LogitsReader::read(std::size_t index, std::span<float> out) const {
    std::vector<std::byte> record(m_head.recordBytes());
    WB_TRY(m_source->readAt(m_firstRecord + index * record.size(), record));
    const auto scale = load<float>(record.data()), low = load<float>(record.data() + 4);
    if (!std::isfinite(scale) || !std::isfinite(low)) return malformed(*m_source);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = scale * static_cast<float>(load<std::uint16_t>(record.data() + 8 + 2 * i)) + low;
    return {};
}

} // namespace wb::infer
