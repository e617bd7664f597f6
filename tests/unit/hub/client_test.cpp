// SPDX-License-Identifier: MIT
#include "core/hub/client.h"

#include "core/hub/answers.h"
#include "tests/unit/support/fake_network.h"

#include <gtest/gtest.h>

namespace wb::hub {
namespace {

using test::FakeAnswer;
using test::FakeTransport;

Settings settings() {
    return *settingsFrom(
        [](const char* variable) { return std::string_view(variable) == "HF_TOKEN" ? std::string("hf_secret") : std::string(); });
}

FakeAnswer json(std::string body, net::Headers headers = {}) {
    headers.add("Content-Type", "application/json; charset=utf-8");
    return {200, std::move(headers), std::move(body)};
}

const Repository repository{Hub::HuggingFace, "acme/tiny", ""};
const std::string commit(40, 'c'), hash(64, 'a');

Client transportClient(FakeTransport& transport, std::vector<Wait>* waits = nullptr) {
    Network network{&transport, &transport.clock()};
    if (waits) network.report = [waits](const Wait& wait) { waits->push_back(wait); };
    return {network, settings()};
}

TEST(Client, SearchesPageByPage) {
    FakeTransport transport([](const net::Request& request) {
        if (request.url.target == "/api/models?cursor=2") return json(R"([{"id":"acme/b"}])");
        return json(R"([{"id":"acme/a","downloads":5,"likes":2,"gated":"auto","tags":["gguf","license:mit"],
                         "lastModified":"2026-01-02T03:04:05.000Z","safetensors":{"total":7},"usedStorage":99}, {"id":""}])",
                    {{"Link", "<https://other.example/api/models?cursor=2>; rel=\"next\""}});
    });
    Client client = transportClient(transport);
    SearchRequest request;
    request.text = "tiny llama";
    request.filters = {"gguf"};
    request.minParameters = 1;
    const auto first = client.search(Hub::HuggingFace, request, {}, {});
    ASSERT_TRUE(first) << first.error().message();
    ASSERT_EQ(first->rows.size(), 1u);
    const ModelRow& row = first->rows[0];
    EXPECT_EQ(row.id, "acme/a");
    EXPECT_EQ(row.name, "a");
    EXPECT_EQ(row.licence, "mit");
    EXPECT_EQ(row.gate, Gate::Automatic);
    EXPECT_EQ(row.parameters, 7u);
    EXPECT_EQ(row.bytes, 99u);
    const auto second = client.search(Hub::HuggingFace, request, first->next, {});
    ASSERT_TRUE(second) << second.error().message();
    EXPECT_EQ(second->rows[0].id, "acme/b");
    EXPECT_TRUE(second->next.empty());
    ASSERT_EQ(transport.requests().size(), 2u);
    EXPECT_EQ(transport.requests()[1].url.host, "huggingface.co") << "a link of a mirror is asked of the endpoint";
    EXPECT_NE(transport.requests()[0].url.target.find("search=tiny%20llama&filter=gguf&num_parameters=min%3A1"), std::string::npos);
    EXPECT_EQ(*transport.requests()[0].headers.find("Authorization"), "Bearer hf_secret");
}

TEST(Client, KnowsTheParametersOfGgufRepositories) {
    FakeTransport transport([](const net::Request& request) {
        if (request.url.host == "huggingface.co") return json(R"([{"id":"acme/a-GGUF","gguf":{"total":8030261312}}])");
        return json(R"({"data":{"total_count":1,"models":[{"id":"acme/b","params":0,"file_size":0}]}})");
    });
    Client client = transportClient(transport);
    const auto found = client.search(Hub::HuggingFace, {}, {}, {});
    ASSERT_TRUE(found) << found.error().message();
    EXPECT_EQ(found->rows.at(0).parameters, 8030261312u);
    EXPECT_NE(transport.requests()[0].url.target.find("expand=gguf"), std::string::npos);
    const auto other = client.search(Hub::ModelScope, {}, {}, {});
    ASSERT_TRUE(other) << other.error().message();
    EXPECT_FALSE(other->rows.at(0).parameters) << "0 means that the hub does not know";
    EXPECT_FALSE(other->rows.at(0).bytes);
}

