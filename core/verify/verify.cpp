// SPDX-License-Identifier: MIT
#include "core/verify/verify.h"

#include "core/formats/lfs/pointer.h"
#include "core/formats/open.h"
#include "core/formats/zip/member_sums.h"
#include "core/formats/zip/stack.h"
#include "core/io/range_source.h"
#include "core/model/checkpoint.h"
#include "core/model/stored_files.h"
#include "core/verify/damage.h"
#include "core/verify/file_hashes.h"
#include "core/verify/values.h"

#include <algorithm>
#include <array>

namespace wb::verify {
namespace {

using Path = std::filesystem::path;

constexpr Reason structureRule = "verify.structure", indexRule = "verify.index", valuesRule = "verify.values";

// Problems of a model that opens which no correct writer leaves and no loader minds. Everything else that is less than an error
// is about what the model is, such as a type that is unknown here, and not about its bytes.
bool isSuspicious(const Problem& problem) {
    static constexpr std::array<std::string_view, 24> reasons = {
        "gguf.trailing",        "npy.trailing",       "torch.trailing_bytes",
        "flax.trailing",        "pickle.trailing",    "tfjs.trailing",
        "ctranslate2.trailing", "fasttext.trailing",  "word2vec.trailing",
        "zip.prefix",           "zip.suffix",         "zip.gap",
        "zip.duplicate",        "zip.case_twins",     "zip.local_central_mismatch",
        "zip.multiple_eocd",    "zip.end_mismatch",   "zip.flag_bits",
        "path.traversal",       "index.extra",        "index.duplicate",
        "index.total_size",     "json.duplicate_key", "safetensors.padding"};
    return std::ranges::find(reasons, std::string_view(problem.code.id())) != reasons.end();
}

template <typename... Args>
Check passed(Reason rule, std::string file, const char* format, Args&&... args) {
    return {makeProblem(Severity::Note, rule, std::move(file), std::nullopt, format, std::forward<Args>(args)...), true};
}

bool isIndexName(std::string_view name) { return name.ends_with(".index.json"); }

// Whether an index decides which files the weights are in.
bool hasIndex(const Model& model) {
    return isIndexName(io::baseName(model.path)) ||
           std::ranges::any_of(model.metadata.members, [](const Member& member) { return isIndexName(member.key); });
}

std::string checkSentence(const Check& check) { return check.problem.message(); }

class Verifier {
public:
    Verifier(const Path& path, const Options& options)
        : m_path(path), m_name(io::baseName(path)), m_options(options), m_stop(options.progress.stop) {
        std::error_code ignored;
        m_isFolder = std::filesystem::is_directory(path, ignored);
        m_folder = m_isFolder ? path : path.parent_path();
        if (m_folder.empty()) m_folder = ".";
    }

    Result<Report> run() {
        WB_TRY(openModel());
        if (m_model) WB_TRY(checkStructure());
        WB_TRY(listFiles());
        WB_TRY(checkArchives());
        if (m_model && m_options.isDeep) WB_TRY(checkValuesOfModel());
        WB_TRY(hashFiles());
        if (m_refusal && !isAnythingCompared()) return std::unexpected(*m_refusal);
        return std::move(m_report);
    }

private:
    // Opens the lenient view, which shows as many defects as possible. A model that cannot be shown at all is damaged; any other
    // file is refused, unless its hash can be compared.
    Result<void> openModel() {
        formats::OpenOptions options;
        options.threads = m_options.threads;
        options.progress.stop = m_stop;
        auto model = formats::open(m_path, options);
        if (model) {
            m_model = *std::move(model);
            if (!m_model->folder.empty()) m_folder = m_model->folder;
            return {};
        }
        const Error& error = model.error();
        switch (error.code) {
        case ErrorCode::NotFound:
        case ErrorCode::NotReadable:
        case ErrorCode::Canceled:
        case ErrorCode::Changed:
        case ErrorCode::Internal: return std::unexpected(error);
        case ErrorCode::Unknown:
        case ErrorCode::Unsupported: m_refusal = error; return {};
        default: addFailure(asProblem(Severity::Error, error.reason, m_name, error)); return {};
        }
    }

    void addFailure(Problem problem) {
        const Check check{std::move(problem), false};
        const auto isSame = [&](const Check& known) { return !known.isPassed && checkSentence(known) == checkSentence(check); };
        if (std::ranges::none_of(m_report.checks, isSame)) m_report.checks.push_back(check);
    }

    // Weight files next to those that an index names may be left over from another upload.
    bool isSurplus(const Problem& problem) const { return problem.code == Reason("huggingface.not_read") && hasIndex(*m_model); }

