// SPDX-License-Identifier: MIT
#include "core/formats/json/json.h"
#include "core/formats/safetensors/index_parse.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/formats/safetensors/shards.h"

#include <algorithm>

namespace wb::safetensors {
namespace {

// The entries of the index and the contents of the files, as the members of a metadata value.
Value asValue(Index& index, const formats::Limits& limits) {
    ValueObject map;
    map.count = index.mappings.size();
    const std::uint64_t kept = map.count <= limits.keptJsonMembers ? map.count : std::min(map.count, limits.keptFirstElements);
    for (const Mapping& mapping : std::span(index.mappings).first(kept))
        map.members.push_back({mapping.name, Value::of(index.files[mapping.file])});
    ValueObject object;
    if (index.metadata) object.members.push_back({"metadata", std::move(*index.metadata)});
    object.members.push_back({"weight_map", Value::of(std::move(map))});
    object.count = object.members.size();
    return Value::of(std::move(object));
}

// Walks the names of the index and of the files side by side.
class Comparison {
public:
    Comparison(const Index& index, const Model& model, const std::vector<bool>& readable, Findings& findings)
        : m_index(index), m_model(model), m_readable(readable), m_findings(findings) {}

    // The tensors that the index names and no file holds; `stored` are the sorted names of those that some file holds.
    Result<std::vector<TensorInfo>> run(const std::vector<HashedName>& stored) {
        const std::vector<HashedName> mapped = sortedNames(m_index.mappings);
        auto tensor = stored.begin();
        for (auto at = mapped.begin(); at != mapped.end(); ++at) {
            if (at != mapped.begin() && at->sameName(*(at - 1))) {
                m_findings.add(Severity::Warning, "index.duplicate", std::nullopt, WB_TEXT("{}: the tensor {} is listed twice."),
                               shown(at->name));
                continue;
            }
            for (; tensor != stored.end() && tensor->nameBefore(*at); ++tensor) extra(*tensor);
            const auto first = tensor;
            while (tensor != stored.end() && tensor->sameName(*at)) ++tensor;
            WB_TRY(compare(m_index.mappings[at->index], std::span(first, tensor)));
        }
        for (; tensor != stored.end(); ++tensor) extra(*tensor);
        return std::move(m_missing);
    }

private:
    void extra(const HashedName& tensor) {
        m_findings.add(Severity::Warning, "index.extra", std::nullopt, WB_TEXT("{}: the tensor {} of {} is not listed."),
                       shown(tensor.name), m_model.files[m_model.tensors[tensor.index].file()].name);
    }

    Result<void> compare(const Mapping& mapping, std::span<const HashedName> stored) {
        const auto isThere = [&](const HashedName& tensor) { return m_model.tensors[tensor.index].file() == mapping.file; };
        if (std::ranges::any_of(stored, isThere)) return {};
        const std::string& file = m_index.files[mapping.file];
        if (!stored.empty())
            return m_findings.defect(Severity::Error, "index.elsewhere", std::nullopt,
                                     WB_TEXT("{}: the tensor {} is listed in {} but stored in {}."), shown(mapping.name), file,
                                     m_model.files[m_model.tensors[stored.front().index].file()].name);
        const bool readable = m_readable[mapping.file];
        addMissing(mapping, readable                                ? WB_TEXT("not in its shard")
                            : m_model.files[mapping.file].bytes > 0 ? WB_TEXT("shard not readable")
                                                                    : WB_TEXT("shard missing"));
        if (!readable) return {};
        return m_findings.defect(Severity::Error, "index.missing", std::nullopt, WB_TEXT("{}: the tensor {} is not in {}."),
                                 shown(mapping.name), file);
    }

    void addMissing(const Mapping& mapping, const char* why) {
        TensorInfo tensor;
        tensor.name = mapping.name;
        tensor.shape = *Shape::make({0});
        tensor.typeText = "?";
        tensor.source.makeUnavailable(Reason("safetensors.missing"), why);
        tensor.source.setPlace({mapping.file, std::nullopt, 0});
        m_missing.push_back(std::move(tensor));
    }

    const Index& m_index;
    const Model& m_model;
    const std::vector<bool>& m_readable;
    Findings& m_findings;
    std::vector<TensorInfo> m_missing;
};

void checkTotalSize(const Index& index, const Model& model, Findings& findings) {
    if (!index.totalSize || *index.totalSize == model.tensorBytes()) return;
    findings.add(Severity::Warning, "index.total_size", std::nullopt,
                 WB_TEXT("{}: total_size is {}, but the tensors have {} bytes."), *index.totalSize, model.tensorBytes());
}

// Reads the shards and contains them against the index.
Result<Model> assemble(Index& index, const std::filesystem::path& folder, const formats::OpenOptions& options, Findings& findings) {
    Model model;
    model.format = FormatId::Safetensors;
    model.folder = folder;
    WB_TRY_ASSIGN(std::vector<Shard> shards, readShards(folder, index.files, options));
    std::vector<bool> readable;
    for (const Shard& shard : shards) readable.push_back(!shard.error);
    addShards(model, std::move(shards));
    const std::vector<HashedName> names = sortedNames(model.tensors);
    WB_TRY(checkOneFileEach(model, names, findings));
    WB_TRY_ASSIGN(std::vector<TensorInfo> missing, Comparison(index, model, readable, findings).run(names));
    if (missing.empty()) checkTotalSize(index, model, findings);
    std::ranges::move(missing, std::back_inserter(model.tensors));
    return model;
}

} // namespace

Result<Model> loadIndex(const std::filesystem::path& folder, const std::string& indexName, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const auto beneath, io::BeneathDirectory::open(folder));
    WB_TRY_ASSIGN(const auto source, beneath.openFile(indexName));
    Findings findings(indexName, options.strictness);
    WB_TRY_ASSIGN(std::string text, json::readText(*source, indexName, options.limits));
    WB_TRY_ASSIGN(Index index, parseIndex(text, options.limits, findings));
    text = {};
    WB_TRY_ASSIGN(Model model, assemble(index, folder, options, findings));
    model.path = folder / indexName;
    model.files.push_back({indexName, source->size(), source->identity(), nullptr});
    model.metadata.members.insert(model.metadata.members.begin(), {indexName, asValue(index, options.limits)});
    ++model.metadata.count;
    std::ranges::move(findings.take(), std::back_inserter(model.problems));
    sortProblems(model.problems);
    return model;
}

Result<ModelPtr> openIndex(const std::filesystem::path& index, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(Model model, loadIndex(index.parent_path(), io::pathText(index.filename()), options));
    model.path = index;
    return std::make_shared<const Model>(std::move(model));
}

} // namespace wb::safetensors
