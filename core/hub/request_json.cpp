// SPDX-License-Identifier: MIT
#include "core/hub/request_json.h"

#include "core/hub/file_name.h"
#include "core/io/byte_source.h"

#include <algorithm>
#include <array>

namespace wb::hub {
namespace {

namespace fs = std::filesystem;

constexpr std::array placeNames = {"folder", "hf", "ms"}; // in the order of PlaceKind

} // namespace

void writeRequest(JsonWriter& out, const DownloadRequest& request) {
    out.key("id"), out.string(request.repository.text());
    out.key("files"), out.beginArray();
    for (const std::string& file : request.files) out.string(file);
    out.endArray();
    out.key("place"), out.string(placeNames[static_cast<std::size_t>(request.place.kind)]);
    out.key("root"), out.string(io::pathText(request.place.root));
    if (request.alternates.empty()) return;
    out.key("alternates"), out.beginArray();
    for (const Repository& alternate : request.alternates) out.string(alternate.text());
    out.endArray();
}

std::optional<DownloadRequest> readRequest(const ValueObject& object) {
    const auto id = parseRemoteId(textIn(object, "id"));
    const std::string root = textIn(object, "root");
    const auto name = std::ranges::find(placeNames, textIn(object, "place"));
    const fs::path folder(std::u8string(root.begin(), root.end()));
    if (!id || name == placeNames.end() || !folder.is_absolute()) return std::nullopt;
    DownloadRequest request;
    request.repository = id->repository;
    request.place = {static_cast<PlaceKind>(name - placeNames.begin()), folder};
    request.files = textsIn(object, "files");
    if (std::string file = textIn(object, "file"); !file.empty()) request.files.push_back(std::move(file)); // of earlier records
    const auto isBad = [](const std::string& file) { return !checkFileName(file); };
    if (std::ranges::any_of(request.files, isBad)) return std::nullopt;
    for (const std::string& text : textsIn(object, "alternates"))
        if (const auto alternate = parseRemoteId(text)) request.alternates.push_back(alternate->repository);
    return request;
}

} // namespace wb::hub
