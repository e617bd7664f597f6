// SPDX-License-Identifier: MIT
#include "core/formats/safetensors/shards.h"

#include "core/formats/lfs/pointer.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/jobs/thread_pool.h"

#include <algorithm>
#include <atomic>

namespace wb::safetensors {
namespace {

Result<void> readShard(const io::BeneathDirectory& folder, const formats::OpenOptions& options, Shard& shard) {
    WB_TRY_ASSIGN(const auto source, folder.openFile(shard.file.name));
    shard.file.bytes = source->size();
    shard.file.identity = source->identity();
    if (const auto pointer = lfs::readPointer(*source)) return std::unexpected(lfs::pointerError(shard.file.name, *pointer));
    Findings findings(shard.file.name, options.strictness);
    WB_TRY_ASSIGN(shard.header, readHeader(*source, options, findings));
    shard.problems = findings.take();
    return {};
}

Problem shardProblem(const Shard& shard) {
    if (shard.error->code == ErrorCode::NotFound)
        return makeProblem(Severity::Error, "safetensors.shard_missing", shard.file.name, std::nullopt,
                           WB_TEXT("The file {} is missing; the tensors that the index places in it cannot be read."),
                           shard.file.name);
    return asProblem(Severity::Error, "safetensors.shard", shard.file.name, *shard.error);
}

bool holdsParts(const Model& model) {
    const Value* metadata = model.metadata.find("__metadata__");
    return metadata && metadata->object() && metadata->object()->find("DCP_SHARDING_INFO");
}

} // namespace

Result<std::vector<Shard>> readShards(const std::filesystem::path& folder, const std::vector<std::string>& names,
                                      const formats::OpenOptions& options) {
    if (names.size() > options.limits.filesPerModel)
        return fail(ErrorCode::TooLarge, Reason("safetensors.file_count"), About{io::pathText(folder.filename())},
                    WB_TEXT("{} lists {} files; at most {} are read for one model."), io::pathText(folder.filename()), names.size(),
                    options.limits.filesPerModel);
    WB_TRY_ASSIGN(const auto beneath, io::BeneathDirectory::open(folder));
    std::vector<Shard> shards(names.size());
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> tensors{0};
    WB_TRY(jobs::parallelFor(names.size(), options.threads, options.progress.stop, [&](std::uint64_t i) -> Result<void> {
        Shard& shard = shards[i];
        shard.file.name = names[i];
        if (auto read = readShard(beneath, options, shard); !read) shard.error = std::move(read).error();
        if ((tensors += shard.header.tensors.size()) > options.limits.tensorsPerModel)
            return fail(ErrorCode::TooLarge, Reason("safetensors.tensor_count"), About{io::pathText(folder.filename())},
                        WB_TEXT("{} lists more than {} tensors."), io::pathText(folder.filename()), options.limits.tensorsPerModel);
        if (shard.error && options.strictness == formats::Strictness::Strict) return std::unexpected(*shard.error);
        return options.progress.at(++done, names.size());
    }));
    return shards;
}

void addShards(Model& model, std::vector<Shard> shards) {
    std::size_t count = model.tensors.size();
    for (const Shard& shard : shards) count += shard.header.tensors.size();
    model.tensors.reserve(count);
    for (Shard& shard : shards) {
        const auto file = static_cast<std::uint32_t>(model.files.size());
        for (TensorInfo& tensor : shard.header.tensors) {
            tensor.source.shiftFiles(file);
            model.tensors.push_back(std::move(tensor));
        }
        shard.header.tensors = {};
        if (shard.error) model.problems.push_back(shardProblem(shard));
        std::ranges::move(shard.problems, std::back_inserter(model.problems));
        if (shard.header.metadata && !model.metadata.find("__metadata__")) {
            model.metadata.members.push_back({"__metadata__", std::move(*shard.header.metadata)});
            ++model.metadata.count;
        }
        model.files.push_back(std::move(shard.file));
    }
}

Result<void> checkOneFileEach(const Model& model, std::span<const HashedName> names, Findings& findings) {
    if (holdsParts(model)) {
        findings.add(
            Severity::Warning, "safetensors.parts", std::nullopt,
            WB_TEXT("{} is a distributed checkpoint: its files contain parts of tensors, and each part is listed under the "
                    "name of the whole tensor with the shape of the part."));
        return {};
    }
    const auto twice = [&](auto from) { return std::ranges::adjacent_find(from, names.end(), &HashedName::sameName); };
    for (auto at = twice(names.begin()); at != names.end(); at = twice(at + 1))
        WB_TRY(findings.defect(Severity::Error, "safetensors.two_files", std::nullopt,
                               WB_TEXT("{}: the tensor {} is in {} and in {}."), shown(at->name),
                               model.files[model.tensors[at->index].file()].name,
                               model.files[model.tensors[(at + 1)->index].file()].name));
    return {};
}

Result<Model> loadFiles(const std::filesystem::path& folder, const std::vector<std::string>& names,
                        const formats::OpenOptions& options) {
    Model model;
    model.format = FormatId::Safetensors;
    model.path = folder;
    model.folder = folder;
    WB_TRY_ASSIGN(std::vector<Shard> shards, readShards(folder, names, options));
    addShards(model, std::move(shards));
    Findings findings(io::pathText(folder.filename()), options.strictness);
    WB_TRY(checkOneFileEach(model, sortedNames(model.tensors), findings));
    for (Problem& problem : findings.take()) {
        problem.file.clear(); // it is about the model as a whole
        model.problems.push_back(std::move(problem));
    }
    sortProblems(model.problems);
    return model;
}

} // namespace wb::safetensors
