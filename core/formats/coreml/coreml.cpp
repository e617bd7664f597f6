// SPDX-License-Identifier: MIT
#include "core/formats/coreml/coreml.h"

#include "core/base/text.h"
#include "core/formats/coreml/context.h"
#include "core/formats/json/json.h"
#include "core/io/small_file.h"

#include <algorithm>
#include <array>
#include <set>

namespace wb::coreml {
namespace {

using proto::Message;
using proto::Wire;
namespace fs = std::filesystem;

constexpr formats::Tasks taskNames{"coreml.index", "coreml.unpack"};
constexpr std::uint64_t maxText = 256 << 20;
constexpr std::size_t maxWeightFiles = 1000;

struct ModelKind {
    std::uint32_t field;
    const char* name;
};

// Model.proto, the field `Type`.
constexpr std::array kinds = {ModelKind{200, "pipelineClassifier"},
                              ModelKind{201, "pipelineRegressor"},
                              ModelKind{202, "pipeline"},
                              ModelKind{300, "glmRegressor"},
                              ModelKind{301, "supportVectorRegressor"},
                              ModelKind{302, "treeEnsembleRegressor"},
                              ModelKind{303, "neuralNetworkRegressor"},
                              ModelKind{304, "bayesianProbitRegressor"},
                              ModelKind{400, "glmClassifier"},
                              ModelKind{401, "supportVectorClassifier"},
                              ModelKind{402, "treeEnsembleClassifier"},
                              ModelKind{403, "neuralNetworkClassifier"},
                              ModelKind{404, "kNearestNeighborsClassifier"},
                              ModelKind{500, "neuralNetwork"},
                              ModelKind{501, "itemSimilarityRecommender"},
                              ModelKind{502, "mlProgram"},
                              ModelKind{555, "customModel"},
                              ModelKind{556, "linkedModel"},
                              ModelKind{560, "classConfidenceThresholding"},
                              ModelKind{600, "oneHotEncoder"},
                              ModelKind{601, "imputer"},
                              ModelKind{602, "featureVectorizer"},
                              ModelKind{603, "dictVectorizer"},
                              ModelKind{604, "scaler"},
                              ModelKind{606, "categoricalMapping"},
                              ModelKind{607, "normalizer"},
                              ModelKind{609, "arrayFeatureExtractor"},
                              ModelKind{610, "nonMaximumSuppression"},
                              ModelKind{900, "identity"},
                              ModelKind{2000, "textClassifier"},
                              ModelKind{2001, "wordTagger"},
                              ModelKind{2002, "visionFeaturePrint"},
                              ModelKind{2003, "soundAnalysisPreprocessing"},
                              ModelKind{2004, "gazetteer"},
                              ModelKind{2005, "wordEmbedding"},
                              ModelKind{2006, "audioFeaturePrint"},
                              ModelKind{3000, "serializedModel"}};

class MessageReader {
public:
    explicit MessageReader(Context& context) : m_context(context) {}

    Result<void> read() {
        io::Cursor cursor(m_context.source());
        return readModel(Message(cursor, m_context.source().size(), m_context.source().name()), "", 0);
    }
    const std::optional<std::uint64_t>& version() const { return m_version; }

private:
    Result<void> readModel(Message model, const std::string& prefix, unsigned depth) {
        while (true) {
            WB_TRY_ASSIGN(const bool more, model.next());
            if (!more) return {};
            if (model.is(1, Wire::Varint) && depth == 0) m_version = model.number();
            if (model.wire() != Wire::Bytes) continue;
            if (model.field() == 2 && depth == 0) {
                WB_TRY_ASSIGN(const Message description, model.message());
                WB_TRY(readDescription(description));
                continue;
            }
            const auto* const kind = std::ranges::find(kinds, model.field(), &ModelKind::field);
            if (kind == kinds.end()) continue;
            m_context.addFact(prefix + "kind", Value::of(std::string(kind->name)));
            WB_TRY_ASSIGN(const Message content, model.message());
            WB_TRY(readContent(content, *kind, prefix, depth));
        }
    }

    Result<void> readContent(const Message& content, const ModelKind& kind, const std::string& prefix, unsigned depth) {
        switch (kind.field) {
        case 202: return readPipeline(content, prefix, depth);
        case 200:
        case 201: { // PipelineClassifier, PipelineRegressor: pipeline 1
            Message outer = content;
            while (true) {
                WB_TRY_ASSIGN(const bool more, outer.next());
                if (!more) return {};
                if (!outer.is(1, Wire::Bytes)) continue;
                WB_TRY_ASSIGN(const Message pipeline, outer.message());
                WB_TRY(readPipeline(pipeline, prefix, depth));
            }
        }
        case 300:
        case 400: return readLinear(content, prefix);
        case 303:
        case 403:
        case 500: return readNeuralNetwork(m_context, content, prefix);
        case 502: return readProgram(m_context, content, prefix);
        case 555: return readCustom(content);
        default: return {};
        }
    }

