// SPDX-License-Identifier: MIT
#include "core/formats/coreml/context.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/json/json.h"
#include "core/io/cursor.h"

#include <algorithm>
#include <array>
#include <set>

namespace wb::coreml {
namespace {

constexpr std::uint32_t weightFile = 1; // of the sources, after the network

// The number of elements of the sides, as far as they are known; else of a list of all.
Shape fittingShape(std::initializer_list<std::uint64_t> sides, std::uint64_t elements) {
    const auto shape = Shape::make(sides);
    const auto list = Shape::make({elements});
    return shape && shape->elements() == elements ? *shape : list.value_or(Shape());
}

class EspressoReader {
public:
    explicit EspressoReader(Context& context) : m_context(context), m_findings(context.findings()) {}

    Result<void> read() {
        formats::Limits limits = m_context.options().limits;
        limits.keptJsonMembers = json::keptValues; // the list of layers may be long
        std::vector<Problem> problems;
        WB_TRY_ASSIGN(const Value network, json::readFile(m_context.source(), m_findings.file(), limits, problems));
        const ValueObject* const root = network.object();
        const Value* const layers = root ? root->find("layers") : nullptr;
        if (!layers || !layers->array())
            return m_findings.refuse(ErrorCode::Malformed, "coreml.layers",
                                     WB_TEXT("{} is not a compiled neural network of Core ML: it does not list layers."));
        if (const Value* version = root->find("format_version"); version && version->unsignedNumber())
            m_context.addFact("format_version", *version);
        WB_TRY(readBlobs());
        for (const Value& layer : layers->array()->first)
            if (layer.object()) WB_TRY(readLayer(*layer.object()));
        return addOthers();
    }

private:
    struct Blob {
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
    };

    // u64 count, then for each blob u64 number and u64 bytes, then their bytes in this order.
    Result<void> readBlobs() {
        constexpr std::uint64_t entryBytes = 16;
        const io::ByteSource& file = m_context.weights(weightFile);
        io::Cursor cursor(file);
        const auto count = cursor.read<std::uint64_t>();
        if (!count || !cursor.canHold(*count, entryBytes))
            return m_findings.refuse(ErrorCode::Malformed, "coreml.blob_table",
                                     WB_TEXT("{}: the table of the weight file is truncated or invalid; get a complete copy."));
        std::uint64_t at = sizeof(std::uint64_t) + *count * entryBytes;
        for (std::uint64_t i = 0; i < *count; ++i) {
            WB_TRY_ASSIGN(const auto number, cursor.read<std::uint64_t>());
            WB_TRY_ASSIGN(const auto bytes, cursor.read<std::uint64_t>());
            if (!m_blobs.emplace(number, Blob{at, bytes}).second)
                m_findings.add(Severity::Warning, "coreml.duplicate", std::nullopt,
                               WB_TEXT("{}: the weight file has two blobs of number {}; the first one is shown."), number);
            const auto end = checked::add(at, bytes);
            if (!end)
                return m_findings.refuse(ErrorCode::Malformed, "coreml.blob_table",
                                         WB_TEXT("{}: the table of the weight file is truncated or invalid; get a complete copy."));
            at = *end;
        }
        if (at < file.size())
            m_findings.add(Severity::Warning, "coreml.trailing", at,
                           WB_TEXT("{}: {} bytes follow the last blob of the weight file."), file.size() - at);
        return {};
    }

    static std::uint64_t side(const ValueObject& layer, const char* key) {
        const Value* const value = layer.find(key);
        return value ? value->unsignedNumber().value_or(0) : 0;
    }

