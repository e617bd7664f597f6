// SPDX-License-Identifier: MIT
#include "core/formats/gguf/writer.h"
#include "tests/unit/gguf/gguf_builder.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::gguf {
namespace {

std::string pairLastBytes(const StoredPair& pair, std::size_t count) { return pair.bytes.substr(pair.bytes.size() - count); }

TEST(StoredPairs, KeepTheirBytesButForTruth) {
    using test::GgufBuilder;
    GgufBuilder file;
    file.pair("yes", GgufBuilder::Bool, "\x07")
        .pair("many", GgufBuilder::Array, file.arrayHead(GgufBuilder::Bool, 3) + std::string("\5\0\1", 3));
    file.pair("u8", GgufBuilder::U8, "\x07").pair("u8s", GgufBuilder::Array, file.arrayHead(GgufBuilder::U8, 2) + "\5\7");
    const test::TemporaryFolder folder;
    const auto source = io::FileSource::open(folder.file("x.gguf", file.build()));
    ASSERT_TRUE(source);
    const auto pairs = readStoredPairs(**source);
    ASSERT_TRUE(pairs) << pairs.error().message();
    ASSERT_EQ(pairs->size(), 4u);
    EXPECT_EQ(pairLastBytes((*pairs)[0], 1), "\1");
    EXPECT_EQ(pairLastBytes((*pairs)[1], 3), std::string("\1\0\1", 3));
    EXPECT_EQ(pairLastBytes((*pairs)[2], 1), "\7");
    EXPECT_EQ(pairLastBytes((*pairs)[3], 2), "\5\7");
}

} // namespace
} // namespace wb::gguf
