// SPDX-License-Identifier: MIT
#include "core/convert/weights/weights_plan_file.h"

#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/formats/json/json.h"

#include <algorithm>
#include <cmath>

namespace wb::convert {
namespace {

constexpr std::uint64_t version = 1;
constexpr std::uint64_t mergeVersion = 2; // of a plan that merges models, so that no earlier program leaves them out in silence
constexpr std::uint64_t longestPlan = 64ull << 20;
constexpr std::string_view versionKey = "weighbridge_weights";

void writeTexts(JsonWriter& out, const char* key, const auto& pairs, auto settingText) {
    out.key(key), out.beginObject();
    for (const auto& [name, value] : pairs) {
        out.newline();
        out.key(name), out.string(settingText(value));
    }
    out.endObject();
}

class Reader {
public:
    Reader(const ValueObject& root, const std::string& name) : m_root(root), m_name(name) {}

    Result<WeightsPlanFile> read() {
        WB_TRY(readVersion());
        WeightsPlanFile plan;
        WB_TRY_ASSIGN(plan.isFolder, flag("folder"));
        WB_TRY_ASSIGN(plan.trustsSource, flag("trusts_source"));
        if (m_root.find("training_state")) {
            WB_TRY_ASSIGN(plan.withTrainingState, flag("training_state"));
        }
        WB_TRY_ASSIGN(plan.shardBytes, number("shard_bytes"));
        WB_TRY_ASSIGN(plan.shardTensors, number("shard_tensors"));
        WB_TRY(readType(plan.type));
        WB_TRY(readAdapters(plan.adapters));
        WB_TRY_ASSIGN(plan.metadata, texts("metadata"));
        WB_TRY_ASSIGN(const auto names, texts("names"));
        plan.names = {names.begin(), names.end()};
        WB_TRY_ASSIGN(const auto types, texts("types"));
        for (const auto& [tensor, type] : types) {
            WB_TRY_ASSIGN(plan.types[tensor], typeFromMember("types", type));
        }
        if (m_version == mergeVersion) {
            const Value* const merged = m_root.find("merge");
            auto choices = merged ? readMerge(*merged) : std::nullopt;
            if (!choices) return unusable("merge");
            plan.merge = std::move(*choices);
        }
        return readLeftOut(std::move(plan));
    }

private:
    std::unexpected<Error> unusable(std::string_view member) const {
        return fail(ErrorCode::Malformed, Reason("weights_plan.member"), About{m_name},
                    WB_TEXT("{} is not a valid plan file: its field \"{}\" is missing or invalid; save the plan again."), m_name,
                    member);
    }

    Result<void> readVersion() {
        const Value* const found = m_root.find(versionKey);
        const auto read = found ? found->unsignedNumber() : std::nullopt;
        if (!read) return unusable(versionKey);
        m_version = *read;
        if (*read == version || *read == mergeVersion) return {};
        return fail(ErrorCode::Unsupported, Reason("weights_plan.version"), About{m_name},
                    WB_TEXT("{} is a plan of version {}, which this version of Weighbridge does not support; update Weighbridge."),
                    m_name, *read);
    }

    Result<bool> flag(std::string_view key) const {
        const Value* const value = m_root.find(key);
        const bool* const set = value ? std::get_if<bool>(&value->data) : nullptr;
        if (!set) return unusable(key);
        return *set;
    }

    Result<std::uint64_t> number(std::string_view key) const {
        const Value* const value = m_root.find(key);
        const auto read = value ? value->unsignedNumber() : std::nullopt;
        if (!read) return unusable(key);
        return *read;
    }

    Result<Dtype> typeFromMember(std::string_view member, std::string_view text) const {
        const auto type = dtypeFromName(text);
        const auto known = weightTypes();
        if (!type || std::ranges::find(known, *type) == known.end()) return unusable(member);
        return *type;
    }

    Result<void> readType(std::optional<Dtype>& type) const {
        const Value* const value = m_root.find("type");
        if (!value) return unusable("type");
        if (value->type == ValueType::Null) return {};
        if (!value->string()) return unusable("type");
        WB_TRY_ASSIGN(type, typeFromMember("type", *value->string()));
        return {};
    }

    Result<void> readAdapters(std::vector<AdapterFile>& adapters) const {
        const Value* const value = m_root.find("adapters");
        if (!value || !value->array() || !value->array()->complete()) return unusable("adapters");
        for (const Value& element : value->array()->first) {
            const Value* const path = element.object() ? element.object()->find("path") : nullptr;
            const Value* const scale = element.object() ? element.object()->find("scale") : nullptr;
            const double factor = scale ? scale->number().value_or(std::nan("")) : std::nan("");
            if (!path || !path->string() || !std::isfinite(factor)) return unusable("adapters");
            adapters.push_back({*path->string(), factor});
        }
        return {};
    }

