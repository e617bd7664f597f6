// SPDX-License-Identifier: MIT
#include "core/formats/torch/lister.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/torch/recipes.h"

#include <algorithm>

namespace wb::torch {
namespace {

// Whether elements of this shape lie one after the other; axes of one element have no say.
bool isContiguous(const Shape& shape, const std::vector<std::uint64_t>& strides) {
    std::uint64_t expected = 1;
    for (std::size_t i = shape.rank(); i-- > 0;) {
        if (shape[i] != 1 && strides[i] != expected) return false;
        expected *= shape[i]; // the product fits, as Shape knows
    }
    return true;
}

// Elements from the first to the last one; empty where that does not fit 64 bits.
std::optional<std::uint64_t> shapeSpan(const Shape& shape, const std::vector<std::uint64_t>& strides) {
    if (shape.elements() == 0) return 0;
    std::optional<std::uint64_t> span = 1;
    for (std::size_t i = 0; i < shape.rank() && span; ++i) {
        const auto reach = checked::mul(shape[i] - 1, strides[i]);
        span = reach ? checked::add(*span, *reach) : std::nullopt;
    }
    return span;
}

// How many different elements of the storage it shows: repeated ones count once, overlapping ones at most once each.
std::uint64_t coveredElements(const Shape& shape, const std::vector<std::uint64_t>& strides, std::uint64_t span) {
    std::uint64_t elements = 1;
    for (std::size_t i = 0; i < shape.rank(); ++i)
        if (strides[i] != 0 || shape[i] == 0) elements *= shape[i];
    return std::min(elements, span);
}

} // namespace

Lister::Shared& Lister::sharedStorage(const Storage& storage) {
    const auto [entry, isNew] = m_storages.try_emplace(storage.viewKey.empty() ? storage.key : storage.key + "/" + storage.viewKey);
    if (isNew) entry->second.place = m_find(storage);
    return entry->second;
}

std::optional<TensorInfo> Lister::describe(const std::string& name, const TensorValue& value) {
    const auto shape = Shape::make(value.sizes);
    if (!shape) {
        m_findings.add(Severity::Error, "torch.shape", std::nullopt,
                       WB_TEXT("{}: the tensor {} has too many dimensions or elements; it is not listed."), formats::shown(name));
        return std::nullopt;
    }
    TensorInfo tensor;
    tensor.name = toUtf8(name);
    if (tensor.name != name) tensor.rawName = name;
    tensor.dtype = value.type.dtype;
    tensor.typeText = value.type.dtype == Dtype::Unknown ? value.type.text : std::string();
    tensor.shape = *shape;
    if (!value.notes.empty()) m_details[m_model.tensors.size()].notes = value.notes;
    return tensor;
}

// Finds the bytes of a dense tensor; the tensor becomes unavailable where that is not possible.
void Lister::place(TensorInfo& tensor, const TensorValue& value) {
    Shared& shared = sharedStorage(value.storage);
    const StoragePlace& place = shared.place;
    TensorDetails& details = m_details[m_model.tensors.size()];
    details.member = place.member;
    const std::uint64_t elementBytes = value.type.bytes;
    const auto span = shapeSpan(tensor.shape, value.strides);
    const auto first = checked::mul(value.offset, std::max<std::uint64_t>(elementBytes, 1));
    const auto length = span ? checked::mul(*span, std::max<std::uint64_t>(elementBytes, 1)) : std::nullopt;
    const auto end = first && length ? checked::add(*first, *length) : std::nullopt;
    const auto allowed = checked::mul(value.storage.count, std::max<std::uint64_t>(value.storage.type.bytes, 1));
    const auto refuse = [&](Reason reason, std::string why) { tensor.source = TensorSource::unavailable(reason, std::move(why)); };
    if (!place.offset) return refuse("torch.no_storage", place.why);
    if (!end || !allowed || (*length > 0 && *end > *allowed)) {
        m_findings.add(Severity::Error, "torch.outside_storage", *place.offset,
                       WB_TEXT("{}: the tensor {} exceeds its storage {}."), formats::shown(tensor.name),
                       formats::shown(value.storage.key));
        return refuse("torch.outside_storage", WB_TEXT("it exceeds its storage"));
    }
    if (*length > 0 && *end > place.bytes) return refuse("torch.storage_cut", WB_TEXT("its storage is shorter than it should be"));
    const std::uint64_t offset = *place.offset + *first; // inside the file, as the storage is
    const std::uint64_t covered = coveredElements(tensor.shape, value.strides, *span) * elementBytes;
    const bool isPlain = tensor.shape.elements() == 0 || isContiguous(tensor.shape, value.strides);
    if (isPlain) tensor.source = TensorSource::stored(0, offset, *length);
    else tensor.source = TensorSource::strided(0, offset, value.strides, covered);
    if (!isPlain || value.offset > 0) details.storageOffset = value.offset;
    // Of a type without numbers whose elements are complete bytes (F4_E2M1X2: two values each) the bytes can still be compared.
    if (elementBytes == 0 || (tensor.dtype == Dtype::Unknown && !isPlain)) {
        refuse("model.type_unknown", WB_TEXT("its type is not supported"));
        tensor.source.setPlace({0, offset, *length});
    }
    shared.uses.push_back({m_model.tensors.size(), *first, *end});
}

void Lister::addDense(const std::string& name, const TensorValue& value) {
    if (value.isConjugate || value.isNegative) return addChanged(name, value);
    auto tensor = describe(name, value);
    if (!tensor) return;
    place(*tensor, value);
    m_model.tensors.push_back(std::move(*tensor));
}

void Lister::addChanged(const std::string& name, const TensorValue& value) {
    TensorValue stored = value;
    stored.isConjugate = stored.isNegative = false;
    const std::string part = name + ".stored";
    addDense(part, stored);
    auto tensor = describe(name, value);
    if (!tensor) return;
    const std::uint64_t bytes = m_model.tensors.empty() ? 0 : m_model.tensors.back().bytes();
    tensor->logical = true;
    tensor->source = TensorSource::recipe(makeChanged(part, value.isConjugate, value.isNegative), bytes);
    TensorDetails& details = m_details[m_model.tensors.size()];
    details.scheme = value.isConjugate ? value.isNegative ? "conjugated and negated" : "conjugated" : "negated";
    details.parts = {part};
    m_model.tensors.push_back(std::move(*tensor));
}

void Lister::addSparse(const std::string& name, const TensorValue& value) {
    static constexpr std::array<const char*, 2> coordinates = {"indices", "values"};
    static constexpr std::array<const char*, 3> byRow = {"crow_indices", "col_indices", "values"};
    static constexpr std::array<const char*, 3> byColumn = {"ccol_indices", "row_indices", "values"};
    const bool isByRow = value.layout == "sparse_csr" || value.layout == "sparse_bsr";
    std::vector<std::string> parts;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < value.parts.size(); ++i) {
        const char* suffix = value.parts.size() == 2 ? coordinates[i] : isByRow ? byRow[i] : byColumn[i];
        parts.push_back(name + "." + suffix);
        addDense(parts.back(), value.parts[i]);
        bytes += m_model.tensors.empty() ? 0 : m_model.tensors.back().bytes();
    }
    auto tensor = describe(name, value);
    if (!tensor) return;
    tensor->logical = true;
    auto recipe = makeSparse(value.layout, tensor->shape, parts);
    if (!recipe) tensor->source = TensorSource::unavailable("torch.layout", WB_TEXT("its layout is not supported"));
    else if (isSparseReadable(value.layout, tensor->dtype, tensor->shape))
        tensor->source = TensorSource::recipe(std::move(recipe), bytes);
    else
        tensor->source = TensorSource::unavailable(
            "torch.sparse_kind",
            WB_TEXT("batches of compressed sparse matrices, or batches of vectors, are listed by component only"));
    TensorDetails& details = m_details[m_model.tensors.size()];
    details.scheme = value.layout;
    std::ranges::replace(details.scheme, '_', ' ');
    details.parts = std::move(parts);
    m_model.tensors.push_back(std::move(*tensor));
}

