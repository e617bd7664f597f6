// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/findings/graph_facts.h"
#include "core/formats/hdf5/hdf5.h"
#include "core/formats/json/json.h"
#include "core/formats/keras/keras.h"
#include "core/model/danger.h"
#include "core/model/fragments.h"

#include <algorithm>
#include <map>

namespace wb::keras {
namespace {

using hdf5::Dataset;
using hdf5::Object;

// A Keras configuration of a layer: the names of its classes, wherever they stand.
void eachClass(const Value& value, const std::function<void(const ValueObject& layer, const std::string& name)>& visit,
               unsigned depth = 0) {
    if (depth > 64) return;
    if (const ValueObject* object = value.object()) {
        if (const Value* name = object->find("class_name"); name && name->string()) visit(*object, *name->string());
        for (const Member& member : object->members) eachClass(member.value, visit, depth + 1);
    } else if (const ValueArray* array = value.array()) {
        for (const Value& element : array->first) eachClass(element, visit, depth + 1);
    }
}

const Value* member(const Value* value, std::string_view key) {
    const ValueObject* const object = value ? value->object() : nullptr;
    return object ? object->find(key) : nullptr;
}

std::string memberText(const Value* value, std::string_view key) {
    const Value* const found = member(value, key);
    return found && found->string() ? *found->string() : std::string();
}

// The type and shape of an input layer; of a Sequential model before Keras 3 its first layer states them.
std::string inputText(const Value& configuration) {
    const Value* shape = member(&configuration, "batch_shape");
    if (!shape) shape = member(&configuration, "batch_input_shape");
    std::optional<std::vector<std::string>> sides;
    if (shape && shape->array()) {
        sides.emplace();
        for (const Value& side : shape->array()->first)
            sides->push_back(side.unsignedNumber() ? std::to_string(*side.unsignedNumber()) : std::string());
    }
    const std::string type = memberText(&configuration, "dtype");
    return formats::GraphFacts::value(memberText(&configuration, "name"), type.empty() ? "float32" : type, sides);
}

// The layers of a model and of the models inside it; inputs and outputs are those of the outermost. A list of outputs is
// [name, node, tensor] for one, or a list of such lists.
void addLayers(const Value& model, bool isOutermost, formats::GraphFacts& facts, unsigned depth = 0) {
    const Value* const configuration = member(&model, "config");
    // Sequential models of Keras 1 and 2.0 have the list itself.
    const Value* const list = configuration && configuration->array() ? configuration : member(configuration, "layers");
    if (!list || !list->array() || depth > 64) return;
    for (const Value& layer : list->array()->first) {
        const std::string type = memberText(&layer, "class_name");
        const Value* const inner = member(&layer, "config");
        if (!type.empty()) facts.addOperator(type);
        const bool isFirst = &layer == list->array()->first.data();
        if (isOutermost && inner && (type == "InputLayer" || (isFirst && member(inner, "batch_input_shape"))))
            facts.addInput(inputText(*inner));
        addLayers(layer, false, facts, depth + 1);
    }
    const Value* const outputs = isOutermost ? member(configuration, "output_layers") : nullptr;
    if (!outputs || !outputs->array() || outputs->array()->first.empty()) return;
    const auto& ends = outputs->array()->first;
    if (ends.front().string()) return facts.addOutput(*ends.front().string());
    for (const Value& end : ends)
        if (end.array() && !end.array()->first.empty() && end.array()->first.front().string())
            facts.addOutput(*end.array()->first.front().string());
}

class Reader {
public:
    Reader(const formats::Sources& sources, const formats::OpenOptions& options)
        : m_sources(sources), m_options(options), m_index(sources.size()) {
        // Configurations of large models are longer than the metadata of a usual JSON file.
        m_limits = options.limits;
    }

    Result<formats::Index> read(bool isArchive) {
        Model& model = m_index.model;
        model.format = isArchive ? FormatId::Keras : FormatId::Hdf5;
        for (std::uint32_t i = 0; i < m_sources.size(); ++i)
            if (m_sources[i]->name().ends_with(".json")) readJson(*m_sources[i]);
            else WB_TRY(readHdf5(i));
        if (m_isKeras && !isArchive) model.format = FormatId::KerasH5;
        noteAliases();
        m_facts.write(model.metadata);
        model.metadata.count = model.metadata.members.size();
        model.danger = std::make_shared<const Danger>(std::move(m_danger));
        sortProblems(model.problems);
        return std::move(m_index);
    }

private:
    void takeProblems(formats::Findings& findings) {
        std::ranges::move(findings.take(), std::back_inserter(m_index.model.problems));
    }

