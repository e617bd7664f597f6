// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/torch/forms.h"
#include "core/formats/zip/zip.h"

namespace wb::torch {

// An archive and the folder that all its records are in.
class Records {
public:
    Records(Reading& reading, zip::Archive archive)
        : m_reading(reading), m_archive(std::move(archive)), m_root(zip::rootFolder(m_archive)) {}

    const zip::Archive& archive() const { return m_archive; }

    // The record of this name; archives without a root folder, which PyTorch refuses, are read too.
    const zip::Member* find(const std::string& name) const {
        if (const auto* member = m_archive.find(m_root.empty() ? name : m_root + "/" + name)) return member;
        return m_archive.find(name);
    }

    // The content of a short text record, without blanks at its end; empty if none exists.
    std::string text(const std::string& name) const {
        const zip::Member* member = find(name);
        constexpr std::uint64_t smallMember = 1 << 16;
        if (member == nullptr || member->bytes > smallMember) return {};
        const auto bytes = zip::readMember(*m_reading.source, *member, smallMember, m_reading.findings);
        if (!bytes) return {};
        std::string out(reinterpret_cast<const char*>(bytes->data()), bytes->size());
        while (!out.empty() && (out.back() == '\n' || out.back() == ' ' || out.back() == '\r')) out.pop_back();
        return out;
    }

    // A record as a source: where it is, or unpacked.
    Result<std::shared_ptr<io::ByteSource>> open(const zip::Member& member) const {
        if (member.isStored()) return zip::storedMember(m_reading.source, member);
        WB_TRY_ASSIGN(auto bytes,
                      zip::readMember(*m_reading.source, member, m_reading.options.limits.unpacked, m_reading.findings));
        return std::make_shared<io::MemorySource>(member.name, std::move(bytes));
    }

private:
    Reading& m_reading;
    zip::Archive m_archive;
    std::string m_root;
};

} // namespace wb::torch