    // models 1.
    Result<void> readPipeline(Message pipeline, const std::string& prefix, unsigned depth) {
        constexpr unsigned deepest = 16;
        std::uint64_t number = 0;
        while (true) {
            WB_TRY_ASSIGN(const bool more, pipeline.next());
            if (!more) return {};
            if (!pipeline.is(1, Wire::Bytes)) continue;
            if (depth == deepest)
                return m_context.findings().refuse(ErrorCode::TooLarge, "coreml.depth",
                                                   WB_TEXT("{} nests its pipelines more than {} levels deep."), deepest);
            WB_TRY_ASSIGN(const Message model, pipeline.message());
            WB_TRY(readModel(model, fmt::format("{}model{}/", prefix, number++), depth + 1));
        }
    }

    // GLMRegressor, GLMClassifier: weights 1 {value 1 packed doubles}, offset 2 packed doubles.
    Result<void> readLinear(Message linear, const std::string& prefix) {
        std::uint64_t row = 0;
        const auto add = [&](const std::string& name, const Message& list) {
            TensorInfo tensor;
            tensor.name = prefix + name;
            tensor.dtype = Dtype::F64;
            tensor.shape = *Shape::make({list.length() / sizeof(double)});
            tensor.source = TensorSource::stored(0, list.begin(), list.length());
            if (list.length() % sizeof(double) != 0)
                m_context.makeUnavailable(tensor, WB_TEXT("they do not end with a whole number"));
            return m_context.add(std::move(tensor));
        };
        while (true) {
            WB_TRY_ASSIGN(const bool more, linear.next());
            if (!more) return {};
            if (linear.is(2, Wire::Bytes)) WB_TRY(add("offset", linear));
            if (!linear.is(1, Wire::Bytes)) continue;
            WB_TRY_ASSIGN(Message list, linear.message());
            while (true) {
                WB_TRY_ASSIGN(const bool any, list.next());
                if (!any) break;
                if (list.is(1, Wire::Bytes)) WB_TRY(add(fmt::format("weights.{}", row), list));
            }
            ++row;
        }
    }

    // CustomModel: className 10.
    Result<void> readCustom(Message custom) {
        while (true) {
            WB_TRY_ASSIGN(const bool more, custom.next());
            if (!more) return {};
            if (!custom.is(10, Wire::Bytes)) continue;
            WB_TRY_ASSIGN(const std::string name, custom.text(maxName));
            m_context.findings().add(Severity::Note, "coreml.custom_layer", std::nullopt,
                                     WB_TEXT("{} uses the layer {}, which is code of an app; running it requires that app."),
                                     formats::shown(toUtf8(name)));
        }
    }

    // ModelDescription: input 1, output 10, metadata 100.
    Result<void> readDescription(Message description) {
        ValueArray inputs, outputs;
        while (true) {
            WB_TRY_ASSIGN(const bool more, description.next());
            if (!more) break;
            if (description.wire() != Wire::Bytes) continue;
            WB_TRY_ASSIGN(const Message inner, description.message());
            if (description.field() == 1) WB_TRY(addName(inner, inputs));
            if (description.field() == 10) WB_TRY(addName(inner, outputs));
            if (description.field() == 100) WB_TRY(readMetadata(inner));
        }
        for (auto* list : {&inputs, &outputs}) {
            list->elementType = ValueType::String;
            list->count = list->first.size();
        }
        m_context.addFact("inputs", Value::of(std::move(inputs)));
        m_context.addFact("outputs", Value::of(std::move(outputs)));
        return {};
    }

    static Result<void> addName(Message feature, ValueArray& names) {
        constexpr std::size_t most = 1000;
        while (true) {
            WB_TRY_ASSIGN(const bool more, feature.next());
            if (!more) return {};
            if (!feature.is(1, Wire::Bytes) || names.first.size() == most) continue;
            WB_TRY_ASSIGN(const std::string name, feature.text(maxName));
            names.first.push_back(Value::of(toUtf8(name)));
        }
    }

    // Metadata: shortDescription 1, versionString 2, author 3, license 4, userDefined 100 map.
    Result<void> readMetadata(Message metadata) {
        constexpr std::array names = {"", "description", "version", "author", "license"};
        while (true) {
            WB_TRY_ASSIGN(const bool more, metadata.next());
            if (!more) return {};
            if (metadata.wire() != Wire::Bytes) continue;
            if (metadata.field() < names.size()) {
                WB_TRY_ASSIGN(const std::string text, metadata.text(1 << 20));
                if (!text.empty()) m_context.addFact(names[metadata.field()], Value::of(toUtf8(text)));
            } else if (metadata.field() == 100) {
                WB_TRY_ASSIGN(const Message entry, metadata.message());
                WB_TRY(readPair(entry));
            }
        }
    }