    Result<void> checkStructure() {
        if (m_model->checkpoint) m_report.isResumable = m_model->checkpoint->isResumable;
        std::uint64_t defects = 0, ofIndex = 0;
        for (Problem problem : m_model->problems) {
            if (problem.severity != Severity::Error && !isSuspicious(problem) && !isSurplus(problem)) continue;
            if (problem.severity == Severity::Note) problem.severity = Severity::Warning;
            if (problem.file.empty()) problem.file = m_name;
            const bool isOfIndex = std::string_view(problem.code.id()).starts_with("index.");
            ++(isOfIndex ? ofIndex : defects);
            addFailure(std::move(problem));
        }
        const auto damage = findDamage(m_path, m_stop);
        if (m_stop.stop_requested()) return std::unexpected(canceled());
        const bool isKnown =
            std::ranges::any_of(m_report.checks, [](const Check& check) { return check.problem.severity == Severity::Error; });
        if (damage && !isKnown) addFailure(asProblem(Severity::Error, damage->reason, m_name, *damage));
        if (defects == 0 && !(damage && ofIndex == 0))
            m_report.checks.push_back(passed(structureRule, m_name,
                                             WB_TEXT("The structure of {} is valid (tensors: {}, files: {})."), m_name,
                                             m_model->tensors.size(), storedFiles(*m_model).size()));
        if (hasIndex(*m_model) && ofIndex == 0 && defects == 0)
            m_report.checks.push_back(
                passed(indexRule, m_name, WB_TEXT("The index and the shards of {} list the same tensors."), m_name));
        return {};
    }

    // The files on the disk, and pointers that are there instead of files.
    Result<void> listFiles() {
        std::vector<std::string> names;
        if (m_model)
            for (const StoredFile& file : storedFiles(*m_model)) names.push_back(file.name);
        else if (!m_isFolder) names.push_back(m_name);
        if (m_isFolder) addPointers(names);
        for (const std::string& name : names) {
            auto file = expectFile(m_folder, name);
            if (!file) {
                if (file.error().code == ErrorCode::Canceled) return std::unexpected(file.error());
                continue; // a missing shard is a check already
            }
            if (!m_isFolder && !m_options.expectedSha256.empty() && m_report.files.empty()) {
                file->expected = m_options.expectedSha256;
                if (file->source == HashSource::LfsPointer) file->isGood.reset(); // the user asks about the bytes that are there
                file->source = HashSource::Option;
            }
            m_report.files.push_back(*std::move(file));
        }
        return {};
    }

    void addPointers(std::vector<std::string>& names) const {
        constexpr std::size_t most = 10'000;
        std::error_code error;
        std::size_t seen = 0;
        std::vector<std::string> pointers;
        for (std::filesystem::directory_iterator at(m_folder, error), end; !error && at != end && ++seen <= most;
             at.increment(error)) {
            const std::string name = io::pathText(at->path().filename());
            if (std::ranges::find(names, name) != names.end()) continue;
            std::error_code ignored;
            if (!at->is_regular_file(ignored)) continue;
            const auto source = io::FileSource::open(at->path());
            if (source && lfs::readPointer(**source)) pointers.push_back(name);
        }
        std::ranges::sort(pointers);
        names.insert(names.end(), pointers.begin(), pointers.end());
    }

    // Every file that is a zip archive, whatever the model is. Files of PyTorch's distributed checkpoints are several, one after
    // another.
    Result<void> checkArchives() {
        for (const CheckedFile& file : m_report.files) {
            if (m_refusal) break;
            const Path path = m_folder / Path(std::u8string(file.name.begin(), file.name.end()));
            auto source = io::FileSource::open(path);
            std::array<std::byte, 4> head{};
            if (!source || (*source)->size() < head.size() || !(*source)->readAt(0, head) || !zip::sniff(head)) continue;
            WB_TRY_ASSIGN(const auto stacked, zip::stackedArchives(**source));
            std::vector<std::shared_ptr<io::ByteSource>> archives;
            for (const io::Extent& archive : stacked)
                archives.push_back(std::make_shared<io::RangeSource>(*source, archive, file.name));
            if (archives.empty()) archives.push_back(*source);
            WB_TRY(checkAll(file.name, archives));
        }
        return {};
    }

    Result<void> checkAll(const std::string& name, const std::vector<std::shared_ptr<io::ByteSource>>& archives) {
        std::optional<std::uint64_t> same = 0; // entries; empty where one is not
        for (const auto& archive : archives) {
            WB_TRY_ASSIGN(const auto entries, checkArchive(name, archive));
            same = same && entries ? std::optional(*same + *entries) : std::nullopt;
        }
        if (same)
            m_report.checks.push_back(
                passed("zip.crc", name, WB_TEXT("The checksums (CRC-32) of all {} entries of {} match."), *same, name));
        return {};
    }

