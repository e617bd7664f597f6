// SPDX-License-Identifier: MIT
#include "core/formats/sample.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/tar/tar.h"
#include "core/formats/zip/zip.h"

#include <algorithm>

namespace wb::formats {
namespace {

template <class Members>
std::vector<std::string> membersNames(const Members& members) {
    std::vector<std::string> names;
    names.reserve(members.size());
    for (const auto& member : members) names.push_back(member.name);
    return names;
}

} // namespace

Result<Sample> Sample::of(std::shared_ptr<io::ByteSource> source, const OpenOptions& options) {
    constexpr std::uint64_t headBytes = 4096;
    constexpr std::uint64_t tailBytes = 512;
    Sample out(std::move(source), options);
    out.m_head.resize(std::min(out.size(), headBytes));
    out.m_tail.resize(std::min(out.size(), tailBytes));
    WB_TRY(out.m_source->readAt(0, out.m_head));
    WB_TRY(out.m_source->readAt(out.size() - out.m_tail.size(), out.m_tail));
    return out;
}

bool Sample::isZip() const { return zip::sniff(m_head); }

bool Sample::isTar() const { return tar::sniff(m_head); }

bool Sample::isJson() const {
    const std::string_view unmarked = withoutByteOrderMark(text());
    const std::size_t first = unmarked.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && unmarked[first] == '{';
}

const std::vector<std::string>& Sample::members() const {
    if (!m_members) {
        auto read = readMembers();
        if (!read) m_failure = read.error();
        m_members = std::move(read).value_or(std::vector<std::string>());
    }
    return *m_members;
}

const std::string& Sample::json() const {
    if (!m_json) {
        auto read = readText();
        if (!read) m_failure = read.error();
        m_json = std::move(read).value_or(std::string());
    }
    return *m_json;
}

Result<std::vector<std::string>> Sample::readMembers() const {
    Findings findings(name(), m_options.strictness);
    if (isZip()) {
        WB_TRY_ASSIGN(const zip::Archive archive, zip::readArchive(*m_source, m_options, findings));
        return membersNames(archive.members);
    }
    if (!isTar()) return std::vector<std::string>();
    WB_TRY_ASSIGN(const auto members, tar::readArchive(*m_source, m_options, findings));
    return membersNames(members);
}

Result<std::string> Sample::readText() const {
    if (!isJson() || size() > m_options.limits.jsonText) return std::string();
    std::string text(static_cast<std::size_t>(size()), '\0');
    WB_TRY(m_source->readAt(0, std::as_writable_bytes(std::span(text))));
    return text;
}

} // namespace wb::formats
