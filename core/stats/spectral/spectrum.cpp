// SPDX-License-Identifier: MIT
#include "core/stats/spectral/spectrum.h"

#include "core/base/json_writer.h"
#include "core/jobs/thread_pool.h"
#include "core/stats/spectral/products.h"
#include "core/stats/spectral/symmetric.h"
#include "core/stats/value_reader.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace wb::stats {
namespace {

constexpr std::uint64_t fastExactSide = 1024; // below, all values take no longer
constexpr std::size_t rangeVectors = 256 + 16;
constexpr std::size_t slabBytes = 8 << 20;

// A matrix of f64, row-major.
struct Matrix {
    Matrix(std::size_t rowCount, std::size_t columnCount) : rows(rowCount), columns(columnCount), values(rowCount * columnCount) {}
    std::span<double> row(std::size_t i) { return std::span(values).subspan(i * columns, columns); }

    std::size_t rows, columns;
    std::vector<double> values;
};

class SpectrumReader {
public:
    SpectrumReader(const TensorReader& reader, const std::string& name, std::uint64_t rows, std::uint64_t columns,
                   const SpectrumOptions& options)
        : m_reader(reader), m_name(name), m_rows(rows), m_columns(columns), m_options(options) {
        m_slabRows = std::max<std::uint64_t>(1, slabBytes / sizeof(double) / columns);
    }

    Result<Spectrum> run() {
        Spectrum spectrum;
        spectrum.rows = m_rows;
        spectrum.columns = m_columns;
        const std::uint64_t side = std::min(m_rows, m_columns);
        spectrum.isComplete = side <= (m_options.isFast ? fastExactSide : maxExactSide);
        WB_TRY(spectrum.isComplete ? findAll(spectrum) : findLargest(spectrum));
        WB_TRY(m_reader.checkUnchanged());
        measureSpectrum(spectrum);
        return spectrum;
    }

private:
    Result<void> checkMemory(std::uint64_t numbers) const {
        if (numbers <= m_options.memory / sizeof(double)) return {};
        return fail(ErrorCode::TooLarge, Reason("spectrum.memory"), About{m_name},
                    WB_TEXT("The singular values of {} ({} x {}) need more memory than the limit of {} MiB."), m_name, m_rows,
                    m_columns, m_options.memory >> 20);
    }

    // Visits the matrix in slabs of rows, a pass of `steps` steps from step `done` on.
    template <typename Visit>
    Result<void> forEachSlab(std::uint64_t done, std::uint64_t all, Visit visit) {
        ValueReader values(m_reader);
        std::vector<double> slab;
        for (std::uint64_t first = 0; first < m_rows; first += m_slabRows) {
            WB_TRY(m_options.progress.at(done * m_rows + first, all * m_rows));
            const std::uint64_t count = std::min(m_slabRows, m_rows - first);
            slab.resize(count * m_columns);
            constexpr std::uint64_t atOnce = 1 << 16;
            for (std::uint64_t at = 0; at < slab.size(); at += atOnce) {
                const std::size_t taken = std::min<std::uint64_t>(atOnce, slab.size() - at);
                WB_TRY_ASSIGN(const auto part, values.read(first * m_columns + at, taken));
                std::ranges::copy(part, slab.begin() + static_cast<std::ptrdiff_t>(at));
            }
            WB_TRY(visit(std::span<const double>(slab), first, count));
        }
        return {};
    }

    Result<void> checkFinite(std::span<const double> slab) const {
        if (std::ranges::all_of(slab, [](double value) { return std::isfinite(value); })) return {};
        return fail(ErrorCode::Invalid, Reason("spectrum.not_finite"), About{m_name},
                    WB_TEXT("{} contains NaN or infinite values; it has no singular values."), m_name);
    }

    template <typename Body>
    Result<void> parallel(std::size_t count, Body body) const {
        return jobs::parallelFor(count, m_options.threads, m_options.progress.stop, [&](std::uint64_t i) -> Result<void> {
            body(static_cast<std::size_t>(i));
            return {};
        });
    }