TEST(Client, LeavesOutWhatWasNotChangedSince) {
    FakeTransport transport([](const net::Request&) {
        return json(R"([{"id":"acme/new","lastModified":"2026-08-01T00:00:00.000Z"},{"id":"acme/old",
                         "lastModified":"2026-07-31T23:59:59.000Z"},{"id":"acme/unknown"}])");
    });
    SearchRequest request;
    request.updatedSince = "2026-08-01";
    const auto page = transportClient(transport).search(Hub::HuggingFace, request, {}, {});
    ASSERT_TRUE(page) << page.error().message();
    ASSERT_EQ(page->rows.size(), 1u);
    EXPECT_EQ(page->rows[0].id, "acme/new");
}

TEST(Client, ListsFilesOfAllPagesAndRefusesBadOnes) {
    FakeTransport transport([](const net::Request& request) {
        if (request.url.target.find("cursor") != std::string::npos)
            return json(R"([{"type":"file","path":"../evil","size":1},{"type":"file","path":"big","size":-1},
                            {"type":"file","path":"MODEL.gguf","size":3},{"type":"unknown","path":"u"}])");
        return json(R"([{"type":"directory","path":"d"},{"type":"file","path":"README.md","size":5,"oid":")" + commit +
                        R"("},{"type":"file","path":"model.gguf","size":9,"lfs":{"oid":")" + hash + R"(","size":9}}])",
                    {{"Link", "</api/models/acme/tiny/tree/main?cursor=x>; rel=\"next\""}});
    });
    const auto list = transportClient(transport).files(repository, {});
    ASSERT_TRUE(list) << list.error().message();
    ASSERT_EQ(list->files.size(), 5u);
    EXPECT_EQ(list->files[0].gitSha1, commit);
    EXPECT_EQ(list->files[1].sha256, hash);
    EXPECT_FALSE(list->files[1].refusal);
    for (std::size_t i = 2; i < 5; ++i) EXPECT_TRUE(list->files[i].refusal) << i;
}

TEST(Client, PagesThatPointAtEachOtherEnd) {
    FakeTransport transport([](const net::Request& request) {
        const bool isA = request.url.target.find("cursor=a") != std::string::npos;
        return json("[]",
                    {{"Link", std::string("</api/models/acme/tiny/tree/main?cursor=") + (isA ? "b" : "a") + ">; rel=\"next\""}});
    });
    const auto list = transportClient(transport).files(repository, {});
    ASSERT_FALSE(list);
    EXPECT_EQ(list.error().reason, Reason("hub.too_many_pages"));
}

TEST(Client, WaitsAsTheHubSaysAndGoesOn) {
    int requests = 0;
    FakeTransport transport([&requests](const net::Request&) {
        if (++requests == 1) return FakeAnswer{429, {{"RateLimit", "\"api\";r=0;t=2"}}, "slow down"};
        if (requests == 2) return FakeAnswer{503, {}, "<html>"};
        if (requests == 3) return FakeAnswer{0, {}, {}, net::Failure{net::FailureKind::Reset, {}}};
        return json(R"({"sha":")" + commit + R"("})");
    });
    std::vector<Wait> waits;
    const net::Time begin = transport.clock().now();
    const auto info = transportClient(transport, &waits).info(repository, {});
    ASSERT_TRUE(info) << info.error().message();
    EXPECT_EQ(info->commit, commit);
    ASSERT_EQ(waits.size(), 3u);
    EXPECT_EQ(waits[0].until - begin, std::chrono::seconds(3));
    EXPECT_EQ(waits[0].why.reason, Reason("hub.too_fast"));
}

TEST(Client, GivesUpAfterSoManyAttempts) {
    FakeTransport transport([](const net::Request&) { return FakeAnswer{500, {}, "<html>"}; });
    const auto info = transportClient(transport).info(repository, {});
    ASSERT_FALSE(info);
    EXPECT_EQ(info.error().reason, Reason("hub.trouble"));
    EXPECT_EQ(transport.requests().size(), 6u);
}

TEST(Client, EndsWhenItIsStopped) {
    std::stop_source stop;
    FakeTransport transport([&stop](const net::Request&) {
        stop.request_stop();
        return FakeAnswer{429, {{"Retry-After", "100"}}, ""};
    });
    const auto info = transportClient(transport).info(repository, Progress{stop.get_token(), {}});
    ASSERT_FALSE(info);
    EXPECT_EQ(info.error().code, ErrorCode::Canceled);
}

