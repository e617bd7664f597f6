// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/convert/run/run.h"
#include "core/model/model.h"
#include "core/quant/backend.h"

#include <functional>
#include <optional>

// One interface for everything that writes a model: quantizing, converting, restoring and merging are jobs. plan_job.h makes them.
namespace wb::convert {

// The error of one quantized tensor, over all its elements; e is the decoded result minus the source.
struct TensorError {
    double rmse = 0;                    // sqrt(Σe²/n)
    std::optional<double> relativeRmse; // sqrt(Σe²/Σw²); empty if the source is all zero
    std::optional<double> cosine;       // Σwv / sqrt(Σw²·Σv²); empty if one side is all zero
};

// The result of a finished job.
struct Outcome {
    std::uint64_t resumedItems = 0;  // work of an earlier run that was used
    double seconds = 0;              // of this run
    std::vector<Problem> remarks;    // lost values, types or devices that were abandoned, dropped work of another job
    std::vector<TensorError> errors; // one per planned tensor if the job quantizes, zero for copied ones; else empty
    std::string device = "cpu";      // quant::Backend::name of the one that computed
};

// The outcome of a producer whose run is over; adds the remark on dropped work.
inline Outcome jobOutcome(const run::RunOutcome& done, std::vector<Problem> remarks, const std::filesystem::path& target) {
    if (done.hasDropped)
        remarks.push_back(makeProblem(Severity::Note, "run.dropped", {}, std::nullopt,
                                      WB_TEXT("Unfinished output of another job in {} was discarded."), io::baseName(target)));
    return {done.resumedItems, done.seconds, std::move(remarks), {}};
}

struct RunOptions : run::RunOptions {
    bool acceptsDamage = false; // members of archives are read even if their checksums differ (core/formats/zip/member_checksums.h)

    // Makes the backend that quantizes when there is work for it, because opening a device takes time and memory. Empty: the CPU.
    std::function<Result<std::shared_ptr<quant::Backend>>()> backend = {};
};

// The kind of the record among the unfinished runs.
enum class JobKind : std::uint8_t {
    Quantize, // a GGUF model into another
    Convert,  // into another format, quantized on the way or not
    Merge,    // with adapters added to the weights
};
constexpr const char* kindName(JobKind kind) {
    return kind == JobKind::Quantize ? "quantize" : kind == JobKind::Merge ? "merge" : "convert";
}

// Facts that are known of every job.
struct JobFacts {
    JobKind kind = JobKind::Convert;
    std::filesystem::path source; // the model as the user named it
    std::string type;             // of the result, as both programs call it: "Q4_K_M", "safetensors", "huggingface"
    std::string planText;         // of a plan file that makes the same job again; empty: no plan file can express it
    ModelPtr model;               // the opened source, whose archive members are compared before a run; null: none are
};

// A planned job. Nothing in it changes; everything may be called on any thread.
class Job {
public:
    explicit Job(JobFacts facts) : m_facts(std::move(facts)) {}
    virtual ~Job() = default;
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    JobKind kind() const { return m_facts.kind; }
    const std::filesystem::path& source() const { return m_facts.source; }
    const std::string& type() const { return m_facts.type; }
    const std::string& planText() const { return m_facts.planText; }

    virtual bool quantizes() const { return false; }                                                   // Outcome::errors are set
    virtual std::vector<std::filesystem::path> sources() const = 0;                                    // all files that are read
    virtual std::vector<std::filesystem::path> targets(const std::filesystem::path& target) const = 0; // all files that are written
    virtual bool writesFolder() const { return false; }           // the target is a folder with those files
    virtual std::uint64_t bytes() const = 0;                      // of all files that are written
    virtual std::uint64_t peakMemory(unsigned threads) const = 0; // of a run with so many threads (0: all)
    virtual std::vector<Problem> problems() const = 0;            // of the plan; errors among them forbid running
    virtual Result<std::string> fingerprint() const = 0;          // run::JobId::fingerprint

    // Compares the checksums of the source's archive members (Malformed with zip::checksumDiffers, unless the options accept
    // damage), then blocks until the files are renamed to their final names. Progress counts bytes(). The result does not depend on
    // threads.
    virtual Result<Outcome> run(const std::filesystem::path& target, const RunOptions& options, const Progress& progress) const = 0;

    // The record by which the run is listed until it ends.
    run::RunRecord record(const std::filesystem::path& target, bool replace) const {
        return {kindName(kind()), target, source(), planText(), targets(target), replace};
    }

protected:
    Result<void> compareChecksums(const RunOptions& options, const Progress& progress) const;

private:
    JobFacts m_facts;
};

using JobPtr = std::shared_ptr<const Job>;

} // namespace wb::convert
