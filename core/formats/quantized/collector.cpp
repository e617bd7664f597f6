// SPDX-License-Identifier: MIT
#include "core/formats/quantized/collector.h"

#include "core/base/checked.h"
#include "core/model/fragments.h"

#include <limits>

namespace wb::quantized {

Collector::Collector(const Model& model, std::string_view prefix, Config config) : m_model(model), m_config(std::move(config)) {
    for (std::size_t i = 0; i < model.tensors.size(); ++i)
        if (!model.tensors[i].logical && model.tensors[i].name.starts_with(prefix)) m_stored.try_emplace(model.tensors[i].name, i);
}

const TensorInfo* Collector::find(const std::string& name) const {
    const auto found = m_stored.find(name);
    return found == m_stored.end() ? nullptr : &m_model.tensors[found->second];
}

std::vector<std::string> Collector::existing(const std::vector<std::string>& names) const {
    std::vector<std::string> found;
    for (const std::string& name : names)
        if (m_stored.contains(name)) found.push_back(name);
    return found;
}

std::vector<std::byte> Collector::read(const TensorInfo& tensor, std::uint64_t maxBytes) const {
    if (!tensor.isReadable() || tensor.bytes() > maxBytes) return {};
    const auto reader = TensorReader::open(m_model, tensor);
    if (!reader) return {};
    std::vector<std::byte> bytes(reader->byteCount(reader->elements()));
    if (!reader->readRaw(0, reader->elements(), bytes)) return {};
    return bytes;
}

std::vector<std::byte> Collector::sample(const TensorInfo& tensor) {
    std::vector<std::byte> bytes = read(tensor, m_sampleBytes);
    m_sampleBytes -= bytes.size();
    return bytes;
}

void Collector::add(const std::string& name, const Shape& shape, std::shared_ptr<const PartsRecipe> recipe) {
    std::uint64_t bytes = 0;
    const TensorInfo* missing = nullptr;
    for (const std::string& part : recipe->parts())
        bytes = checked::add(bytes, find(part)->bytes()).value_or(std::numeric_limits<std::uint64_t>::max());
    for (const std::string& input : recipe->inputs())
        if (!missing && !find(input)->isReadable()) missing = find(input);
    auto details = std::make_shared<TensorDetails>();
    details->scheme = recipe->scheme();
    details->parts = recipe->parts();
    if (shape.elements() != 0) details->bitsPerWeight = static_cast<double>(bytes) * 8 / static_cast<double>(shape.elements());
    TensorInfo tensor;
    tensor.details = std::move(details);
    tensor.name = name;
    tensor.dtype = Dtype::F32;
    tensor.shape = shape;
    tensor.logical = true;
    tensor.source = TensorSource::recipe(std::move(recipe), bytes);
    if (missing)
        tensor.source.makeUnavailable(Reason("quantized.part_unavailable"), fragmentText(fragment::component, missing->name));
    m_tensors.push_back(std::move(tensor));
}

void Collector::refuse(const std::string& name, const char* scheme, const TensorInfo& part) {
    const std::string file = part.file() < m_model.files.size() ? m_model.files[part.file()].name : std::string();
    note(makeProblem(Severity::Warning, "quantized.parts", file, std::nullopt,
                     WB_TEXT("The components of {} do not match its quantization scheme ({}); only the components are listed."),
                     name, scheme));
}

void Collector::note(Problem problem) {
    if (m_counts[problem.code.id()]++ < listedOfOneCode) m_problems.push_back(std::move(problem));
}

std::vector<Problem> Collector::takeProblems() {
    for (const auto& [code, count] : m_counts)
        if (count > listedOfOneCode)
            m_problems.push_back(makeProblem(Severity::Note, "quantized.more", {}, std::nullopt,
                                             WB_TEXT("{} more problems of the same kind ({})."), count - listedOfOneCode, code));
    return std::move(m_problems);
}

} // namespace wb::quantized
