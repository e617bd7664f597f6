// SPDX-License-Identifier: MIT
#include "core/formats/training/rank_file.h"

#include "core/formats/training/window_source.h"

namespace wb::training {
namespace {

std::shared_ptr<const TensorDetails> prefixed(const std::shared_ptr<const TensorDetails>& details, const std::string& prefix) {
    if (!details || (details->aliases.empty() && details->parts.empty())) return details;
    auto out = std::make_shared<TensorDetails>(*details);
    for (std::string& name : out->aliases) name.insert(0, prefix);
    for (std::string& name : out->parts) name.insert(0, prefix);
    return out;
}

} // namespace

// Under names that no other file has. Logical ones, which name their parts as their file does, are omitted: a checkpoint has none.
void RankFileReader::listTensors(RankFile& file, Model& part, std::uint32_t source, const std::string& prefix) {
    auto& all = m_index.model.tensors;
    for (TensorInfo& tensor : part.tensors) {
        if (tensor.logical) continue;
        file.tensors.emplace(tensor.name, all.size());
        tensor.name.insert(0, prefix + ".");
        if (!tensor.rawName.empty()) tensor.rawName.insert(0, prefix + ".");
        tensor.details = prefixed(tensor.details, prefix + ".");
        tensor.source.shiftFiles(source);
        all.push_back(std::move(tensor));
    }
}

void RankFileReader::takeProblems(RankFile& file, Model& part) {
    for (Problem& problem : part.problems) {
        file.isWhole = file.isWhole && problem.severity != Severity::Error;
        problem.file = file.name;
        m_index.model.problems.push_back(std::move(problem));
    }
    if (!part.danger) return;
    Danger one = *part.danger;
    for (ScannedFile& scanned : one.files) scanned.path = file.name;
    for (DangerFinding& finding : one.findings) finding.problem.file = file.name;
    append(m_danger, std::move(one));
}

void RankFileReader::noteUnreadable(const RankFile& file, const Error& error) {
    m_index.model.problems.push_back(asProblem(Severity::Error, "training.rank_unreadable", file.name, error));
    ScannedFile scanned;
    scanned.path = file.name;
    scanned.isMalformed = scanned.isIncomplete = true;
    m_danger.files.push_back(std::move(scanned));
}

Result<void> RankFileReader::read(std::uint32_t source, const std::string& prefix, RankFile& file,
                                  const torch::VisitObject& visit) {
    WB_TRY(m_options.progress.at(source, m_sources.size()));
    formats::OpenOptions own = m_options;
    own.progress.report = nullptr; // progress counts files here
    Model& all = m_index.model;
    auto part = torch::load(readThroughWindows(m_sources[source]), own, visit);
    if (part && all.tensors.size() + part->tensors.size() > m_options.limits.tensorsPerFile)
        return fail(ErrorCode::TooLarge, Reason("training.tensor_count"), About{file.name},
                    WB_TEXT("{}: the files of this checkpoint list more than {} tensors."), file.name,
                    m_options.limits.tensorsPerFile);
    if (!part && (part.error().code == ErrorCode::Canceled || m_options.strictness == formats::Strictness::Strict))
        return std::unexpected(std::move(part).error());
    if (part && !m_isFirst && part->bigEndian != all.bigEndian)
        part = fail(ErrorCode::Unsupported, Reason("training.byte_order"), About{m_sources[source]->name()},
                    WB_TEXT("{} has another byte order than the other files of the checkpoint."), m_sources[source]->name());
    if (!part) {
        noteUnreadable(file, part.error());
        return {};
    }
    m_isFirst = false;
    file.isRead = file.isWhole = true;
    all.bigEndian = part->bigEndian;
    file.metadata = std::move(part->metadata);
    takeProblems(file, *part);
    listTensors(file, *part, source, prefix);
    return {};
}

std::vector<std::string> sourceNames(const formats::Sources& sources, std::string_view wish) {
    std::vector<std::string> names;
    for (const auto& source : sources) {
        const std::size_t end = wish.find('\n');
        names.emplace_back(wish.empty() ? std::string_view(source->name()) : wish.substr(0, end));
        wish.remove_prefix(end == std::string_view::npos ? wish.size() : end + 1);
    }
    return names;
}

} // namespace wb::training
