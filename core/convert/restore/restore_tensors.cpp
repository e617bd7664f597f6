// SPDX-License-Identifier: MIT
#include "core/convert/restore/restore_folder.h"
#include "core/convert/restore/restore_recipes.h"
#include "core/convert/gguf/tensor_names.h"
#include "core/convert/gguf/tensor_view.h"
#include "core/model/tensor_reader.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <set>

namespace wb::convert {
namespace {

bool isBlock(Dtype dtype) { return info(dtype).kind == DtypeKind::Block; }

// Tensors that follow from config.json.
bool isGenerated(std::string_view name) {
    return name == "rope_freqs.weight" || name == "rope_factors_long.weight" || name == "rope_factors_short.weight";
}

std::uint16_t codeOf(float value, Dtype type) { return type == Dtype::F16 ? f32ToF16(value) : f32ToBf16(value); }
float valueOf(std::uint16_t code, Dtype type) { return type == Dtype::F16 ? f16ToF32(code) : bf16ToF32(code); }

class Restorer {
public:
    explicit Restorer(const RestoreContext& context) : m_context(context), m_model(context.model) {}

    Result<ModelPtr> run() {
        m_folder = std::make_shared<Model>();
        m_folder->format = FormatId::HuggingFace;
        m_folder->path = m_model.path;
        m_folder->folder = m_model.folder;
        m_folder->files = m_model.files;
        m_folder->bigEndian = m_model.bigEndian;
        const FolderRules& rules = m_context.rules;
        const std::string prefix(rules.outerPrefix);
        WB_TRY(restoreAll(rules.outer, "", prefix));
        for (std::size_t layer = 0; layer < m_context.spec.layers.size(); ++layer)
            WB_TRY(
                restoreAll(rules.layer, fmt::format("blk.{}.", layer), fmt::format("{}{}{}.", prefix, rules.layerPrefix, layer)));
        WB_TRY(checkAllUsed());
        // What recipes name; no tensor of the folder has such a name, as those of GGUF are their own.
        for (TensorInfo input : m_model.tensors) {
            input.logical = true;
            m_folder->tensors.push_back(std::move(input));
        }
        noteInexact();
        return ModelPtr(m_folder);
    }

private:
    Result<void> restoreAll(std::span<const TensorRule> rules, const std::string& from, const std::string& to) {
        for (const TensorRule& rule : rules) {
            if (rule.isWhole()) WB_TRY(restore(rules, rule, from, to, "", ""));
            else
                for (const std::string_view ending : {".weight", ".bias"}) WB_TRY(restore(rules, rule, from, to, ending, ending));
        }
        return {};
    }

    // The inverse of a rule.
    Result<void> restore(std::span<const TensorRule> rules, const TensorRule& rule, const std::string& from, const std::string& to,
                         std::string_view fromEnding, std::string_view toEnding) {
        const TensorInfo* const tensor = m_context.tensor(from + std::string(rule.target) + std::string(fromEnding));
        if (!tensor || m_used.contains(tensor)) return {};
        const std::string name = to + std::string(rule.source) + std::string(toEnding);
        m_used.insert(tensor);
        switch (rule.transform) {
        case Transform::Stack:
        case Transform::StackHeads: return unstack(*tensor, name);
        case Transform::Transpose: return fromEnding == ".bias" ? restoreRows(*tensor, name, 0, 0) : transpose(*tensor, name);
        case Transform::AddOne: return restoreRows(*tensor, name, 0, 1);
        case Transform::PermuteQueries: return restoreRows(*tensor, name, permuted(m_context.spec.headCount), 0);
        case Transform::PermuteKeys: return restoreRows(*tensor, name, permuted(m_context.spec.kvHeadCount), 0);
        case Transform::FirstHalf:
        case Transform::EvenColumns:
        case Transform::RepackEvenRows: return join(rules, rule, *tensor, name, from, fromEnding);
        case Transform::Repack: return unpack({tensor}, name);
        case Transform::Copy:
        case Transform::CutRows: return restoreRows(*tensor, name, 0, 0);
        default: return unfit(*tensor); // the second part of the first one's value
        }
    }

    std::uint64_t permuted(std::uint64_t heads) const { return m_context.rules.permutes ? heads : 0; }

    void push(std::string name, Dtype dtype, const Shape& shape, TensorSource source, std::vector<std::string> parts,
              const char* transform) {
        TensorInfo tensor;
        tensor.name = std::move(name);
        tensor.dtype = dtype;
        tensor.shape = shape;
        tensor.source = std::move(source);
        auto details = std::make_shared<TensorDetails>();
        details->parts = std::move(parts);
        details->scheme = transform;
        tensor.details = std::move(details);
        m_folder->tensors.push_back(std::move(tensor));
    }