    // gram += AᵀA of `count` rows; the upper half.
    Result<void> addGram(Matrix& gram, std::span<const double> rows, std::size_t count) const {
        constexpr std::size_t atOnce = 16;
        const std::size_t n = gram.columns;
        std::vector<double> turned(n * count); // a column's numbers next to each other
        for (std::size_t r = 0; r < count; ++r)
            for (std::size_t j = 0; j < n; ++j) turned[j * count + r] = rows[r * n + j];
        return parallel((n + atOnce - 1) / atOnce, [&](std::size_t block) {
            constexpr std::size_t together = 32; // rows that stay in the cache for all sums of the block
            for (std::size_t r = 0; r < count; r += together)
                for (std::size_t i = block * atOnce; i < std::min(n, (block + 1) * atOnce); ++i)
                    addProducts(std::span(turned).subspan(i * count + r, std::min(together, count - r)), rows.data() + r * n + i, n,
                                gram.row(i).subspan(i));
        });
    }

    static void mirror(Matrix& gram) {
        for (std::size_t i = 0; i < gram.rows; ++i)
            for (std::size_t j = 0; j < i; ++j) gram.values[i * gram.columns + j] = gram.values[j * gram.columns + i];
    }

    Result<std::vector<double>> roots(Matrix& gram) const {
        mirror(gram);
        const Progress quiet{m_options.progress.stop, {}};
        WB_TRY_ASSIGN(std::vector<double> values, symmetricEigenvalues(gram.values, gram.rows, m_options.threads, quiet));
        for (double& value : values) value = std::sqrt(std::max(value, 0.0));
        return values;
    }

    Result<void> findAll(Spectrum& spectrum) {
        const bool isWide = m_columns > m_rows;
        const std::uint64_t side = std::min(m_rows, m_columns);
        WB_TRY(checkMemory(side * side + (isWide ? m_rows * m_columns : 0)));
        Matrix gram(side, side);
        std::vector<double> turned(isWide ? m_rows * m_columns : 0); // Wᵀ
        double squares = 0;
        const auto addSlab = [&](std::span<const double> slab, std::uint64_t first, std::uint64_t count) -> Result<void> {
            WB_TRY(checkFinite(slab));
            for (const double value : slab) squares += value * value;
            if (!isWide) return addGram(gram, slab, count);
            for (std::uint64_t r = 0; r < count; ++r)
                for (std::uint64_t j = 0; j < m_columns; ++j) turned[j * m_rows + first + r] = slab[r * m_columns + j];
            return {};
        };
        WB_TRY(forEachSlab(0, 2, addSlab));
        if (isWide) {
            const std::size_t step = std::max<std::size_t>(1, slabBytes / sizeof(double) / m_rows);
            for (std::size_t first = 0; first < m_columns; first += step) {
                WB_TRY(m_options.progress.at(m_rows, 2 * m_rows));
                const std::size_t count = std::min<std::size_t>(step, m_columns - first);
                WB_TRY(addGram(gram, std::span(turned).subspan(first * m_rows, count * m_rows), count));
            }
            turned = {};
        }
        spectrum.norm = std::sqrt(squares);
        WB_TRY_ASSIGN(spectrum.singularValues, roots(gram));
        return {};
    }

    // tall ← the orthonormal basis of its columns: two rounds of Cholesky's method. Columns that depend on others become 0.
    Result<void> orthonormalize(Matrix& tall) const {
        for (int round = 0; round < 2; ++round) {
            Matrix gram(tall.columns, tall.columns);
            const std::size_t step = slabBytes / sizeof(double) / tall.columns;
            for (std::size_t first = 0; first < tall.rows; first += step) {
                const std::size_t count = std::min(step, tall.rows - first);
                WB_TRY(addGram(gram, std::span(tall.values).subspan(first * tall.columns, count * tall.columns), count));
            }
            const std::vector<double> upper = cholesky(gram.values, tall.columns);
            constexpr std::size_t rowsAtOnce = 64;
            WB_TRY(parallel((tall.rows + rowsAtOnce - 1) / rowsAtOnce, [&](std::size_t block) {
                for (std::size_t i = block * rowsAtOnce; i < std::min(tall.rows, (block + 1) * rowsAtOnce); ++i)
                    solve(tall.row(i), upper);
            }));
        }
        return {};
    }

    // x ← x R⁻¹.
    static void solve(std::span<double> x, const std::vector<double>& upper) {
        const std::size_t n = x.size();
        for (std::size_t j = 0; j < n; ++j) {
            const double pivot = upper[j * n + j];
            x[j] = pivot > 0 ? x[j] / pivot : 0;
            const double factor = -x[j];
            addProducts({&factor, 1}, upper.data() + j * n + j + 1, n, x.subspan(j + 1));
        }
    }

