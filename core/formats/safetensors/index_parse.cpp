// SPDX-License-Identifier: MIT
#include "core/formats/safetensors/index_parse.h"

#include "core/formats/json/json.h"

#include <map>

namespace wb::safetensors {
namespace {

using json::Token;

// Reads the members of an index.json one by one: a model of 60,000 tensors has no time for a tree.
class IndexParser {
public:
    IndexParser(std::string_view text, const formats::Limits& limits, Findings& findings)
        : m_scanner(text), m_limits(limits), m_findings(findings) {}

    Result<Index> parse() {
        if (m_scanner.next() != Token::BeginObject) return unexpected("an object");
        bool mapped = false;
        while (m_scanner.next() == Token::Key) {
            const std::string key(m_scanner.text());
            m_scanner.next();
            if (key == "weight_map") {
                WB_TRY(weightMap());
                mapped = true;
            } else {
                json::Notes notes;
                auto value = json::readValue(m_scanner, m_limits, notes);
                if (!value) return unexpected("a value");
                if (key == "metadata") m_index.metadata = std::move(value);
            }
        }
        if (m_scanner.token() != Token::EndObject || m_scanner.next() != Token::End)
            return unexpected(WB_TEXT("the end of the object"));
        if (!mapped)
            return m_findings.refuse(ErrorCode::Malformed, Reason("index.no_weight_map"),
                                     WB_TEXT("{} is not a safetensors index: it has no weight_map."));
        return finish();
    }

private:
    std::unexpected<Error> unexpected(const char* wanted) const {
        return m_findings.refuse(ErrorCode::Malformed, Reason("index.syntax"), WB_TEXT("{} is not a valid index: {} (byte {})."),
                                 m_scanner.token() == Token::Bad ? std::string(m_scanner.reason())
                                                                 : std::string(wanted) + " is missing",
                                 m_scanner.position());
    }

    Result<void> weightMap() {
        if (m_scanner.token() != Token::BeginObject) return unexpected(WB_TEXT("the object weight_map"));
        while (m_scanner.next() == Token::Key) {
            if (m_index.mappings.size() == m_limits.tensorsPerModel)
                return m_findings.refuse(ErrorCode::Malformed, Reason("index.tensor_count"),
                                         WB_TEXT("{} lists more than {} tensors."), m_limits.tensorsPerModel);
            std::string name(m_scanner.text());
            if (m_scanner.next() != Token::String) return unexpected(WB_TEXT("the name of a file"));
            WB_TRY_ASSIGN(const std::uint32_t file, fileNumber(m_scanner.text()));
            m_index.mappings.push_back({std::move(name), file});
        }
        if (m_scanner.token() != Token::EndObject) return unexpected("a key");
        return {};
    }

    Result<std::uint32_t> fileNumber(std::string_view name) {
        if (const auto known = m_numbers.find(name); known != m_numbers.end()) return known->second;
        if (!io::isPlainRelativeName(name))
            return m_findings.refuse(ErrorCode::Malformed, Reason("index.leads_out"),
                                     WB_TEXT("{}: the file name {} points outside the model folder and is ignored (byte {})."),
                                     shown(name), m_scanner.position());
        if (m_index.files.size() == m_limits.filesPerModel)
            return m_findings.refuse(ErrorCode::Malformed, Reason("index.file_count"), WB_TEXT("{} lists more than {} files."),
                                     m_limits.filesPerModel);
        const auto number = static_cast<std::uint32_t>(m_index.files.size());
        m_index.files.emplace_back(name);
        m_numbers.emplace(name, number);
        return number;
    }

    Index finish() {
        if (m_index.metadata && m_index.metadata->object())
            if (const Value* total = m_index.metadata->object()->find("total_size")) m_index.totalSize = total->unsignedNumber();
        return std::move(m_index);
    }

    json::Scanner m_scanner;
    const formats::Limits& m_limits;
    Findings& m_findings;
    Index m_index;
    std::map<std::string, std::uint32_t, std::less<>> m_numbers;
};

} // namespace

Result<Index> parseIndex(std::string_view text, const formats::Limits& limits, Findings& findings) {
    return IndexParser(text, limits, findings).parse();
}

} // namespace wb::safetensors
