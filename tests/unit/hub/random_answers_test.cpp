// SPDX-License-Identifier: MIT
#include "core/hub/download.h"
#include "core/io/digests/sha256.h"
#include "tests/unit/support/fake_network.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdlib>
#include <random>

// Answers by chance, right and wrong ones, of the hub and of its data: no crash, an end, and never other bytes under a file's name.
// 300 seeds, or as many as WEIGHBRIDGE_SEEDS says.
namespace wb::hub {
namespace {

using test::FakeAnswer;
using test::FakeTransport;

constexpr std::uint64_t fileBytes = 5'000;

std::string content() {
    std::string text(fileBytes, '\0');
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 7 % 251);
    return text;
}

std::string hexSha256(const std::string& text) {
    io::Sha256 hash;
    hash.update(std::as_bytes(std::span(text)));
    return io::hexText(hash.finish().value());
}

class RandomHub {
public:
    explicit RandomHub(std::uint64_t seed) : m_random(seed), m_trouble(m_random() % 60) {}

    FakeAnswer answer(const net::Request& request) {
        const std::string& target = request.url.target;
        if (isTroubled()) return trouble(request);
        if (request.url.host == "cdn.example") return data(request);
        if (target.find("/tree/") != target.npos) return json(tree());
        if (target.find("/api/models/") == 0) return json("{\"id\":\"acme/x\",\"sha\":\"" + std::string(40, 'c') + "\"}");
        return {302,
                {{"X-Repo-Commit", std::string(40, 'c')},
                 {"X-Linked-Size", std::to_string(fileBytes)},
                 {"X-Linked-Etag", "\"" + m_hash + "\""},
                 {"Location", "https://cdn.example/blob?Signature=" + std::to_string(m_random())}}};
    }

private:
    static FakeAnswer json(std::string body) { return {200, {{"Content-Type", "application/json"}}, std::move(body)}; }

    std::string tree() const {
        return R"([{"type":"file","path":"x.gguf","size":5000,"oid":")" + std::string(40, 'a') + R"(","lfs":{"oid":")" + m_hash +
               R"(","size":5000,"pointerSize":134}}])";
    }

    bool isTroubled() { return m_random() % 100 < m_trouble; }

    FakeAnswer data(const net::Request& request) const {
        std::uint64_t begin = 0, last = fileBytes - 1;
        const std::string* range = request.headers.find("Range");
        if (range) std::sscanf(range->c_str(), "bytes=%" SCNu64 "-%" SCNu64, &begin, &last);
        const std::string body = m_content.substr(begin, last - begin + 1);
        if (!range) return {200, {}, body};
        return {206, {{"Content-Range", fmt::format("bytes {}-{}/{}", begin, last, fileBytes)}, {"ETag", "\"e\""}}, body};
    }

    // The failures that servers return, on any response.
    FakeAnswer trouble(const net::Request& request) {
        FakeAnswer good = data(request);
        switch (m_random() % 20) {
        case 0: return {static_cast<int>(400 + m_random() % 30), {}, "{\"error\":\"no\"}"};
        case 1: return {static_cast<int>(500 + m_random() % 6), {}, "<html>"};
        case 2: return {429, {{"Retry-After", std::to_string(m_random() % 5)}}, ""};
        case 3: return {200, {{"Content-Type", "text/html"}}, "<html>log in</html>"};
        case 4: return json("[{");
        case 5: return json("{\"sha\":{}}");
        case 6: return {302, {{"Location", "https://cdn2.example" + request.url.target}}, ""};
        case 7: return {302, {{"Location", "http://plain.example/"}}, ""};
        case 8: return {308, {{"Location", "https://huggingface.co/"}}, ""};
        case 9: return {416, {{"Content-Range", fmt::format("bytes */{}", m_random() % 2 == 0 ? fileBytes : 7)}}, ""};
        case 10:
            good.headers = {{"Content-Range", fmt::format("bytes 1-{}/{}", m_random() % fileBytes + 1, fileBytes)}};
            return good;
        case 11: good.headers = {}; return good;
        case 12: return {200, {}, m_content};
        case 13: good.headers.add("Content-Encoding", "gzip"); return good;
        case 14: good.body[m_random() % good.body.size()] ^= 1; return good;
        case 15: good.body.resize(m_random() % good.body.size()); return good;
        case 16: good.body += "beyond"; return good;
        case 17: good.failure = net::Failure{static_cast<net::FailureKind>(m_random() % 7), "by chance"}; return good;
        case 18: good.headers.add("ETag", "\"other\""); return good;
        default: good.isSilent = true; return good;
        }
    }

    std::mt19937_64 m_random;
    std::uint64_t m_trouble; // answers of a hundred
    std::string m_content = content();
    std::string m_hash = hexSha256(m_content);
};

// The same folder for some runs, so that later ones go on with what earlier ones left.
TEST(RandomAnswers, NeverLeaveOtherBytesUnderTheName) {
    const char* wanted = std::getenv("WEIGHBRIDGE_SEEDS");
    const std::uint64_t seeds = wanted ? std::strtoull(wanted, nullptr, 10) : 300;
    const std::string right = content();
    const test::TemporaryFolder folder;
    int whole = 0, refused = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        RandomHub world(seed);
        FakeTransport transport([&world](const net::Request& request) { return world.answer(request); });
        transport.pieceBytes = 300;
        const Network network{&transport, &transport.clock(), {}, 2};
        Client client(network, *settingsFrom([](const char*) { return std::string(); }));
        DownloadRequest request;
        request.repository = {Hub::HuggingFace, "acme/x", ""};
        request.place.root = folder.path() / std::to_string(seed / 3);
        request.options.pieceBytes = 1'000;
        request.options.lines = 3;
        auto plan = planDownload(client, network, request, {});
        const auto outcome = plan ? download(client, network, request, *std::move(plan), {})
                                  : Result<DownloadOutcome>(std::unexpected(plan.error()));
        const auto path = request.place.root / "x.gguf";
        if (std::filesystem::exists(path)) {
            const auto bytes = test::readFile(path);
            ASSERT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), right) << "seed " << seed;
        }
        const bool isDone = outcome && !outcome->error() && outcome->files.size() == 1;
        ASSERT_TRUE(!isDone || std::filesystem::exists(path)) << "seed " << seed;
        ++(isDone ? whole : refused);
    }
    EXPECT_GT(whole, 0);
    EXPECT_GT(refused, 0);
}

} // namespace
} // namespace wb::hub
