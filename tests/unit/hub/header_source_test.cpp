// SPDX-License-Identifier: MIT
#include "core/hub/header_source.h"

#include "tests/unit/support/fake_network.h"

#include <gtest/gtest.h>

#include <cinttypes>

namespace wb::hub {
namespace {

using test::FakeAnswer;
using test::FakeTransport;

constexpr std::uint64_t headerFileBytes = 200u << 20;
constexpr std::uint64_t mebibyte = 1u << 20;

std::string bytesFromBegin(std::uint64_t begin, std::uint64_t end) {
    std::string text(static_cast<std::size_t>(end - begin), '\0');
    for (std::uint64_t at = begin; at < end; ++at) text[static_cast<std::size_t>(at - begin)] = static_cast<char>(at * 7 % 251);
    return text;
}

// A hub that sends to a CDN, and the CDN, which may shift what it sends.
struct HeaderWorld {
    std::uint64_t shift = 0;
    FakeTransport transport{[this](const net::Request& request) -> FakeAnswer {
        if (request.url.host == "huggingface.co")
            return {302,
                    {{"Location", "https://cdn.example/file?Signature=x"},
                     {"X-Repo-Commit", std::string(40, 'c')},
                     {"X-Linked-Size", std::to_string(headerFileBytes)}}};
        std::uint64_t begin = 0, last = 0;
        std::sscanf(request.headers.find("Range")->c_str(), "bytes=%" SCNu64 "-%" SCNu64, &begin, &last);
        begin += shift;
        return {206,
                {{"Content-Range", fmt::format("bytes {}-{}/{}", begin, last + shift, headerFileBytes)}},
                bytesFromBegin(begin, last + shift + 1)};
    }};
    Client client{{&transport, &transport.clock()},
                  *settingsFrom([](const char* name) { return std::string_view(name) == "HF_TOKEN" ? "hf_secret" : ""; })};

    Result<std::shared_ptr<HeaderSource>> open(std::uint64_t listed = headerFileBytes) {
        RemoteFile file;
        file.path = "dir/model.gguf";
        file.bytes = listed;
        return HeaderSource::open(client, {Hub::HuggingFace, "acme/tiny", std::string(40, 'c')}, file, {});
    }
};

std::string read(const HeaderSource& source, std::uint64_t offset, std::size_t bytes) {
    std::string text(bytes, '\0');
    const auto result = source.readAt(offset, std::as_writable_bytes(std::span(text)));
    return result ? text : result.error().reason.id();
}

TEST(HeaderSource, ReadsTheBeginningInFewRequests) {
    HeaderWorld world;
    const auto source = world.open();
    ASSERT_TRUE(source) << source.error().message();
    EXPECT_EQ((*source)->size(), headerFileBytes);
    EXPECT_EQ((*source)->name(), "model.gguf");
    EXPECT_EQ(read(**source, 10, 100), bytesFromBegin(10, 110));
    EXPECT_EQ(read(**source, mebibyte, 50), bytesFromBegin(mebibyte, mebibyte + 50));
    EXPECT_EQ((*source)->requests(), 1u);
    EXPECT_EQ(read(**source, 2 * mebibyte - 5, 10), bytesFromBegin(2 * mebibyte - 5, 2 * mebibyte + 5));
    EXPECT_EQ((*source)->requests(), 2u);
    for (const net::Request& request : world.transport.requests())
        EXPECT_EQ(request.headers.find("Authorization") != nullptr, request.url.host == "huggingface.co");
}

TEST(HeaderSource, FetchesNoModel) {
    HeaderWorld world;
    const auto source = world.open();
    EXPECT_EQ(read(**source, 150 * mebibyte, 10), "hub.long_header");
    EXPECT_EQ((*source)->requests(), HeaderSource::maxRequests);
    EXPECT_EQ(read(**source, headerFileBytes, 1), "hub.beyond_end");
}

TEST(HeaderSource, ReadsAllowedDataByRanges) {
    HeaderWorld world;
    const auto source = world.open();
    EXPECT_EQ(read(**source, 0, 10), bytesFromBegin(0, 10));
    (*source)->allowData(std::make_shared<HeaderSource::Allowance>(9 * mebibyte));
    EXPECT_EQ(read(**source, 150 * mebibyte, 1000), bytesFromBegin(150 * mebibyte, 150 * mebibyte + 1000));
    const std::size_t asked = world.transport.requests().size();
    EXPECT_EQ(read(**source, 151 * mebibyte, 1000), bytesFromBegin(151 * mebibyte, 151 * mebibyte + 1000));
    EXPECT_EQ(world.transport.requests().size(), asked) << "it lies in the block that was fetched";
    EXPECT_EQ(read(**source, headerFileBytes - 10, 10), bytesFromBegin(headerFileBytes - 10, headerFileBytes))
        << "the end has no whole block";
    EXPECT_EQ(read(**source, 100 * mebibyte, 10), bytesFromBegin(100 * mebibyte, 100 * mebibyte + 10));
    EXPECT_EQ(read(**source, 20 * mebibyte, 10), "hub.remote_limit");
    EXPECT_EQ(read(**source, 5, 10), bytesFromBegin(5, 15)) << "the header stays";
}

TEST(HeaderSource, RefusesOtherBytesAndSizes) {
    HeaderWorld world;
    world.shift = 1;
    EXPECT_EQ(read(**world.open(), 0, 10), "hub.bad_range");
    EXPECT_EQ(world.open(headerFileBytes - 1).error().reason, Reason("hub.size_differs"));
}

TEST(HeaderSource, Stops) {
    HeaderWorld world;
    std::stop_source stop;
    RemoteFile file;
    file.path = "model.gguf";
    file.bytes = headerFileBytes;
    const auto source = HeaderSource::open(world.client, {Hub::HuggingFace, "acme/tiny", ""}, file, {stop.get_token(), {}});
    stop.request_stop();
    std::byte one{};
    EXPECT_EQ((*source)->readAt(0, {&one, 1}).error().code, ErrorCode::Canceled);
}

} // namespace
} // namespace wb::hub
