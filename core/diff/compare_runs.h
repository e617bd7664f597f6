// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/pairing.h"

namespace wb::diff {

// Reads all runs once, on several threads, and fills the measures of the pairs. Values that cannot be read become the failure of
// their pair; Changed and Canceled end the work.
Result<void> compareRuns(Pairing& pairing, const Options& options);

// Reads both sides of a run as f64, after the changes of its values. The models' files are open and outlive it.
class RunReader {
public:
    static Result<RunReader> open(const Run& run, const std::vector<Model>& models);

    // Unsupported for complex numbers. `count` is a multiple of the run's unit, or the run ends there.
    Result<void> read(std::uint64_t first, std::uint64_t count, std::vector<double>& w, std::vector<double>& v);

private:
    RunReader(const Run& run, TensorReader a, TensorReader b) : m_run(&run), m_a(std::move(a)), m_b(std::move(b)) {}

    const Run* m_run;
    TensorReader m_a, m_b;
    std::vector<std::byte> m_raw;
    std::vector<float> m_narrow;
};

// Elements of a run that are read together: some MiB, a multiple of its unit.
std::uint64_t runStep(const Run& run);

// The measures of one run alone, on this thread; empty where its values cannot be read.
std::optional<Measures> compareSample(const Run& run, const std::vector<Model>& models);

} // namespace wb::diff