    Result<void> readPair(Message entry) {
        std::string key, value;
        while (true) {
            WB_TRY_ASSIGN(const bool more, entry.next());
            if (!more) break;
            if (entry.is(1, Wire::Bytes)) {
                WB_TRY_ASSIGN(key, entry.text(maxName));
            } else if (entry.is(2, Wire::Bytes)) {
                WB_TRY_ASSIGN(value, entry.text(1 << 20));
            }
        }
        m_context.addFact(toUtf8(key), Value::of(toUtf8(value)));
        return {};
    }

    Context& m_context;
    std::optional<std::uint64_t> m_version;
};

bool isProgramText(const io::ByteSource& source) {
    constexpr std::string_view sign = "program(";
    std::string head(sign.size(), '\0');
    return source.size() > sign.size() && source.readAt(0, std::as_writable_bytes(std::span(head))) && head == sign;
}

// JSON of a neural network, whose weights are the next source.
bool isEspresso(const formats::Sources& sources) {
    std::array<std::byte, 1> head{};
    return sources.size() > 1 && sources[0]->size() > 1 && sources[0]->readAt(0, head) && head[0] == std::byte{'{'};
}

// The regular files of the folder "weights" next to a model, by their names.
Result<std::vector<formats::OpenedFile>> openWeights(const fs::path& modelFolder, const std::string& prefix, std::string& names) {
    std::vector<std::string> found;
    std::error_code error;
    for (fs::directory_iterator at(modelFolder / "weights", error), end; !error && at != end; at.increment(error))
        if (found.size() < maxWeightFiles) found.push_back(io::pathText(at->path().filename()));
    std::ranges::sort(found);
    std::vector<formats::OpenedFile> files;
    if (found.empty()) return files;
    WB_TRY_ASSIGN(const auto folder, io::BeneathDirectory::open(modelFolder));
    for (const std::string& name : found) {
        auto file = folder.openFile("weights/" + name);
        if (!file) continue; // reported as missing where the model names it
        names += name + "\n";
        ModelFile entry{prefix + "weights/" + name, (*file)->size(), (*file)->identity(), nullptr};
        files.push_back({*std::move(file), std::move(entry)});
    }
    return files;
}

// The model at `name` below the folder that the user named.
Result<ModelPtr> openBelow(const fs::path& folderPath, const std::string& name, FormatId format,
                           const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const auto folder, io::BeneathDirectory::open(folderPath));
    WB_TRY_ASSIGN(const auto source, folder.openFile(name));
    const std::size_t slash = name.rfind('/');
    const std::string prefix = slash == std::string::npos ? "" : name.substr(0, slash + 1);
    std::string names;
    std::vector<formats::OpenedFile> files = {{source, ModelFile{name, source->size(), source->identity(), nullptr}}};
    WB_TRY_ASSIGN(auto weights, openWeights(folderPath / fs::path(std::u8string(prefix.begin(), prefix.end())), prefix, names));
    std::ranges::move(weights, std::back_inserter(files));
    WB_TRY_ASSIGN(Model model, formats::askWorker(taskNames, io::baseName(folderPath), std::move(files), names, options));
    model.path = model.folder = folderPath;
    model.format = format;
    return std::make_shared<const Model>(std::move(model));
}

// model.espresso.net and model.espresso.weights. The network may be compressed, as in the frameworks of the system.
Result<ModelPtr> openNetwork(const fs::path& path, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const auto folder, io::BeneathDirectory::open(path));
    std::vector<formats::OpenedFile> files;
    for (const char* name : {"model.espresso.net", "model.espresso.weights"}) {
        auto source = folder.openFile(name);
        if (!source) return std::unexpected(named(io::baseName(path), source.error()));
        ModelFile entry{name, (*source)->size(), (*source)->identity(), nullptr};
        files.push_back({*std::move(source), std::move(entry)});
    }
    std::array<std::byte, 1> head{};
    if (!files[0].source->readAt(0, head) || head[0] != std::byte{'{'})
        return fail(ErrorCode::Unsupported, Reason("coreml.espresso"), About{io::baseName(path)},
                    WB_TEXT("{} is a compiled neural network of Core ML whose layers are compressed, which is not supported; open "
                            "the .mlmodel or .mlpackage that it was made from."),
                    io::baseName(path));
    WB_TRY_ASSIGN(Model model, formats::askWorker(taskNames, io::baseName(path), std::move(files), {}, options));
    model.path = model.folder = path;
    return std::make_shared<const Model>(std::move(model));
}

