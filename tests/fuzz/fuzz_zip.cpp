// SPDX-License-Identifier: MIT
#include "core/formats/zip/member_sums.h"
#include "core/formats/zip/zip.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto source = std::make_shared<wb::io::MemorySource>("input.zip", std::vector(bytes.begin(), bytes.end()));
    wb::formats::Findings findings("input.zip", wb::formats::Strictness::Lenient);
    const auto archive = wb::zip::readArchive(*source, {}, findings);
    if (!archive) {
        if (archive.error().message().find("input.zip") == std::string::npos) std::abort();
        return 0;
    }
    for (const auto& member : archive->members) {
        const auto* found = archive->find(member.name);
        if (found == nullptr || found->name != member.name) std::abort();
        if (!member.data) continue;
        if (member.data->end() > size) std::abort();
        constexpr std::uint64_t maxBytes = 1 << 20;
        const auto content = wb::zip::readMember(*source, member, maxBytes, findings);
        if (content && content->size() != member.bytes) std::abort();
        const auto state = wb::zip::compareMember(*source, member, {});
        if (!state) std::abort(); // memory can be read
        const bool isSame = content && wb::zip::crc32(0, *content) == member.crc;
        if (isSame && *state != wb::zip::SumState::Same && *state != wb::zip::SumState::NotDeclared &&
            *state != wb::zip::SumState::NotRead)
            std::abort();
    }
    for (const auto& gap : archive->gaps)
        if (gap.end() > size) std::abort();
    for (const auto& problem : findings.take())
        if (problem.message().empty()) std::abort();
    return 0;
}
