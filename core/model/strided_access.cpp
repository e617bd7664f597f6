// SPDX-License-Identifier: MIT
#include "core/base/checked.h"
#include "core/model/element_access.h"

#include <algorithm>
#include <cstring>
#include <list>
#include <mutex>
#include <new>

namespace wb {
namespace {

// A read of the system costs about as much as copying this many bytes: closer runs are read together with the gap between them.
constexpr std::uint64_t gapBytes = 4096;
constexpr std::uint64_t runBytes = 256 << 10; // read at a time
constexpr std::uint64_t bandBytes = 16 << 20; // see StridedAccess
constexpr std::size_t bandsKept = 2;
constexpr std::uint64_t directElements = 64; // a request up to this size is read without a band
constexpr std::uint64_t closeBytes = 64;     // so are all where neighbors in a row are at most so far apart

struct Axis {
    std::uint64_t count = 1;
    std::uint64_t stride = 1; // elements in the file
    std::uint64_t target = 1; // elements in the result
};

// Without axes of one element, and with neighboring axes joined where the outer one continues the inner one.
std::vector<Axis> joinedAxes(const Shape& shape, const std::vector<std::uint64_t>& strides) {
    std::vector<Axis> axes;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (shape[i] == 1) continue;
        if (!axes.empty() && axes.back().stride == strides[i] * shape[i]) {
            axes.back().count *= shape[i];
            axes.back().stride = strides[i];
        } else {
            axes.push_back({shape[i], strides[i], 1});
        }
    }
    std::uint64_t inner = 1;
    for (std::size_t i = axes.size(); i-- > 0; inner *= axes[i].count) axes[i].target = inner;
    return axes;
}

// Copies the elements of a box whose axes are in `run`, which starts at the box's origin, to `out`.
template <std::size_t Bytes>
void scatter(std::span<const Axis> axes, const std::byte* run, std::byte* out) {
    if (axes.empty()) {
        std::memcpy(out, run, Bytes);
        return;
    }
    const Axis& axis = axes.back();
    for (std::uint64_t i = 0; i < axis.count; ++i, run += axis.stride * Bytes, out += axis.target * Bytes)
        scatter<Bytes>(axes.first(axes.size() - 1), run, out);
}

void scatter(std::size_t bytes, std::span<const Axis> axes, const std::byte* run, std::byte* out) {
    switch (bytes) {
    case 1: return scatter<1>(axes, run, out);
    case 2: return scatter<2>(axes, run, out);
    case 4: return scatter<4>(axes, run, out);
    case 8: return scatter<8>(axes, run, out);
    default: return scatter<16>(axes, run, out);
    }
}

// Reads elements at fixed distances, in any order of axes, in memory that does not depend on the size of the tensor.
//
// A slab of rows of a transposed matrix touches every column of the file with a few bytes each. Read slab by slab, a matrix of
// 8,192 x 8,192 would take eight million reads. So elements come in bands of 16 MiB, in which the bytes of one column are a run of
// some KiB; the last bands are kept, because slabs are requested in ascending order by several threads.
class StridedAccess final : public ElementAccess {
public:
    StridedAccess(std::shared_ptr<io::ByteSource> source, std::uint64_t offset, std::size_t bytes, const TensorInfo& tensor)
        : m_source(std::move(source)), m_offset(offset), m_bytes(bytes), m_elements(tensor.shape.elements()),
          m_axes(joinedAxes(tensor.shape, tensor.source.strides())) {}