// Manifest.json: itemInfoEntries {id: {path}}, rootModelIdentifier.
std::optional<std::string> rootModel(const fs::path& folder, const formats::Limits& limits) {
    const auto text = io::readSmallFile(folder / "Manifest.json", 16 << 20);
    std::vector<Problem> problems;
    const auto manifest = text ? json::parse(*text, "Manifest.json", limits, problems) : std::unexpected(Error{});
    const ValueObject* root = manifest ? manifest->object() : nullptr;
    const Value* entries = root ? root->find("itemInfoEntries") : nullptr;
    const Value* id = root ? root->find("rootModelIdentifier") : nullptr;
    if (!entries || !entries->object() || !id || !id->string()) return std::nullopt;
    const Value* entry = entries->object()->find(*id->string());
    const Value* path = entry && entry->object() ? entry->object()->find("path") : nullptr;
    return path && path->string() ? std::optional("Data/" + *path->string()) : std::nullopt;
}

} // namespace

bool sniff(const io::ByteSource& source) {
    std::set<std::pair<std::uint32_t, Wire>> fields;
    io::Cursor cursor(source);
    Message message(cursor, source.size(), source.name());
    constexpr unsigned most = 1000; // a model has a handful
    for (unsigned count = 0; count < most; ++count) {
        const auto more = message.next();
        if (!more) return false;
        if (*more) {
            fields.emplace(message.field(), message.wire());
            continue;
        }
        const bool hasKind = std::ranges::any_of(fields, [](const auto& f) { return f.first >= 200 && f.second == Wire::Bytes; });
        const bool isOther = std::ranges::any_of(fields, [](const auto& f) { return f.first > 20 && f.first < 200; });
        return hasKind && !isOther && fields.contains({1, Wire::Varint}) && fields.contains({2, Wire::Bytes});
    }
    return false;
}

bool isPackage(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "Manifest.json", ignored) && fs::is_directory(folder / "Data", ignored);
}

bool isCompiled(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "model.mil", ignored) || fs::exists(folder / "model.espresso.net", ignored);
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options) {
    Context context(sources, wish, options);
    Model& model = context.index().model;
    model.format = FormatId::CoreMl;
    if (isProgramText(context.source())) {
        if (context.source().size() > maxText)
            return context.findings().refuse(ErrorCode::TooLarge, "coreml.text", WB_TEXT("{} is longer than {} bytes."), maxText);
        std::string text(context.source().size(), '\0');
        WB_TRY(context.source().readAt(0, std::as_writable_bytes(std::span(text))));
        WB_TRY(readProgramText(context, text));
        model.format = FormatId::MlModelC;
    } else if (isEspresso(sources)) {
        WB_TRY(readEspresso(context));
        model.format = FormatId::MlModelC;
    } else {
        MessageReader reader(context);
        WB_TRY(reader.read());
        if (reader.version()) model.version = fmt::format("{}", *reader.version());
    }
    model.problems = context.findings().take();
    return std::move(context.index());
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex, packed::unpack>(); }

Result<ModelPtr> open(const fs::path& path, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(formats::OpenedFile file, formats::openNamed(path));
    const std::string subject = file.source->name();
    std::string names;
    std::vector<formats::OpenedFile> files;
    files.push_back(std::move(file));
    const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
    WB_TRY_ASSIGN(auto weights, openWeights(folder, "", names));
    std::ranges::move(weights, std::back_inserter(files));
    WB_TRY_ASSIGN(Model model, formats::askWorker(taskNames, subject, std::move(files), names, options));
    model.path = path;
    model.folder = path.parent_path();
    return std::make_shared<const Model>(std::move(model));
}

Result<ModelPtr> openPackage(const fs::path& folder, const formats::OpenOptions& options) {
    const auto name = rootModel(folder, options.limits);
    if (!name)
        return fail(ErrorCode::Malformed, Reason("coreml.manifest"), About{io::baseName(folder)},
                    WB_TEXT("{} is not a complete Core ML package: its Manifest.json names no model; get a complete copy."),
                    io::baseName(folder));
    auto model = openBelow(folder, *name, FormatId::MlPackage, options);
    if (!model) return std::unexpected(named(io::baseName(folder), model.error()));
    return model;
}

Result<ModelPtr> openCompiled(const fs::path& folder, const formats::OpenOptions& options) {
    std::error_code ignored;
    if (!fs::exists(folder / "model.mil", ignored)) return openNetwork(folder, options);
    return openBelow(folder, "model.mil", FormatId::MlModelC, options);
}

} // namespace wb::coreml
