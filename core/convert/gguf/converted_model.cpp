// SPDX-License-Identifier: MIT
#include "core/convert/gguf/converted_model.h"

#include "core/convert/gguf/convert_item.h"
#include "core/formats/gguf/gguf.h"
#include "core/io/failures.h"

#include <algorithm>
#include <cstring>

namespace wb::convert {
namespace {

constexpr std::uint64_t chunkElements = 1 << 18; // computed at a time

// The new file. Tensors that follow a header in ascending order, zeros between them.
class ConvertedSource final : public io::ByteSource {
public:
    ConvertedSource(std::shared_ptr<const ConvertPlan> plan, std::shared_ptr<const TensorInputs> inputs)
        : m_plan(std::move(plan)), m_inputs(std::move(inputs)), m_name(io::baseName(m_plan->folder.model->folder)) {}

    std::uint64_t size() const override { return m_plan->fileBytes; }
    const std::string& name() const override { return m_name; }
    Result<void> checkUnchanged() const override { return m_inputs->checkUnchanged(); }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (!io::Extent::make(size(), offset, out.size())) return io::endsEarly(m_name, size(), offset, out.size());
        while (!out.empty()) {
            WB_TRY_ASSIGN(const std::size_t done, readSome(offset, out));
            offset += done;
            out = out.subspan(done);
        }
        return {};
    }

private:
    // Fills the beginning of `out`, at least one byte of it.
    Result<std::size_t> readSome(std::uint64_t offset, std::span<std::byte> out) const {
        const std::string& header = m_plan->header;
        if (offset < header.size()) {
            const std::size_t count = std::min<std::uint64_t>(out.size(), header.size() - offset);
            std::memcpy(out.data(), header.data() + offset, count);
            return count;
        }
        const auto next = std::ranges::upper_bound(m_plan->tensors, offset, {}, &PlannedTensor::offset);
        const std::uint64_t end = next == m_plan->tensors.end() ? size() : next->offset;
        const std::size_t count = std::min<std::uint64_t>(out.size(), end - offset);
        if (next == m_plan->tensors.begin()) return zeros(out.first(count));
        const auto index = static_cast<std::size_t>(next - m_plan->tensors.begin()) - 1;
        const PlannedTensor& tensor = m_plan->tensors[index];
        const std::uint64_t at = offset - tensor.offset;
        if (at >= tensor.bytes) return zeros(out.first(count));
        const auto here = out.first(std::min<std::uint64_t>(count, tensor.bytes - at));
        WB_TRY(readTensor(index, at, here));
        return here.size();
    }

    static std::size_t zeros(std::span<std::byte> out) {
        std::ranges::fill(out, std::byte{0});
        return out.size();
    }

    // Bytes of one tensor, by the units that can be computed alone.
    Result<void> readTensor(std::size_t index, std::uint64_t at, std::span<std::byte> out) const {
        const PlannedTensor& tensor = m_plan->tensors[index];
        const DtypeInfo& type = info(tensor.to);
        const std::uint64_t unit = tensor.heads == 0 && type.blockElements == 1 ? 1 : itemUnit(tensor);
        const std::uint64_t unitBytes = *rowBytes(tensor.to, unit), source = sourceElements(tensor);
        std::vector<std::byte> computed;
        ItemBuffers buffers;
        while (!out.empty()) {
            const std::uint64_t first = at / unitBytes * unit, before = at % unitBytes;
            const std::uint64_t wanted = (before + out.size() + unitBytes - 1) / unitBytes * unit;
            const std::uint64_t most = std::max(chunkElements / unit, std::uint64_t{1}) * unit;
            const std::uint64_t elements = std::min({wanted, most, source - first % source});
            const std::uint64_t bytes = *rowBytes(tensor.to, elements);
            const std::size_t count = std::min<std::uint64_t>(out.size(), bytes - before);
            const WorkItem item{static_cast<std::uint32_t>(index), first, elements};
            const bool isExact = before == 0 && count == bytes;
            if (!isExact) computed.resize(bytes);
            WB_TRY(convertItem(tensor, item, m_inputs->of(index), isExact ? out.first(count) : std::span(computed), buffers));
            if (!isExact) std::memcpy(out.data(), computed.data() + before, count);
            out = out.subspan(count);
            at += count;
        }
        return {};
    }

    std::shared_ptr<const ConvertPlan> m_plan;
    std::shared_ptr<const TensorInputs> m_inputs;
    std::string m_name;
};

} // namespace

Result<ModelPtr> convertedModel(std::shared_ptr<const ConvertPlan> plan) {
    WB_TRY_ASSIGN(auto inputs, openInputs(*plan));
    const Model& folder = *plan->folder.model;
    auto source = std::make_shared<ConvertedSource>(plan, std::move(inputs));
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    WB_TRY_ASSIGN(const ModelPtr file, gguf::open(source, options));
    auto model = std::make_shared<Model>(*file);
    model->path = folder.path;
    model->folder = folder.folder;
    model->files.resize(1);
    model->files.front() = {source->name(), source->size(), {}, source};
    model->files.insert(model->files.end(), folder.files.begin(), folder.files.end());
    return model;
}

} // namespace wb::convert
