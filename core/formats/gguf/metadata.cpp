// SPDX-License-Identifier: MIT
#include "core/formats/gguf/metadata.h"

#include <unordered_set>

namespace wb::gguf {
namespace {

constexpr std::uint64_t longestKey = 65535;

Result<Member> readPair(io::Cursor& cursor, ValueReader& reader, Findings& findings) {
    const std::uint64_t position = cursor.position();
    WB_TRY_ASSIGN(std::string key, reader.text(longestKey));
    if (key.empty())
        WB_TRY(findings.defect(Severity::Error, "gguf.empty_key", position,
                               WB_TEXT("{} has a metadata entry without a key at byte {}; download it again."), position));
    WB_TRY_ASSIGN(const std::uint32_t id, cursor.read<std::uint32_t>());
    const auto type = valueTypeOfId(id);
    if (!type)
        return findings.refuse(ErrorCode::Malformed, Reason("gguf.value_type"),
                               WB_TEXT("{}: the key {} has the unknown value type {}; download it again."), shown(key), id);
    WB_TRY_ASSIGN(Value value, reader.value(*type));
    return Member{std::move(key), std::move(value)};
}

Result<void> checkDuplicates(const Pairs& pairs, Findings& findings) {
    std::unordered_set<std::string_view> seen;
    seen.reserve(pairs.metadata.members.size());
    for (std::size_t i = 0; i < pairs.metadata.members.size(); ++i) {
        const std::string& key = pairs.metadata.members[i].key;
        if (!seen.insert(key).second)
            WB_TRY(findings.defect(Severity::Error, "gguf.duplicate_key", pairs.positions[i],
                                   WB_TEXT("{} contains the key {} more than once; download it again."), shown(key)));
    }
    return {};
}

} // namespace

const Value* Pairs::find(std::string_view key, std::uint64_t& position) const {
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (metadata.members[i].key != key) continue;
        position = positions[i];
        return &metadata.members[i].value;
    }
    return nullptr;
}

Result<Pairs> readPairs(io::Cursor& cursor, const Header& header, const formats::OpenOptions& options, Findings& findings) {
    Pairs pairs;
    ValueReader reader(cursor, header, options, findings);
    for (std::uint64_t i = 0; i < header.pairCount; ++i) {
        if (i % 1024 == 0) WB_TRY(options.progress.at(cursor.position(), cursor.size()));
        pairs.positions.push_back(cursor.position());
        WB_TRY_ASSIGN(Member pair, readPair(cursor, reader, findings));
        pairs.metadata.members.push_back(std::move(pair));
    }
    pairs.metadata.count = header.pairCount;
    WB_TRY(checkDuplicates(pairs, findings));
    return pairs;
}

} // namespace wb::gguf