TEST(Client, FollowsARenamedRepositoryOnItsOwnHostOnly) {
    FakeTransport transport([](const net::Request& request) {
        if (request.url.target == "/api/models/acme/tiny") return FakeAnswer{307, {{"Location", "/api/models/acme/new"}}, ""};
        return json(R"({"sha":")" + commit + R"("})");
    });
    EXPECT_TRUE(transportClient(transport).info(repository, {}));
    FakeTransport mirror([](const net::Request&) { return FakeAnswer{308, {{"Location", "https://huggingface.example/x"}}, ""}; });
    const auto info = transportClient(mirror).info(repository, {});
    ASSERT_FALSE(info);
    EXPECT_EQ(info.error().reason, Reason("hub.mirror_declines"));
    EXPECT_EQ(mirror.requests().size(), 1u) << "nothing, and no token, goes to the other host";
}

struct Row {
    int status;
    net::Headers headers;
    std::string body;
    const char* reason;
};

TEST(Client, EveryRefusalOfTheHubHasItsReason) {
    const std::vector<Row> rows = {
        {401, {{"X-Error-Code", "RepoNotFound"}}, R"({"error":"Invalid username or password."})", "hub.no_such_repository"},
        {404, {{"X-Error-Code", "RepoNotFound"}}, R"({"error":["x"]})", "hub.no_such_repository"},
        {401, {{"X-Error-Message", "Invalid credentials in Authorization header"}}, "", "hub.token_refused"},
        {403, {{"X-Error-Code", "GatedRepo"}}, "", "hub.gated"},
        {401, {{"X-Error-Code", "GatedRepo"}}, "<html>", "hub.gated"},
        {403, {{"X-Error-Message", "Access to this resource is disabled."}}, "", "hub.disabled"},
        {404, {{"X-Error-Code", "RevisionNotFound"}}, "", "hub.no_such_revision"},
        {403, {}, R"({"errors":[{"message":"no"}]})", "hub.forbidden"},
        {400, {}, R"({"error":"expand + full"})", "hub.refused"},
        {200, {{"Content-Type", "text/html"}}, "<html>Welcome to Hotel WLAN", "hub.not_the_hub"},
        {200, {}, "{\"sha\":", "hub.bad_answer"},
        {200, {}, "[]", "hub.answer_shape"},
        {200, {}, "{}", "hub.answer_shape"},
        {200, {}, std::string(65, '[') + std::string(65, ']'), "hub.bad_answer"},
    };
    for (const Row& row : rows) {
        const bool isOfToken = row.reason == std::string_view("hub.token_refused");
        FakeTransport transport([&row](const net::Request&) { return FakeAnswer{row.status, row.headers, row.body}; });
        const auto info = transportClient(transport).info(repository, {});
        ASSERT_FALSE(info) << row.reason;
        EXPECT_STREQ(info.error().reason.id(), row.reason) << info.error().message();
        EXPECT_LE(info.error().message().size(), 600u);
        EXPECT_NE(info.error().message().find("hf:acme/tiny"), std::string::npos) << info.error().message();
        const bool isOfAnswer = row.status == 200 || isOfToken;
        if (isOfAnswer) {
            EXPECT_NE(info.error().message().find("huggingface.co"), std::string::npos) << info.error().message();
        }
    }
}