    // sums[i] += Σk factors[i, k] · rows[k] for the `count` sums from row `first` of `out` on, where row i of the factors starts at
    // factors + i · stride. The sums take turns with a piece of `rows` that stays in the cache; the order of one sum's products
    // does not change.
    Result<void> addAll(Matrix& out, std::uint64_t first, std::uint64_t count, const double* factors, std::size_t stride,
                        const double* rows, std::size_t rowCount) const {
        constexpr std::size_t sumsAtOnce = 16, rowsAtOnce = 32; // the second is a multiple of four, as addProducts() wants
        const std::size_t width = out.columns;
        return parallel((count + sumsAtOnce - 1) / sumsAtOnce, [&](std::size_t block) {
            const std::size_t end = std::min<std::size_t>(count, (block + 1) * sumsAtOnce);
            for (std::size_t k = 0; k < rowCount; k += rowsAtOnce)
                for (std::size_t i = block * sumsAtOnce; i < end; ++i)
                    addProducts({factors + i * stride + k, std::min(rowsAtOnce, rowCount - k)}, rows + k * width, width,
                                out.row(first + i));
        });
    }

    // out = W · right.
    Result<void> multiply(Matrix& out, Matrix& right, std::uint64_t pass, double* squares) {
        return forEachSlab(pass, 6, [&](std::span<const double> slab, std::uint64_t first, std::uint64_t count) -> Result<void> {
            if (squares) {
                WB_TRY(checkFinite(slab));
                for (const double value : slab) *squares += value * value;
            }
            std::ranges::fill(std::span(out.values).subspan(first * out.columns, count * out.columns), 0);
            return addAll(out, first, count, slab.data(), m_columns, right.values.data(), m_columns);
        });
    }

    // out = Wᵀ · left.
    Result<void> multiplyTransposed(Matrix& out, Matrix& left, std::uint64_t pass) {
        std::ranges::fill(out.values, 0);
        std::vector<double> turned;
        return forEachSlab(pass, 6, [&](std::span<const double> slab, std::uint64_t first, std::uint64_t count) -> Result<void> {
            turned.resize(slab.size());
            for (std::uint64_t r = 0; r < count; ++r)
                for (std::uint64_t j = 0; j < m_columns; ++j) turned[j * count + r] = slab[r * m_columns + j];
            return addAll(out, 0, m_columns, turned.data(), count, left.row(first).data(), count);
        });
    }

    Result<void> findLargest(Spectrum& spectrum) {
        WB_TRY(checkMemory((m_rows + m_columns) * rangeVectors));
        Matrix right(m_columns, rangeVectors), left(m_rows, rangeVectors);
        fillAtRandom(right.values);
        double squares = 0;
        WB_TRY(multiply(left, right, 0, &squares));
        for (std::uint64_t iteration = 0; iteration < 2; ++iteration) {
            WB_TRY(orthonormalize(left));
            WB_TRY(multiplyTransposed(right, left, 1 + 2 * iteration));
            WB_TRY(orthonormalize(right));
            WB_TRY(multiply(left, right, 2 + 2 * iteration, nullptr));
        }
        WB_TRY(orthonormalize(left));
        WB_TRY(multiplyTransposed(right, left, 5)); // the values of QᵀW are those of W in the range
        Matrix gram(rangeVectors, rangeVectors);
        const std::size_t step = slabBytes / sizeof(double) / rangeVectors;
        for (std::size_t first = 0; first < m_columns; first += step) {
            const std::size_t count = std::min<std::size_t>(step, m_columns - first);
            WB_TRY(addGram(gram, std::span(right.values).subspan(first * rangeVectors, count * rangeVectors), count));
        }
        WB_TRY_ASSIGN(spectrum.singularValues, roots(gram));
        spectrum.norm = std::sqrt(squares);
        double found = 0;
        for (const double value : spectrum.singularValues) found += value * value;
        spectrum.residual = squares > 0 ? std::sqrt(std::max(0.0, 1 - found / squares)) : 0;
        spectrum.singularValues.resize(256); // the others only make these exact
        return {};
    }

    // Normally distributed numbers by Box and Muller's method: distributions of the standard library differ between platforms.
    static void fillAtRandom(std::vector<double>& values) {
        std::mt19937_64 random(0x5eed);
        const auto uniform = [&] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
        for (double& value : values) {
            const double radius = std::sqrt(-2 * std::log(uniform()));
            value = radius * std::cos(2 * std::numbers::pi * uniform());
        }
    }

