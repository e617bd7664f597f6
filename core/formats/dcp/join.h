// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/dcp/object_tree.h"
#include "core/formats/index/index.h"
#include "core/model/checkpoint.h"

#include <unordered_map>

namespace wb::dcp {

// Lists the chunks of all tensors as stored ones and joins them. The data files are sources of the index.
class Joiner {
public:
    // `names` are those of the sources relative to the model's folder.
    Joiner(formats::Index& index, const formats::Sources& sources, const std::vector<std::string>& names,
           const MetadataFile& metadata, const formats::OpenOptions& options);

    // NotReadable and Canceled; everything else is a problem.
    Result<void> run(Danger& danger);

    ObjectTree& objects() { return m_objects; }
    const std::vector<MissingPart>& missing() const { return m_missing; }

    static constexpr std::size_t maxPieces = 16'000'000; // of all tensors

private:
    struct DataFile {
        std::uint32_t source = 0;
        std::uint64_t cut = 0; // slices beyond its end
        bool isMissing = true;
    };

    Result<void> readSlice(const SliceRecord& slice, Danger& danger);
    void listChunk(const SliceRecord& slice, TensorInfo stored, std::uint32_t source);
    void reportFiles();
    void joinTensor(const TensorRecord& record);

    formats::Index& m_index;
    formats::Sources m_sources;
    const std::vector<std::string>& m_names;
    const MetadataFile& m_metadata;
    const formats::OpenOptions& m_options;
    std::map<std::string, DataFile, std::less<>> m_files;
    std::unordered_map<std::string, std::size_t> m_chunks;     // tensors of the index by their names
    std::unordered_map<std::string, std::string> m_chunkFiles; // of all slices, by the name of the chunk
    ObjectTree m_objects;
    std::vector<MissingPart> m_missing;
    std::size_t m_pieces = 0;
};

} // namespace wb::dcp
