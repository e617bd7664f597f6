// SPDX-License-Identifier: MIT
#include "core/formats/executorch/executorch.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/flat/flat.h"

#include <algorithm>
#include <array>
#include <set>

namespace wb::executorch {
namespace {

using flat::Table;
using flat::Vector;
namespace fs = std::filesystem;

constexpr formats::Tasks taskNames{"executorch.index"};

struct ScalarType {
    Dtype dtype;
    const char* name; // of an Unknown one
};

// executorch: runtime/core/portable_type/scalar_type.h, by number.
constexpr std::array scalarTypes = {ScalarType{Dtype::U8, ""},
                                    ScalarType{Dtype::I8, ""},
                                    ScalarType{Dtype::I16, ""},
                                    ScalarType{Dtype::I32, ""},
                                    ScalarType{Dtype::I64, ""},
                                    ScalarType{Dtype::F16, ""},
                                    ScalarType{Dtype::F32, ""},
                                    ScalarType{Dtype::F64, ""},
                                    ScalarType{Dtype::C32, ""},
                                    ScalarType{Dtype::C64, ""},
                                    ScalarType{Dtype::C128, ""},
                                    ScalarType{Dtype::Bool, ""},
                                    ScalarType{Dtype::I8, ""},
                                    ScalarType{Dtype::U8, ""},
                                    ScalarType{Dtype::I32, ""},
                                    ScalarType{Dtype::BF16, ""},
                                    ScalarType{Dtype::Unknown, "QUINT4X2"},
                                    ScalarType{Dtype::Unknown, "QUINT2X4"},
                                    ScalarType{Dtype::Unknown, "BITS1X8"},
                                    ScalarType{Dtype::Unknown, "BITS2X4"},
                                    ScalarType{Dtype::Unknown, "BITS4X2"},
                                    ScalarType{Dtype::Unknown, "BITS8"},
                                    ScalarType{Dtype::Unknown, "BITS16"},
                                    ScalarType{Dtype::F8_E5M2, ""},
                                    ScalarType{Dtype::F8_E4M3, ""},
                                    ScalarType{Dtype::F8_E5M2FNUZ, ""},
                                    ScalarType{Dtype::F8_E4M3FNUZ, ""},
                                    ScalarType{Dtype::U16, ""},
                                    ScalarType{Dtype::U32, ""},
                                    ScalarType{Dtype::U64, ""}};

class Reader {
public:
    Reader(const formats::Sources& sources, const formats::OpenOptions& options)
        : m_sources(sources), m_options(options), m_findings(sources.at(0)->name(), options.strictness), m_index(sources.size()) {}

