// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/models.h"
#include "core/hub/settings.h"
#include "core/model/value.h"
#include "core/net/fetch.h"

// What answers of both hubs mean; pure functions of their bytes.
namespace wb::hub {

// The hub did not answer with a hub's JSON: a login page of a hotel, a proxy's words.
inline constexpr Reason notTheHub("hub.not_the_hub");
inline constexpr Reason gatedModel("hub.gated");
inline constexpr Reason noSuchRepository("hub.no_such_repository");
inline constexpr Reason noSuchRevision("hub.no_such_revision");
inline constexpr Reason noSuchFile("hub.no_such_file");
inline constexpr Reason tokenRefused("hub.token_refused");

// The first headers of every request to this source; the token where `isToEndpoint`.
net::Headers headersFor(const Source& source, bool isToEndpoint);

// Asks the endpoint for a target below its own path, with the token where it may have it.
net::Request get(const Source& source, const std::string& target);

// The subject of a request, as errors name it next to the server: "hf:owner/name", "hf:owner/name:file"; empty for a search.
std::string askedName(const Repository* repository, const std::string& path = {});

// The JSON of a body, or why it is none. `asked` as of askedName().
Result<Value> parseAnswer(const net::Answer& answer, const Source& source, const std::string& asked);

// The answer is JSON of another shape than a hub's.
Error anotherShape(const Source& source, const std::string& asked);

// A list whose pages do not end.
Error endlessList(const Source& source, const std::string& asked);

// The server's own message, which may be empty.
Error refusedRequest(const Source& source, const std::string& asked, const std::string& message);

// The server takes the token for no valid one.
Error refusedToken(const Source& source, const std::string& asked);

// The sentence for a status that is no success (docs/reference/hub.md, "Errors" and "Authentication, errors,
// cache"). `repository` and `path` may be empty.
Error answerError(const net::Answer& answer, const Source& source, const Repository* repository, const std::string& path);

// The words the hub itself gave for a refusal, made fit for one line; empty: none.
std::string hubMessage(const net::Answer& answer);

// Members of objects from strangers: what has another type does not exist.
std::string textIn(const ValueObject& object, std::string_view key);
std::optional<std::uint64_t> numberIn(const ValueObject& object, std::string_view key);
std::optional<std::uint64_t> positiveIn(const ValueObject& object, std::string_view key); // 0 is not known
bool flagIn(const ValueObject& object, std::string_view key);
const ValueObject* objectIn(const ValueObject& object, std::string_view key);
std::vector<std::string> textsIn(const ValueObject& object, std::string_view key); // also where it is one text

// Exactly so many hexadecimal digits, made small; empty where it is anything else.
std::string hexIn(const ValueObject& object, std::string_view key, std::size_t digits);

// Takes over a file of a list, with its refusal where name or size are not acceptable. `bytes` empty: none, or not a number.
RemoteFile remoteFile(std::string path, std::optional<std::uint64_t> bytes);

// Gives refusals to names that are one name for some systems.
void refuseTwins(FileList& list);

} // namespace wb::hub
