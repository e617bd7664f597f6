// SPDX-License-Identifier: MIT
#include "core/formats/lightgbm/lightgbm.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/trees/columns.h"

#include <algorithm>
#include <array>

namespace wb::lightgbm {
namespace {

using trees::Columns;

constexpr formats::Tasks taskNames{"lightgbm.index"};
constexpr std::uint64_t maxText = 512 << 20;
constexpr std::size_t maxFacts = 10'000, maxFactBytes = 64 << 10;

struct KnownColumn {
    std::string_view name;
    Dtype dtype;
};

// Lines of numbers in a tree.
constexpr std::array knownColumns = {KnownColumn{"num_leaves", Dtype::I32},      KnownColumn{"num_cat", Dtype::I32},
                                     KnownColumn{"split_feature", Dtype::I32},   KnownColumn{"split_gain", Dtype::F32},
                                     KnownColumn{"threshold", Dtype::F64},       KnownColumn{"decision_type", Dtype::U8},
                                     KnownColumn{"left_child", Dtype::I32},      KnownColumn{"right_child", Dtype::I32},
                                     KnownColumn{"leaf_value", Dtype::F64},      KnownColumn{"leaf_weight", Dtype::F64},
                                     KnownColumn{"leaf_count", Dtype::I32},      KnownColumn{"internal_value", Dtype::F64},
                                     KnownColumn{"internal_weight", Dtype::F64}, KnownColumn{"internal_count", Dtype::I32},
                                     KnownColumn{"cat_boundaries", Dtype::I32},  KnownColumn{"cat_threshold", Dtype::U32},
                                     KnownColumn{"shrinkage", Dtype::F64},       KnownColumn{"is_linear", Dtype::U8},
                                     KnownColumn{"leaf_const", Dtype::F64},      KnownColumn{"num_features", Dtype::I32},
                                     KnownColumn{"leaf_features", Dtype::I32},   KnownColumn{"leaf_coeff", Dtype::F64}};

class Reader {
public:
    Reader(const io::ByteSource& source, const formats::OpenOptions& options)
        : m_source(source), m_options(options), m_findings(source.name(), options.strictness), m_index(1) {}

    Result<formats::Index> read() {
        if (m_source.size() > maxText)
            return m_findings.refuse(ErrorCode::TooLarge, "lightgbm.size", WB_TEXT("{} is longer than {} bytes."), maxText);
        std::string content(m_source.size(), '\0');
        WB_TRY(m_source.readAt(0, std::as_writable_bytes(std::span(content))));
        if (!sniff(content))
            return m_findings.refuse(ErrorCode::Malformed, "lightgbm.sign", WB_TEXT("{} is not a LightGBM model."));
        std::string_view text = content;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            std::string_view line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            ++m_line;
            if (line.ends_with('\r')) line.remove_suffix(1);
            if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            WB_TRY(readLine(line));
        }
        return finish();
    }

private:
    enum class Section : std::uint8_t { Header, Trees, Parameters, Others };

    Result<void> readLine(std::string_view line) {
        if (line.starts_with("Tree=")) {
            m_section = Section::Trees;
            ++m_trees;
            return {};
        }
        if (line == "end of trees") return m_isComplete = true, m_section = Section::Others, Result<void>();
        if (line == "parameters:") return m_section = Section::Parameters, Result<void>();
        if (line == "end of parameters" || line.ends_with(':')) return m_section = Section::Others, Result<void>();
        if (m_section == Section::Parameters) return addParameter(line), Result<void>();
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) return {};
        const std::string_view key = line.substr(0, equals), value = line.substr(equals + 1);
        if (m_section == Section::Trees) return readNumbers(key, value);
        if (m_section == Section::Header) addFact(toUtf8(key), value);
        return {};
    }

    void addFact(std::string key, std::string_view value) {
        auto& members = m_index.model.metadata.members;
        if (key == "version") m_index.model.version = toUtf8(value.substr(0, 64));
        if (members.size() < maxFacts) members.push_back({std::move(key), Value::of(toUtf8(value.substr(0, maxFactBytes)))});
    }

    // "[learning_rate: 0.1]"
    void addParameter(std::string_view line) {
        if (!line.starts_with('[') || !line.ends_with(']')) return;
        line = line.substr(1, line.size() - 2);
        const std::size_t colon = line.find(": ");
        if (colon != std::string_view::npos) addFact("parameters." + toUtf8(line.substr(0, colon)), line.substr(colon + 2));
    }

    Result<void> readNumbers(std::string_view key, std::string_view value) {
        const auto known = std::ranges::find(knownColumns, key, &KnownColumn::name);
        if (known == knownColumns.end()) return {};
        const Columns::Column column = m_columns.column("trees." + std::string(key), known->dtype);
        while (!value.empty()) {
            const std::size_t begin = value.find_first_not_of(' ');
            if (begin == std::string_view::npos) break;
            const std::size_t end = std::min(value.find(' ', begin), value.size());
            const auto number = parseDouble(value.substr(begin, end - begin));
            if (!number)
                return m_findings.refuse(ErrorCode::Malformed, "lightgbm.number",
                                         WB_TEXT("{} is damaged: line {} contains no numbers where it should; download it again."),
                                         m_line);
            m_columns.add(column, *number);
            value.remove_prefix(end);
        }
        return {};
    }

    Result<formats::Index> finish() {
        if (!m_isComplete)
            WB_TRY(m_findings.defect(Severity::Error, "lightgbm.cut", std::nullopt,
                                     WB_TEXT("{} is cut: the line \"end of trees\" is missing; download it again.")));
        if (m_columns.elements("trees.num_leaves") != m_trees)
            WB_TRY(m_findings.defect(Severity::Warning, "lightgbm.leaves", std::nullopt,
                                     WB_TEXT("{} does not state the number of leaves of each of its {} trees."), m_trees));
        m_columns.finish(m_index);
        Model& model = m_index.model;
        model.format = FormatId::LightGbm;
        model.metadata.members.push_back({"trees", Value::ofUnsigned(ValueType::U64, m_trees)});
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

    const io::ByteSource& m_source;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
    Columns m_columns;
    Section m_section = Section::Header;
    std::uint64_t m_line = 0;
    std::uint64_t m_trees = 0;
    bool m_isComplete = false;
};

} // namespace

bool sniff(std::string_view head) {
    for (const std::string_view sign : {std::string_view("tree\nversion="), std::string_view("tree\r\nversion=")})
        if (head.starts_with(sign)) return true;
    return false;
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return Reader(*sources.at(0), options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::lightgbm
