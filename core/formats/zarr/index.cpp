// SPDX-License-Identifier: MIT
#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/json/json.h"
#include "core/formats/zarr/array_meta.h"
#include "core/formats/zarr/ocdbt.h"
#include "core/formats/zarr/unpack.h"
#include "core/formats/zarr/zarr.h"
#include "core/model/fragments.h"

#include <algorithm>
#include <set>

namespace wb::zarr {
namespace {

constexpr std::uint64_t maxMeta = 16 << 20;
constexpr std::size_t maxFacts = 1000;

// Keys and where their bytes are: the files of a folder, or the keys of a store.
using Values = std::map<std::string, StoredValue>;

std::string folderPart(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

class IndexReader {
public:
    IndexReader(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options)
        : m_sources(sources), m_options(options), m_findings(firstLine(wish), options.strictness), m_index(sources.size()) {
        std::string_view rest = wish;
        for (std::uint32_t file = 0; file <= sources.size() && !rest.empty(); ++file) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            if (file != 0) m_files.emplace(rest.substr(0, end), file - 1);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }

    Result<formats::Index> read() {
        WB_TRY(readStores());
        Values plain;
        for (const auto& [name, file] : m_files)
            if (!isOfStore(name)) plain[name] = {file, 0, m_sources[file]->size(), std::nullopt};
        WB_TRY(readArrays(plain, false));
        WB_TRY(readFacts());
        Model& model = m_index.model;
        dropSingleGroup();
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

private:
    static std::string firstLine(std::string_view wish) { return std::string(wish.substr(0, wish.find('\n'))); }

    // A folder of a process belongs to the store around it.
    bool isOfStore(const std::string& name) const {
        return std::ranges::any_of(m_stores, [&](const std::string& folder) {
            const std::string_view rest =
                std::string_view(name).starts_with(folder) ? std::string_view(name).substr(folder.size()) : "";
            return rest.starts_with("manifest.") || rest.starts_with("d/") || rest.starts_with("ocdbt.process_");
        });
    }

    Result<void> readStores() {
        for (const auto& [name, file] : m_files) {
            const std::string folder = folderPart(name);
            if (name.substr(folder.size()) != "manifest.ocdbt" || isOfStore(name)) continue;
            m_stores.insert(folder);
            auto values = readOcdbt(m_sources, m_files, folder, m_findings, m_options);
            if (!values && values.error().code == ErrorCode::Canceled) return std::unexpected(values.error());
            if (!values && m_findings.strict()) return std::unexpected(values.error());
            if (!values) {
                m_findings.add(Severity::Error, "ocdbt.damaged", values.error());
                continue;
            }
            Values named;
            for (auto& [key, value] : *values) named[folder + key] = std::move(value);
            WB_TRY(readArrays(named, true));
        }
        return {};
    }

    // The item that a file is in: the nearest folder with a checkpoint of orbax or a store; else the whole.
    std::string itemFolder(const std::string& path) const {
        for (std::string folder = folderPart(path);;) {
            if (folder.empty() || m_files.contains(folder + "_METADATA") || m_stores.contains(folder)) return folder;
            folder.pop_back();
            folder = folderPart(folder);
        }
    }

    Result<std::string> text(const StoredValue& value) const {
        if (value.inlined) return std::string(reinterpret_cast<const char*>(value.inlined->data()), value.inlined->size());
        if (value.length > maxMeta)
            return m_findings.refuse(ErrorCode::TooLarge, "zarr.meta",
                                     WB_TEXT("{}: the description of an array is longer than {} bytes."), maxMeta);
        std::string out(value.length, '\0');
        WB_TRY(m_sources[value.file]->readAt(value.offset, std::as_writable_bytes(std::span(out))));
        return out;
    }

    Result<void> readArrays(const Values& values, bool isStore) {
        std::set<std::string> arrays; // folders
        for (const auto& [key, value] : values) {
            if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            const std::string folder = folderPart(key), name = key.substr(folder.size());
            const bool isVersion3 = name == "zarr.json";
            if (!isVersion3 && name != ".zarray") continue;
            WB_TRY_ASSIGN(const std::string content, text(value));
            std::vector<Problem> ignored;
            const auto json = json::parse(content, m_findings.file(), m_options.limits, ignored);
            const ValueObject* object = json ? json->object() : nullptr;
            const Value* kind = object ? object->find("node_type") : nullptr;
            if (isVersion3 && kind && kind->string() && *kind->string() == "group") {
                takeAttributes(folder, object->find("attributes"));
                continue;
            }
            arrays.insert(folder);
            const auto meta = object ? readMeta(*object, isVersion3) : std::nullopt;
            if (!meta) {
                WB_TRY(m_findings.defect(Severity::Error, "zarr.meta", std::nullopt,
                                         WB_TEXT("{}: the description of the array {} is invalid."), formats::shown(folder)));
                continue;
            }
            WB_TRY(addArray(folder, *meta, values));
        }
        return isStore ? addOthers(values, arrays) : Result<void>();
    }

    // Keys of a store that belong to no array.
    Result<void> addOthers(const Values& values, const std::set<std::string>& arrays) {
        for (const auto& [key, value] : values) {
            std::string folder = folderPart(key);
            while (!folder.empty() && !arrays.contains(folder)) folder.pop_back(), folder = folderPart(folder);
            const bool isMeta = key.ends_with("zarr.json") || key.ends_with(".zattrs") || key.ends_with(".zgroup");
            if (arrays.contains(folder) || isMeta) continue;
            TensorInfo tensor;
            tensor.dtype = Dtype::U8;
            tensor.shape = Shape::make({value.length}).value_or(Shape());
            if (!value.inlined) tensor.source = TensorSource::stored(value.file, value.offset, value.length);
            else if (const auto copied = m_index.copy(*value.inlined)) tensor.source = *copied;
            else
                tensor.source = TensorSource::unavailable(Reason("zarr.copied"),
                                                          WB_TEXT("too much data would have to be copied from the file"));
            WB_TRY(keep(std::move(tensor), key));
        }
        return {};
    }

    Result<void> keep(TensorInfo tensor, const std::string& path) {
        if (m_index.model.tensors.size() >= m_options.limits.tensorsPerFile)
            return m_findings.refuse(ErrorCode::TooLarge, "zarr.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                     m_options.limits.tensorsPerFile);
        const std::string item = itemFolder(path);
        std::string name = path.substr(item.size());
        if (name.ends_with('/')) name.pop_back();
        tensor.name = name.empty() ? m_findings.file() : toUtf8(name);
        if (!item.empty()) {
            auto details = std::make_shared<TensorDetails>();
            if (tensor.details) *details = *tensor.details;
            details->group = toUtf8(item.substr(0, item.size() - 1));
            tensor.details = std::move(details);
        }
        m_index.model.tensors.push_back(std::move(tensor));
        return {};
    }

    Result<void> addArray(const std::string& folder, const ArrayMeta& meta, const Values& values) {
        TensorInfo tensor;
        tensor.dtype = meta.dtype;
        tensor.typeText = meta.typeText;
        tensor.shape = *Shape::make(meta.shape);
        tensor.source = TensorSource::unavailable(Reason("zarr.type"), WB_TEXT("their type is not supported"));
        const auto codec = unsupportedCodec(meta.codecs);
        const auto grid = chunkGrid(meta);
        if (meta.dtype == Dtype::Unknown) {
        } else if (codec) {
            tensor.source = TensorSource::unavailable(Reason("zarr.codec"), WB_TEXT("they are compressed by an unsupported codec"));
            m_findings.add(Severity::Warning, "zarr.codec", std::nullopt,
                           WB_TEXT("{}: the codec {} of the array {} is not supported; it is listed without values."),
                           formats::shown(*codec), formats::shown(folder));
        } else if (!grid) {
            makeTooLarge(tensor, folder);
        } else {
            placeChunks(tensor, folder, meta, *grid, values);
        }
        return keep(std::move(tensor), folder);
    }

    void makeTooLarge(TensorInfo& tensor, const std::string& folder) {
        tensor.source = TensorSource::unavailable(Reason("zarr.chunks"), WB_TEXT("their chunks are too many or too large"));
        m_findings.add(Severity::Error, "zarr.chunks", std::nullopt,
                       WB_TEXT("{}: the chunks of the array {} are too many or too large."), formats::shown(folder));
    }

    void placeChunks(TensorInfo& tensor, const std::string& folder, const ArrayMeta& meta, const std::vector<std::uint64_t>& grid,
                     const Values& values) {
        std::vector<const StoredValue*> chunks;
        std::uint64_t missing = 0, stored = 0;
        if (tensor.shape.elements() != 0) {
            std::vector<std::uint64_t> at(grid.size(), 0);
            do {
                const auto found = values.find(folder + chunkKey(meta, at));
                chunks.push_back(found == values.end() ? nullptr : &found->second);
                missing += found == values.end() ? 1 : 0;
                stored += found == values.end() ? 0 : found->second.length;
            } while (nextPlace(at, grid));
        }
        auto details = std::make_shared<TensorDetails>();
        details->notes.push_back(missing == 0 ? fragmentText(fragment::chunks, chunks.size())
                                              : fragmentText(fragment::missingChunks, chunks.size(), missing));
        tensor.details = std::move(details);
        // A few bytes that claim very many elements.
        constexpr std::uint64_t large = 4ull << 30, ratio = 1000;
        const auto bytes = checked::mul(tensor.shape.elements(), elementBytes(meta.dtype));
        if (!bytes || (*bytes > large && *bytes / ratio > stored)) return makeTooLarge(tensor, folder);
        tensor.source = chunkSource(m_index, m_sources, meta, chunks);
    }

    void takeAttributes(const std::string& folder, const Value* attributes) {
        const ValueObject* object = attributes ? attributes->object() : nullptr;
        if (object && object->count != 0) addFact(folder + "attributes", *attributes);
    }

    void addFact(std::string key, Value value) {
        auto& members = m_index.model.metadata.members;
        if (members.size() < maxFacts) members.push_back({toUtf8(key), std::move(value)});
    }

    // Metadata of orbax, and small items of JSON.
    Result<void> readFacts() {
        constexpr std::uint64_t most = 1 << 20;
        for (const auto& [name, file] : m_files) {
            const std::string own = name.substr(folderPart(name).size());
            const bool isOfOrbax = own == "_CHECKPOINT_METADATA" || own == "_METADATA"; // without them orbax restores nothing
            const bool isFact = isOfOrbax || own == "metadata" || own == ".zattrs";
            const bool isSmall = m_sources[file]->size() <= most && (isOfOrbax || m_sources[file]->size() > 0);
            if (!isFact || isOfStore(name) || !isSmall) continue;
            std::string content(m_sources[file]->size(), '\0');
            WB_TRY(m_sources[file]->readAt(0, std::as_writable_bytes(std::span(content))));
            std::vector<Problem> ignored;
            if (auto json = json::parse(content, m_findings.file(), m_options.limits, ignored)) {
                if (own != "_METADATA") addFact(name, *std::move(json)); // lists the tensors, as the store does
            } else if (isOfOrbax) {
                WB_TRY(m_findings.defect(Severity::Error, "orbax.metadata", std::nullopt,
                                         WB_TEXT("{}: {} is truncated or is not JSON; get a complete copy."),
                                         formats::shown(name)));
            }
        }
        return {};
    }

    // A group that all tensors share is not needed.
    void dropSingleGroup() {
        const auto group = [](const TensorInfo& tensor) { return tensor.details ? tensor.details->group : std::string(); };
        auto& tensors = m_index.model.tensors;
        if (tensors.empty() || std::ranges::any_of(tensors, [&](const TensorInfo& t) { return group(t) != group(tensors[0]); }))
            return;
        for (TensorInfo& tensor : tensors) {
            if (group(tensor).empty()) continue;
            auto details = std::make_shared<TensorDetails>(*tensor.details);
            details->group.clear();
            tensor.details = std::move(details);
        }
    }

    const formats::Sources& m_sources;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
    FileNames m_files;
    std::set<std::string> m_stores; // their folders
};

} // namespace

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options) {
    return IndexReader(sources, wish, options).read();
}

} // namespace wb::zarr