    const TensorReader& m_reader;
    const std::string& m_name;
    std::uint64_t m_rows, m_columns, m_slabRows;
    const SpectrumOptions& m_options;
};

} // namespace

std::optional<std::pair<std::uint64_t, std::uint64_t>> spectralMatrix(Dtype dtype, const Shape& shape) {
    const DtypeKind kind = info(dtype).kind;
    if ((kind != DtypeKind::Float && kind != DtypeKind::Block) || (shape.rank() != 2 && shape.rank() != 4)) return std::nullopt;
    if (shape.elements() == 0) return std::nullopt;
    return std::pair(shape[0], shape.elements() / shape[0]);
}

void measureSpectrum(Spectrum& spectrum) {
    const auto& values = spectrum.singularValues;
    spectrum.spectralNorm = values.empty() ? 0 : values.front();
    if (!(spectrum.spectralNorm > 0)) return;
    const double largest = spectrum.spectralNorm, energy = (spectrum.norm / largest) * (spectrum.norm / largest);
    spectrum.stableRank = energy;
    constexpr std::array shares = {0.9, 0.99, 0.999};
    double sum = 0, squares = 0, fourths = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = values[i] / largest;
        sum += value;
        squares += value * value;
        fourths += value * value * value * value;
        for (std::size_t k = 0; k < shares.size(); ++k)
            if (!spectrum.energyRanks[k] && squares >= shares[k] * energy * (1 - 1e-12)) spectrum.energyRanks[k] = i + 1;
    }
    if (spectrum.isComplete) {
        double entropy = 0;
        for (const double value : values)
            if (const double p = value / largest / sum; p > 0) entropy -= p * std::log(p);
        spectrum.effectiveRank = std::exp(entropy);
        spectrum.participation = squares * squares / fourths;
        if (values.back() > 0 && largest / values.back() <= maxCondition) spectrum.condition = largest / values.back();
    }
    std::vector<double> ascending;
    for (std::size_t i = values.size(); i-- > 0;)
        if (values[i] > largest / maxCondition) ascending.push_back(values[i] * values[i]);
    spectrum.tail = fitPowerLaw(ascending);
}

Result<Spectrum> computeSpectrum(const TensorReader& reader, const std::string& name, const SpectrumOptions& options) {
    const auto matrix = spectralMatrix(reader.dtype(), reader.shape());
    if (!matrix)
        return fail(ErrorCode::Invalid, Reason("spectrum.no_matrix"), About{name},
                    WB_TEXT("{} of shape {} is not a matrix of numbers; select a weight with two dimensions or the filters of a "
                            "convolution."),
                    name, reader.shape().toString());
    return SpectrumReader(reader, name, matrix->first, matrix->second, options).run();
}

Result<Spectrum> computeSpectrum(const Model& model, const TensorInfo& tensor, const SpectrumOptions& options) {
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(model, tensor));
    return computeSpectrum(reader, tensor.name, options);
}

void writeJson(JsonWriter& out, const Spectrum& spectrum) {
    const auto number = [&](const char* key, const std::optional<double>& value) {
        out.key(key);
        if (value) out.number(*value);
        else out.null();
    };
    out.beginObject();
    out.key("rows");
    out.integer(spectrum.rows);
    out.key("columns");
    out.integer(spectrum.columns);
    out.key("complete");
    out.boolean(spectrum.isComplete);
    number("norm", spectrum.norm);
    number("residual", spectrum.residual);
    number("spectral_norm", spectrum.spectralNorm);
    number("stable_rank", spectrum.stableRank);
    number("effective_rank", spectrum.effectiveRank);
    number("participation_ratio", spectrum.participation);
    constexpr std::array keys = {"rank_90", "rank_99", "rank_99_9"};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        out.key(keys[i]);
        if (spectrum.energyRanks[i]) out.integer(*spectrum.energyRanks[i]);
        else out.null();
    }
    number("condition", spectrum.condition);
    number("alpha", spectrum.tail ? std::optional(spectrum.tail->alpha) : std::nullopt);
    number("alpha_distance", spectrum.tail ? std::optional(spectrum.tail->distance) : std::nullopt);
    number("lambda_min", spectrum.tail ? std::optional(spectrum.tail->lambdaMin) : std::nullopt);
    out.key("singular_values");
    out.beginArray();
    for (const double value : spectrum.singularValues) out.number(value);
    out.endArray();
    out.endObject();
}

} // namespace wb::stats
