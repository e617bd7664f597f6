// SPDX-License-Identifier: MIT
#include "core/io/atomic_writer.h"

#include "core/io/byte_source.h"
#include "core/io/system/output_file.h"
#include "core/io/target.h"

#include <fmt/format.h>

#include <random>

namespace wb::io {
namespace {

constexpr std::size_t bufferBytes = 256 * 1024;

std::filesystem::path temporaryBeside(const std::filesystem::path& target) {
    std::filesystem::path path = target;
    path += fmt::format(".{:08x}.tmp", std::random_device{}());
    return path;
}

// The temporary name means nothing to those who read the sentence.
std::unexpected<Error> aboutTarget(Error error, const std::filesystem::path& target) {
    for (std::string& argument : error.arguments)
        if (argument.starts_with(baseName(target) + ".")) argument = baseName(target);
    return std::unexpected(std::move(error));
}

} // namespace

AtomicWriter::AtomicWriter() = default;
AtomicWriter::~AtomicWriter() = default;
AtomicWriter::AtomicWriter(AtomicWriter&&) noexcept = default;
AtomicWriter& AtomicWriter::operator=(AtomicWriter&&) noexcept = default;

Result<AtomicWriter> AtomicWriter::create(const std::filesystem::path& target) {
    WB_TRY(checkReplaceable(target));
    auto file = OutputFile::create(temporaryBeside(target));
    if (!file) return aboutTarget(std::move(file).error(), target);
    AtomicWriter writer;
    writer.m_file = std::make_unique<OutputFile>(std::move(*file));
    writer.m_target = target;
    return writer;
}

Result<void> AtomicWriter::write(std::span<const std::byte> bytes) {
    if (bytes.size() > bufferBytes - m_buffer.size()) WB_TRY(flush());
    if (bytes.size() >= bufferBytes) return writeThrough(bytes);
    m_buffer.insert(m_buffer.end(), bytes.begin(), bytes.end());
    return {};
}

Result<void> AtomicWriter::flush() {
    WB_TRY(writeThrough(m_buffer));
    m_buffer.clear();
    return {};
}

Result<void> AtomicWriter::writeThrough(std::span<const std::byte> bytes) {
    auto written = m_file->write(bytes);
    if (!written) return aboutTarget(std::move(written).error(), m_target);
    return {};
}

Result<void> AtomicWriter::commit() {
    WB_TRY(flush());
    return m_file->moveTo(m_target);
}

} // namespace wb::io
