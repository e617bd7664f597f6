// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/formats/zip/zip.h"
#include "core/model/model.h"

#include <span>

// The CRC-32 that archives declare for their members, compared with the bytes that the tensors of a model are read from. Opening a
// model reads no tensor data, so the comparison belongs to work that reads whole tensors: statistics, hashes, exports, conversions.
namespace wb::zip {

inline constexpr Reason checksumDiffers = "zip.crc";

// The checksums of one model. The model must outlive it. Thread-safe.
class MemberChecksums {
public:
    // Reads the directories of the archives that tensors are in; of other models nothing. torch.save writes 0 for every member if
    // it is asked not to compute checksums (pytorch/pytorch: torch/serialization.py, set_crc32_options): such members are not
    // compared.
    static Result<MemberChecksums> read(const Model& model);

    // Reads every member that reading `tensors` (indices into Model::tensors) reads in full, and returns a problem of severity
    // Error for each whose checksum differs; of a logical tensor the members of its parts count. Progress counts bytes. Fails with
    // what reading fails with: Changed, Canceled, a member that cannot be unpacked.
    Result<std::vector<Problem>> compare(std::span<const std::size_t> tensors, const Progress& progress) const;

private:
    struct Entry {
        std::string archive; // name of the file on the disk
        std::string name;
        std::shared_ptr<io::ByteSource> source; // of the unpacked bytes …
        std::uint64_t offset = 0;               // … which start here
        std::uint64_t bytes = 0;
        std::uint32_t crc = 0;
        std::uint64_t tensors = 0; // stored ones that are in it
    };

    explicit MemberChecksums(const Model& model) : m_model(&model), m_owners(model.tensors.size()) {}
    void addStored(std::size_t tensor, std::vector<std::size_t>& out) const;
    std::vector<std::size_t> wholeMembers(std::span<const std::size_t> tensors) const;

    const Model* m_model;
    std::vector<Entry> m_entries;
    std::vector<std::optional<std::size_t>> m_owners; // by tensor: index of its entry
};

// The same in one call.
Result<std::vector<Problem>> compareChecksums(const Model& model, std::span<const std::size_t> tensors, const Progress& progress);

// The same of all tensors, for work that must not start from damaged bytes: Malformed with `checksumDiffers`, naming the member.
Result<void> requireChecksums(const Model& model, const Progress& progress);

} // namespace wb::zip
