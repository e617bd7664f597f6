// SPDX-License-Identifier: MIT
#include "core/formats/tfjs/tfjs.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/json/json.h"
#include "core/formats/packed/packed.h"
#include "core/formats/tfjs/manifest.h"

#include <algorithm>

namespace wb::tfjs {
namespace {

namespace fs = std::filesystem;

constexpr formats::Tasks taskNames{"tfjs.index", "tfjs.unpack"};

// A type as the file spells it; Unknown for texts, whose length only their values tell.
Dtype typeNamed(std::string_view name) {
    if (name == "float32") return Dtype::F32;
    if (name == "float16") return Dtype::F16;
    if (name == "int32") return Dtype::I32;
    if (name == "bool") return Dtype::Bool;
    if (name == "complex64") return Dtype::C64;
    if (name == "uint8") return Dtype::U8;
    if (name == "uint16") return Dtype::U16;
    return Dtype::Unknown;
}

std::vector<std::string> lines(std::string_view text) {
    std::vector<std::string> out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        out.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

std::vector<std::string> shardNames(const Manifest& manifest) {
    std::vector<std::string> names;
    for (const Group& group : manifest.groups)
        for (const std::string& path : group.paths)
            if (std::ranges::find(names, path) == names.end()) names.push_back(path);
    return names;
}

// A shard of a group, whose shards are read one after another.
struct Shard {
    std::uint32_t file = 0;
    std::uint64_t bytes = 0;
};

class Reader {
public:
    Reader(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options)
        : m_sources(sources), m_names(lines(wish)), m_options(options), m_findings(sources.at(0)->name(), options.strictness),
          m_index(sources.size()) {}

    Result<formats::Index> read() {
        WB_TRY_ASSIGN(const std::string text, json::readText(*m_sources[0], m_sources[0]->name(), m_options.limits));
        Manifest manifest = readManifest(text, m_options.limits.tensorsPerFile);
        if (manifest.badAt)
            return m_findings.refuse(
                ErrorCode::Malformed, "tfjs.json",
                WB_TEXT("{} is not a valid list of weights of TensorFlow.js: see its byte {}; download it again."),
                *manifest.badAt);
        for (const Group& group : manifest.groups) WB_TRY(readGroup(group));
        Model& model = m_index.model;
        model.format = FormatId::TfJs;
        model.metadata.members = std::move(manifest.facts);
        if (!manifest.operators.empty()) {
            ValueObject counts;
            for (const auto& [type, count] : manifest.operators)
                counts.members.push_back({type, Value::ofUnsigned(ValueType::U64, count)});
            counts.count = counts.members.size();
            model.metadata.members.push_back({"types", Value::of(std::move(counts))});
        }
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

private:
    // The sources of a group; empty where one is missing.
    Result<std::optional<std::vector<Shard>>> shards(const Group& group) {
        std::vector<Shard> out;
        for (const std::string& path : group.paths) {
            const auto found = std::ranges::find(m_names, path);
            const auto file = static_cast<std::size_t>(found - m_names.begin()) + 1;
            if (found == m_names.end() || file >= m_sources.size()) {
                WB_TRY(m_findings.defect(Severity::Error, "tfjs.shard", std::nullopt,
                                         WB_TEXT("{}: the shard {} is missing; put it next to this file."), formats::shown(path)));
                return std::nullopt;
            }
            out.push_back({static_cast<std::uint32_t>(file), m_sources[file]->size()});
        }
        return out;
    }

    Result<void> readGroup(const Group& group) {
        WB_TRY_ASSIGN(const auto files, shards(group));
        std::uint64_t position = 0, total = 0; // in the shards of the group
        bool isPlaced = true;                  // false after a text, whose length is unknown
        for (const Shard& shard : files.value_or(std::vector<Shard>())) total += shard.bytes;
        bool isTold = false;
        for (const Weight& weight : group.weights) {
            if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            TensorInfo tensor = described(weight);
            const auto bytes = tensor.dtype == Dtype::Unknown
                                   ? std::nullopt
                                   : checked::mul(tensor.shape.elements(), info(tensor.dtype).blockBytes);
            if (!bytes) {
                isPlaced = false;
                unavailable(tensor, Reason("tfjs.text"), WB_TEXT("texts are not decoded"));
            } else if (!files) {
                unavailable(tensor, Reason("tfjs.shard"), WB_TEXT("a shard of its group is missing"));
            } else if (!isPlaced) {
                unavailable(tensor, Reason("tfjs.place"), WB_TEXT("its place follows from texts that are not decoded"));
            } else if (isTold || *bytes > total - position) {
                unavailable(tensor, Reason("tfjs.cut"), WB_TEXT("the shards end before them"));
                if (!std::exchange(isTold, true))
                    WB_TRY(m_findings.defect(Severity::Error, "tfjs.cut", std::nullopt,
                                             WB_TEXT("{}: the shards end before the values of {}; download them again."),
                                             formats::shown(weight.name)));
            } else {
                tensor.source = place(*files, position, *bytes, info(tensor.dtype).blockBytes);
                position += *bytes;
            }
            const TensorInfo codes = tensor;
            m_index.model.tensors.push_back(std::move(tensor));
            addDecoded(weight, codes);
        }
        if (files && isPlaced && position != total && !isTold)
            m_findings.add(Severity::Warning, "tfjs.trailing", std::nullopt,
                           WB_TEXT("{}: the shards have {} bytes after the last weight."), total - position);
        return {};
    }

    static void unavailable(TensorInfo& tensor, Reason reason, const char* why) {
        tensor.source = TensorSource::unavailable(reason, why);
    }

    static TensorInfo described(const Weight& weight) {
        TensorInfo tensor;
        tensor.name = toUtf8(weight.name);
        tensor.dtype = typeNamed(weight.quantization ? weight.quantization->dtype : weight.dtype);
        tensor.typeText = toUtf8(weight.dtype);
        const auto shape = Shape::make(weight.shape);
        if (shape) tensor.shape = *shape;
        else tensor.dtype = Dtype::Unknown;
        return tensor;
    }

    // The bytes as pieces of the shards; unavailable if two shards divide an element.
    static TensorSource place(const std::vector<Shard>& files, std::uint64_t position, std::uint64_t bytes, std::uint64_t width) {
        std::vector<TensorPiece> pieces;
        std::uint64_t begin = 0;
        for (const Shard& shard : files) {
            const std::uint64_t from = std::max(begin, position), to = std::min(begin + shard.bytes, position + bytes);
            if (from < to) {
                if ((to - from) % width != 0)
                    return TensorSource::unavailable(Reason("tfjs.divided"),
                                                     WB_TEXT("one of its elements is divided by two shards"));
                if (to - from == bytes) return TensorSource::stored(shard.file, from - begin, bytes);
                pieces.push_back({shard.file, from - begin, (to - from) / width});
            }
            begin += shard.bytes;
        }
        if (pieces.empty()) return TensorSource::stored(0, 0, 0); // no elements
        return TensorSource::pieces(std::move(pieces), bytes);
    }

    // value = code * scale + min. Where shards divide the codes, only these are listed.
    void addDecoded(const Weight& weight, const TensorInfo& codes) {
        if (!weight.quantization || (codes.dtype != Dtype::U8 && codes.dtype != Dtype::U16) ||
            codes.source.form() != TensorSource::Form::Stored || codes.bytes() == 0)
            return;
        const auto number = [](double value) {
            const auto real = static_cast<float>(value);
            const auto bytes = std::as_bytes(std::span(&real, 1));
            return std::vector<std::byte>(bytes.begin(), bytes.end());
        };
        packed::Weight values;
        values.shape.assign(codes.shape.dimensions().begin(), codes.shape.dimensions().end());
        if (values.shape.empty()) values.shape = {1};
        const std::vector<std::uint64_t> one(values.shape.size(), 1);
        values.codes = {packed::Encoding::Plain, codes.dtype, 0, *codes.offset(), {}, {}, true};
        values.scale = {packed::Encoding::Plain, Dtype::F32, 0, 0, number(weight.quantization->scale), one, true};
        values.shift = {packed::Encoding::Plain, Dtype::F32, 0, 0, number(weight.quantization->min), one, true};
        const std::uint32_t file = codes.file();
        if (!packed::isSound(values, m_sources[file]->size())) return;
        m_index.model.tensors.push_back(packed::logicalTensor(m_index, file, values, codes.name, codes.shape,
                                                              codes.dtype == Dtype::U8 ? "uint8" : "uint16", {codes.name},
                                                              codes.bytes()));
    }

    const formats::Sources& m_sources;
    std::vector<std::string> m_names; // of the sources after the first
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
};

} // namespace

bool sniff(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return false;
    if (text[first] == '{') return text.find("\"weightsManifest\"") != std::string_view::npos;
    return text[first] == '[' && text.find("\"weights\"") != std::string_view::npos &&
           text.find("\"paths\"") != std::string_view::npos && text.find("\"dtype\"") != std::string_view::npos;
}

std::vector<std::string> shardNames(std::string_view text) {
    constexpr std::uint64_t mostWeights = 4'000'000;
    return shardNames(readManifest(text, mostWeights));
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options) {
    return Reader(sources, wish, options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex, packed::unpack>(); }

// The names of the shards are taken here, since only this process can open them; the worker reads everything again.
Result<ModelPtr> open(const fs::path& path, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(formats::OpenedFile description, formats::openNamed(path));
    const std::string subject = description.source->name();
    WB_TRY_ASSIGN(const std::string text, json::readText(*description.source, subject, options.limits));
    std::vector<formats::OpenedFile> files;
    files.push_back(std::move(description));
    const fs::path folderPath = path.parent_path();
    WB_TRY_ASSIGN(const auto folder, io::BeneathDirectory::open(folderPath.empty() ? "." : folderPath));
    std::string found;
    for (const std::string& name : shardNames(text)) {
        if (files.size() >= options.limits.filesPerModel || !io::isPlainRelativeName(name)) continue;
        auto shard = folder.openFile(name);
        if (!shard) continue; // the worker reports that it is missing
        ModelFile entry{name, (*shard)->size(), (*shard)->identity(), nullptr};
        files.push_back({*std::move(shard), std::move(entry)});
        found += name + "\n";
    }
    WB_TRY_ASSIGN(Model model, formats::askWorker(taskNames, subject, std::move(files), found, options));
    model.path = path;
    model.folder = folderPath;
    return std::make_shared<const Model>(std::move(model));
}

} // namespace wb::tfjs
