// SPDX-License-Identifier: MIT
#include "core/formats/flat/flat.h"

namespace wb::flat {

bool hasIdentifier(File& file, std::string_view identifier) { return file.hasText(4, identifier); }

Table::Table(File& file, std::uint64_t position) : m_file(&file), m_position(position) {
    const std::int64_t back = file.read<std::int32_t>(position);
    const std::int64_t vtable = static_cast<std::int64_t>(position) - back;
    if (vtable < 0 || position > std::uint64_t{1} << 40) {
        file.reject();
        return;
    }
    m_vtable = static_cast<std::uint64_t>(vtable);
    m_vtableBytes = file.read<std::uint16_t>(m_vtable);
    if (m_vtableBytes < 4 || m_vtableBytes % 2 != 0) {
        file.reject();
        m_vtableBytes = 0;
    }
}

Table Table::root(File& file) {
    const std::uint64_t position = file.read<std::uint32_t>(0);
    return file.good() ? Table(file, position) : Table();
}

std::uint64_t Table::field(unsigned slot) const {
    const std::uint64_t at = 4 + std::uint64_t{2} * slot;
    if (!m_file || !m_file->good() || at + 2 > m_vtableBytes) return 0;
    const std::uint16_t offset = m_file->read<std::uint16_t>(m_vtable + at);
    return offset == 0 ? 0 : m_position + offset;
}

// The target of the unsigned distance at this position.
std::uint64_t Table::follow(std::uint64_t at) const { return at + m_file->read<std::uint32_t>(at); }

Table Table::table(unsigned slot) const {
    const std::uint64_t at = field(slot);
    if (at == 0) return {};
    const std::uint64_t position = follow(at);
    return m_file->good() ? Table(*m_file, position) : Table();
}

Vector Table::vector(unsigned slot, std::uint64_t elementBytes) const {
    const std::uint64_t at = field(slot);
    if (at == 0) return {};
    const std::uint64_t begin = follow(at);
    const std::uint64_t count = m_file->read<std::uint32_t>(begin);
    if (!m_file->good()) return {};
    if (count > (m_file->size() - begin - 4) / elementBytes) {
        m_file->reject();
        return {};
    }
    return {begin + 4, count};
}

Table Table::tableAt(const Vector& tables, std::uint64_t index) const {
    if (!m_file || index >= tables.count) return {};
    const std::uint64_t position = follow(tables.begin + 4 * index);
    return m_file->good() ? Table(*m_file, position) : Table();
}

std::string Table::textFrom(std::uint64_t at, std::uint64_t maximum) const {
    return m_file->text(at + 4, m_file->read<std::uint32_t>(at), maximum);
}

std::string Table::text(unsigned slot, std::uint64_t maximum) const {
    const std::uint64_t at = field(slot);
    if (at == 0) return {};
    const std::uint64_t begin = follow(at);
    return m_file->good() ? textFrom(begin, maximum) : std::string();
}

std::string Table::textAt(const Vector& texts, std::uint64_t index, std::uint64_t maximum) const {
    if (!m_file || index >= texts.count) return {};
    const std::uint64_t begin = follow(texts.begin + 4 * index);
    return m_file->good() ? textFrom(begin, maximum) : std::string();
}

} // namespace wb::flat