    Result<formats::Index> read() {
        // Data first, so that a program knows which names are there.
        for (std::uint32_t file = 0; file < m_sources.size(); ++file) WB_TRY(readOne(file, "FT01"));
        for (std::uint32_t file = 0; file < m_sources.size(); ++file) WB_TRY(readOne(file, "ET12"));
        Model& model = m_index.model;
        model.format = FormatId::ExecuTorch;
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

private:
    Result<void> readOne(std::uint32_t number, std::string_view identifier) {
        flat::File file(*m_sources[number]);
        if (!flat::hasIdentifier(file, identifier)) {
            const bool isOther = flat::hasIdentifier(file, identifier == "FT01" ? "ET12" : "FT01");
            if (isOther) return {};
            return m_findings.refuse(ErrorCode::Malformed, "executorch.magic", WB_TEXT("{} is not an ExecuTorch program."));
        }
        m_file = number;
        m_base = 0;
        if (identifier == "FT01") WB_TRY(readData(file));
        else WB_TRY(readProgram(file));
        if (file.failure()) return std::unexpected(*file.failure());
        if (file.good()) return {};
        if (m_index.model.tensors.empty())
            return m_findings.refuse(ErrorCode::Malformed, "executorch.damaged",
                                     WB_TEXT("{} is corrupted: an offset points outside the file; download it again."));
        return m_findings.defect(Severity::Error, "executorch.damaged", std::nullopt,
                                 WB_TEXT("{} is corrupted: an offset points outside the file; download it again."));
    }

    // "FH01", u32 length, u64 position and size of the buffer, u64 position and size of the segments.
    Result<void> readData(flat::File& file) {
        m_base = file.hasText(8, "FH01") ? file.read<std::uint64_t>(32) : 0;
        const Table root = Table::root(file);
        const Vector segments = root.vector(1, 4), named = root.vector(2, 4);
        for (std::uint64_t i = 0; i < named.count && file.good(); ++i) {
            if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            const Table entry = root.tableAt(named, i), layout = entry.table(2);
            const std::string name = toUtf8(entry.text(0));
            const auto place = segment(file, root, segments, entry.number<std::uint32_t>(1));
            m_external.insert(name);
            TensorInfo tensor = described(name, layout, 0, 1);
            if (!layout.isThere()) {
                tensor.dtype = Dtype::U8;
                tensor.typeText.clear();
                tensor.shape = Shape::make({place ? place->bytes : 0}).value_or(Shape());
            }
            WB_TRY(add(std::move(tensor), place));
        }
        return {};
    }

    // "eh00", u32 length, u64 size of the program, u64 position of the segments.
    Result<void> readProgram(flat::File& file) {
        m_base = file.hasText(8, "eh00") ? file.read<std::uint64_t>(24) : 0;
        const Table root = Table::root(file);
        m_index.model.version = fmt::format("{}", root.number<std::uint32_t>(0));
        const Vector plans = root.vector(1, 4);
        ValueArray names;
        names.elementType = ValueType::String;
        for (std::uint64_t i = 0; i < plans.count && file.good(); ++i) {
            const Table plan = root.tableAt(plans, i);
            if (names.first.size() < 1000) names.first.push_back(Value::of(toUtf8(plan.text(0))));
            WB_TRY(readPlan(file, root, plan, plans.count > 1 ? toUtf8(plan.text(0)) + "/" : ""));
        }
        names.count = names.first.size();
        addMember("methods", Value::of(std::move(names)));
        return {};
    }

    void addMember(const char* key, Value value) { m_index.model.metadata.members.push_back({key, std::move(value)}); }

    Result<void> readPlan(flat::File& file, const Table& root, const Table& plan, const std::string& prefix) {
        readDelegates(file, plan);
        constexpr std::uint8_t tensorValue = 5;
        const Vector values = plan.vector(2, 4);
        for (std::uint64_t i = 0; i < values.count && file.good(); ++i) {
            if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            const Table value = plan.tableAt(values, i);
            if (value.number<std::uint8_t>(0) != tensorValue) continue;
            const Table table = value.table(1), extra = table.table(9);
            const auto buffer = table.number<std::uint32_t>(5);
            const bool isExternal = extra.isThere() && extra.number<std::uint8_t>(2) == 1;
            std::string name = extra.isThere() ? toUtf8(extra.text(1)) : "";
            if (isExternal && m_external.contains(name)) continue;
            if (buffer == 0 && !isExternal) continue; // computed by the program
            if (name.empty()) name = fmt::format("value {}", i);
            TensorInfo tensor = described(prefix + name, table, 0, 2);
            if (isExternal) {
                tensor.source = TensorSource::unavailable(Reason("executorch.external"), WB_TEXT("they are in another file"));
                WB_TRY(keep(std::move(tensor)));
                continue;
            }
            WB_TRY(add(std::move(tensor), constant(file, root, buffer, tensor)));
        }
        return {};
    }

    // Parts of the program that other libraries compiled for themselves.
    void readDelegates(flat::File& file, const Table& plan) {
        const Vector delegates = plan.vector(7, 4);
        std::set<std::string> seen;
        for (std::uint64_t i = 0; i < delegates.count && file.good() && seen.size() < 100; ++i) {
            const std::string id = toUtf8(plan.tableAt(delegates, i).text(0));
            if (!seen.insert(id).second) continue;
            m_findings.add(Severity::Note, "executorch.delegate", std::nullopt,
                           WB_TEXT("{}: parts of it are compiled for the backend {}; the weights in them are not listed."),
                           formats::shown(id));
        }
    }

    // `type` and `sizes` are slots of the table.
    static TensorInfo described(std::string name, const Table& table, unsigned type, unsigned sizes) {
        TensorInfo tensor;
        tensor.name = std::move(name);
        const auto number = table.number<std::uint8_t>(type);
        tensor.dtype = number < scalarTypes.size() ? scalarTypes[number].dtype : Dtype::Unknown;
        if (tensor.dtype == Dtype::Unknown)
            tensor.typeText = number < scalarTypes.size() ? scalarTypes[number].name : fmt::format("type {}", number);
        std::vector<std::uint64_t> sides;
        for (const std::int32_t side : table.numbers<std::int32_t>(sizes, Shape::maximumRank))
            sides.push_back(side < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(side));
        const auto shape = Shape::make(sides);
        if (shape) tensor.shape = *shape;
        else tensor.source = TensorSource::unavailable(Reason("executorch.values"), WB_TEXT("its shape is invalid"));
        return tensor;
    }

    struct Run {
        std::uint64_t begin = 0, bytes = 0;
    };

    // DataSegment: offset 0, size 1.
    std::optional<Run> segment(flat::File& file, const Table& root, const Vector& segments, std::uint64_t index) const {
        if (index >= segments.count) return std::nullopt;
        const Table table = root.tableAt(segments, index);
        const auto begin = checked::add(m_base, table.number<std::uint64_t>(0));
        const auto bytes = table.number<std::uint64_t>(1);
        return begin && file.good() ? std::optional(Run{*begin, bytes}) : std::nullopt;
    }

    // The constant of this number: in the segment of constants (5: SubsegmentOffsets {segment 0, offsets 1}) or in the buffer (2).
    std::optional<Run> constant(flat::File& file, const Table& root, std::uint64_t number, const TensorInfo& tensor) const {
        const auto bytes = storedBytes(tensor.dtype, tensor.shape.elements());
        const Table offsets = root.table(5);
        const Vector list = offsets.isThere() ? offsets.vector(1, 8) : Vector();
        if (list.count != 0) {
            const auto whole = segment(file, root, root.vector(4, 4), offsets.number<std::uint32_t>(0));
            if (!whole || number >= list.count || !bytes) return std::nullopt;
            const auto offset = file.read<std::uint64_t>(list.begin + 8 * number);
            if (!io::Extent::make(whole->bytes, offset, *bytes)) return std::nullopt;
            return Run{whole->begin + offset, *bytes};
        }
        const Vector buffers = root.vector(2, 4);
        if (number >= buffers.count) return std::nullopt;
        const Vector storage = root.tableAt(buffers, number).vector(0, 1);
        if (!bytes || storage.count < *bytes) return std::nullopt;
        return Run{storage.begin, *bytes};
    }

    Result<void> add(TensorInfo tensor, const std::optional<Run>& run) {
        const bool hasShape = tensor.source.unavailableWhy().empty();
        const auto bytes = storedBytes(tensor.dtype, tensor.shape.elements());
        const bool isInside = run && io::Extent::make(m_sources[m_file]->size(), run->begin, run->bytes);
        const bool isFine = isInside && hasShape && (tensor.dtype == Dtype::Unknown || bytes == run->bytes);
        if (isInside) tensor.source = TensorSource::stored(m_file, run->begin, run->bytes);
        if (!isFine) {
            m_findings.add(Severity::Error, "executorch.values", std::nullopt,
                           WB_TEXT("{}: the values of {} do not match its shape or are not in the file."),
                           formats::shown(tensor.name));
            tensor.source.makeUnavailable(Reason("executorch.values"),
                                          WB_TEXT("they do not match its shape or are not in the file"));
        }
        return keep(std::move(tensor));
    }

    Result<void> keep(TensorInfo tensor) {
        if (m_index.model.tensors.size() >= m_options.limits.tensorsPerFile)
            return m_findings.refuse(ErrorCode::TooLarge, "executorch.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                     m_options.limits.tensorsPerFile);
        m_index.model.tensors.push_back(std::move(tensor));
        return {};
    }

    const formats::Sources& m_sources;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
    std::uint32_t m_file = 0;
    std::uint64_t m_base = 0; // of the segments
    std::set<std::string> m_external;
};

} // namespace

bool sniff(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    return text.size() >= 8 && (text.substr(4, 4) == "ET12" || text.substr(4, 4) == "FT01");
}

bool isFolder(const fs::path& folder) {
    std::size_t programs = 0, data = 0;
    std::error_code ignored;
    for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
        programs += at->path().extension() == ".pte" ? 1 : 0;
        data += at->path().extension() == ".ptd" ? 1 : 0;
    }
    return programs == 1 && data > 0;
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return Reader(sources, options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex>(); }

Result<ModelPtr> open(const fs::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

Result<ModelPtr> openFolder(const fs::path& path, const formats::OpenOptions& options) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (fs::directory_iterator at(path, ignored), end; !ignored && at != end; at.increment(ignored)) {
        const auto extension = at->path().extension();
        if ((extension == ".pte" || extension == ".ptd") && names.size() < options.limits.filesPerModel)
            names.push_back(io::pathText(at->path().filename()));
    }
    // The program first.
    std::ranges::sort(names, {}, [](const std::string& name) { return std::pair(!name.ends_with(".pte"), name); });
    WB_TRY_ASSIGN(const auto folder, io::BeneathDirectory::open(path));
    std::vector<formats::OpenedFile> files;
    for (const std::string& name : names) {
        WB_TRY_ASSIGN(auto file, folder.openFile(name));
        ModelFile entry{name, file->size(), file->identity(), nullptr};
        files.push_back({std::move(file), std::move(entry)});
    }
    WB_TRY_ASSIGN(Model model, formats::askWorker(taskNames, io::baseName(path), std::move(files), {}, options));
    model.path = model.folder = path;
    return std::make_shared<const Model>(std::move(model));
}

} // namespace wb::executorch