    void readJson(const io::ByteSource& source) {
        auto value = json::readFile(source, source.name(), m_limits, m_index.model.problems);
        if (!value) {
            m_index.model.problems.push_back(asProblem(Severity::Warning, "keras.json", source.name(), value.error()));
            return;
        }
        judgeConfiguration(source.name(), *value);
        addLayers(*value, true, m_facts);
        if (const ValueObject* object = value->object())
            if (const Value* version = object->find("keras_version"); version && version->string())
                m_index.model.version = *version->string();
        m_index.model.metadata.members.push_back({source.name(), std::move(*value)});
    }

    Result<void> readHdf5(std::uint32_t number) {
        const io::ByteSource& source = *m_sources[number];
        formats::Findings findings(source.name(), m_options.strictness);
        hdf5::Caps caps;
        caps.objects = m_options.limits.tensorsPerFile;
        m_seen.clear();
        const auto walked = hdf5::walk(source, findings, caps, m_options.progress,
                                       [&](const Object& object) { take(object, number, source, findings); });
        takeProblems(findings);
        if (!walked) return walked;
        return refuseDamage(source);
    }

    // Strict opening takes no file of which a part is missing.
    Result<void> refuseDamage(const io::ByteSource& source) const {
        if (m_options.strictness != formats::Strictness::Strict) return {};
        for (const Problem& problem : m_index.model.problems)
            if (problem.severity == Severity::Error && problem.file == source.name())
                return std::unexpected(asError(ErrorCode::Malformed, problem));
        return {};
    }

    void take(const Object& object, std::uint32_t number, const io::ByteSource& source, formats::Findings& findings) {
        if (object.isGroup) return takeAttributes(object);
        TensorInfo tensor = describe(object);
        place(tensor, object.dataset, number, source);
        if (!object.dataset.why.empty()) {
            if (tensor.dtype != Dtype::Unknown)
                findings.add(Severity::Warning, "hdf5.values", std::nullopt, WB_TEXT("{}: cannot read the values of {}: {}."),
                             formats::shown(tensor.name), object.dataset.why);
            tensor.source.makeUnavailable(Reason("hdf5.values"), object.dataset.why);
        }
        const auto [first, isNew] = m_seen.try_emplace(object.address, m_index.model.tensors.size());
        if (!isNew) m_aliases[first->second].push_back(m_index.model.tensors.size());
        m_index.model.tensors.push_back(std::move(tensor));
    }

    // Keras stores bfloat16 as two bytes without a type and reports it in an attribute.
    static bool isBf16(const Object& object) {
        return object.dataset.type.isOpaque && object.dataset.type.bytes == 2 &&
               std::ranges::any_of(object.attributes, [](const hdf5::Attribute& attribute) {
                   return attribute.name == "dtype" && attribute.value.string() && *attribute.value.string() == "bfloat16";
               });
    }

    TensorInfo describe(const Object& object) const {
        TensorInfo tensor;
        tensor.name = object.path;
        tensor.dtype = isBf16(object) ? Dtype::BF16 : object.dataset.type.dtype;
        if (tensor.dtype == Dtype::Unknown) tensor.typeText = object.dataset.type.text;
        if (const auto shape = Shape::make(object.dataset.shape)) tensor.shape = *shape;
        return tensor;
    }

    void place(TensorInfo& tensor, const Dataset& dataset, std::uint32_t number, const io::ByteSource& source) {
        const bool hasShape = Shape::make(dataset.shape).has_value();
        const std::uint64_t bytes =
            hasShape ? tensor.shape.elements() * std::max<std::uint64_t>(info(tensor.dtype).blockBytes, 1) : 0;
        tensor.source = TensorSource::stored(number, dataset.position, bytes);
        if (!hasShape) return tensor.source.makeUnavailable(Reason("hdf5.values"), WB_TEXT("its shape is invalid"));
        if (!dataset.why.empty() || tensor.dtype == Dtype::Unknown) return;
        const bool isChunked = dataset.layout == Dataset::Layout::Chunked;
        // Values that were never written are all the fill value.
        const bool isEmpty = dataset.layout == Dataset::Layout::Contiguous && dataset.position == 0;
        if ((isChunked || isEmpty) && bytes != 0) {
            Dataset spread = dataset;
            if (isEmpty) spread.chunkShape.assign(std::max<std::size_t>(dataset.shape.size(), 1), 1);
            if (spread.shape.empty()) spread.shape = {1};
            auto details = std::make_shared<TensorDetails>();
            details->notes.push_back(isChunked ? chunkNote(dataset) : fragmentText(fragment::neverWritten));
            tensor.details = std::move(details);
            tensor.source = TensorSource::stored(m_index.addUnpacked(number, hdf5::unpackSpec(spread), bytes), 0, bytes);
            return;
        }
        if (bytes != 0 && !io::Extent::make(source.size(), dataset.position, bytes))
            return tensor.source.makeUnavailable(Reason("hdf5.values"), WB_TEXT("the file ends before them"));
        if (dataset.type.isBigEndian && bytes != 0 && info(tensor.dtype).blockBytes > 1) {
            const std::uint64_t width = info(tensor.dtype).blockBytes / (info(tensor.dtype).kind == DtypeKind::Complex ? 2u : 1u);
            tensor.source = TensorSource::stored(m_index.addSwapped(number, dataset.position, dataset.position + bytes, width),
                                                 dataset.position, bytes);
        }
    }