    static const char* transformOf(std::uint64_t heads, float subtrahend) {
        return heads > 0 ? "unpermute" : subtrahend != 0 ? "subtract_one" : "";
    }

    Result<void> restoreRows(const TensorInfo& tensor, const std::string& name, std::uint64_t heads, float subtrahend) {
        WB_TRY_ASSIGN(const Dtype dtype, typeBefore(tensor, subtrahend));
        const char* const transform = transformOf(heads, subtrahend);
        if (heads == 0 && subtrahend == 0 && dtype == tensor.dtype)
            push(name, dtype, tensor.shape, tensor.source, {tensor.name}, transform);
        else
            push(name, dtype, tensor.shape,
                 TensorSource::recipe(std::make_shared<RestoredRows>(tensor.name, heads, subtrahend, dtype), tensor.bytes()),
                 {tensor.name}, transform);
        return {};
    }

    // Vectors are stored as F32 whatever they were: where none loses anything they get the type of the matrices back.
    Result<Dtype> typeBefore(const TensorInfo& tensor, float subtrahend) {
        if (tensor.dtype != Dtype::F32) return tensor.dtype;
        if (m_context.type == Dtype::F32) return Dtype::F32;
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(m_model, tensor));
        std::vector<float> values;
        std::vector<std::byte> scratch;
        constexpr std::uint64_t slab = 1 << 16;
        for (std::uint64_t at = 0; at < reader.elements(); at += slab) {
            values.resize(std::min(slab, reader.elements() - at));
            WB_TRY(reader.readF32(at, values, scratch));
            for (const float value : values) {
                const float kept = valueOf(codeOf(value - subtrahend, m_context.type), m_context.type);
                if (kept == value - subtrahend && kept + subtrahend == value) continue;
                m_inexact.push_back(tensor.name);
                return Dtype::F32;
            }
        }
        return m_context.type;
    }

    Result<void> unstack(const TensorInfo& tensor, const std::string& name) {
        const auto dimensions = tensor.shape.dimensions();
        const std::size_t hole = name.find("{}");
        if (dimensions.size() < 2 || tensor.source.form() != TensorSource::Form::Stored || hole == std::string::npos)
            return unfit(tensor);
        const Shape each = *Shape::make(dimensions.subspan(1));
        const auto bytes = rowBytes(tensor.dtype, each.elements());
        if (!bytes) return unfit(tensor);
        WB_TRY_ASSIGN(const Dtype dtype, typeBefore(tensor, 0));
        for (std::uint64_t i = 0; i < dimensions[0]; ++i) {
            std::string own = name;
            own.replace(hole, 2, fmt::format("{}", i));
            TensorInfo slice = tensor;
            slice.name = fmt::format("{}[{}]", tensor.name, i);
            slice.shape = each;
            slice.source = TensorSource::stored(tensor.file(), *tensor.offset() + i * *bytes, *bytes);
            if (dtype == tensor.dtype) {
                push(own, dtype, each, slice.source, {tensor.name}, "unstack");
                continue;
            }
            push(own, dtype, each, TensorSource::recipe(std::make_shared<RestoredRows>(slice.name, 0, 0.0F, dtype), *bytes),
                 {tensor.name}, "unstack");
            slice.logical = true;
            m_folder->tensors.push_back(std::move(slice));
        }
        return {};
    }

    Result<void> transpose(const TensorInfo& tensor, const std::string& name) {
        if (tensor.shape.rank() != 2) return unfit(tensor);
        WB_TRY_ASSIGN(const TensorInfo view, viewOf(tensor, Transform::Transpose, 0));
        push(name, view.dtype, view.shape, view.source, {tensor.name}, "transpose");
        return {};
    }

    // The tensor that another rule made of the same source.
    Result<void> join(std::span<const TensorRule> rules, const TensorRule& rule, const TensorInfo& first, const std::string& name,
                      const std::string& from, std::string_view ending) {
        const auto other =
            std::ranges::find_if(rules, [&rule](const TensorRule& each) { return &each != &rule && each.source == rule.source; });
        const TensorInfo* const second =
            other == rules.end() ? nullptr : m_context.tensor(from + std::string(other->target) + std::string(ending));
        if (!second || second->shape != first.shape || second->dtype != first.dtype) return unfit(first);
        m_used.insert(second);
        if (rule.transform == Transform::RepackEvenRows) return unpack({&first, second}, name);
        if (rule.transform == Transform::EvenColumns) return interleave(first, *second, name);
        return concatenate(first, *second, name);
    }

