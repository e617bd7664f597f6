// SPDX-License-Identifier: MIT
#include "core/formats/gguf/writer.h"
#include "core/hub/remote_model.h"
#include "core/memory/estimate.h"
#include "tests/unit/support/fake_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>

// The memory of a model that lies on a hub, by its headers alone.
namespace wb::hub {
namespace {

using test::FakeAnswer;
using test::FakeTransport;

constexpr std::uint64_t layers = 48, width = 8192, feedForward = 32768, vocabulary = 150'000;
constexpr std::uint64_t maxBytes = 32'000'000; // of one part
constexpr std::size_t parts = 3;

// An array of as many words as a large vocabulary has.
gguf::StoredPair wordsPair(const std::string& key, std::uint64_t count) {
    std::string bytes;
    const auto append = [&bytes](auto number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); };
    append(std::uint64_t{key.size()});
    bytes += key;
    append(std::uint32_t{9}); // an array of text
    append(std::uint32_t{8});
    append(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::string word = fmt::format("word number {:08}", i);
        append(std::uint64_t{word.size()});
        bytes += word;
    }
    return {key, bytes};
}

struct Part {
    std::string path, header;
    std::uint64_t bytes = 0;
    unsigned requests = 0; // for ranges
    std::uint64_t fetched = 0;
};

std::vector<gguf::WrittenTensor> tensorsFromPart(std::size_t part) {
    const auto matrix = [](std::string name, std::uint64_t rows, std::uint64_t columns) {
        const std::uint64_t dimensions[] = {rows, columns};
        return gguf::WrittenTensor{std::move(name), *Shape::make(dimensions), Dtype::F16};
    };
    std::vector<gguf::WrittenTensor> tensors;
    if (part == 0) tensors = {matrix("token_embd.weight", vocabulary, width), matrix("output.weight", vocabulary, width)};
    for (std::size_t i = part * layers / parts; i < (part + 1) * layers / parts; ++i) {
        const std::string block = fmt::format("blk.{}.", i);
        for (const char* name : {"attn_q", "attn_k", "attn_v", "attn_output"})
            tensors.push_back(matrix(block + name + ".weight", width, width));
        for (const char* name : {"ffn_gate", "ffn_up"}) tensors.push_back(matrix(block + name + ".weight", feedForward, width));
        tensors.push_back(matrix(block + "ffn_down.weight", width, feedForward));
    }
    return tensors;
}

std::vector<gguf::StoredPair> pairsFromPart(std::size_t part) {
    using gguf::makePair;
    std::vector<gguf::StoredPair> pairs = {makePair("split.no", static_cast<std::uint16_t>(part)),
                                           makePair("split.count", static_cast<std::uint16_t>(parts)),
                                           makePair("split.tensors.count", static_cast<std::int32_t>(2 + layers * 7))};
    if (part > 0) return pairs;
    const auto number = [&](const char* key, std::uint64_t value) {
        pairs.push_back(makePair(std::string("llama.") + key, static_cast<std::uint32_t>(value)));
    };
    pairs.push_back(makePair("general.architecture", std::string_view("llama")));
    number("block_count", layers);
    number("context_length", 131'072);
    number("embedding_length", width);
    number("feed_forward_length", feedForward);
    number("attention.head_count", 64);
    number("attention.head_count_kv", 64);
    pairs.push_back(makePair("llama.attention.layer_norm_rms_epsilon", 1e-5F));
    pairs.push_back(wordsPair("tokenizer.ggml.tokens", vocabulary));
    return pairs;
}

// A repository of a model of 100 GB in parts, of which only the headers exist.
struct World {
    std::vector<Part> files;
    FakeTransport transport{[this](const net::Request& request) { return answer(request); }};
    Client client{{&transport, &transport.clock()}, *settingsFrom([](const char*) { return ""; })};

    World() {
        for (std::size_t i = 0; i < parts; ++i) {
            const auto layout = gguf::layOut(pairsFromPart(i), tensorsFromPart(i));
            EXPECT_TRUE(layout) << layout.error().message();
            files.push_back({fmt::format("big-{:05}-of-{:05}.gguf", i + 1, parts), layout->header, layout->fileBytes});
        }
    }

    Part* named(const std::string& url) {
        const auto found = std::ranges::find_if(files, [&](const Part& part) { return url.ends_with(part.path); });
        return found == files.end() ? nullptr : &*found;
    }

    FakeAnswer answer(const net::Request& request) {
        const std::string commit(40, 'c'), path = request.url.path();
        if (request.url.host == "cdn.example") return requestRange(request);
        if (Part* part = named(path))
            return {302,
                    {{"Location", "https://cdn.example/" + part->path},
                     {"X-Repo-Commit", commit},
                     {"X-Linked-Size", std::to_string(part->bytes)}}};
        if (path.find("/tree/") == std::string::npos) return {200, {}, R"({"sha":")" + commit + R"("})"};
        std::string list;
        for (const Part& part : files)
            list += fmt::format(R"({}{{"type":"file","path":"{}","size":{}}})", list.empty() ? "" : ",", part.path, part.bytes);
        return {200, {}, "[" + list + "]"};
    }

    FakeAnswer requestRange(const net::Request& request) {
        Part& part = *named(request.url.path());
        std::uint64_t begin = 0, last = 0;
        EXPECT_EQ(std::sscanf(request.headers.find("Range")->c_str(), "bytes=%" SCNu64 "-%" SCNu64, &begin, &last), 2);
        ++part.requests;
        part.fetched += last - begin + 1;
        std::string body(last - begin + 1, '\0');
        if (begin < part.header.size()) {
            const std::string there = part.header.substr(begin, body.size());
            std::ranges::copy(there, body.begin());
        }
        return {206, {{"Content-Range", fmt::format("bytes {}-{}/{}", begin, last, part.bytes)}}, std::move(body)};
    }
};

TEST(RemoteMemory, OfAHundredGigabytesTakesThreeRequestsAPart) {
    World world;
    std::uint64_t bytes = 0;
    for (const Part& part : world.files) bytes += part.bytes;
    ASSERT_GT(bytes, 100'000'000'000u);
    const auto model = openRemoteModel(world.client, "hf:acme/big:big-00001-of-00003.gguf", {});
    ASSERT_TRUE(model) << model.error().message();
    for (const Part& part : world.files) {
        EXPECT_GE(part.requests, 1u);
        EXPECT_LE(part.requests, 3u) << part.path;
        EXPECT_LE(part.fetched, maxBytes) << part.path;
    }
    const auto subject = memory::memorySubject(*model);
    ASSERT_TRUE(subject) << subject.error().message();
    const auto estimate = memory::estimate(*subject, subject->stored, {.context = 8192});
    ASSERT_TRUE(estimate) << estimate.error().message();
    EXPECT_EQ(estimate->trust, memory::Trust::Header);
    EXPECT_NEAR(static_cast<double>(estimate->plan.processor[memory::PartKind::Weights]), static_cast<double>(bytes), 1e7)
        << "the tensors of all parts";
    EXPECT_EQ(estimate->plan.processor[memory::PartKind::Keys], layers * 8192 * width * 2);
}

TEST(RemoteMemory, NamesAPartThatIsMissing) {
    World world;
    world.files.pop_back();
    const auto model = openRemoteModel(world.client, "hf:acme/big:big-00001-of-00003.gguf", {});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().reason, Reason("hub.missing_part"));
    EXPECT_NE(model.error().message().find("big-00003-of-00003.gguf"), std::string::npos);
}

} // namespace
} // namespace wb::hub