std::optional<std::vector<std::int64_t>> Lister::tensorIntegers(const TensorValue& value) {
    constexpr std::uint64_t most = 1 << 16;
    const auto shape = Shape::make(value.sizes);
    if (!shape || value.type.dtype != Dtype::I64 || shape->elements() > most || !isContiguous(*shape, value.strides))
        return std::nullopt;
    Shared& shared = sharedStorage(value.storage);
    shared.isRead = true;
    const StoragePlace& place = shared.place;
    const std::uint64_t bytes = shape->elements() * sizeof(std::int64_t);
    const auto first = checked::mul(value.offset, sizeof(std::int64_t));
    if (!place.offset || !first || *first > place.bytes || bytes > place.bytes - *first) return std::nullopt;
    std::vector<std::int64_t> out(shape->elements());
    if (!m_source.readAt(*place.offset + *first, std::as_writable_bytes(std::span(out)))) return std::nullopt;
    return out;
}

// The parts are a buffer and tables of the sizes, strides and offsets of its tensors.
void Lister::addNested(const std::string& name, const TensorValue& value) {
    const auto sizes = tensorIntegers(value.parts[1]);
    const auto strides = tensorIntegers(value.parts[2]);
    const auto offsets = tensorIntegers(value.parts[3]);
    const std::uint64_t rank = value.parts[1].sizes.size() == 2 ? value.parts[1].sizes[1] : 0;
    if (!sizes || !strides || !offsets || sizes->size() != strides->size() || sizes->size() != offsets->size() * rank) {
        m_findings.add(Severity::Error, "torch.nested", std::nullopt,
                       WB_TEXT("{}: the components of the nested tensor {} do not match; its buffer is listed as stored."),
                       formats::shown(name));
        return addDense(name, value.parts[0]);
    }
    const auto isNegative = [](std::int64_t number) { return number < 0; };
    for (std::size_t i = 0; i < offsets->size(); ++i) {
        TensorValue part = value.parts[0];
        const auto row = [&](const std::vector<std::int64_t>& table) { return std::span(table).subspan(i * rank, rank); };
        if (std::ranges::any_of(row(*sizes), isNegative) || std::ranges::any_of(row(*strides), isNegative) || (*offsets)[i] < 0)
            continue;
        part.sizes.assign(row(*sizes).begin(), row(*sizes).end());
        part.strides.assign(row(*strides).begin(), row(*strides).end());
        part.offset = value.parts[0].offset + static_cast<std::uint64_t>((*offsets)[i]);
        addDense(name + "." + std::to_string(i), part);
    }
}