    // The rows of the one and then those of the other, matrix by matrix.
    Result<void> concatenate(const TensorInfo& first, const TensorInfo& second, const std::string& name) {
        std::vector<std::uint64_t> dimensions(first.shape.dimensions().begin(), first.shape.dimensions().end());
        if (dimensions.size() < 2 || first.source.form() != TensorSource::Form::Stored) return unfit(first);
        const std::uint64_t matrix = dimensions[dimensions.size() - 2] * dimensions.back();
        const auto bytes = rowBytes(first.dtype, matrix);
        if (!bytes || matrix == 0) return unfit(first);
        dimensions[dimensions.size() - 2] *= 2;
        std::vector<TensorPiece> pieces;
        for (std::uint64_t i = 0; i < first.shape.elements() / matrix; ++i)
            for (const TensorInfo* half : {&first, &second}) pieces.push_back({half->file(), *half->offset() + i * *bytes, matrix});
        push(name, first.dtype, *Shape::make(dimensions), TensorSource::pieces(std::move(pieces), first.bytes() + second.bytes()),
             {first.name, second.name}, "join");
        return {};
    }

    Result<void> interleave(const TensorInfo& even, const TensorInfo& odd, const std::string& name) {
        std::vector<std::uint64_t> dimensions(even.shape.dimensions().begin(), even.shape.dimensions().end());
        if (dimensions.empty() || isBlock(even.dtype)) return unfit(even);
        dimensions.back() *= 2;
        WB_TRY_ASSIGN(const Dtype one, typeBefore(even, 0));
        WB_TRY_ASSIGN(const Dtype other, typeBefore(odd, 0));
        const Dtype dtype = one == other ? one : Dtype::F32;
        push(name, dtype, *Shape::make(dimensions),
             TensorSource::recipe(std::make_shared<Interleaved>(even.name, odd.name, dtype), even.bytes() + odd.bytes()),
             {even.name, odd.name}, "interleave");
        return {};
    }

    // Blocks that stayed MXFP4, as codes and scales again; `name` is that of the codes.
    Result<void> unpack(std::vector<const TensorInfo*> tensors, const std::string& name) {
        const TensorInfo& first = *tensors.front();
        constexpr std::string_view ending = "_blocks";
        if (first.dtype != Dtype::MXFP4 || first.shape.rank() != 3 || !name.ends_with(ending)) return unfit(first);
        const std::uint64_t rows = first.shape[1] * tensors.size(), blocks = first.shape[2] / 32;
        std::vector<std::string> names;
        std::uint64_t bytes = 0;
        for (const TensorInfo* tensor : tensors) names.push_back(tensor->name), bytes += tensor->bytes();
        const std::string scales = name.substr(0, name.size() - ending.size()) + "_scales";
        const auto recipe = [&](UnpackedBlocks::Part part) {
            return TensorSource::recipe(std::make_shared<UnpackedBlocks>(names, part), bytes);
        };
        push(name, Dtype::U8, *Shape::make({first.shape[0], rows, blocks, 16}), recipe(UnpackedBlocks::Part::Codes), names,
             "unpack");
        push(scales, Dtype::U8, *Shape::make({first.shape[0], rows, blocks}), recipe(UnpackedBlocks::Part::Scales), names,
             "unpack");
        return {};
    }

    static std::unexpected<Error> unfit(const TensorInfo& tensor) {
        return fail(ErrorCode::Unsupported, Reason("convert.no_inverse"), About{tensor.name},
                    WB_TEXT("The tensor {} of type {} and shape {} cannot be converted back to its original form."), tensor.name,
                    name(tensor.dtype), tensor.shape.toString());
    }

    Result<void> checkAllUsed() const {
        for (const TensorInfo& tensor : m_model.tensors)
            if (!tensor.logical && !m_used.contains(&tensor) && !isGenerated(tensor.name))
                return fail(ErrorCode::Unsupported, Reason("convert.unmapped_tensor"), About{tensor.name},
                            WB_TEXT("The tensor {} does not belong to the architecture {}, so the file cannot be converted to a "
                                    "folder; --to safetensors keeps its names."),
                            tensor.name, m_context.family.architecture);
        return {};
    }

    void noteInexact() {
        if (m_inexact.empty()) return;
        std::string names;
        for (std::size_t i = 0; i < std::min<std::size_t>(m_inexact.size(), 8); ++i) (names += i == 0 ? "" : ", ") += m_inexact[i];
        m_context.problems.push_back(makeProblem(Severity::Note, "convert.stays_f32", "", std::nullopt,
                                                 WB_TEXT("{} tensors stay F32 because {} cannot store their values exactly: {}."),
                                                 m_inexact.size(), name(m_context.type), names));
    }

    static const char* name(Dtype dtype) { return wb::name(dtype); }

    const RestoreContext& m_context;
    const Model& m_model;
    std::shared_ptr<Model> m_folder;
    std::set<const TensorInfo*> m_used;
    std::vector<std::string> m_inexact;
};

} // namespace

Result<ModelPtr> restoreTensors(const RestoreContext& context) { return Restorer(context).run(); }

} // namespace wb::convert
