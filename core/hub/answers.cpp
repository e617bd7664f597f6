// SPDX-License-Identifier: MIT
#include "core/hub/answers.h"

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/json/json.h"
#include "core/hub/file_name.h"

#include <algorithm>

namespace wb::hub {
namespace {

constexpr std::uint64_t maxFileBytes = 1ull << 50; // a petabyte; above it is not a file but a trick
constexpr std::size_t shownMessage = 200;

std::string header(const net::Answer& answer, std::string_view name) {
    const std::string* value = answer.head.headers.find(name);
    return value ? *value : std::string();
}

std::string oneLine(std::string_view text) { return escapeControls(net::redacted(toUtf8(utf8Prefix(text, shownMessage)))); }

// {"error": text}, {"error": [...]}, {"errors": [{"message"}]}, {"Message"}, {"message"}.
std::string messageIn(const ValueObject& object) {
    for (const char* key : {"error", "Message", "message"})
        if (auto texts = textsIn(object, key); !texts.empty()) return texts.front();
    const Value* errors = object.find("errors");
    if (errors && errors->array())
        for (const Value& error : errors->array()->first)
            if (error.object()) return textIn(*error.object(), "message");
    return {};
}

template <typename... Args>
Error make(ErrorCode code, Reason reason, const char* sentence, const std::string& subject, Args&&... args) {
    return makeError(code, reason, About{subject}, sentence, std::forward<Args>(args)...);
}

// A sentence for searches, and one for what has a name; both name the server first.
struct Sentences {
    const char* ofSearch;
    const char* ofNamed;
};

template <typename... Args>
Error refusal(ErrorCode code, Reason reason, const Source& source, const std::string& asked, const Sentences& sentences,
              Args&&... args) {
    const std::string host = source.endpoint.authority();
    if (asked.empty()) return make(code, reason, sentences.ofSearch, host, host, std::forward<Args>(args)...);
    return make(code, reason, sentences.ofNamed, asked, host, asked, std::forward<Args>(args)...);
}

// Without the commit that this program itself pinned: people know a model by its name.
std::string shownId(const std::string& id) {
    const std::size_t at = id.find('@');
    const std::string_view revision = at == std::string::npos ? std::string_view() : std::string_view(id).substr(at + 1);
    return revision.size() == 40 && revision.find_first_not_of("0123456789abcdef") == revision.npos ? id.substr(0, at) : id;
}

Error missing(const net::Answer& answer, const Source& source, const std::string& asked, const std::string& path) {
    const std::string code = header(answer, "X-Error-Code"), id = code == "RevisionNotFound" ? asked : shownId(asked);
    if (code == "EntryNotFound" || (answer.head.status == 404 && !path.empty() && code.empty()))
        return make(ErrorCode::NotFound, noSuchFile, WB_TEXT("{} has no file {} at this revision; check its file list."), id, id,
                    shownName(path));
    if (code == "RevisionNotFound")
        return make(ErrorCode::NotFound, noSuchRevision,
                    WB_TEXT("{} has no such branch, tag or commit; omit @revision to use the main branch."), id, id);
    const char* sentence = source.sendsToken()
                               ? WB_TEXT("{} was not found on {}, or your token has no access to it; check the name.")
                               : WB_TEXT("{} was not found on {}, or it requires a token; check the name, or sign in.");
    return make(ErrorCode::NotFound, noSuchRepository, sentence, id, id, source.endpoint.authority());
}

Error forbidden(const net::Answer& answer, const Source& source, const std::string& asked, const std::string& path) {
    const std::string id = shownId(asked);
    const std::string code = header(answer, "X-Error-Code"), message = header(answer, "X-Error-Message");
    if (code == "GatedRepo")
        return make(ErrorCode::NotReadable, gatedModel,
                    WB_TEXT("{} is gated: open {}, accept its terms, set your access token and try again."), id, id,
                    source.endpoint.origin() + "/" + (id.size() > 3 ? id.substr(3, id.find('@') - 3) : std::string()));
    if (message.find("nvalid credentials") != std::string::npos ||
        (answer.head.status == 401 && source.sendsToken() && code.empty()))
        return refusedToken(source, path.empty() ? id : id + ":" + shownName(path));
    if (message.find("disabled") != std::string::npos)
        return make(ErrorCode::NotReadable, Reason("hub.disabled"), WB_TEXT("{} was disabled by the hub and cannot be read."), id,
                    id);
    if (answer.head.status == 401 || code == "RepoNotFound") return missing(answer, source, asked, path);
    return make(ErrorCode::NotReadable, Reason("hub.forbidden"), WB_TEXT("{} denied access to {}: {}"), id,
                source.endpoint.authority(), id, hubMessage(answer));
}

} // namespace

net::Headers headersFor(const Source& source, bool isToEndpoint) {
    net::Headers headers{{"User-Agent", "weighbridge/0.1"}, {"Accept-Encoding", "identity"}};
    if (!isToEndpoint || !source.sendsToken()) return headers;
    headers.add("Authorization", "Bearer " + source.token);
    if (source.hub == Hub::ModelScope) headers.add("Cookie", "m_session_id=" + source.token);
    return headers;
}

net::Request get(const Source& source, const std::string& target) {
    net::Request request;
    request.url = source.endpoint;
    request.url.target = (source.endpoint.target == "/" ? "" : source.endpoint.target) + target;
    request.headers = headersFor(source, true);
    return request;
}

std::string textIn(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    return value && value->string() ? *value->string() : std::string();
}

std::optional<std::uint64_t> numberIn(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    return value ? value->unsignedNumber() : std::nullopt;
}

std::optional<std::uint64_t> positiveIn(const ValueObject& object, std::string_view key) {
    const auto number = numberIn(object, key);
    return number == 0u ? std::nullopt : number;
}

bool flagIn(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    const bool* flag = value ? std::get_if<bool>(&value->data) : nullptr;
    return flag && *flag;
}

const ValueObject* objectIn(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    return value ? value->object() : nullptr;
}

std::vector<std::string> textsIn(const ValueObject& object, std::string_view key) {
    std::vector<std::string> texts;
    const Value* value = object.find(key);
    if (value && value->string()) texts.push_back(*value->string());
    if (value && value->array())
        for (const Value& element : value->array()->first)
            if (element.string()) texts.push_back(*element.string());
    return texts;
}

std::string hexIn(const ValueObject& object, std::string_view key, std::size_t digits) {
    const std::string text = ascii::lowered(textIn(object, key));
    const auto isHex = [](char c) { return ascii::isDigit(c) || (c >= 'a' && c <= 'f'); };
    return text.size() == digits && std::ranges::all_of(text, isHex) ? text : std::string();
}

std::string hubMessage(const net::Answer& answer) {
    std::string message = header(answer, "X-Error-Message");
    if (message.empty()) {
        std::vector<Problem> ignored;
        const auto value = json::parse(answer.body, "answer", {}, ignored);
        if (value && value->object()) message = messageIn(*value->object());
    }
    return oneLine(message.empty() ? fmt::format("status {}", answer.head.status) : message);
}

std::string askedName(const Repository* repository, const std::string& path) {
    if (!repository) return {};
    const std::string id = shownId(repository->text());
    return path.empty() ? id : id + ":" + shownName(path);
}

Error anotherShape(const Source& source, const std::string& asked) {
    return refusal(ErrorCode::Malformed, Reason("hub.answer_shape"), source, asked,
                   {WB_TEXT("{} returned a response in an unknown format; it may not be a hub."),
                    WB_TEXT("{} returned a response about {} in an unknown format; it may not be a hub.")});
}

Error endlessList(const Source& source, const std::string& asked) {
    return refusal(ErrorCode::TooLarge, Reason("hub.too_many_pages"), source, asked,
                   {WB_TEXT("{} returns an endless list; listing was stopped."),
                    WB_TEXT("{} returns an endless list for {}; the request was stopped.")});
}

Error refusedRequest(const Source& source, const std::string& asked, const std::string& message) {
    return refusal(ErrorCode::NotReadable, Reason("hub.refused"), source, asked,
                   {WB_TEXT("{} rejected the request: {}"), WB_TEXT("{} rejected the request for {}: {}")}, oneLine(message));
}

Error refusedToken(const Source& source, const std::string& asked) {
    return refusal(ErrorCode::NotReadable, tokenRefused, source, asked,
                   {WB_TEXT("{} rejected the access token; it has expired, was revoked or is mistyped."),
                    WB_TEXT("{} rejected the access token for {}; it has expired, was revoked or is mistyped.")});
}

Result<Value> parseAnswer(const net::Answer& answer, const Source& source, const std::string& asked) {
    const std::string type = ascii::lowered(header(answer, "Content-Type"));
    if (type.find("text/html") != std::string::npos)
        return std::unexpected(refusal(
            ErrorCode::Malformed, notTheHub, source, asked,
            {WB_TEXT("{} returned a web page instead of data, possibly a login page of your network; open it in a browser."),
             WB_TEXT("{} answered the request for {} with a web page instead of data; a login page of your network may be in "
                     "between: open it in a browser.")}));
    formats::Limits limits;
    limits.keptJsonMembers = json::keptValues;
    std::vector<Problem> problems;
    auto value = json::parse(answer.body, source.endpoint.authority(), limits, problems);
    if (!value)
        return std::unexpected(refusal(ErrorCode::Malformed, Reason("hub.bad_answer"), source, asked,
                                       {WB_TEXT("{} returned an unreadable response ({}); try again later."),
                                        WB_TEXT("{} returned an unreadable response about {} ({}); try again later.")},
                                       value.error().message()));
    if (std::ranges::any_of(problems, [](const Problem& problem) { return problem.code == Reason("json.too_many"); }))
        return std::unexpected(
            refusal(ErrorCode::TooLarge, Reason("hub.answer_too_large"), source, asked,
                    {WB_TEXT("{} returned a response that is too large for one page; narrow the request."),
                     WB_TEXT("{} returned a response about {} that is too large for one page; narrow the request.")}));
    return value;
}

Error answerError(const net::Answer& answer, const Source& source, const Repository* repository, const std::string& path) {
    const std::string asked = askedName(repository, path);
    const int status = answer.head.status;
    if (status == 429)
        return refusal(ErrorCode::NotReadable, Reason("hub.too_fast"), source, asked,
                       {WB_TEXT("{} is rate-limiting requests; try again in some minutes."),
                        WB_TEXT("{} is rate-limiting requests; try again for {} in some minutes.")});
    if (status >= 500 || status == 408)
        return refusal(ErrorCode::NotReadable, Reason("hub.trouble"), source, asked,
                       {WB_TEXT("{} has a server error (status {}); try again later."),
                        WB_TEXT("{} has a server error and cannot answer for {} (status {}); try again later.")},
                       status);
    if (repository && (status == 401 || status == 403)) return forbidden(answer, source, repository->text(), path);
    if (repository && status == 404) return missing(answer, source, repository->text(), path);
    return refusedRequest(source, asked, hubMessage(answer));
}

RemoteFile remoteFile(std::string path, std::optional<std::uint64_t> bytes) {
    RemoteFile file;
    file.path = std::move(path);
    file.bytes = bytes.value_or(0);
    if (const auto named = checkFileName(file.path); !named) {
        file.refusal = named.error();
    } else if (!bytes || *bytes > maxFileBytes) {
        file.refusal = makeError(ErrorCode::Malformed, Reason("hub.bad_size"), About{shownName(file.path)},
                                 WB_TEXT("{} is skipped: the hub reports an impossible size for it."), shownName(file.path));
    }
    return file;
}

void refuseTwins(FileList& list) {
    std::vector<std::string> names;
    for (const RemoteFile& file : list.files) names.push_back(file.path);
    const auto results = checkTogether(names);
    for (std::size_t i = 0; i < results.size(); ++i)
        if (!results[i] && !list.files[i].refusal) list.files[i].refusal = results[i].error();
}

} // namespace wb::hub
