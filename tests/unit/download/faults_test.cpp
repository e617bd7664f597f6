// SPDX-License-Identifier: MIT
#include "core/io/digests/sha256.h"
#include "tests/unit/download/loopback.h"

#include <set>

// What servers do wrong: each fault ends in the file, or in one sentence.
namespace wb::test {
namespace {

constexpr std::uint64_t size = 3'000'001;

class Faults : public LoopbackTest {
protected:
    Faults() { addLarge(size); }

    // The file is there under its name with its hash, and nothing else is left.
    void expectWhole(const Result<hub::DownloadOutcome>& outcome) const {
        ASSERT_TRUE(outcome) << outcome.error().message();
        ASSERT_FALSE(outcome->error()) << outcome->error()->message();
        const auto path = folder.path() / "models" / "file.bin";
        const auto source = io::FileSource::open(path).value();
        EXPECT_EQ(io::hexText(io::hashSha256(*source, {}).value()), outcome->files.at(0).sha256);
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(path.parent_path()))
            names.insert(entry.path().filename().string());
        EXPECT_EQ(names, (std::set<std::string>{"file.bin", ".cache"}));
    }
    void expectNothing() const { EXPECT_FALSE(std::filesystem::exists(folder.path() / "models")) << "not even the folder"; }
    void cdn(std::function<void(const HttpRequest&, HttpResponse&)> change, unsigned times = 1, unsigned skip = 0) {
        servers.fault(
            {.listener = "CDN", .part = {}, .skip = skip, .times = times, .onlyRanged = false, .change = std::move(change)});
    }
};

constexpr unsigned always = 1'000'000;

TEST_F(Faults, NoneAtAll) {
    expectWhole(download(request("hf:acme/large")));
    EXPECT_EQ(servers.servedBytes("CDN"), size);
    servers.forget();
    const auto again = download(request("hf:acme/large"));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->files[0].state, hub::DownloadedFile::State::Present);
    EXPECT_EQ(servers.servedBytes("CDN"), 0u) << "a second run on a complete folder fetches nothing";
}

TEST_F(Faults, C1AnExpiredAddressIsAskedForOnceAgain) {
    cdn([](const HttpRequest&, HttpResponse& response) { response = {403, {{"Content-Type", "application/xml"}}, "<Error/>"}; }, 1,
        5);
    expectWhole(download(request("hf:acme/large")));
    int heads = 0;
    for (const auto& each : servers.recorded()) heads += each.request.listener == "HUB" && each.request.method == "HEAD";
    EXPECT_EQ(heads, 2);
}

TEST_F(Faults, C2AServerWithoutRanges) {
    cdn(
        [](const HttpRequest&, HttpResponse& response) {
            response.status = 200;
            response.headers = {{"ETag", "\"x\""}};
            response.formula = HttpResponse::Formula{11, 0, size};
        },
        always);
    expectWhole(download(request("hf:acme/large")));
}

// What was hashed already comes again, and with another byte: the hash must be of what is on the disk in the end.
TEST_F(Faults, C2AServerThatForgetsRangesAndSendsOtherBytes) {
    constexpr std::uint64_t large = 20'000'003;
    servers.change("acme/large", [](ServedRepository& repository) { repository.files = {formulaFile("file.bin", large, 11)}; });
    cdn(
        [](const HttpRequest&, HttpResponse& response) {
            response.status = 200;
            response.headers = {{"ETag", response.headers.find("ETag") ? *response.headers.find("ETag") : "\"x\""}};
            response.formula = HttpResponse::Formula{11, 0, large};
            response.wrongByteAt = 5;
        },
        1, 14);
    hub::DownloadRequest wanted = request("hf:acme/large");
    wanted.options.pieceBytes = 1u << 20;
    expectWhole(download(wanted));
}

TEST_F(Faults, C3AnotherRangeThanAsked) {
    cdn([](const HttpRequest&, HttpResponse& response) { response.headers = {{"Content-Range", "bytes 1-262144/3000001"}}; }, 2);
    expectWhole(download(request("hf:acme/large")));
}

