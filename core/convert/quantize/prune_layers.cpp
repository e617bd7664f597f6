// SPDX-License-Identifier: MIT
#include "core/convert/quantize/prune_layers.h"

#include "core/arch/model_spec.h"

#include <charconv>
#include <optional>

namespace wb::quantize {
namespace {

// The first "blk.N." of a name.
struct LayerPart {
    std::size_t at = 0; // of the digits
    std::size_t length = 0;
    std::uint32_t layer = 0;
};

std::optional<LayerPart> findLayer(std::string_view name) {
    constexpr std::string_view mark = "blk.";
    for (std::size_t at = name.find(mark); at != std::string_view::npos; at = name.find(mark, at + 1)) {
        const char* const digits = name.data() + at + mark.size();
        const char* const end = name.data() + name.size();
        std::uint32_t layer = 0;
        const auto [next, error] = std::from_chars(digits, end, layer);
        if (error == std::errc{} && next != end && *next == '.')
            return LayerPart{at + mark.size(), static_cast<std::size_t>(next - digits), layer};
    }
    return std::nullopt;
}

// Gives layers their new numbers as they come; the pruned ones have none.
class Renumbering {
public:
    explicit Renumbering(const std::set<std::uint32_t>& pruned) : m_pruned(pruned) {}

    std::optional<std::uint32_t> numberFromLayer(std::uint32_t layer) {
        if (m_pruned.contains(layer)) return std::nullopt;
        const auto [entry, added] = m_numbers.emplace(layer, m_next);
        if (added && layer < *m_pruned.begin()) entry->second = layer;
        if (added) m_next = entry->second + 1;
        return entry->second;
    }

    std::uint32_t next() const { return m_next; }

private:
    const std::set<std::uint32_t>& m_pruned;
    std::map<std::uint32_t, std::uint32_t> m_numbers;
    std::uint32_t m_next = 0;
};

Result<void> checkLists(const Model& model) {
    if (!model.architecture) return {};
    WB_TRY_ASSIGN(const arch::ModelSpec spec, arch::readSpec(model));
    const std::string prefix = *model.architecture + ".";
    for (const Member& member : model.metadata.members) {
        const ValueArray* const list = member.value.array();
        if (!list || spec.blockCount == 0 || list->count != spec.blockCount || !member.key.starts_with(prefix)) continue;
        return fail(ErrorCode::Unsupported, Reason("quantize.prune_number"), About{model.files[0].name},
                    WB_TEXT("{} stores one value per layer in {}, so its layers cannot be pruned."), model.files[0].name,
                    member.key);
    }
    return {};
}

} // namespace

Result<PrunedModel> pruneLayers(const Model& model, std::span<const std::size_t> order, const std::set<std::uint32_t>& layers) {
    WB_TRY(checkLists(model));
    const auto left = std::make_shared<Model>(model);
    left->tensors.clear();
    PrunedModel pruned;
    Renumbering numbers(layers);
    for (const std::size_t i : order) {
        TensorInfo tensor = model.tensors[i];
        const std::string former = tensor.storedName();
        if (const auto part = findLayer(tensor.name)) {
            const auto number = numbers.numberFromLayer(part->layer);
            if (!number) {
                pruned.leftOut.insert(part->layer);
                continue;
            }
            tensor.name.replace(part->at, part->length, fmt::format("{}", *number));
            if (!tensor.rawName.empty()) {
                const auto raw = findLayer(tensor.rawName);
                if (raw) tensor.rawName.replace(raw->at, raw->length, fmt::format("{}", *number));
            }
        }
        pruned.formerNames.emplace(tensor.storedName(), former);
        left->tensors.push_back(std::move(tensor));
    }
    pruned.model = left;
    pruned.layers = numbers.next();
    return pruned;
}

} // namespace wb::quantize
