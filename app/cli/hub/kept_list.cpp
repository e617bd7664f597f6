// SPDX-License-Identifier: MIT
#include "app/cli/hub/kept_list.h"

#include "app/cli/hub/kept_file.h"
#include "app/cli/user_folders.h"
#include "core/hub/answers.h"

namespace wb::cli {
namespace {

std::filesystem::path listFile(const hub::Repository& repository) {
    const std::filesystem::path folder = cacheFolder();
    return keptFile(folder.empty() ? folder : folder / "lists", repository.text());
}

void addListed(JsonWriter& json, const hub::RemoteFile& file) {
    json.newline();
    json.beginObject();
    json.key("path"), json.string(file.path);
    json.key("bytes");
    if (file.refusal) json.null(); // it is refused again, for its name or for having no size
    else json.integer(file.bytes);
    json.key("sha256"), json.string(file.sha256);
    json.key("git_sha1"), json.string(file.gitSha1);
    json.endObject();
}

} // namespace

void keepList(const hub::Repository& repository, const hub::FileList& list) {
    const auto fill = [&list](JsonWriter& json) {
        json.key("commit"), json.string(list.commit);
        json.key("files"), json.beginArray();
        for (const hub::RemoteFile& file : list.files) addListed(json, file);
        json.endArray();
    };
    keepObject(listFile(repository), fill);
    hub::Repository pinned = repository;
    pinned.revision = list.commit;
    if (repository.hub == hub::Hub::HuggingFace && pinned != repository) keepObject(listFile(pinned), fill);
}

std::optional<hub::FileList> findKeptList(const hub::Repository& repository) {
    const auto kept = readKept(listFile(repository));
    const Value* files = kept ? kept->find("files") : nullptr;
    if (!files || !files->array()) return std::nullopt;
    hub::FileList list;
    list.commit = hub::textIn(*kept, "commit");
    for (const Value& each : files->array()->first) {
        if (!each.object()) return std::nullopt;
        const ValueObject& object = *each.object();
        hub::RemoteFile file = hub::remoteFile(hub::textIn(object, "path"), hub::numberIn(object, "bytes"));
        constexpr std::size_t sha256Digits = 64, sha1Digits = 40;
        file.sha256 = hub::hexIn(object, "sha256", sha256Digits);
        file.gitSha1 = hub::hexIn(object, "git_sha1", sha1Digits);
        list.files.push_back(std::move(file));
    }
    hub::refuseTwins(list);
    return list;
}

} // namespace wb::cli
