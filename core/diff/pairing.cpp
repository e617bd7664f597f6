// SPDX-License-Identifier: MIT
#include "core/diff/pairing.h"

#include "core/arch/model_spec.h"
#include "core/arch/role.h"
#include "core/base/glob.h"
#include "core/diff/content.h"
#include "core/diff/detect.h"
#include "core/diff/fold_pairs.h"
#include "core/diff/gguf_view.h"
#include "core/diff/relation.h"
#include "core/model/opened_files.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace wb::diff {
namespace {

// The tensors of one side that are compared: logical ones instead of their parts, without those that the user ignores.
class Candidates {
public:
    Candidates(const Model& model, const std::vector<std::string>& ignored) : m_model(model) {
        for (const TensorInfo& tensor : model.tensors)
            if (tensor.logical && tensor.details)
                for (const std::string& part : tensor.details->parts) m_madeOf.emplace(part, &tensor);
        const auto isIgnored = [&](const std::string& name) {
            return std::ranges::any_of(ignored, [&](const std::string& pattern) { return globMatches(pattern, name); });
        };
        for (const TensorInfo& tensor : model.tensors) {
            if (isIgnored(tensor.name)) continue;
            const bool isCompared = tensor.logical || !m_madeOf.contains(tensor.name);
            if (isCompared) m_compared.push_back(&tensor);
            if (isCompared || !m_byName.contains(tensor.name)) m_byName[tensor.name] = &tensor;
        }
    }

    const Model& model() const { return m_model; }
    std::string_view architecture() const { return m_model.architecture ? std::string_view(*m_model.architecture) : ""; }

    // Null: none, or an ignored one.
    const TensorInfo* find(const std::string& name) const {
        const auto found = m_byName.find(name);
        return found == m_byName.end() ? nullptr : found->second;
    }
    bool isFree(const TensorInfo* tensor) const { return !m_taken.contains(tensor); }

    // Those without a counterpart, in the model's order.
    std::vector<const TensorInfo*> rest() const {
        std::vector<const TensorInfo*> tensors;
        std::ranges::copy_if(m_compared, std::back_inserter(tensors), [&](const TensorInfo* tensor) { return isFree(tensor); });
        return tensors;
    }

    void take(const TensorInfo* tensor) { m_taken.insert(tensor); }

    // By name; a logical tensor is taken with its first part.
    void take(const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            take(find(name));
            if (const auto made = m_madeOf.find(name); made != m_madeOf.end()) take(made->second);
        }
    }

private:
    const Model& m_model;
    std::vector<const TensorInfo*> m_compared;
    std::unordered_map<std::string, const TensorInfo*> m_byName;
    std::unordered_map<std::string, const TensorInfo*> m_madeOf; // the logical tensor of a part
    std::set<const TensorInfo*> m_taken;
};

std::string_view lastComponent(std::string_view name) { return name.substr(name.rfind('.') + 1); }

// Weight, bias or scale, whatever a framework calls it.
std::string_view kindFromName(std::string_view name) {
    const std::string_view last = lastComponent(name);
    return last.ends_with("bias") ? "bias" : last.find("scale") != std::string_view::npos ? "scale" : "weight";
}

// The meaning of a tensor in any spelling: layer, part, expert, weight or bias. Empty for an unknown part.
std::string tensorMeaning(const TensorInfo& tensor, std::string_view architecture) {
    const auto meaning = arch::tensorRoleAndPart(tensor.name, architecture);
    if (meaning.part.empty()) return {};
    const auto number = [](std::optional<std::uint32_t> value) { return value ? fmt::format("{}", *value) : std::string("-"); };
    return fmt::format("{} {} {} {}", number(arch::tensorLayer(tensor.name)), meaning.part, number(arch::tensorExpert(tensor.name)),
                       kindFromName(tensor.name));
}

// Layer, part and kind of the experts of one layer, stacked or not; empty for other tensors.
std::string tensorStack(const TensorInfo& tensor, std::string_view architecture) {
    const auto meaning = arch::tensorRoleAndPart(tensor.name, architecture);
    std::string_view part = meaning.part;
    const auto layer = arch::tensorLayer(tensor.name);
    if (part.ends_with("_exps")) part.remove_suffix(5);
    if (part.empty() || !layer || meaning.role != arch::Role::Experts) return {};
    return fmt::format("{} {} {}", *layer, part, kindFromName(tensor.name));
}

