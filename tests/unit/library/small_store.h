// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/formats/gguf/writer.h"
#include "core/io/byte_source.h"
#include "core/io/digests/sha256.h"
#include "core/library/scan.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

// Stores in a temporary folder, laid out as the programs that own them do.
namespace wb::test {

namespace fs = std::filesystem;

// A whole GGUF of one tensor with 4096 elements.
inline std::string smallGguf(std::string_view architecture = "llama", std::uint32_t fileType = 7, char fill = 'x') {
    const std::vector<gguf::StoredPair> pairs = {
        gguf::makePair("general.architecture", architecture), gguf::makePair("general.file_type", fileType),
        gguf::makePair(std::string(architecture) + ".context_length", std::uint32_t{8192})};
    const std::vector<gguf::WrittenTensor> tensors = {{"token_embd.weight", *Shape::make({64, 64}), Dtype::Q8_0}};
    const auto layout = gguf::layOut(pairs, tensors);
    std::string file = layout->header;
    file.resize(static_cast<std::size_t>(layout->fileBytes), fill);
    return file;
}

// A safetensors file of one BF16 tensor with `elements` elements.
inline std::string smallSafetensors(std::size_t elements = 8) {
    std::string header = R"({"w":{"dtype":"BF16","shape":[)" + std::to_string(elements) + R"(],"data_offsets":[0,)" +
                         std::to_string(elements * 2) + "]}}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::string file(8, '\0');
    for (int i = 0; i < 8; ++i) file[static_cast<std::size_t>(i)] = static_cast<char>(header.size() >> (8 * i) & 0xff);
    return file + header + std::string(elements * 2, '\1');
}

inline void write(const fs::path& path, std::string_view content) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

inline std::string sha256Hex(std::string_view content) {
    const auto bytes = toBytes(content);
    io::Sha256 hash;
    hash.update(bytes);
    return io::hexText(*hash.finish());
}

// Puts a file into a repository of the Hugging Face cache: the blob by its hash, the link in the snapshot.
inline fs::path addToCache(const fs::path& repository, const std::string& commit, const std::string& name, std::string_view content,
                           std::string blob = {}) {
    if (blob.empty()) blob = sha256Hex(content);
    write(repository / "blobs" / blob, content);
    const fs::path link = repository / "snapshots" / commit / name;
    fs::create_directories(link.parent_path());
    fs::path up = "../..";
    for (std::size_t depth = static_cast<std::size_t>(std::ranges::count(name, '/')); depth > 0; --depth) up /= "..";
    if (!fs::is_symlink(link)) fs::create_symlink(up / "blobs" / blob, link);
    return link;
}

inline const std::string commitA(40, 'a');
inline const std::string commitB(40, 'b');

inline library::Listing scanned(const std::vector<library::Store>& stores) {
    library::MemoryIndex index;
    auto listing = library::scan(stores, index, 1, {});
    EXPECT_TRUE(listing.has_value());
    return listing ? std::move(*listing) : library::Listing();
}

} // namespace wb::test