    Result<void> readRaw(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const override {
        const bool closeTogether = m_axes.empty() || m_axes.back().stride * m_bytes <= closeBytes;
        if (closeTogether || count <= directElements) return gather(first, count, out);
        const std::uint64_t bandElements = bandBytes / m_bytes;
        while (count > 0) {
            const std::uint64_t index = first / bandElements, at = first % bandElements;
            const std::uint64_t taken = std::min(count, bandElements - at);
            WB_TRY_ASSIGN(const Band band, bandAt(index));
            std::memcpy(out.data(), band.bytes->data() + at * m_bytes, taken * m_bytes);
            out = out.subspan(taken * m_bytes);
            first += taken;
            count -= taken;
        }
        return {};
    }

    Result<void> checkUnchanged() const override { return m_source->checkUnchanged(); }

private:
    struct Band {
        std::uint64_t index = 0;
        std::shared_ptr<const std::vector<std::byte>> bytes;
    };

    // Threads that want the band another one is reading wait for it.
    Result<Band> bandAt(std::uint64_t index) const {
        const std::lock_guard lock(m_mutex);
        const auto known = std::ranges::find(m_bands, index, &Band::index);
        if (known != m_bands.end()) {
            m_bands.splice(m_bands.begin(), m_bands, known);
            return m_bands.front();
        }
        const std::uint64_t first = index * (bandBytes / m_bytes);
        const std::uint64_t count = std::min(bandBytes / m_bytes, m_elements - first);
        try {
            auto bytes = std::make_shared<std::vector<std::byte>>(count * m_bytes);
            WB_TRY(gather(first, count, *bytes));
            m_bands.push_front({index, std::move(bytes)});
        } catch (const std::bad_alloc&) {
            return std::unexpected(outOfMemory());
        }
        if (m_bands.size() > bandsKept) m_bands.pop_back();
        return m_bands.front();
    }

    Result<void> gather(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const {
        std::vector<std::byte> run;
        return gatherRange(0, 0, first, count, out.data(), run);
    }

    // A row-major range inside the axes from `depth` on is a box of whole inner axes, with a smaller range before and after it.
    Result<void> gatherRange(std::size_t depth, std::uint64_t origin, std::uint64_t first, std::uint64_t count, std::byte* out,
                             std::vector<std::byte>& run) const {
        if (count == 0) return {};
        if (depth == m_axes.size()) return readBox({}, origin, out, run);
        const Axis& axis = m_axes[depth];
        const std::uint64_t inner = axis.target;
        std::uint64_t at = first / inner;
        if (const std::uint64_t begin = first % inner; begin != 0 || count < inner) {
            const std::uint64_t head = std::min(count, inner - begin);
            WB_TRY(gatherRange(depth + 1, origin + at * axis.stride, begin, head, out, run));
            out += head * m_bytes;
            count -= head;
            ++at;
        }
        if (const std::uint64_t whole = count / inner; whole > 0) {
            std::vector<Axis> axes(m_axes.begin() + static_cast<std::ptrdiff_t>(depth), m_axes.end());
            axes.front().count = whole;
            std::ranges::stable_sort(axes, {}, &Axis::stride);
            WB_TRY(readBox(axes, origin + at * axis.stride, out, run));
            out += whole * inner * m_bytes;
            at += whole;
        }
        return gatherRange(depth + 1, origin + at * axis.stride, 0, count % inner, out, run);
    }

    // Axes by ascending stride. The first ones, as far as their elements are close together, form a run that one read brings; the
    // others are walked like a counter.
    Result<void> readBox(const std::vector<Axis>& axes, std::uint64_t origin, std::byte* out, std::vector<std::byte>& run) const {
        const std::uint64_t runElements = runBytes / m_bytes;
        std::uint64_t span = 1; // elements of the file from the first to the last of the run
        std::size_t joined = 0;
        for (; joined < axes.size() && axes[joined].stride <= span + gapBytes / m_bytes; ++joined) {
            const auto [count, stride, target] = axes[joined];
            const std::uint64_t fitting = stride == 0 ? count : (runElements - span) / stride + 1;
            if (fitting == 1) break;
            if (fitting < count) return readDivided(axes, joined, fitting, origin, out, run);
            span += (count - 1) * stride;
        }
        const auto outer = std::span(axes).subspan(joined);
        std::vector<std::uint64_t> counter(outer.size());
        while (true) {
            WB_TRY(readRun(std::span(axes).first(joined), span, origin, out, run));
            std::size_t i = 0;
            for (; i < outer.size(); ++i) {
                origin += outer[i].stride;
                out += outer[i].target * m_bytes;
                if (++counter[i] < outer[i].count) break;
                origin -= outer[i].stride * counter[i];
                out -= outer[i].target * m_bytes * counter[i];
                counter[i] = 0;
            }
            if (i == outer.size()) return {};
        }
    }

    // Reads a box in parts of `count` elements of one axis.
    Result<void> readDivided(std::vector<Axis> axes, std::size_t axis, std::uint64_t count, std::uint64_t origin, std::byte* out,
                             std::vector<std::byte>& run) const {
        const Axis whole = axes[axis];
        for (std::uint64_t at = 0; at < whole.count; at += count) {
            axes[axis].count = std::min(count, whole.count - at);
            WB_TRY(readBox(axes, origin + at * whole.stride, out + at * whole.target * m_bytes, run));
        }
        return {};
    }

    // One read of `span` elements of the file, whose elements on `axes` go to their places in `out`.
    Result<void> readRun(std::span<const Axis> axes, std::uint64_t span, std::uint64_t origin, std::byte* out,
                         std::vector<std::byte>& run) const {
        const std::uint64_t offset = m_offset + origin * m_bytes;
        const bool isPlain = axes.empty() || (axes.size() == 1 && axes[0].stride == 1 && axes[0].target == 1);
        if (isPlain) return m_source->readAt(offset, {out, span * m_bytes});
        run.resize(span * m_bytes);
        WB_TRY(m_source->readAt(offset, run));
        scatter(m_bytes, axes, run.data(), out);
        return {};
    }

    std::shared_ptr<io::ByteSource> m_source;
    std::uint64_t m_offset;
    std::size_t m_bytes; // of an element
    std::uint64_t m_elements;
    std::vector<Axis> m_axes; // outermost first
    mutable std::mutex m_mutex;
    mutable std::list<Band> m_bands; // last used first
};

// The number of elements from the first to the last one in the file; empty where that does not fit 64 bits.
std::optional<std::uint64_t> shapeSpan(const Shape& shape, const std::vector<std::uint64_t>& strides) {
    std::optional<std::uint64_t> span = 1;
    for (std::size_t i = 0; i < shape.rank() && span; ++i) {
        const auto reach = checked::mul(shape[i] - 1, strides[i]);
        span = reach ? checked::add(*span, *reach) : std::nullopt;
    }
    return span;
}

} // namespace

Result<ElementAccessPtr> openStrided(const Model& model, const TensorInfo& tensor) {
    const DtypeInfo& type = info(tensor.dtype);
    const std::vector<std::uint64_t>& strides = tensor.source.strides();
    if (type.blockElements != 1 || strides.size() != tensor.shape.rank())
        return fail(ErrorCode::Malformed, Reason("model.strides"),
                    WB_TEXT("The strides of {} do not match its type {} and shape {}."), tensor.name, tensor.dtypeName(),
                    tensor.shape.toString());
    const TensorPlace& place = tensor.source.place();
    const auto outside = [&] {
        return fail(ErrorCode::Malformed, Reason("model.strides_outside"), WB_TEXT("The strides of {} point outside its file."),
                    tensor.name);
    };
    if (place.file >= model.files.size()) return outside();
    WB_TRY_ASSIGN(auto source, openFile(model, place.file));
    const auto span = tensor.shape.elements() == 0 ? std::uint64_t{0} : shapeSpan(tensor.shape, strides);
    const auto bytes = span ? checked::mul(*span, type.blockBytes) : std::nullopt;
    if (!bytes || !io::Extent::make(source->size(), *place.offset, *bytes)) return outside();
    return std::make_shared<const StridedAccess>(std::move(source), *place.offset, type.blockBytes, tensor);
}

} // namespace wb