// The name without the words that wrappers put before it (torch.nn.DataParallel, torch.compile, PEFT, model classes).
std::string plainName(std::string_view name) {
    bool isShorter = true;
    while (isShorter) {
        isShorter = false;
        for (const std::string_view word : {"model.", "module.", "_orig_mod.", "base_model.", "state_dict.", "transformer.",
                                            "language_model.", "params.", "teacher.", "student."})
            if (name.starts_with(word) && name.size() > word.size()) {
                name.remove_prefix(word.size());
                isShorter = true;
            }
    }
    return std::string(name);
}

class Matcher {
public:
    Matcher(const Sides& sides, const Options& options)
        : m_sides(sides), m_options(options), m_a(*sides.a, options.map.ignored), m_b(*sides.b, options.map.ignored) {
        m_pairing.closed = {sides.a, sides.b};
        if (sides.view) m_pairing.closed.push_back(sides.view->model);
        for (const ModelPtr& model : m_pairing.closed) m_pairing.models.push_back(withOpenedFiles(*model));
        if (!options.isStructureOnly)
            for (const std::size_t side : {0, 1})
                if (Folds folds(side, m_pairing); !folds.isEmpty()) m_folds[side].emplace(std::move(folds));
    }

    Result<Pairing> run() {
        findFamilyPairs();
        WB_TRY(takeWanted());
        for (PlannedPair& planned : m_familyPairs)
            if (isWhollyFree(planned.pair)) add(std::move(planned));
        pairFoldedByName();
        pairByKey([](const TensorInfo& tensor, std::string_view) { return tensor.name; }, Fit::SameName);
        if (!m_options.isStructureOnly) {
            WB_TRY(pairByContent());
            WB_TRY(pairByLayout(false));
            WB_TRY(pairFoldedByContent());
        }
        pairByKey([](const TensorInfo& tensor, std::string_view) { return plainName(tensor.name); }, Fit::Likely);
        const std::size_t known = m_pairing.pairs.size();
        pairStacks();
        pairByKey(tensorMeaning, Fit::Likely);
        if (!m_options.isStructureOnly) WB_TRY(detectTransforms(known));
        pairTied();
        if (!m_options.isStructureOnly) {
            const std::size_t guessed = m_pairing.pairs.size();
            WB_TRY(pairByGuess());
            WB_TRY(pairByLayout(true));
            WB_TRY(detectTransforms(guessed));
        }
        finish();
        return std::move(m_pairing);
    }

private:
    void findFamilyPairs() {
        if (!m_sides.view) return;
        constexpr std::size_t viewIndex = 2;
        const bool isFolderA = m_sides.a->format == FormatId::HuggingFace;
        m_familyPairs = pairsOfView(isFolderA ? *m_sides.b : *m_sides.a, m_sides.view, isFolderA, isFolderA ? 1 : 0, viewIndex);
    }

    bool isWhollyFree(const Pair& pair) const {
        const auto isFree = [](const Candidates& side, const std::string& name) {
            const TensorInfo* const tensor = side.find(name);
            return tensor && side.isFree(tensor);
        };
        return std::ranges::all_of(pair.a, [&](const std::string& name) { return isFree(m_a, name); }) &&
               std::ranges::all_of(pair.b, [&](const std::string& name) { return isFree(m_b, name); });
    }

    void add(PlannedPair planned) {
        m_a.take(planned.pair.a);
        m_b.take(planned.pair.b);
        m_pairing.pairs.push_back(std::move(planned));
    }

    Result<std::vector<const TensorInfo*>> findAll(const Candidates& side, const std::vector<std::string>& names) const {
        std::vector<const TensorInfo*> tensors;
        for (const std::string& name : names) {
            const TensorInfo* const tensor = side.find(name);
            if (!tensor)
                return fail(ErrorCode::Invalid, Reason("diff.unknown_tensor"), About{m_options.mapName},
                            WB_TEXT("{} names the tensor {}, which {} does not contain."), m_options.mapName, name,
                            io::baseName(side.model().path));
            tensors.push_back(tensor);
        }
        return tensors;
    }

    static bool sameNames(std::vector<std::string> one, std::vector<std::string> other) {
        std::ranges::sort(one);
        std::ranges::sort(other);
        return one == other;
    }