TEST_F(Faults, C4APartWithoutItsRange) {
    cdn(
        [](const HttpRequest&, HttpResponse& response) {
            net::Headers kept;
            for (const auto& field : response.headers.fields())
                if (field.name != "Content-Range") kept.add(field.name, field.value);
            response.headers = kept;
        },
        2);
    expectWhole(download(request("hf:acme/large")));
}

TEST_F(Faults, C5TheFileHasBecomeShorter) {
    cdn([](const HttpRequest&, HttpResponse& response) { response = {416, {{"Content-Range", "bytes */5"}}, {}}; }, always, 3);
    const auto outcome = download(request("hf:acme/large"));
    ASSERT_TRUE(outcome && outcome->error());
    EXPECT_EQ(outcome->error()->reason, Reason("hub.source_changed"));
}

TEST_F(Faults, C6C8ConnectionsBreak) {
    cdn([](const HttpRequest&, HttpResponse& response) { response.closeAt = 50'000, response.isReset = true; }, 3);
    cdn([](const HttpRequest&, HttpResponse& response) { response.closeAt = 70'000; }, 3);
    expectWhole(download(request("hf:acme/large")));
}

TEST_F(Faults, C9ABodyThatIsTooLong) {
    cdn([](const HttpRequest&, HttpResponse& response) { response.extraBytes = 5000; }, 3);
    expectWhole(download(request("hf:acme/large")));
}

TEST_F(Faults, C10AWrongByteOnce) {
    cdn([](const HttpRequest&, HttpResponse& response) { response.wrongByteAt = 300'000; }, 12);
    expectWhole(download(request("hf:acme/large")));
    EXPECT_EQ(servers.servedBytes("CDN"), 2 * size);
}

TEST_F(Faults, C10AWrongByteAlways) {
    cdn([](const HttpRequest&, HttpResponse& response) { response.wrongByteAt = 300'000; }, always);
    const auto outcome = download(request("hf:acme/large"));
    ASSERT_TRUE(outcome);
    ASSERT_TRUE(outcome->error());
    EXPECT_EQ(outcome->error()->reason, Reason("hub.wrong_bytes"));
    expectNothing();
}

TEST_F(Faults, C10AnotherSourceOfTheSameBytes) {
    ServedRepository other;
    other.id = "达摩/大模型";
    other.files = {formulaFile("renamed.bin", size, 11)};
    servers.addToModelScope(other);
    cdn([](const HttpRequest&, HttpResponse& response) { response.wrongByteAt = 300'000; }, always);
    hub::DownloadRequest wanted = request("hf:acme/large");
    wanted.alternates = {{hub::Hub::ModelScope, "达摩/大模型", ""}};
    expectWhole(download(wanted));
}

// E4: the pieces that the first source brought are not fetched from the second one again.
TEST_F(Faults, E4AnotherSourceGoesOnInMidFile) {
    ServedRepository other;
    other.id = "达摩/大模型";
    other.files = {formulaFile("renamed.bin", size, 11)};
    servers.addToModelScope(other);
    cdn([](const HttpRequest&, HttpResponse& response) { response = {404, {}, {}}; }, always, 6);
    servers.fault({.listener = "HUB",
                   .part = "/resolve/",
                   .skip = 1, // the first address was good
                   .times = always,
                   .onlyRanged = false,
                   .change = [](const HttpRequest&, HttpResponse& response) { response = {404, {}, {}}; }});
    hub::DownloadRequest wanted = request("hf:acme/large");
    wanted.alternates = {{hub::Hub::ModelScope, "达摩/大模型", ""}};
    const auto outcome = download(wanted);
    expectWhole(outcome);
    EXPECT_GT(servers.servedBytes("CDN"), 0u);
    EXPECT_LE(servers.servedBytes("MSCDN"), size - 3 * pieceBytes);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->files.at(0).sources, (std::vector<std::string>{"hf:acme/large@" + std::string(40, 'c'), "ms:达摩/大模型"}));
}

TEST_F(Faults, C11OneSlowConnection) {
    cdn([](const HttpRequest&, HttpResponse& response) { response.bytesPerSecond = 100'000; }, 1);
    expectWhole(download(request("hf:acme/large")));
}

TEST_F(Faults, C12ASmallFileWithoutItsLength) {
    ServedRepository small;
    small.id = "acme/small";
    small.files = {textFile("config.json", "{}\n")};
    servers.add(small);
    servers.fault({.listener = "HUB",
                   .part = "/api/resolve-cache/",
                   .skip = 0,
                   .times = always,
                   .onlyRanged = false,
                   .change = [](const HttpRequest&, HttpResponse& response) {
                       response.hasLength = false;
                       response.headers = {{"X-Repo-Commit", std::string(40, 'c')}};
                   }});
    const auto outcome = download(request("hf:acme/small"));
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_FALSE(outcome->error()) << outcome->error()->message();
    EXPECT_EQ(readFile(folder.path() / "models" / "config.json").size(), 3u);
}

TEST_F(Faults, C13PackedData) {
    cdn([](const HttpRequest&, HttpResponse& response) { response.headers.add("Content-Encoding", "gzip"); }, 1);
    expectWhole(download(request("hf:acme/large")));
}

TEST_F(Faults, C14TheFileChangesMeanwhile) {
    lines = 1;
    cdn(
        [](const HttpRequest&, HttpResponse& response) {
            const auto range = *response.headers.find("Content-Range");
            response.headers = {{"ETag", "\"other\""}, {"Content-Range", range}};
        },
        always, 3);
    const auto outcome = download(request("hf:acme/large"));
    ASSERT_TRUE(outcome);
    ASSERT_TRUE(outcome->error());
    EXPECT_EQ(outcome->error()->reason, Reason("hub.source_changed"));
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "models" / "file.bin.part")) << "what came is kept";
}

TEST_F(Faults, C15RedirectsOfData) {
    const std::string next = servers.url("CDN2");
    cdn([next](const HttpRequest& request, HttpResponse& response) { response = {302, {{"Location", next + request.target}}, {}}; },
        always);
    expectWhole(download(request("hf:acme/large")));
    EXPECT_EQ(servers.servedBytes("CDN2"), size);
}

TEST_F(Faults, C15RedirectsOfDataToAHubAreNotFollowed) {
    const std::string hub = servers.url("MS");
    cdn([hub](const HttpRequest&, HttpResponse& response) { response = {302, {{"Location", hub + "/x"}}, {}}; }, always);
    const auto outcome = download(request("hf:acme/large"));
    ASSERT_TRUE(outcome && outcome->error());
    EXPECT_EQ(outcome->error()->reason, Reason("hub.bad_redirect"));
    expectNothing();
}

TEST_F(Faults, C15RedirectsInACircleEnd) {
    cdn([](const HttpRequest& request, HttpResponse& response) { response = {302, {{"Location", request.target}}, {}}; }, always);
    const auto outcome = download(request("hf:acme/large"));
    ASSERT_TRUE(outcome && outcome->error());
    EXPECT_EQ(outcome->error()->reason, Reason("hub.bad_redirect"));
    expectNothing();
}

TEST_F(Faults, C16TooFast) {
    cdn([](const HttpRequest&, HttpResponse& response) { response = {429, {{"Retry-After", "1"}}, {}}; }, 4);
    expectWhole(download(request("hf:acme/large")));
    EXPECT_FALSE(waits.empty());
}

// Six of eight connections are too many; the two that are allowed bring the file.
TEST_F(Faults, C17AServerOfFewConnections) {
    lines = 8;
    cdn(
        [turn = 0](const HttpRequest&, HttpResponse& response) mutable {
            if (++turn <= 2) response.bytesPerSecond = 2'000'000;
            else response = {503, {}, {}};
        },
        8);
    expectWhole(download(request("hf:acme/large")));
}

TEST_F(Faults, C19HeadIsNotAllowed) {
    servers.fault({.listener = "HUB",
                   .part = "/resolve/",
                   .skip = 0,
                   .times = 1,
                   .onlyRanged = false,
                   .change = [](const HttpRequest&, HttpResponse& response) { response = {405, {}, {}}; }});
    expectWhole(download(request("hf:acme/large")));
}

TEST_F(Faults, TheHubRefusesWithItsReason) {
    servers.change("acme/large", [](ServedRepository& repository) { repository.gated = "manual"; });
    const auto outcome = download(request("hf:acme/large"));
    ASSERT_TRUE(outcome && outcome->error());
    EXPECT_EQ(outcome->error()->reason, Reason("hub.gated"));
    expectNothing();
    settings.huggingFace.token = Servers::token;
    settings.huggingFace.consent = true;
    expectWhole(download(request("hf:acme/large")));
}

TEST_F(Faults, AMirrorThatDeclines) {
    const std::string other = servers.url("HUB2");
    servers.fault(
        {.listener = "HUB",
         .part = "/resolve/",
         .skip = 0,
         .times = always,
         .onlyRanged = false,
         .change = [other](const HttpRequest&, HttpResponse& response) { response = {308, {{"Location", other + "/x"}}, {}}; }});
    const auto outcome = download(request("hf:acme/large"));
    ASSERT_TRUE(outcome && outcome->error());
    EXPECT_EQ(outcome->error()->reason, Reason("hub.mirror_declines"));
}

// A login page of a hotel answers everything.
TEST_F(Faults, APortalInsteadOfTheHub) {
    servers.fault({.listener = "HUB",
                   .part = {},
                   .skip = 0,
                   .times = always,
                   .onlyRanged = false,
                   .change = [](const HttpRequest&, HttpResponse& response) {
                       response = {200, {{"Content-Type", "text/html"}}, "<html>log in</html>"};
                   }});
    const auto outcome = download(request("hf:acme/large"));
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().reason, Reason("hub.not_the_hub"));
    expectNothing();
}

// Every form in which hubs and what stands before them write a refusal.
TEST_F(Faults, BodiesOfRefusals) {
    std::string deep = "{\"error\":";
    deep.append(100'000, '[');
    const std::vector<std::string> bodies = {R"({"error":"no"})",
                                             R"({"error":["no"]})",
                                             R"({"errors":[{"message":"no"}]})",
                                             "<html>no</html>",
                                             "",
                                             "\xff\xfe no",
                                             deep,
                                             R"({"error":"n)",
                                             std::string(33u << 20, 'x')};
    for (const std::string& body : bodies)
        for (const int status : {400, 401, 403, 404}) {
            if (body.size() > (32u << 20) && status != 404) continue; // it takes seconds to send
            servers.clearFaults();
            servers.fault(
                {.listener = "HUB",
                 .part = "/api/models/",
                 .skip = 0,
                 .times = always,
                 .onlyRanged = false,
                 .change = [&body, status](const HttpRequest&, HttpResponse& response) { response = {status, {}, body}; }});
            const auto outcome = download(request("hf:acme/large"));
            ASSERT_FALSE(outcome) << status << " " << body.substr(0, 20);
            EXPECT_LE(outcome.error().message().size(), 600u);
            EXPECT_NE(outcome.error().message().find(body.size() > (32u << 20) ? "127.0.0.1" : ""), std::string::npos);
        }
    expectNothing();
}

TEST_F(Faults, AnswersThatAreNoList) {
    for (const char* body : {"[]", "{}", "null", "{\"sha\":5}", "[{", "{\"siblings\":3,\"sha\":\"../..\"}"}) {
        servers.fault({.listener = "HUB",
                       .part = "/api/models/",
                       .skip = 0,
                       .times = 1,
                       .onlyRanged = false,
                       .change = [body](const HttpRequest&, HttpResponse& response) {
                           response = {200, {{"Content-Type", "application/json"}}, body};
                       }});
        const auto outcome = download(request("hf:acme/large"));
        EXPECT_TRUE(!outcome || !outcome->error() || !outcome->error()->message().empty()) << body;
        std::filesystem::remove_all(folder.path() / "models");
    }
}

// Jobs, the list of downloads and `wb unfinished` show one figure: what the journal knows.
TEST_F(Faults, WhatWasStoppedHasOneFigure) {
    hub::DownloadRequest wanted = request("hf:acme/large");
    wanted.options.stateFolder = folder.path() / "state";
    wanted.options.pieceBytes = 1u << 20;
    for (const std::uint64_t until : {400'000u, 1'700'000u}) {
        std::stop_source stop;
        std::uint64_t shown = 0;
        const Progress progress{stop.get_token(), [&](std::uint64_t done, std::uint64_t) {
                                    shown = done;
                                    if (done > until) stop.request_stop();
                                }};
        ASSERT_FALSE(download(wanted, progress));
        const auto runs = run::listUnfinished(wanted.options.stateFolder);
        ASSERT_EQ(runs.size(), 1u);
        EXPECT_EQ(runs[0].written, shown);
        EXPECT_EQ(runs[0].percent, static_cast<int>(shown * 100 / size));
        EXPECT_GT(shown, 0u);
        EXPECT_LT(shown, size);
    }
}

TEST_F(Faults, StoppedInTheMiddleItGoesOn) {
    std::stop_source stop;
    const Progress progress{stop.get_token(), [&stop](std::uint64_t done, std::uint64_t) {
                                if (done > 1'500'000) stop.request_stop();
                            }};
    hub::DownloadRequest wanted = request("hf:acme/large");
    wanted.options.stateFolder = folder.path() / "state";
    const auto stopped = download(wanted, progress);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Canceled);
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "models" / "file.bin.part"));
    const auto runs = run::listUnfinished(folder.path() / "state");
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].record.kind, hub::downloadKind);
    auto again = hub::requestOfPlan(runs[0].record.plan);
    ASSERT_TRUE(again) << runs[0].record.plan;
    again->options = wanted.options;
    const auto outcome = download(*again);
    expectWhole(outcome);
    EXPECT_LT(outcome->fetchedBytes, 2'000'000u);
    EXPECT_TRUE(run::listUnfinished(folder.path() / "state").empty());
    for (const char* text :
         {"", "{}", "[]", R"({"id":"hf:a/b","file":"../x","place":"folder","root":"/r"})",
          R"({"id":"hf:a/b","file":"x","place":"folder","root":"r"})", R"({"id":"x","file":"x","place":"hf","root":"/r"})"})
        EXPECT_FALSE(hub::requestOfPlan(text)) << text;
}

TEST_F(Faults, DamageOnTheDiskIsFoundAndMended) {
    std::stop_source stop;
    const Progress progress{stop.get_token(), [&stop](std::uint64_t done, std::uint64_t) {
                                if (done > 2'000'000) stop.request_stop();
                            }};
    ASSERT_FALSE(download(request("hf:acme/large"), progress));
    const auto part = folder.path() / "models" / "file.bin.part";
    {
        std::FILE* file = std::fopen(part.c_str(), "r+b");
        std::fseek(file, 1000, SEEK_SET);
        std::fputs("damage", file);
        std::fclose(file);
    }
    const auto outcome = download(request("hf:acme/large"));
    expectWhole(outcome);
    EXPECT_LT(outcome->fetchedBytes, size) << "only the damaged piece came again";
}

TEST_F(Faults, AFileThatIsThereWithOtherBytesStays) {
    std::filesystem::create_directories(folder.path() / "models");
    (void)folder.file("models/file.bin", "mine");
    const auto outcome = download(request("hf:acme/large"));
    ASSERT_TRUE(outcome && outcome->error());
    EXPECT_EQ(outcome->error()->reason, Reason("hub.target_differs"));
    EXPECT_EQ(readFile(folder.path() / "models" / "file.bin").size(), 4u);
}

} // namespace
} // namespace wb::test
