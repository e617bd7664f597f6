// SPDX-License-Identifier: MIT
#include "tests/servers/repositories.h"

#include "core/io/digests/digest.h"
#include "core/io/digests/sha256.h"
#include "tests/servers/http_server.h"

#include <algorithm>

namespace wb::test {
namespace {

std::string servedSha256(const ServedFile& file) {
    io::Sha256 hash;
    std::vector<char> slab(1 << 20);
    for (std::uint64_t at = 0; at < file.bytes; at += slab.size()) {
        const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(slab.size(), file.bytes - at));
        if (file.isLarge) formulaBytes(file.seed, at, slab.data(), count);
        else std::copy_n(file.text.data() + at, count, slab.data());
        hash.update(std::as_bytes(std::span(slab).first(count)));
    }
    return io::hexText(*hash.finish());
}

std::string gitSha1FromText(const std::string& text) {
    const std::string whole = "blob " + std::to_string(text.size()) + std::string(1, '\0') + text;
    io::Digest hash(io::DigestType::Sha1);
    hash.update(std::as_bytes(std::span(whole)));
    return io::hexText(*hash.finish());
}

} // namespace

ServedFile textFile(std::string path, std::string text) {
    ServedFile file;
    file.path = std::move(path);
    file.text = std::move(text);
    file.bytes = file.text.size();
    file.gitSha1 = gitSha1FromText(file.text);
    file.sha256 = servedSha256(file);
    return file;
}

ServedFile formulaFile(std::string path, std::uint64_t bytes, std::uint64_t seed) {
    ServedFile file;
    file.path = std::move(path);
    file.bytes = bytes;
    file.seed = seed;
    file.isLarge = true;
    constexpr std::uint64_t worthHashing = 16ull << 30;
    file.sha256 = bytes <= worthHashing ? servedSha256(file) : std::string(64, 'f');
    return file;
}

ServedFile modelFile(std::string path, std::uint64_t bytes, std::string beginning) {
    ServedFile file;
    file.sha256 = textFile(path, beginning).sha256;
    file.path = std::move(path);
    file.text = std::move(beginning);
    file.bytes = bytes;
    file.isLarge = true;
    return file;
}

const ServedFile* ServedRepository::find(const std::string& path) const {
    const auto at = std::ranges::find(files, path, &ServedFile::path);
    return at == files.end() ? nullptr : &*at;
}

} // namespace wb::test