    static std::string chunkNote(const Dataset& dataset) {
        std::string filters;
        for (const hdf5::Filter& filter : dataset.filters)
            filters += (filters.empty() ? "" : " ") + (filter.name.empty() ? fmt::format("filter {}", filter.id) : filter.name);
        return filters.empty() ? fragmentText(fragment::chunks, dataset.chunks.size())
                               : fragmentText(fragment::filteredChunks, dataset.chunks.size(), filters);
    }

    void takeAttributes(const Object& group) {
        if (group.attributes.empty()) return;
        ValueObject members;
        for (const hdf5::Attribute& attribute : group.attributes) {
            const std::string* text = attribute.value.string();
            if (group.path.empty() && attribute.name == "keras_version" && text) {
                m_index.model.version = *text;
                m_isKeras = true;
            }
            const bool isJson = text && (attribute.name == "model_config" || attribute.name == "training_config");
            if (isJson) {
                if (auto value = json::parse(*text, attribute.name, m_limits, m_index.model.problems)) {
                    judgeConfiguration(attribute.name, *value);
                    addLayers(*value, true, m_facts);
                    members.members.push_back({attribute.name, std::move(*value)});
                    continue;
                }
            }
            members.members.push_back({attribute.name, attribute.value});
        }
        members.count = members.members.size();
        auto& metadata = m_index.model.metadata.members;
        if (group.path.empty()) std::ranges::move(members.members, std::back_inserter(metadata));
        else metadata.push_back({group.path, Value::of(std::move(members))});
    }

    // A Lambda layer is Python code that runs when the model is loaded or called.
    void judgeConfiguration(const std::string& where, const Value& configuration) {
        const std::string file = m_sources.empty() ? where : m_sources.front()->name();
        ScannedFile scanned;
        scanned.path = file;
        scanned.member = where;
        scanned.format = "keras";
        eachClass(configuration, [&](const ValueObject& layer, const std::string& name) {
            if (name == "Lambda" && scanned.level != DangerLevel::D) {
                scanned.level = DangerLevel::D;
                Problem problem =
                    makeProblem(Severity::Error, "keras.lambda", file, std::nullopt,
                                WB_TEXT("{}: a Lambda layer contains code that runs when the model is loaded."), file);
                m_danger.findings.push_back({std::move(problem), where});
            }
            const Value* registered = layer.find("registered_name");
            const bool isForeign = registered && registered->string() && registered->string()->find('>') != std::string::npos;
            if (isForeign && m_foreign.insert({*registered->string(), 0}).second)
                m_index.model.problems.push_back(
                    makeProblem(Severity::Note, "keras.foreign_class", file, std::nullopt,
                                WB_TEXT("{}: loading it requires the class {}, which is not part of Keras."), file,
                                formats::shown(*registered->string())));
        });
        m_danger.files.push_back(std::move(scanned));
    }

    // One dataset under several names: the later ones repeat the bytes of the first.
    void noteAliases() {
        auto& tensors = m_index.model.tensors;
        for (const auto& [first, others] : m_aliases) {
            std::vector<std::size_t> all = others;
            all.push_back(first);
            for (const std::size_t one : all) {
                TensorDetails details = tensors[one].details ? *tensors[one].details : TensorDetails();
                for (const std::size_t other : all)
                    if (other != one && details.aliases.size() < 64) details.aliases.push_back(tensors[other].name);
                details.isRepeated = one != first;
                tensors[one].details = std::make_shared<const TensorDetails>(std::move(details));
            }
        }
    }

    const formats::Sources& m_sources;
    const formats::OpenOptions& m_options;
    formats::Limits m_limits;
    formats::Index m_index;
    Danger m_danger;
    bool m_isKeras = false;
    std::map<std::uint64_t, std::size_t> m_seen; // the first tensor of an object of the present file
    std::map<std::size_t, std::vector<std::size_t>> m_aliases;
    std::map<std::string, int> m_foreign;
    formats::GraphFacts m_facts; // of the configurations
};

} // namespace

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options) {
    return Reader(sources, options).read(wish == "keras");
}

Result<void> unpack(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out) {
    return hdf5::unpack(source, spec, offset, out);
}

} // namespace wb::keras