    // Numbers of blobs are the members "blob_…", and all members of "weights".
    Result<void> readLayer(const ValueObject& layer) {
        constexpr std::string_view prefix = "blob_";
        const Value* const name = layer.find("name");
        const std::string own = name && name->string() ? toUtf8(*name->string()) : "layer";
        for (const Member& member : layer.members) {
            if (member.key == "constant_blob") WB_TRY(add(layer, own, "constant", member.value));
            if (member.key.starts_with(prefix)) WB_TRY(add(layer, own, member.key.substr(prefix.size()), member.value));
            if (member.key != "weights" || !member.value.object()) continue;
            for (const Member& quantized : member.value.object()->members) WB_TRY(add(layer, own, quantized.key, quantized.value));
        }
        return {};
    }

    // The end of a key names the type of the elements; F32 has none.
    static Dtype typeFromKey(std::string& key) {
        static constexpr std::array endings = {std::pair("_f16", Dtype::F16), std::pair("_F16", Dtype::F16),
                                               std::pair("_U8", Dtype::U8), std::pair("_S8", Dtype::I8)};
        const auto* const found = std::ranges::find_if(endings, [&](const auto& ending) { return key.ends_with(ending.first); });
        if (found == endings.end()) return Dtype::F32;
        if (found->second == Dtype::F16) key.resize(key.size() - 4);
        return found->second;
    }

    static Shape tensorShape(const ValueObject& layer, std::string_view key, std::uint64_t elements) {
        const Value* const type = layer.find("type");
        if (!key.starts_with("weights") && !key.starts_with("W_")) return fittingShape({elements}, elements);
        if (type && type->string() && *type->string() == "inner_product")
            return fittingShape({side(layer, "nC"), side(layer, "nB")}, elements);
        const std::uint64_t groups = std::max<std::uint64_t>(side(layer, "n_groups"), 1);
        return fittingShape({side(layer, "C"), side(layer, "K") / groups, side(layer, "Ny"), side(layer, "Nx")}, elements);
    }

    Result<void> add(const ValueObject& layer, const std::string& own, std::string key, const Value& number) {
        if (!number.unsignedNumber()) return {};
        TensorInfo tensor;
        tensor.dtype = typeFromKey(key);
        tensor.name = own + "." + toUtf8(key);
        const auto blob = m_blobs.find(*number.unsignedNumber());
        const std::uint64_t bytes = blob == m_blobs.end() ? 0 : blob->second.bytes, width = info(tensor.dtype).blockBytes;
        m_used.insert(*number.unsignedNumber());
        tensor.shape = tensorShape(layer, key, bytes / width);
        return place(std::move(tensor), blob == m_blobs.end() ? nullptr : &blob->second);
    }

    // Blobs without a layer, as bytes.
    Result<void> addOthers() {
        for (const auto& [number, blob] : m_blobs) {
            if (m_used.contains(number)) continue;
            TensorInfo tensor;
            tensor.name = fmt::format("blob.{}", number);
            tensor.dtype = Dtype::U8;
            tensor.shape = fittingShape({blob.bytes}, blob.bytes);
            WB_TRY(place(std::move(tensor), &blob));
        }
        return {};
    }

    Result<void> place(TensorInfo tensor, const Blob* blob) {
        const io::ByteSource& file = m_context.weights(weightFile);
        if (!blob) m_context.makeUnavailable(tensor, WB_TEXT("the weight file does not contain them"));
        else if (blob->bytes % info(tensor.dtype).blockBytes != 0)
            m_context.makeUnavailable(tensor, WB_TEXT("their size is not a multiple of their type's"));
        else if (!io::Extent::make(file.size(), blob->offset, blob->bytes))
            m_context.makeUnavailable(tensor, WB_TEXT("the weight file ends before them"));
        else tensor.source = TensorSource::stored(weightFile, blob->offset, blob->bytes);
        return m_context.add(std::move(tensor));
    }

    Context& m_context;
    formats::Findings& m_findings;
    std::map<std::uint64_t, Blob> m_blobs;
    std::set<std::uint64_t> m_used;
};

} // namespace

Result<void> readEspresso(Context& context) { return EspressoReader(context).read(); }

} // namespace wb::coreml
