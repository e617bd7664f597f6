// SPDX-License-Identifier: MIT
#include "core/formats/xgboost/xgboost.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/json/json.h"
#include "core/formats/xgboost/binary_json.h"
#include "core/formats/xgboost/builder.h"

namespace wb::xgboost {
namespace {

using json::Scanner;
using json::Token;

constexpr formats::Tasks taskNames{"xgboost.index"};

// The events of a JSON text.
Result<void> readText(const io::ByteSource& source, const formats::OpenOptions& options, const formats::Findings& findings,
                      Builder& builder) {
    WB_TRY_ASSIGN(std::string text, json::readText(source, source.name(), options.limits));
    json::takePythonNumbers(text);
    Scanner scanner(text);
    std::uint64_t count = 0;
    for (Token token = scanner.next(); token != Token::End; token = scanner.next()) {
        if (++count % 4096 == 0 && options.progress.stop.stop_requested()) return std::unexpected(canceled());
        switch (token) {
        case Token::BeginObject: builder.beginObject(); break;
        case Token::BeginArray: builder.beginArray(); break;
        case Token::EndObject:
        case Token::EndArray: builder.end(); break;
        case Token::Key: builder.key(scanner.text()); break;
        case Token::String: builder.text(scanner.text()); break;
        case Token::Number: builder.number(parseDouble(scanner.text()).value_or(0)); break;
        case Token::Bad:
            return findings.refuse(ErrorCode::Malformed, "xgboost.json",
                                   WB_TEXT("{} is damaged: its JSON is invalid at byte {}; download it again."),
                                   scanner.position());
        default: builder.key({}); break;
        }
    }
    return {};
}

} // namespace

bool sniff(std::span<const std::byte> head) {
    std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    using namespace std::string_view_literals;
    if (text.starts_with("{L\0\0\0\0\0\0\0\7learner{"sv)) return true;
    if (!text.starts_with('{')) return false;
    const std::size_t first = text.find_first_not_of(" \t\r\n", 1);
    if (first == std::string_view::npos || !text.substr(first).starts_with("\"learner\"")) return false;
    for (const std::string_view key : {"\"attributes\""sv, "\"feature_names\""sv, "\"gradient_booster\""sv})
        if (text.find(key) != std::string_view::npos) return true;
    return false;
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    const io::ByteSource& source = *sources.at(0);
    formats::Findings findings(source.name(), options.strictness);
    formats::Index index(sources.size());
    Builder builder;
    std::array<std::byte, 2> head{};
    if (source.size() >= head.size()) WB_TRY(source.readAt(0, head));
    if (head[1] == std::byte{'L'}) WB_TRY(readBinaryJson(source, options, findings, builder));
    else WB_TRY(readText(source, options, findings, builder));
    if (!builder.hasLearner())
        return findings.refuse(ErrorCode::Malformed, "xgboost.learner", WB_TEXT("{} is not an XGBoost model."));
    builder.finish(index);
    index.model.problems = findings.take();
    return index;
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::xgboost
