// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"
#include "core/formats/torch/torch.h"
#include "core/model/danger.h"

#include <unordered_map>

namespace wb::training {

// A file of PyTorch that one rank of a training run wrote, while it is joined with those of the others.
struct RankFile {
    std::string name;     // relative to the model's folder
    bool isRead = false;  // false: nothing of it could be read; a problem reports it
    bool isWhole = false; // without problems of severity error
    ValueObject metadata; // plain values, as core/formats/torch lists them

    // Its tensors as indices into Index::model, by the names that they have in the file.
    std::unordered_map<std::string, std::size_t> tensors;

    const std::size_t* find(const std::string& tensor) const {
        const auto found = tensors.find(tensor);
        return found == tensors.end() ? nullptr : &found->second;
    }
};

// Reads the files of one checkpoint one after the other. Not thread-safe.
class RankFileReader {
public:
    RankFileReader(formats::Index& index, const formats::Sources& sources, const formats::OpenOptions& options)
        : m_index(index), m_sources(sources), m_options(options) {}

    // Lists the tensors of a source in the index, with `prefix` and a dot in front of their names, and fills all of `file` but its
    // name. A file that cannot be read is a problem; Canceled, TooLarge, and strictly any Error.
    Result<void> read(std::uint32_t source, const std::string& prefix, RankFile& file, const torch::VisitObject& visit = {});

    std::shared_ptr<const Danger> takeDanger() { return std::make_shared<const Danger>(std::move(m_danger)); }

private:
    void listTensors(RankFile& file, Model& part, std::uint32_t source, const std::string& prefix);
    void takeProblems(RankFile& file, Model& part);
    void noteUnreadable(const RankFile& file, const Error& error);

    formats::Index& m_index;
    const formats::Sources& m_sources;
    const formats::OpenOptions& m_options;
    Danger m_danger;
    bool m_isFirst = true;
};

// The names of the sources: a line each in `wish`, or where that is empty their own.
std::vector<std::string> sourceNames(const formats::Sources& sources, std::string_view wish);

} // namespace wb::training
