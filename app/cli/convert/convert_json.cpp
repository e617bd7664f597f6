// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert.h"
#include "app/cli/convert/range_hash.h"

#include <array>
#include <cstring>

// Members that the documents of folders and of copied GGUF files have in common.
namespace wb::cli {

namespace fs = std::filesystem;

Result<NewHashes> newHashes(std::span<const fs::path> files, std::span<const TensorBytes> tensors) {
    NewHashes hashes;
    std::vector<std::shared_ptr<io::FileSource>> sources;
    for (const fs::path& path : files) {
        WB_TRY_ASSIGN(auto source, io::FileSource::open(path));
        WB_TRY_ASSIGN(std::string hash, hashOfRange(*source, 0, source->size()));
        hashes.files.push_back(std::move(hash));
        sources.push_back(std::move(source));
    }
    for (const TensorBytes& tensor : tensors) {
        WB_TRY_ASSIGN(std::string hash, hashOfRange(*sources[tensor.file], tensor.offset, tensor.bytes));
        hashes.tensors.push_back(std::move(hash));
    }
    return hashes;
}

void writeHash(JsonWriter& out, const std::vector<std::string>& hashes, std::size_t i) {
    out.key("sha256");
    if (hashes.empty()) out.null();
    else out.string(hashes[i]);
}

void writeGgufFiles(JsonWriter& out, const convert::GgufPlanned& work, const std::string& target,
                    const std::vector<std::string>& hashes) {
    const auto paths = work.job->targets(fs::path(target));
    out.key("files"), out.beginArray();
    for (std::size_t i = 0; i < paths.size(); ++i) {
        out.newline();
        out.beginObject();
        out.key("path"), out.string(io::pathText(paths[i]));
        out.key("bytes"), out.integer(work.quantized ? work.quantized->files[i].bytes : work.job->bytes());
        writeHash(out, hashes, i);
        out.endObject();
    }
    out.endArray();
}

void writePair(JsonWriter& out, std::string_view key, std::string_view type, const char* origin) {
    out.newline();
    out.beginObject();
    out.key("key"), out.string(key);
    out.key("type"), out.string(type);
    out.key("origin"), out.string(origin);
    out.endObject();
}

// The type number follows the key.
const char* typeOfPair(const gguf::StoredPair& pair) {
    std::uint32_t type = 0;
    const std::size_t at = sizeof(std::uint64_t) + pair.key.size();
    if (pair.bytes.size() >= at + sizeof type) std::memcpy(&type, &pair.bytes[at], sizeof type);
    constexpr std::array names = {"u8", "i8", "u16", "i16", "u32", "i32", "f32", "bool", "str", "arr", "u64", "i64", "f64"};
    return type < names.size() ? names[type] : "u32";
}

} // namespace wb::cli