    // The pairs of a map file count as they are written.
    Result<void> takeWanted() {
        for (const WantedPair& wanted : m_options.map.pairs) {
            WB_TRY_ASSIGN(const auto a, findAll(m_a, wanted.a));
            WB_TRY_ASSIGN(const auto b, findAll(m_b, wanted.b));
            const auto known = std::ranges::find_if(m_familyPairs, [&](const PlannedPair& planned) {
                return sameNames(planned.pair.a, wanted.a) && sameNames(planned.pair.b, wanted.b);
            });
            std::optional<PlannedPair> planned;
            if (std::ranges::find(wanted.mapping, Mapping::Folded) != wanted.mapping.end()) planned = wantedFold(a, b);
            else if (known != m_familyPairs.end() && known->pair.mapping == wanted.mapping) planned = *known;
            else planned = a.size() == 1 && b.size() == 1 ? relate(*a[0], *b[0], Fit::SameName) : relateParts(a, b);
            if (!planned || !allows(planned->pair.mapping, wanted.mapping))
                return fail(ErrorCode::Invalid, Reason("diff.mapping"), About{m_options.mapName},
                            WB_TEXT("{} maps {} to {} by \"{}\", which their shapes and types do not allow."), m_options.mapName,
                            wanted.a.empty() ? "" : wanted.a.front(), wanted.b.empty() ? "" : wanted.b.front(),
                            mappingText(wanted.mapping));
            planned->pair.mapping = wanted.mapping;
            add(*std::move(planned));
        }
        return {};
    }

    // One side is a tensor, the other one the tensors that were folded into it.
    std::optional<PlannedPair> wantedFold(const std::vector<const TensorInfo*>& a, const std::vector<const TensorInfo*>& b) const {
        const bool isOfA = b.size() == 1;
        const auto& folds = m_folds[isOfA ? 0 : 1];
        if (!folds || (isOfA ? b : a).size() != 1) return std::nullopt;
        std::vector<std::string> names;
        for (const TensorInfo* tensor : isOfA ? a : b) names.push_back(tensor->name);
        return folds->wanted(names, isOfA ? *b.front() : *a.front());
    }

    void pairFoldedByName() {
        for (const std::size_t side : {0, 1}) {
            if (!m_folds[side]) continue;
            const Candidates& other = side == 0 ? m_b : m_a;
            const auto find = [&](const std::string& name) {
                const TensorInfo* const tensor = other.find(name);
                return tensor && other.isFree(tensor) ? tensor : nullptr;
            };
            for (PlannedPair& planned : m_folds[side]->pairByName(find))
                if (isWhollyFree(planned.pair)) add(std::move(planned));
        }
    }

    Result<void> pairFoldedByContent() {
        for (const std::size_t side : {0, 1}) {
            if (!m_folds[side]) continue;
            const Candidates& own = side == 0 ? m_a : m_b;
            const Candidates& other = side == 0 ? m_b : m_a;
            WB_TRY_ASSIGN(auto pairs, m_folds[side]->pairByContent(own.rest(), other.rest(), m_options));
            for (PlannedPair& planned : pairs)
                if (isWhollyFree(planned.pair)) add(std::move(planned));
        }
        return {};
    }

    // Words about meaning may be added to what the shapes say; values and layout follow from the shapes.
    static bool allows(const Mappings& found, const Mappings& wanted) {
        const auto isLayout = [](Mapping mapping) {
            return mapping != Mapping::Same && mapping != Mapping::Cast && mapping != Mapping::Dequantized &&
                   mapping != Mapping::Tied && mapping != Mapping::Guess;
        };
        Mappings one, other;
        std::ranges::copy_if(found, std::back_inserter(one), isLayout);
        std::ranges::copy_if(wanted, std::back_inserter(other), isLayout);
        return one == other;
    }

    // Pairs the tensors that one key tells from all others of both sides.
    template <typename Key>
    void pairByKey(Key key, Fit fit) {
        const auto group = [&](const Candidates& side) {
            std::map<std::string, std::vector<const TensorInfo*>> groups;
            for (const TensorInfo* tensor : side.rest())
                if (std::string text = key(*tensor, side.architecture()); !text.empty()) groups[std::move(text)].push_back(tensor);
            return groups;
        };
        const auto groupsA = group(m_a), groupsB = group(m_b);
        for (const auto& [text, tensorsA] : groupsA) {
            const auto found = groupsB.find(text);
            if (found == groupsB.end() || tensorsA.size() != found->second.size() || (fit != Fit::SameName && tensorsA.size() > 1))
                continue;
            for (std::size_t i = 0; i < tensorsA.size(); ++i) // several of one name are in different groups of the model
                if (auto planned = relate(*tensorsA[i], *found->second[i], fit)) {
                    m_a.take(tensorsA[i]);
                    m_b.take(found->second[i]);
                    add(*std::move(planned));
                }
        }
    }

