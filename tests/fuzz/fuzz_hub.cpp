// SPDX-License-Identifier: MIT
#include "core/hub/answers.h"
#include "core/hub/file_name.h"
#include "core/hub/hugging_face.h"
#include "core/hub/model_scope.h"
#include "core/net/response_parser.h"

#include <cstdlib>

// What a hub sends comes from a stranger: header lines, lists, pages and names are read without a crash, and what is taken over
// keeps its promises. The first byte says what the rest is.
namespace {

using namespace wb;

// However an answer is cut into pieces, it is the same answer.
void readResponse(const std::string& text) {
    std::string bodies[2];
    bool isTaken[2] = {};
    for (const std::size_t each : {0, 1}) {
        net::ResponseParser parser(false);
        const auto sink = [&](const std::variant<net::Head, net::Body>& part) {
            if (const auto* body = std::get_if<net::Body>(&part))
                for (const std::byte byte : *body) bodies[each] += static_cast<char>(byte);
        };
        const std::size_t pieceBytes = each == 0 ? 1 : std::max<std::size_t>(text.size(), 1);
        isTaken[each] = true;
        for (std::size_t at = 0; at < text.size() && isTaken[each]; at += pieceBytes)
            isTaken[each] = parser.take(std::string_view(text).substr(at, pieceBytes), sink).has_value();
        (void)parser.close();
    }
    if (isTaken[0] != isTaken[1] || bodies[0] != bodies[1]) std::abort();
}

void readHeaders(const std::string& text) {
    readResponse(text);
    const auto range = net::parseContentRange(text);
    if (range && range->end != 0 && range->begin >= range->end) std::abort();
    if (const auto wait = net::secondsToWait({{"RateLimit", text}, {"Retry-After", text}}, 0); wait && *wait < 0) std::abort();
    (void)net::linkWithRelation({{"Link", text}}, "next");
    (void)net::entityTag(text);
    (void)net::redacted(text);
    const auto url = net::parseUrl(text);
    if (!url) return;
    if (net::parseUrl(url->text()) != url) std::abort();
    (void)net::resolveReference(*url, text);
}

void readName(const std::string& text) {
    if (hub::checkFileName(text) && (text.empty() || text.starts_with('/') || text.starts_with("../"))) std::abort();
    const auto id = hub::parseRemoteId(text);
    if (id && !hub::parseRemoteId(id->repository.text())) std::abort();
    (void)hub::checkTogether({text, text + "/x", text});
}

void readAnswer(std::string text) {
    hub::Source source;
    source.endpoint = *net::parseUrl("https://hub");
    const hub::Repository repository{hub::Hub::HuggingFace, "a/b", "main"};
    net::Answer answer{source.endpoint, {200, {}}, std::move(text)};
    (void)hub::answerError(answer, source, &repository, "x");
    const auto json = hub::parseAnswer(answer, source, {});
    if (!json) return;
    (void)hub::huggingface::searchPage(*json, source);
    (void)hub::huggingface::info(*json, source, repository);
    hub::FileList list;
    (void)hub::huggingface::addFiles(*json, source, {}, list);
    if (const auto listed = hub::modelscope::files(*json, source, repository))
        list.files.insert(list.files.end(), listed->files.begin(), listed->files.end());
    hub::refuseTwins(list);
    for (const hub::RemoteFile& file : list.files)
        if (!file.refusal && !hub::checkFileName(file.path)) std::abort();
    (void)hub::modelscope::searchPage(*json, source, {}, 1);
    (void)hub::modelscope::info(*json, source, repository);
    (void)hub::modelscope::envelopeError(*json, source, &repository);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
    switch (data[0] % 3) {
    case 0: readHeaders(text); break;
    case 1: readName(text); break;
    default: readAnswer(text);
    }
    return 0;
}
