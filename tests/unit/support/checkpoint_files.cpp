// SPDX-License-Identifier: MIT
#include "tests/unit/support/checkpoint_files.h"

#include "core/base/json_writer.h"
#include "core/model/checkpoint.h"

#include <algorithm>
#include <fstream>

namespace wb::test {

CheckpointFiles checkpointFiles(const std::filesystem::path& folder, const std::function<bool(const std::string&)>& isWanted) {
    CheckpointFiles files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && (!isWanted || isWanted(io::pathText(entry.path().filename()))))
            files.emplace_back(io::pathText(std::filesystem::relative(entry.path(), folder)), readFile(entry.path()));
    std::ranges::sort(files, {}, [](const auto& file) { return file.first; });
    return files;
}

nlohmann::json truthFromFixture(const std::string& fixture) {
    return nlohmann::json::parse(std::ifstream((shared() / "fixtures" / (fixture + ".expected.json")).string()));
}

Result<Model> readCheckpoint(ReadIndex readIndex, const CheckpointFiles& files, const formats::OpenOptions& options) {
    formats::Sources sources;
    std::string wish;
    for (const auto& [name, bytes] : files) {
        sources.push_back(std::make_shared<io::MemorySource>(name.substr(name.rfind('/') + 1), bytes));
        wish += name + "\n";
    }
    WB_TRY_ASSIGN(formats::Index index, readIndex(sources, wish, options));
    return formats::modelFromIndex(std::move(index), sources);
}

const TensorInfo* joinedTensor(const Model& model, std::string_view name) {
    const auto found =
        std::ranges::find_if(model.tensors, [&](const TensorInfo& tensor) { return tensor.logical && tensor.name == name; });
    return found == model.tensors.end() ? nullptr : &*found;
}

nlohmann::json checkpointJson(const Model& model) {
    std::string text;
    JsonWriter out([&text](std::string_view part) { text += part; });
    out.beginArray();
    writeJson(out, *model.checkpoint);
    out.endArray();
    out.finish();
    return nlohmann::json::parse(text)[0];
}

void flipBits(std::vector<std::byte>& bytes, std::uint32_t& random) {
    for (int i = 0; i < 8; ++i) {
        random = random * 1664525u + 1013904223u;
        bytes[random % bytes.size()] ^= static_cast<std::byte>(1u << (random >> 29));
    }
}

} // namespace wb::test