    // Experts that are tensors on one side and one tensor on the other.
    void pairStacks() {
        const auto group = [](const Candidates& side) {
            std::map<std::string, std::vector<const TensorInfo*>> groups;
            for (const TensorInfo* tensor : side.rest())
                if (std::string text = tensorStack(*tensor, side.architecture()); !text.empty())
                    groups[std::move(text)].push_back(tensor);
            return groups;
        };
        const auto isComplete = [](std::vector<const TensorInfo*>& tensors) {
            std::ranges::stable_sort(tensors, {}, [](const TensorInfo* tensor) { return arch::tensorExpert(tensor->name); });
            for (std::size_t i = 0; i < tensors.size(); ++i)
                if (arch::tensorExpert(tensors[i]->name) != i || tensors[i]->shape != tensors[0]->shape) return false;
            return true;
        };
        auto groupsA = group(m_a), groupsB = group(m_b);
        for (auto& [text, tensorsA] : groupsA) {
            const auto found = groupsB.find(text);
            if (found == groupsB.end()) continue;
            auto& tensorsB = found->second;
            if ((tensorsA.size() > 1) == (tensorsB.size() > 1)) continue;
            if (!isComplete(tensorsA.size() > 1 ? tensorsA : tensorsB)) continue;
            if (auto planned = relateParts(tensorsA, tensorsB)) add(*std::move(planned));
        }
    }

    // Of pairs from index `first` on, where one side is a GGUF file, whose converter may have changed them.
    Result<void> detectTransforms(std::size_t first) {
        const bool isGgufA = m_sides.a->format == FormatId::Gguf, isGgufB = m_sides.b->format == FormatId::Gguf;
        if (isGgufA == isGgufB) return {};
        const auto spec = arch::readSpec(isGgufA ? *m_sides.a : *m_sides.b);
        for (std::size_t i = first; i < m_pairing.pairs.size(); ++i) {
            PlannedPair& planned = m_pairing.pairs[i];
            const auto layer = arch::tensorLayer((isGgufA ? planned.pair.a : planned.pair.b).front());
            HeadCounts heads;
            if (spec && layer && *layer < spec->layers.size()) heads = {spec->layers[*layer].heads, spec->layers[*layer].kvHeads};
            WB_TRY(detectTransform(planned, isGgufA ? 0 : 1, heads, m_pairing.models, m_options.progress));
        }
        return {};
    }

    // Of tensors with equal content, such as biases of zeros, the first goes with the first.
    Result<void> pairByContent() {
        WB_TRY_ASSIGN(const auto matches,
                      matchByContent({m_pairing.models[0], m_a.rest()}, {m_pairing.models[1], m_b.rest()}, m_options));
        for (const auto& [a, b] : matches)
            if (auto planned = relate(*a, *b, Fit::Flat)) add(*std::move(planned));
        return {};
    }

    // Matrices and filters with the same content, or as a guess with similar content, in another order of axes.
    Result<void> pairByLayout(bool isGuess) {
        constexpr std::uint64_t largest = 64 << 20; // elements of a transposed tensor that are read to try
        std::vector<TensorInfo> views;
        std::vector<const TensorInfo*> originals;
        for (const TensorInfo* tensor : m_a.rest()) {
            if (!tensor->isReadable() || tensor->shape.elements() > largest) continue;
            for (TensorInfo& view : otherLayouts(*tensor)) {
                views.push_back(std::move(view));
                originals.push_back(tensor);
            }
        }
        std::vector<const TensorInfo*> pointers;
        for (const TensorInfo& view : views) pointers.push_back(&view);
        const auto match = isGuess ? matchByCorrelation : matchByContent;
        WB_TRY_ASSIGN(const auto matches, match({m_pairing.models[0], pointers}, {m_pairing.models[1], m_b.rest()}, m_options));
        for (const auto& [view, b] : matches) {
            const TensorInfo* const original = originals[static_cast<std::size_t>(view - views.data())];
            if (!m_a.isFree(original) || !m_b.isFree(b)) continue; // another layout of it has the same content
            auto planned = relate(*view, *b, Fit::Shape);
            if (!planned) continue;
            planned->pair.mapping.push_back(original->shape.rank() == 2 ? Mapping::Transposed : Mapping::Axes);
            if (isGuess) planned->pair.mapping.push_back(Mapping::Guess);
            m_a.take(original);
            m_b.take(b);
            add(*std::move(planned));
        }
        return {};
    }