    Result<WeightsPlanFile> readLeftOut(WeightsPlanFile plan) const {
        const Value* const value = m_root.find("left_out");
        if (!value || !value->array() || !value->array()->complete()) return unusable("left_out");
        for (const Value& element : value->array()->first) {
            if (!element.string()) return unusable("left_out");
            plan.leftOut.insert(*element.string());
        }
        return plan;
    }

    Result<std::vector<std::pair<std::string, std::string>>> texts(std::string_view key) const {
        const Value* const value = m_root.find(key);
        if (!value || !value->object() || !value->object()->complete()) return unusable(key);
        std::vector<std::pair<std::string, std::string>> read;
        for (const Member& member : value->object()->members) {
            if (!member.value.string()) return unusable(key);
            read.emplace_back(member.key, *member.value.string());
        }
        return read;
    }

    const ValueObject& m_root;
    const std::string& m_name;
    std::uint64_t m_version = 0;
};

} // namespace

bool isWeightsPlan(std::string_view text) {
    constexpr std::size_t head = 256; // the version is the first member
    return text.substr(0, head).find(versionKey) != std::string_view::npos;
}

std::string weightsPlanText(const WeightsPlanFile& plan) {
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    out.beginObject();
    out.key(versionKey), out.integer(plan.merge.isNone() ? version : mergeVersion);
    out.key("folder"), out.boolean(plan.isFolder);
    out.key("adapters"), out.beginArray();
    for (const AdapterFile& adapter : plan.adapters) {
        out.beginObject();
        out.key("path"), out.string(adapter.path);
        out.key("scale"), out.number(adapter.scale);
        out.endObject();
    }
    out.endArray();
    if (!plan.merge.isNone()) {
        out.key("merge");
        writeMerge(out, plan.merge);
    }
    out.key("type");
    if (plan.type) out.string(name(*plan.type));
    else out.null();
    out.key("shard_bytes"), out.integer(plan.shardBytes);
    out.key("shard_tensors"), out.integer(plan.shardTensors);
    out.key("trusts_source"), out.boolean(plan.trustsSource);
    if (plan.withTrainingState) out.key("training_state"), out.boolean(true);
    const auto itself = [](const std::string& text) { return std::string_view(text); };
    writeTexts(out, "metadata", plan.metadata, itself);
    out.key("left_out"), out.beginArray();
    for (const std::string& tensor : plan.leftOut) out.string(tensor);
    out.endArray();
    writeTexts(out, "names", plan.names, itself);
    writeTexts(out, "types", plan.types, [](Dtype type) { return std::string_view(name(type)); });
    out.endObject();
    out.finish();
    return json;
}

Result<WeightsPlanFile> parseWeightsPlan(std::string_view text, const std::string& name) {
    formats::Limits limits;
    limits.keptJsonMembers = json::keptValues;
    std::vector<Problem> ignored;
    const auto root = json::parse(withoutByteOrderMark(text), name, limits, ignored);
    if (!root && root.error().code != ErrorCode::Malformed) return std::unexpected(root.error());
    if (root && root->object() && root->object()->find(versionKey)) return Reader(*root->object(), name).read();
    return fail(ErrorCode::Unknown, Reason("weights_plan.unknown"), About{name},
                WB_TEXT("{} is not a Weighbridge plan for writing weights; choose another file."), name);
}

Result<WeightsPlanFile> readWeightsPlan(const std::filesystem::path& path) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    formats::Limits limits;
    limits.jsonText = longestPlan;
    WB_TRY_ASSIGN(const std::string text, json::readText(*source, source->name(), limits));
    return parseWeightsPlan(text, source->name());
}

WeightsRequest requestFromPlan(const WeightsPlanFile& plan) {
    WeightsRequest request;
    request.type = plan.type;
    request.isFolder = plan.isFolder;
    request.shardBytes = plan.shardBytes;
    request.shardTensors = plan.shardTensors;
    request.withTrainingState = plan.withTrainingState;
    request.metadata = plan.metadata;
    request.types = plan.types;
    if (!plan.leftOut.empty())
        request.wants = [leftOut = plan.leftOut](const std::string& name) { return !leftOut.contains(name); };
    if (!plan.names.empty())
        request.renamed = [names = plan.names](const std::string& name) {
            const auto own = names.find(name);
            return own == names.end() ? name : own->second;
        };
    return request;
}

} // namespace wb::convert