bool Lister::add(const std::string& name, const TensorValue& value) {
    if (m_model.tensors.size() >= m_limits.tensorsPerFile) {
        m_findings.add(Severity::Error, "torch.too_many_tensors", std::nullopt,
                       WB_TEXT("{} has more tensors than {}; the rest is not listed."), m_limits.tensorsPerFile);
        return false;
    }
    switch (value.kind) {
    case TensorKind::Dense: addDense(name, value); return true;
    case TensorKind::Sparse: addSparse(name, value); return true;
    case TensorKind::Nested: addNested(name, value); return true;
    default: break;
    }
    auto tensor = describe(name, value);
    if (!tensor) return true;
    tensor->source =
        TensorSource::unavailable(value.kind == TensorKind::Meta ? Reason("torch.meta") : Reason("torch.unreadable"), value.why);
    m_model.tensors.push_back(std::move(*tensor));
    return true;
}

void Lister::finish() {
    constexpr std::size_t maxAliases = 64;
    for (auto& [key, shared] : m_storages) {
        if (!shared.place.offset || (shared.isRead && shared.uses.empty())) continue;
        auto& uses = shared.uses;
        for (const Use& use : uses) {
            if (uses.size() == 1) break;
            auto& aliases = m_details[use.tensor].aliases;
            for (const Use& other : uses)
                if (other.tensor != use.tensor && aliases.size() < maxAliases)
                    aliases.push_back(m_model.tensors[other.tensor].name);
                else if (aliases.size() >= maxAliases) break;
        }
        std::ranges::stable_sort(uses,
                                 [](const Use& a, const Use& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
        std::uint64_t covered = 0;
        std::uint64_t wasted = 0;
        for (const Use& use : uses) {
            if (use.end <= covered && use.end > use.begin) m_details[use.tensor].isRepeated = true;
            wasted += use.begin > covered ? use.begin - covered : 0;
            covered = std::max(covered, use.end);
        }
        wasted += shared.place.bytes > covered ? shared.place.bytes - covered : 0;
        if (wasted > 0)
            m_findings.add(Severity::Note, "torch.waste", *shared.place.offset,
                           WB_TEXT("{}: no tensor uses {} of the {} bytes of the storage {}."), wasted, shared.place.bytes,
                           formats::shown(key));
    }
    for (auto& [index, details] : m_details) {
        const bool isEmpty = details.member.empty() && details.aliases.empty() && details.notes.empty() && details.parts.empty() &&
                             !details.isRepeated && !details.storageOffset;
        if (!isEmpty && index < m_model.tensors.size())
            m_model.tensors[index].details = std::make_shared<const TensorDetails>(std::move(details));
    }
}

} // namespace wb::torch
