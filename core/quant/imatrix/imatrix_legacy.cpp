// SPDX-License-Identifier: MIT
#include "core/quant/imatrix/imatrix_legacy.h"

#include "core/io/cursor.h"

namespace wb::quant {
namespace {

constexpr std::int32_t longestName = 4096; // of a weight, which has at most 63, or of a data set, which is a path
constexpr std::uint32_t maxEntries = 1 << 18;

std::unexpected<Error> notAMatrix(const io::ByteSource& source, std::uint64_t position) {
    return fail(ErrorCode::Malformed, Reason("imatrix.syntax"), About{source.name()},
                WB_TEXT("{} is not an importance matrix (invalid at byte {}); create it again with llama-imatrix."), source.name(),
                position);
}

// A count that must be at least 1 and fit the counted items.
Result<std::uint32_t> readCount(io::Cursor& cursor, const io::ByteSource& source, std::uint64_t bytesEach) {
    const std::uint64_t position = cursor.position();
    const auto count = cursor.read<std::int32_t>();
    if (!count || *count < 1 || !cursor.canHold(static_cast<std::uint64_t>(*count), bytesEach)) return notAMatrix(source, position);
    return static_cast<std::uint32_t>(*count);
}

// A name may be missing only at the very end.
Result<std::string> readName(io::Cursor& cursor, const io::ByteSource& source, std::int32_t shortest) {
    const std::uint64_t position = cursor.position();
    const auto length = cursor.read<std::int32_t>();
    if (!length || *length < shortest || *length > longestName || !cursor.canHold(static_cast<std::uint64_t>(*length), 1))
        return notAMatrix(source, position);
    std::string name(static_cast<std::size_t>(*length), '\0');
    WB_TRY(cursor.read(std::as_writable_bytes(std::span(name))));
    return name;
}

Result<void> readEntry(io::Cursor& cursor, const io::ByteSource& source, Imatrix& matrix) {
    WB_TRY_ASSIGN(std::string name, readName(cursor, source, 1));
    WB_TRY_ASSIGN(const std::int32_t calls, cursor.read<std::int32_t>());
    WB_TRY_ASSIGN(const std::uint32_t count, readCount(cursor, source, sizeof(float)));
    const ImatrixEntry entry{count, cursor.position(), 0, 0, calls > 0 ? static_cast<float>(calls) : 1.0f};
    WB_TRY(cursor.skip(count * sizeof(float)));
    matrix.entries.insert_or_assign(std::move(name), entry); // of several, the reference takes the last
    return {};
}

} // namespace

Result<Imatrix> readLegacyImatrix(const io::ByteSource& source, const std::stop_token& stop) {
    io::Cursor cursor(source);
    Imatrix matrix;
    WB_TRY_ASSIGN(const std::uint32_t count, readCount(cursor, source, 3 * sizeof(std::int32_t)));
    if (count > maxEntries) return notAMatrix(source, 0);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (stop.stop_requested()) return std::unexpected(canceled());
        WB_TRY(readEntry(cursor, source, matrix));
    }
    if (cursor.remaining() == 0) return matrix;
    WB_TRY_ASSIGN(const std::int32_t chunks, cursor.read<std::int32_t>());
    matrix.chunks = chunks > 0 ? static_cast<std::uint64_t>(chunks) : 0;
    if (cursor.remaining() == 0) return matrix;
    WB_TRY_ASSIGN(std::string dataset, readName(cursor, source, 0));
    if (!dataset.empty()) matrix.datasets.push_back(std::move(dataset));
    return matrix;
}

} // namespace wb::quant