    // The output matrix of one side that the other keeps only as its embedding.
    void pairTied() {
        const auto isPart = [](std::string_view part, const Candidates& side) {
            return [part, &side](const TensorInfo* tensor) {
                return arch::tensorPart(tensor->name, side.architecture()) == part && lastComponent(tensor->name) == "weight";
            };
        };
        const auto embedding = [&](const Candidates& side) -> const TensorInfo* {
            for (const TensorInfo& tensor : side.model().tensors)
                if (isPart("token_embd", side)(&tensor)) return &tensor;
            return nullptr;
        };
        const auto hasOutput = [&](const Candidates& side) {
            return std::ranges::any_of(side.model().tensors,
                                       [&](const TensorInfo& tensor) { return isPart("output", side)(&tensor); });
        };
        for (const bool isOfA : {true, false}) {
            Candidates& side = isOfA ? m_a : m_b;
            Candidates& other = isOfA ? m_b : m_a;
            const auto rest = side.rest();
            const auto output = std::ranges::find_if(rest, isPart("output", side));
            const TensorInfo* const tied = embedding(other);
            if (output == rest.end() || !tied || hasOutput(other)) continue;
            auto planned = isOfA ? relate(**output, *tied, Fit::Shape) : relate(*tied, **output, Fit::Shape);
            if (!planned) continue;
            planned->pair.mapping.push_back(Mapping::Tied);
            side.take(*output);
            m_pairing.pairs.push_back(*std::move(planned));
        }
    }

    Result<void> pairByGuess() {
        WB_TRY_ASSIGN(const auto matches,
                      matchByCorrelation({m_pairing.models[0], m_a.rest()}, {m_pairing.models[1], m_b.rest()}, m_options));
        for (const auto& [a, b] : matches)
            if (auto planned = relate(*a, *b, Fit::Shape)) {
                planned->pair.mapping.push_back(Mapping::Guess);
                add(*std::move(planned));
            }
        return {};
    }

    // Sorts by A and drops unwanted pairs.
    void finish() {
        std::unordered_map<std::string_view, std::size_t> order;
        for (std::size_t i = 0; i < m_sides.a->tensors.size(); ++i) order.emplace(m_sides.a->tensors[i].name, i);
        std::ranges::stable_sort(m_pairing.pairs, {}, [&](const PlannedPair& planned) {
            const auto found = order.find(planned.pair.a.front());
            return found == order.end() ? order.size() : found->second;
        });
        std::erase_if(m_pairing.pairs, [&](const PlannedPair& planned) { return !isWanted(planned.pair); });
        for (const TensorInfo* tensor : m_a.rest())
            if (isWanted(*tensor)) m_pairing.onlyA.push_back(tensor->name);
        for (const TensorInfo* tensor : m_b.rest())
            if (isWanted(*tensor)) m_pairing.onlyB.push_back(tensor->name);
    }

    bool isWanted(const TensorInfo& tensor) const { return !m_options.wants || m_options.wants(tensor); }

    bool isWanted(const Pair& pair) const {
        const auto isOne = [&](const Candidates& side, const std::string& name) {
            const TensorInfo* const tensor = side.find(name);
            return tensor && isWanted(*tensor);
        };
        return std::ranges::any_of(pair.a, [&](const std::string& name) { return isOne(m_a, name); }) ||
               std::ranges::any_of(pair.b, [&](const std::string& name) { return isOne(m_b, name); });
    }

    const Sides& m_sides;
    const Options& m_options;
    Candidates m_a, m_b;
    std::vector<PlannedPair> m_familyPairs;
    Pairing m_pairing;
    std::array<std::optional<Folds>, 2> m_folds; // of A and B
};

} // namespace

Result<WantedPair> proposePair(const Model& a, const std::string& nameA, const Model& b, const std::string& nameB) {
    const auto find = [](const Model& model, const std::string& name) -> Result<const TensorInfo*> {
        const auto found = std::ranges::find(model.tensors, name, &TensorInfo::name);
        if (found != model.tensors.end()) return &*found;
        return fail(ErrorCode::Invalid, Reason("diff.no_tensor"), About{io::baseName(model.path)},
                    WB_TEXT("{} does not contain the tensor {}."), io::baseName(model.path), name);
    };
    WB_TRY_ASSIGN(const TensorInfo* const one, find(a, nameA));
    WB_TRY_ASSIGN(const TensorInfo* const other, find(b, nameB));
    const auto planned = relate(*one, *other, Fit::SameName);
    if (!planned)
        return fail(ErrorCode::Invalid, Reason("diff.shapes"), About{nameA},
                    WB_TEXT("{} of shape {} and {} of shape {} cannot be compared; choose tensors whose shapes fit."), nameA,
                    one->shape.toString(), nameB, other->shape.toString());
    return WantedPair{planned->pair.a, planned->pair.b, planned->pair.mapping};
}

Result<Pairing> pairTensors(const Sides& sides, const Options& options) { return Matcher(sides, options).run(); }

} // namespace wb::diff
