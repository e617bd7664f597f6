// SPDX-License-Identifier: MIT
#include "core/formats/ggml/ggml.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/io/cursor.h"

#include <algorithm>
#include <array>

namespace wb::ggml {
namespace {

constexpr formats::Tasks taskNames{"ggml.index"};
constexpr formats::Tasks llama2cNames{"ggml.llama2c"};

constexpr std::uint32_t magicGgml = 0x67676D6C, magicGgmf = 0x67676D66, magicGgjt = 0x67676A74, magicGgla = 0x67676C61;
constexpr std::uint64_t maxVocabulary = 4'000'000, maxWord = 64 << 10;

class GgmlReader {
public:
    GgmlReader(const io::ByteSource& source, const formats::OpenOptions& options)
        : m_source(source), m_options(options), m_cursor(source), m_findings(source.name(), options.strictness), m_index(1) {}

    Result<formats::Index> read() {
        WB_TRY_ASSIGN(const auto magic, m_cursor.read<std::uint32_t>());
        m_hasVersion = magic != magicGgml;
        if (m_hasVersion) {
            WB_TRY_ASSIGN(m_version, m_cursor.read<std::uint32_t>());
        }
        const char* name = magic == magicGgml ? "ggml" : magic == magicGgmf ? "ggmf" : magic == magicGgjt ? "ggjt" : "ggla";
        m_index.model.version = m_hasVersion ? fmt::format("{} {}", name, m_version) : name;
        m_isAligned = magic == magicGgjt || magic == magicGgla;
        m_hasNewBlocks = magic == magicGgjt && m_version >= 3;
        if (magic == magicGgla) WB_TRY(readAdapter());
        else WB_TRY(readHeader(magic == magicGgml));
        WB_TRY(readTensors());
        Model& model = m_index.model;
        model.format = FormatId::Ggml;
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

private:
    void addFact(const char* key, std::uint32_t value) {
        m_index.model.metadata.members.push_back({key, Value::ofUnsigned(ValueType::U32, value)});
    }

    Result<void> readNumbers(std::initializer_list<const char*> names) {
        for (const char* name : names) {
            WB_TRY_ASSIGN(const auto value, m_cursor.read<std::uint32_t>());
            addFact(name, value);
            m_numbers.push_back(value);
        }
        return {};
    }

    // u32 rank and scaling of an adapter.
    Result<void> readAdapter() { return readNumbers({"r", "alpha"}); }

    // Whether this is whisper.cpp shows in its numbers: n_mels is 80 or 128 where a language model has the type of the file.
    Result<void> readHeader(bool mayBeWhisper) {
        constexpr std::uint64_t melsAt = 4 + 9 * 4;
        if (mayBeWhisper && m_source.size() > melsAt + 8) {
            io::Cursor look(m_source, melsAt);
            WB_TRY_ASSIGN(const auto mels, look.read<std::uint32_t>());
            if (mels == 80 || mels == 128) return readWhisper();
        }
        WB_TRY(readNumbers({"n_vocab", "n_embd", "n_mult", "n_head", "n_layer", "n_rot", "ftype"}));
        const bool isPlausible = m_numbers[0] != 0 && m_numbers[0] <= maxVocabulary && m_numbers[4] < 10'000 && m_numbers[6] < 5000;
        if (!isPlausible)
            return m_findings.refuse(
                ErrorCode::Unsupported, "ggml.header",
                WB_TEXT("{} is a pre-GGUF GGML model of a program that Weighbridge does not support; convert it "
                        "to GGUF with that program."));
        return readVocabulary(m_numbers[0], m_hasVersion);
    }

    Result<void> readWhisper() {
        m_index.model.architecture = "whisper";
        WB_TRY(readNumbers({"n_vocab", "n_audio_ctx", "n_audio_state", "n_audio_head", "n_audio_layer", "n_text_ctx",
                            "n_text_state", "n_text_head", "n_text_layer", "n_mels", "ftype"}));
        WB_TRY_ASSIGN(const auto rows, m_cursor.read<std::uint32_t>());
        WB_TRY_ASSIGN(const auto columns, m_cursor.read<std::uint32_t>());
        addFact("filter_rows", rows);
        addFact("filter_columns", columns);
        const auto filters = checked::mul(std::uint64_t{rows}, columns);
        if (!filters || !m_cursor.canHold(*filters, sizeof(float))) return endsEarly();
        WB_TRY(m_cursor.skip(*filters * sizeof(float)));
        WB_TRY_ASSIGN(const auto words, m_cursor.read<std::uint32_t>());
        addFact("vocabulary", words);
        return readVocabulary(words, false);
    }

    std::unexpected<Error> endsEarly() const {
        return m_findings.refuse(ErrorCode::Malformed, "ggml.end",
                                 WB_TEXT("{} is truncated: its header is incomplete; download it again."));
    }

    // u32 length, bytes, and in later forms an f32 score.
    Result<void> readVocabulary(std::uint64_t count, bool hasScores) {
        if (!m_cursor.canHold(count, hasScores ? 8 : 4)) return endsEarly();
        for (std::uint64_t i = 0; i < count; ++i) {
            WB_TRY_ASSIGN(const auto length, m_cursor.read<std::uint32_t>());
            if (length > maxWord || length > m_cursor.remaining()) return endsEarly();
            WB_TRY(m_cursor.skip(length));
            if (hasScores) WB_TRY(m_cursor.skip(sizeof(float)));
        }
        return {};
    }

    // To the end of the file: u32 rank, length of the name, type, sides (innermost first), name, and in aligned forms zeros
    // up to a multiple of 32.
    Result<void> readTensors() {
        while (m_cursor.remaining() > 0) {
            if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            if (m_index.model.tensors.size() >= m_options.limits.tensorsPerFile)
                return m_findings.refuse(ErrorCode::TooLarge, "ggml.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                         m_options.limits.tensorsPerFile);
            const std::uint64_t begin = m_cursor.position();
            WB_TRY_ASSIGN(const bool isWhole, readTensor());
            if (isWhole) continue;
            return m_findings.defect(Severity::Error, "ggml.tensor", begin,
                                     WB_TEXT("{} is damaged or truncated: no tensor is at byte {}; download it again."), begin);
        }
        return {};
    }

    Result<bool> readTensor() {
        if (m_cursor.remaining() < 12) return false;
        WB_TRY_ASSIGN(const auto rank, m_cursor.read<std::uint32_t>());
        WB_TRY_ASSIGN(const auto nameBytes, m_cursor.read<std::uint32_t>());
        WB_TRY_ASSIGN(const auto type, m_cursor.read<std::uint32_t>());
        const bool isPlausible = rank >= 1 && rank <= 4 && nameBytes >= 1 && nameBytes <= 1024 && type < 1000;
        if (!isPlausible || m_cursor.remaining() < std::uint64_t{rank} * 4 + nameBytes) return false;
        std::vector<std::uint64_t> sides;
        for (std::uint32_t i = 0; i < rank; ++i) {
            WB_TRY_ASSIGN(const auto side, m_cursor.read<std::uint32_t>());
            sides.insert(sides.begin(), side);
        }
        TensorInfo tensor;
        std::string name(nameBytes, '\0');
        WB_TRY(m_cursor.read(std::as_writable_bytes(std::span(name))));
        tensor.name = toUtf8(name);
        if (m_isAligned) {
            const std::uint64_t over = m_cursor.position() % 32;
            if (over != 0 && m_cursor.remaining() < 32 - over) return false;
            if (over != 0) WB_TRY(m_cursor.skip(32 - over));
        }
        const auto shape = Shape::make(sides);
        const auto bytes = shape ? tensorBytes(type, *shape) : std::nullopt;
        if (!bytes || *bytes > m_cursor.remaining()) return false;
        tensor.shape = *shape;
        const auto dtype = dtypeFromGgmlId(type);
        const bool isBlock = dtype && info(*dtype).kind == DtypeKind::Block;
        tensor.dtype = dtype && (!isBlock || m_hasNewBlocks) ? *dtype : Dtype::Unknown;
        if (tensor.dtype == Dtype::Unknown) tensor.typeText = fmt::format("{} (old)", dtype ? wb::name(*dtype) : "type");
        tensor.source = TensorSource::stored(0, m_cursor.position(), *bytes);
        m_index.model.tensors.push_back(std::move(tensor));
        WB_TRY(m_cursor.skip(*bytes));
        return true;
    }

    // The blocks of Q4 and Q8 were larger before ggjt 3: f32 scales up to version 1, and in version 2 those of Q4 and Q5 have the
    // sizes of today with another order of codes (ggml-org/llama.cpp: pull requests 1405 and 1508).
    std::optional<std::uint64_t> tensorBytes(std::uint32_t type, const Shape& shape) const {
        const auto dtype = dtypeFromGgmlId(type);
        if (!dtype) return std::nullopt;
        const bool isOld = !m_hasNewBlocks && !(m_isAligned && m_version == 2);
        const std::uint64_t oldBlock = *dtype == Dtype::Q4_0 ? 20 : *dtype == Dtype::Q4_1 ? 24 : *dtype == Dtype::Q8_0 ? 36 : 0;
        const bool isVersion2 = m_isAligned && m_version == 2 && *dtype == Dtype::Q8_0;
        if ((!isOld || oldBlock == 0) && !isVersion2) {
            const auto row = rowBytes(*dtype, shape.rowLength());
            return row ? checked::mul(*row, shape.rows()) : std::nullopt;
        }
        constexpr std::uint64_t elements = 32;
        if (shape.rowLength() % elements != 0) return std::nullopt;
        return checked::mul(shape.elements() / elements, oldBlock);
    }

    const io::ByteSource& m_source;
    const formats::OpenOptions& m_options;
    io::Cursor m_cursor;
    formats::Findings m_findings;
    formats::Index m_index;
    bool m_hasVersion = false, m_isAligned = false, m_hasNewBlocks = false;
    std::uint32_t m_version = 0;
    std::vector<std::uint32_t> m_numbers;
};

} // namespace

bool sniff(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    static constexpr std::array<std::string_view, 4> signs = {"lmgg", "fmgg", "tjgg", "algg"};
    return std::ranges::any_of(signs, [&](std::string_view sign) { return text.starts_with(sign); });
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    if (sources.at(0)->size() < 12)
        return fail(ErrorCode::Malformed, Reason("ggml.end"), About{sources[0]->name()},
                    WB_TEXT("{} is truncated: its header is incomplete; download it again."), sources[0]->name());
    return GgmlReader(*sources[0], options).read();
}

std::span<const worker::WorkerTask> tasks() {
    static constexpr std::array all = {worker::WorkerTask{taskNames.index, formats::indexTask<readIndex>},
                                       worker::WorkerTask{llama2cNames.index, formats::indexTask<readLlama2c>}};
    return all;
}

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

Result<ModelPtr> openLlama2c(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(llama2cNames, path, options);
}

} // namespace wb::ggml
