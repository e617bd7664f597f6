// SPDX-License-Identifier: MIT
#include "core/formats/litertlm/litertlm.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/flat/flat.h"
#include "core/formats/tflite/tflite.h"
#include "core/io/range_source.h"

#include <array>
#include <set>

namespace wb::litertlm {
namespace {

using flat::Table;
using flat::Vector;

constexpr formats::Tasks taskNames{"litertlm.index"};
constexpr std::uint64_t headerBegin = 32, maxHeader = 16 << 20, maxSections = 10'000;

// AnySectionDataType, by its number.
constexpr std::array sectionTypes = {"none",
                                     "binary data",
                                     "deprecated",
                                     "TFLite model",
                                     "SentencePiece tokenizer",
                                     "LLM metadata",
                                     "Hugging Face tokenizer",
                                     "TFLite weights",
                                     "executor metadata"};
constexpr std::uint8_t tfliteModel = 3;

class Reader {
public:
    Reader(const std::shared_ptr<io::ByteSource>& source, const formats::OpenOptions& options)
        : m_source(source), m_options(options), m_findings(source->name(), options.strictness), m_index(1) {}

    // "LITERTLM", u32 major, minor and patch version, four bytes unused, u64 end of the header, the header.
    Result<formats::Index> read() {
        io::RandomReader file(*m_source);
        if (!file.hasText(0, "LITERTLM"))
            return m_findings.refuse(ErrorCode::Malformed, "litertlm.magic", WB_TEXT("{} is not a LiteRT-LM bundle."));
        m_index.model.version =
            fmt::format("{}.{}.{}", file.read<std::uint32_t>(8), file.read<std::uint32_t>(12), file.read<std::uint32_t>(16));
        const auto end = file.read<std::uint64_t>(24);
        const auto extent = end >= headerBegin && end - headerBegin <= maxHeader
                                ? io::Extent::make(m_source->size(), headerBegin, end - headerBegin)
                                : std::nullopt;
        if (!extent) return damaged();
        const io::RangeSource header(m_source, *extent, m_source->name());
        flat::File tables(header);
        const Table root = Table::root(tables), list = root.table(1);
        const Vector sections = list.isThere() ? list.vector(0, 4) : Vector();
        for (std::uint64_t i = 0; i < std::min(sections.count, maxSections) && tables.good(); ++i)
            WB_TRY(readSection(list.tableAt(sections, i), i));
        if (tables.failure()) return std::unexpected(*tables.failure());
        if (!tables.good()) return damaged();
        Model& model = m_index.model;
        model.format = FormatId::LiteRtLm;
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

private:
    std::unexpected<Error> damaged() const {
        return m_findings.refuse(ErrorCode::Malformed, "litertlm.damaged",
                                 WB_TEXT("{} is corrupted: its header is invalid; download it again."));
    }

    // items 0 of key 0 and value 1 (a union) 2 {text 0}, begin 1, end 2, type 3.
    Result<void> readSection(const Table& section, std::uint64_t number) {
        constexpr std::uint8_t textValue = 9;
        if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
        const auto begin = section.number<std::uint64_t>(1), end = section.number<std::uint64_t>(2);
        const auto type = section.number<std::uint8_t>(3);
        std::string kind;
        const Vector items = section.vector(0, 4);
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(items.count, 100); ++i) {
            const Table item = section.tableAt(items, i);
            if (item.text(0) == "model_type" && item.number<std::uint8_t>(1) == textValue) kind = toUtf8(item.table(2).text(0));
        }
        const char* const name = type < sectionTypes.size() ? sectionTypes[type] : "unknown";
        m_index.model.metadata.members.push_back(
            {fmt::format("section {}", number),
             Value::of(fmt::format("{}{}{}, {} bytes", name, kind.empty() ? "" : " ", kind, end >= begin ? end - begin : 0))});
        if (type != tfliteModel) return {};
        const auto extent = end >= begin ? io::Extent::make(m_source->size(), begin, end - begin) : std::nullopt;
        if (!extent)
            return m_findings.defect(Severity::Error, "litertlm.section", begin,
                                     WB_TEXT("{} is truncated: section {} is outside the file; download it again."), number);
        const bool isNew = !kind.empty() && m_kinds.insert(kind).second;
        return readModel(*extent, isNew ? kind : fmt::format("section {}", number));
    }

    Result<void> readModel(const io::Extent& extent, const std::string& prefix) {
        const formats::Sources inner{std::make_shared<io::RangeSource>(m_source, extent, m_source->name())};
        auto index = tflite::readIndex(inner, {}, m_options);
        if (!index && (m_findings.strict() || index.error().code == ErrorCode::Canceled)) return std::unexpected(index.error());
        if (!index) {
            m_findings.add(Severity::Error, "litertlm.model", index.error());
            return {};
        }
        if (index->model.tensors.size() > m_options.limits.tensorsPerFile - m_index.model.tensors.size())
            return m_findings.refuse(ErrorCode::TooLarge, "litertlm.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                     m_options.limits.tensorsPerFile);
        for (TensorInfo& tensor : index->model.tensors) {
            tensor.name = prefix + "/" + tensor.name;
            const TensorPlace& place = tensor.source.place();
            if (place.file != 0) {
                tensor.source =
                    TensorSource::unavailable(Reason("litertlm.sparse"), WB_TEXT("it is sparse in a form that is not supported"));
            } else {
                TensorPlace moved = place;
                if (moved.offset) moved.offset = *moved.offset + extent.offset();
                tensor.source.setPlace(moved);
            }
            m_index.model.tensors.push_back(std::move(tensor));
        }
        for (const Problem& problem : index->model.problems)
            m_findings.add(problem.severity, problem.code, asError(ErrorCode::Malformed, problem));
        return {};
    }

    const std::shared_ptr<io::ByteSource>& m_source;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
    std::set<std::string> m_kinds;
};

} // namespace

bool sniff(std::span<const std::byte> head) {
    return std::string_view(reinterpret_cast<const char*>(head.data()), head.size()).starts_with("LITERTLM");
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return Reader(sources.at(0), options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::litertlm
