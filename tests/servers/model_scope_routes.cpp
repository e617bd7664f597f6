// SPDX-License-Identifier: MIT
#include "core/net/url.h"
#include "tests/servers/hub_routes.h"

#include <fmt/format.h>

#include <algorithm>

namespace wb::test {
namespace {

HttpResponse noModel() {
    return jsonAnswer("{\"Code\":10010205001,\"Success\":false,\"Message\":\"模型不存在\",\"RequestId\":\"r\"}");
}

HttpResponse data(const std::string& json) {
    return jsonAnswer("{\"Code\":200,\"Success\":true,\"Message\":\"success\",\"RequestId\":\"r\",\"Data\":" + json + "}");
}

HttpResponse search(const HubContext& hub, const HttpRequest& request) {
    const std::string sizeText = queryValue(request.target, "page_size"), numberText = queryValue(request.target, "page_number");
    const std::size_t size = sizeText.empty() ? 10 : std::stoul(sizeText), number = numberText.empty() ? 1 : std::stoul(numberText);
    if (size > 50 || size * number > 3000)
        return jsonAnswer("{\"success\":false,\"code\":\"InputParameterError\",\"message\":\"page_size\"}", 400);
    std::vector<const ServedRepository*> found;
    for (const ServedRepository& repository : *hub.repositories)
        if (repository.id.find(queryValue(request.target, "search")) != std::string::npos) found.push_back(&repository);
    std::string rows;
    for (std::size_t i = (number - 1) * size; i < std::min(found.size(), number * size); ++i) {
        std::uint64_t bytes = 0;
        for (const ServedFile& file : found[i]->files) bytes += file.bytes;
        rows += fmt::format(
            "{}{{\"id\":{},\"display_name\":{},\"downloads\":{},\"likes\":1,\"license\":\"Apache-2.0\",\"tasks\":[\"text-"
            "generation\"],"
            "\"last_modified\":\"2026-08-01T10:00:00Z\",\"file_size\":{},\"params\":null,\"tags\":[\"library:gguf\"],"
            "\"private\":false,\"gated\":false}}",
            rows.empty() ? "" : ",", jsonText(found[i]->id), jsonText(found[i]->chineseName), found[i]->downloads, bytes);
    }
    return jsonAnswer(
        fmt::format("{{\"success\":true,\"request_id\":\"r\",\"data\":{{\"models\":[{}],\"total_count\":{},\"page_number\":{},"
                    "\"page_size\":{}}}}}",
                    rows, found.size(), number, size));
}

HttpResponse listing(const ServedRepository& repository) {
    std::string rows;
    for (const ServedFile& file : repository.files)
        rows += fmt::format(
            "{}{{\"Name\":{},\"Path\":{},\"Type\":\"blob\",\"Size\":{},\"Sha256\":\"{}\",\"IsLFS\":{},\"Revision\":\"{}\"}}",
            rows.empty() ? "" : ",", jsonText(file.path.substr(file.path.rfind('/') + 1)), jsonText(file.path),
            file.listedSize.value_or(std::to_string(file.bytes)), file.sha256, file.isLarge, repository.commit);
    return data("{\"Files\":[" + rows + "],\"IsVisual\":0,\"LatestCommitter\":{}}");
}

HttpResponse info(const ServedRepository& repository) {
    return data(fmt::format("{{\"Id\":1,\"Path\":{},\"Name\":{},\"ChineseName\":{},\"Downloads\":{},\"License\":\"Apache-2.0\","
                            "\"LastUpdatedTime\":1785578400,\"ReadMeContent\":\"# card\",\"Libraries\":[\"gguf\"]}}",
                            jsonText(repository.id.substr(0, repository.id.find('/'))),
                            jsonText(repository.id.substr(repository.id.find('/') + 1)), jsonText(repository.chineseName),
                            repository.downloads));
}

} // namespace

HttpResponse modelScopeAnswer(const HubContext& hub, const HttpRequest& request) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    if (path == "/openapi/v1/models") return search(hub, request);
    constexpr std::string_view models = "/api/v1/models/";
    if (!path.starts_with(models)) return jsonAnswer("{}", 404);
    for (const ServedRepository& repository : *hub.repositories) {
        const std::string id = net::percentEncode(repository.id, true);
        if (!path.substr(models.size()).starts_with(id)) continue;
        const std::string rest = path.substr(models.size() + id.size());
        if (rest.empty()) return info(repository);
        if (rest == "/revisions") return data("{\"RevisionMap\":{\"Branches\":[{\"Revision\":\"master\"}],\"Tags\":[]}}");
        if (rest == "/repo/files") return listing(repository);
        if (rest != "/repo") continue;
        const ServedFile* file = repository.find(queryValue(request.target, "FilePath"));
        if (!file) return jsonAnswer("{\"Code\":10990101001,\"Success\":false,\"Message\":\"文件不存在\"}", 404);
        if (!file->isLarge) return fileAnswer(*file, request, 200); // a part under a status of 200
        HttpResponse response;
        response.status = 302;
        response.headers.add("Location", hub.sign(*file));
        return response;
    }
    return noModel();
}

} // namespace wb::test