    // The number of its entries where all of them match.
    Result<std::optional<std::uint64_t>> checkArchive(const std::string& name, std::shared_ptr<const io::ByteSource> source) {
        formats::Findings findings(name, formats::Strictness::Lenient);
        const auto archive = zip::readArchive(*source, {}, findings);
        if (!archive) { // its reader has said why
            addFailure(asProblem(Severity::Error, archive.error().reason, name, archive.error()));
            return std::nullopt;
        }
        for (Problem& problem : findings.take())
            if (problem.severity == Severity::Error || isSuspicious(problem)) addFailure(std::move(problem));
        WB_TRY_ASSIGN(const auto states, zip::compareMembers(std::move(source), *archive, m_options.threads, m_options.progress));
        std::uint64_t same = 0;
        for (std::size_t i = 0; i < states.size(); ++i) {
            same += states[i] == zip::SumState::Same;
            addMember(name, archive->members[i], states[i]);
        }
        return same == states.size() ? std::optional(same) : std::nullopt;
    }

    void addMember(const std::string& file, const zip::Member& member, zip::SumState state) {
        const std::string name = formats::shown(member.name);
        switch (state) {
        case zip::SumState::Same: return;
        case zip::SumState::Differs:
            return addFailure(makeProblem(
                Severity::Error, "zip.crc", file, member.header,
                WB_TEXT("{}: the checksum (CRC-32) of {} does not match its content; get an undamaged copy of the file."), file,
                name));
        case zip::SumState::Damaged:
            return addFailure(makeProblem(Severity::Error, "zip.cannot_unpack", file, member.header,
                                          WB_TEXT("{}: the entry {} cannot be decompressed; its data is corrupted."), file, name));
        case zip::SumState::NotDeclared:
            m_report.checks.push_back(
                passed("zip.no_crc", file, WB_TEXT("{}: no checksum is stored for {}, so it was not compared."), file, name));
            return;
        case zip::SumState::NotRead:
            return addFailure(makeProblem(Severity::Warning, "zip.method", file, member.header,
                                          WB_TEXT("{}: the entry {} is encrypted or compressed with {}, so its checksum was not "
                                                  "compared."),
                                          file, name, zip::methodText(member.method)));
        }
    }

    Result<void> checkValuesOfModel() {
        const std::size_t before = m_report.checks.size();
        WB_TRY_ASSIGN(m_report.values, checkValues(*m_model, m_options, m_report.checks));
        if (m_report.checks.size() == before)
            m_report.checks.push_back(
                passed(valuesRule, m_name, WB_TEXT("All values of {} weight tensors are finite."), m_report.values->checked));
        return {};
    }

    Result<void> hashFiles() {
        std::uint64_t total = 0, before = 0;
        const auto isHashed = [&](const CheckedFile& file) { return m_options.hashesAll || !file.expected.empty(); };
        for (const CheckedFile& file : m_report.files) total += isHashed(file) ? file.bytes : 0;
        for (CheckedFile& file : m_report.files) {
            if (!isHashed(file)) continue;
            const Progress part{m_stop, [&](std::uint64_t done, std::uint64_t) {
                                    if (m_options.progress.report) m_options.progress.report(before + done, total);
                                }};
            WB_TRY(hashFile(m_folder, file, part));
            before += file.bytes;
        }
        return {};
    }

    // Whether a hash was computed or compared, the only check of a file of an unknown format.
    bool isAnythingCompared() const {
        return std::ranges::any_of(m_report.files,
                                   [](const CheckedFile& file) { return file.isGood.has_value() || !file.sha256.empty(); });
    }

    const Path m_path;
    const std::string m_name;
    const Options& m_options;
    const std::stop_token m_stop;
    bool m_isFolder = false;
    Path m_folder;
    ModelPtr m_model;
    std::optional<Error> m_refusal; // of a file in no supported format
    Report m_report;
};

} // namespace

const char* verdictName(Verdict verdict) {
    switch (verdict) {
    case Verdict::Intact: return "intact";
    case Verdict::Suspicious: return "suspicious";
    case Verdict::Damaged: break;
    }
    return "damaged";
}

const char* hashSourceName(HashSource source) {
    switch (source) {
    case HashSource::LfsPointer: return "lfs pointer";
    case HashSource::HubCache: return "hf cache";
    case HashSource::Option: return "option";
    case HashSource::None: break;
    }
    return "";
}

Verdict Report::verdict() const {
    Verdict worst = Verdict::Intact;
    for (const CheckedFile& file : files)
        if (file.isGood == false) worst = Verdict::Damaged;
    for (const Check& check : checks)
        if (!check.isPassed)
            worst = std::max(worst, check.problem.severity == Severity::Error ? Verdict::Damaged : Verdict::Suspicious);
    return worst;
}

Result<Report> verify(const Path& path, const Options& options) {
    const Path& target = path.has_filename() ? path : path.parent_path();
    return Verifier(target, options).run();
}

} // namespace wb::verify