// Of lists and files, too, every refusal says who was asked for what.
TEST(Client, RefusalsNameTheServerAndWhatWasAskedFor) {
    const std::vector<FakeAnswer> answers = {{200, {{"Content-Type", "text/html"}}, "<html>"},
                                             {200, {}, std::string(100'000, '[')},
                                             {200, {}, "[{\"type\":\"fi"},
                                             {200, {}, "{}"},
                                             {429, {}, ""},
                                             {500, {}, ""},
                                             {401, {{"X-Error-Message", "Invalid credentials"}}, ""}};
    for (const Hub hub : {Hub::HuggingFace, Hub::ModelScope}) {
        const Repository asked{hub, "acme/tiny", ""};
        for (const FakeAnswer& answer : answers) {
            FakeTransport transport([&answer](const net::Request&) { return answer; });
            Network network{&transport, &transport.clock()};
            network.retries = 0;
            Client client(network, settings());
            const auto list = client.files(asked, {});
            ASSERT_FALSE(list) << answer.status << answer.body.substr(0, 20);
            const std::string sentence = list.error().message();
            EXPECT_NE(sentence.find(asked.text()), std::string::npos) << sentence;
            EXPECT_NE(sentence.find(client.settings().source(hub).endpoint.authority()), std::string::npos) << sentence;
            const auto file = client.text(asked, "README.md", 1000, {});
            if (answer.status == 200) continue; // any text is a text
            ASSERT_FALSE(file);
            EXPECT_NE(file.error().message().find(asked.text() + ":README.md"), std::string::npos) << file.error().message();
        }
    }
}

// JSON of half a surrogate pair would be written as U+FFFD, which is another name.
TEST(Client, ANameThatIsNoUnicodeIsRefused) {
    FakeTransport transport([](const net::Request&) {
        return json(R"({"Code":200,"Success":true,"Data":{"Files":[{"Path":"a\ud800b.bin","Type":"blob","Size":3},
                        {"Path":"good.bin","Type":"blob","Size":3}]}})");
    });
    const auto list = transportClient(transport).files({Hub::ModelScope, "acme/tiny", ""}, {});
    ASSERT_TRUE(list) << list.error().message();
    ASSERT_EQ(list->files.size(), 2u);
    EXPECT_TRUE(list->files[0].refusal);
    EXPECT_FALSE(list->files[1].refusal);
}

TEST(Client, StaysOffline) {
    FakeTransport transport([](const net::Request&) { return FakeAnswer{}; });
    Settings offline = settings();
    offline.isOffline = true;
    Client client({&transport, &transport.clock()}, offline);
    ASSERT_FALSE(client.info(repository, {}));
    EXPECT_TRUE(transport.requests().empty());
}

TEST(ModelScopeClient, ReadsTheEnvelopeWhateverTheStatus) {
    FakeTransport transport(
        [](const net::Request&) { return json(R"({"Code":10010205001,"Success":false,"Message":"模型不存在","RequestId":"r"})"); });
    const auto list = transportClient(transport).files({Hub::ModelScope, "达摩/小模型", ""}, {});
    ASSERT_FALSE(list);
    EXPECT_EQ(list.error().reason, noSuchRepository);
}

TEST(ModelScopeClient, SearchesAndPages) {
    FakeTransport transport([](const net::Request&) {
        return json(
            R"({"success":true,"data":{"total_count":101,"models":[{"id":"达摩/小模型","display_name":"小模型","downloads":3,
                    "license":"Apache-2.0","params":7000000000,"file_size":9,"tags":["library:gguf"],"gated":false}]}})");
    });
    Client client = transportClient(transport);
    const auto page = client.search(Hub::ModelScope, {}, {}, {});
    ASSERT_TRUE(page) << page.error().message();
    EXPECT_EQ(page->rows[0].name, "小模型");
    EXPECT_EQ(page->rows[0].library, "gguf");
    EXPECT_EQ(page->next, "2");
    EXPECT_TRUE(client.search(Hub::ModelScope, {}, "3", {})->next.empty());
    SearchRequest small;
    small.maxParameters = 1'000'000'000;
    EXPECT_TRUE(client.search(Hub::ModelScope, small, {}, {})->rows.empty());
}

TEST(ModelScopeClient, ListsFilesAndTheirHashes) {
    FakeTransport transport([](const net::Request&) {
        return json(R"({"Code":200,"Success":true,"Data":{"Files":[
            {"Path":"a.gguf","Type":"blob","Size":5,"Sha256":")" +
                    std::string(64, 'A') + R"("},
            {"Path":"b","Type":"blob","Size":6,"Sha256":null},{"Path":"d","Type":"tree","Size":0},
            {"Path":"../evil","Type":"blob","Size":1,"Sha256":""}]}})");
    });
    const auto list = transportClient(transport).files({Hub::ModelScope, "a/b", ""}, {});
    ASSERT_TRUE(list) << list.error().message();
    ASSERT_EQ(list->files.size(), 3u);
    EXPECT_EQ(list->files[0].sha256, hash);
    EXPECT_EQ(list->files[1].sha256, "");
    EXPECT_TRUE(list->files[2].refusal);
    EXPECT_FALSE(transport.requests()[0].headers.find("Authorization")) << "the token of one hub is not for the other";
}

} // namespace
} // namespace wb::hub
