// SPDX-License-Identifier: MIT
#include "core/base/checked.h"
#include "core/model/element_access.h"

#include <algorithm>
#include <map>

namespace wb {
namespace {

struct PieceSpan {
    std::shared_ptr<io::ByteSource> source;
    io::Extent extent;
    std::uint64_t first; // flat index of its first element
};

class PiecesAccess final : public ElementAccess {
public:
    PiecesAccess(Dtype dtype, std::uint64_t elements, std::vector<PieceSpan> parts)
        : m_type(info(dtype)), m_elements(elements), m_parts(std::move(parts)) {}

    Result<void> readRaw(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const override {
        auto part = std::ranges::upper_bound(m_parts, first, {}, &PieceSpan::first);
        for (--part; count > 0; ++part) {
            const std::uint64_t end = part + 1 == m_parts.end() ? m_elements : (part + 1)->first;
            const std::uint64_t run = std::min(count, end - first);
            const std::uint64_t bytes = bytesFromElements(run);
            WB_TRY(part->source->readAt(part->extent.offset() + bytesFromElements(first - part->first), out.first(bytes)));
            out = out.subspan(bytes);
            first += run;
            count -= run;
        }
        return {};
    }

    Result<void> checkUnchanged() const override {
        for (const PieceSpan& part : m_parts) WB_TRY(part.source->checkUnchanged());
        return {};
    }

private:
    std::uint64_t bytesFromElements(std::uint64_t elements) const { return elements / m_type.blockElements * m_type.blockBytes; }

    const DtypeInfo& m_type;
    std::uint64_t m_elements;
    std::vector<PieceSpan> m_parts; // by `first`; none is empty
};

} // namespace

Result<ElementAccessPtr> openPieces(const Model& model, const TensorInfo& tensor) {
    const std::uint64_t block = info(tensor.dtype).blockElements;
    std::map<std::uint32_t, std::shared_ptr<io::ByteSource>> sources; // each file is opened once
    std::vector<PieceSpan> parts;
    std::uint64_t elements = 0;
    for (const TensorPiece& piece : tensor.source.pieces()) {
        if (piece.elements == 0) continue;
        const auto outside = [&] {
            return fail(ErrorCode::Malformed, Reason("model.piece_outside"), WB_TEXT("A segment of {} is outside its file."),
                        tensor.name);
        };
        if (piece.file >= model.files.size()) return outside();
        auto& source = sources[piece.file];
        if (!source) {
            WB_TRY_ASSIGN(source, openFile(model, piece.file));
        }
        const auto bytes = piece.elements % block == 0 ? rowBytes(tensor.dtype, piece.elements) : std::nullopt;
        const auto extent = bytes ? io::Extent::make(source->size(), piece.offset, *bytes) : std::nullopt;
        const auto end = checked::add(elements, piece.elements);
        if (!extent || !end) return outside();
        parts.push_back({source, *extent, elements});
        elements = *end;
    }
    if (elements != tensor.shape.elements())
        return fail(ErrorCode::Malformed, Reason("model.piece_count"),
                    WB_TEXT("The segments of {} have {} elements, but its shape {} needs {}."), tensor.name, elements,
                    tensor.shape.toString(), tensor.shape.elements());
    return std::make_shared<const PiecesAccess>(tensor.dtype, elements, std::move(parts));
}

} // namespace wb
