// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels.h"

#include "core/infer/cpu/exact.h"
#include "core/infer/cpu/lattice.h"
#include "core/tensor/block_codes.h"
#include "core/tensor/half.h"
#include "core/tensor/tables.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

// The readable form of every kernel, in the order of operations that the SIMD forms follow.
namespace wb::infer::cpu {
namespace {

float loadF32(const std::byte* at) { return load<float>(at); }
float halfAt(const std::byte* base, std::size_t index) { return loadF16(base + 2 * index); }

// ---- float panels

struct PanelF32 {
    static constexpr std::size_t bytes = 64;
    static float weight(const std::byte* block, std::size_t r) { return loadF32(block + 4 * r); }
};
struct PanelF16 {
    static constexpr std::size_t bytes = 32;
    static float weight(const std::byte* block, std::size_t r) { return halfAt(block, r); }
};
struct PanelBF16 {
    static constexpr std::size_t bytes = 32;
    static float weight(const std::byte* block, std::size_t r) { return bf16ToF32(load<std::uint16_t>(block + 2 * r)); }
};

template <class Panel, std::size_t T>
float dotFloats(const Product& p, const std::byte* panel, std::size_t r, std::size_t t) {
    float sum = 0;
    for (std::size_t k = 0; k < p.blocks; ++k)
        sum = fusedMultiplyAdd(Panel::weight(panel + k * Panel::bytes, r), loadF32(p.activations + 4 * (k * T + t)), sum);
    return sum;
}

// ---- integer panels: every 32 columns of a row are codes with one or two scales and perhaps minimums

// How the products of 32 columns are added: with one scale or one for each half; without a minimum, with one, or one for each half.
struct Codes {
    std::array<int, recordColumns> code; // unsigned, but for lattices
    std::array<float, 2> scale;          // of the first and the last 16
    std::array<float, 2> minimum{};
};

int byteAt(const std::byte* at) { return std::to_integer<int>(*at); }
int signedByteAt(const std::byte* at) { return static_cast<std::int8_t>(byteAt(at)); }

// The byte of column 4j + c of an interleaved run of bytes.
int interleaved(const std::byte* vectors, std::size_t r, std::size_t column) {
    return byteAt(vectors + column / 4 * 64 + 4 * r + column % 4);
}

struct PanelQ8_0 {
    static constexpr std::size_t bytes = 544, records = 1, minimums = 0;
    static constexpr int bias = 128;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i) codes.code[i] = interleaved(block, r, i);
        codes.scale.fill(halfAt(block + 512, r));
        return codes;
    }
};

void nibbleCodes(const std::byte* vectors, std::size_t r, Codes& codes) {
    for (std::size_t i = 0; i < 16; ++i) {
        codes.code[i] = interleaved(vectors, r, i) & 15;
        codes.code[i + 16] = interleaved(vectors, r, i) >> 4;
    }
}

struct PanelQ4_0 {
    static constexpr std::size_t bytes = 288, records = 1, minimums = 0;
    static constexpr int bias = 8;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t, std::size_t r) {
        Codes codes;
        nibbleCodes(block, r, codes);
        codes.scale.fill(halfAt(block + 256, r));
        return codes;
    }
};

struct PanelQ4_1 {
    static constexpr std::size_t bytes = 320, records = 1, minimums = 1;
    static constexpr int bias = 0;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t, std::size_t r) {
        Codes codes = PanelQ4_0::codes(block, 0, r);
        codes.minimum[0] = halfAt(block + 288, r);
        return codes;
    }
};

struct PanelQ5_0 {
    static constexpr std::size_t bytes = 352, records = 1, minimums = 0;
    static constexpr int bias = 16;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t, std::size_t r) {
        Codes codes;
        nibbleCodes(block, r, codes);
        for (std::size_t i = 0; i < 32; ++i) codes.code[i] |= (byteAt(block + 256 + 4 * r + i % 4) >> (i / 4) & 1) << 4;
        codes.scale.fill(halfAt(block + 320, r));
        return codes;
    }
};

struct PanelQ5_1 {
    static constexpr std::size_t bytes = 384, records = 1, minimums = 2;
    static constexpr int bias = 0;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t, std::size_t r) {
        Codes codes = PanelQ5_0::codes(block, 0, r);
        codes.minimum.fill(halfAt(block + 352, r));
        return codes;
    }
};

struct PanelQ2_K {
    static constexpr std::size_t bytes = 1344, records = 8, minimums = 2;
    static constexpr int bias = 0;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i)
            codes.code[i] = interleaved(block + 320 + record / 4 * 512, r, i) >> (2 * (record % 4)) & 3;
        for (std::size_t h = 0; h < 2; ++h) {
            const int both = byteAt(block + 64 + (2 * record + h) * 16 + r);
            codes.scale[h] = halfAt(block, r) * static_cast<float>(both & 15);
            codes.minimum[h] = -halfAt(block + 32, r) * static_cast<float>(both >> 4);
        }
        return codes;
    }
};

struct PanelQ3_K {
    static constexpr std::size_t bytes = 1824, records = 8, minimums = 0;
    static constexpr int bias = 4;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i) {
            const int pair = interleaved(block + 800 + record / 4 * 512, r, i) >> (2 * (record % 4)) & 3;
            codes.code[i] = pair | (interleaved(block + 288, r, i) >> record & 1) << 2;
        }
        for (std::size_t h = 0; h < 2; ++h)
            codes.scale[h] = halfAt(block, r) * static_cast<float>(signedByteAt(block + 32 + (2 * record + h) * 16 + r));
        return codes;
    }
};

// Scales and minimums of Q4_K and Q5_K, and codes from their nibbles.
Codes affineCodes(const std::byte* block, const std::byte* nibbles, std::size_t record, std::size_t r) {
    Codes codes;
    for (std::size_t i = 0; i < 32; ++i) codes.code[i] = interleaved(nibbles + record / 2 * 512, r, i) >> (record % 2 * 4) & 15;
    codes.scale.fill(halfAt(block, r) * static_cast<float>(byteAt(block + 64 + record * 16 + r)));
    codes.minimum.fill(-halfAt(block + 32, r) * static_cast<float>(byteAt(block + 192 + record * 16 + r)));
    return codes;
}

struct PanelQ4_K {
    static constexpr std::size_t bytes = 2368, records = 8, minimums = 1;
    static constexpr int bias = 0;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        return affineCodes(block, block + 320, record, r);
    }
};

struct PanelQ5_K {
    static constexpr std::size_t bytes = 2880, records = 8, minimums = 2;
    static constexpr int bias = 0;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes = affineCodes(block, block + 832, record, r);
        for (std::size_t i = 0; i < 32; ++i) codes.code[i] |= (interleaved(block + 320, r, i) >> record & 1) << 4;
        return codes;
    }
};

struct PanelQ6_K {
    static constexpr std::size_t bytes = 3360, records = 8, minimums = 0;
    static constexpr int bias = 32;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        const std::size_t quarter = record % 4;
        const std::byte* const half = block + 288 + record / 4 * 1536;
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i) {
            const int nibble = interleaved(half + 512, r, quarter % 2 * 32 + i) >> (quarter / 2 * 4) & 15;
            const int pair = interleaved(half, r, i) >> (2 * quarter) & 3;
            codes.code[i] = nibble | pair << 4;
        }
        for (std::size_t h = 0; h < 2; ++h)
            codes.scale[h] = halfAt(block, r) * static_cast<float>(signedByteAt(block + 32 + (2 * record + h) * 16 + r));
        return codes;
    }
};

// Nibbles that name levels of a table.
template <class Table>
Codes levelCodes(const Table& levels, int bias, const std::byte* vectors, std::size_t r) {
    Codes codes;
    nibbleCodes(vectors, r, codes);
    for (int& code : codes.code) code = levels[static_cast<std::size_t>(code)] + bias;
    return codes;
}

struct PanelIQ4_NL {
    static constexpr std::size_t bytes = 288, records = 1, minimums = 0;
    static constexpr int bias = 128;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t, std::size_t r) {
        Codes codes = levelCodes(tables::values_iq4, bias, block, r);
        codes.scale.fill(halfAt(block + 256, r));
        return codes;
    }
};

struct PanelIQ4_XS {
    static constexpr std::size_t bytes = 2208, records = 8, minimums = 0;
    static constexpr int bias = 128;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes = levelCodes(tables::values_iq4, bias, block + 160 + record * 256, r);
        codes.scale.fill(halfAt(block, r) * static_cast<float>(signedByteAt(block + 32 + record * 16 + r)));
        return codes;
    }
};

struct PanelMXFP4 {
    static constexpr std::size_t bytes = 272, records = 1, minimums = 0;
    static constexpr int bias = 16;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t, std::size_t r) {
        Codes codes = levelCodes(tables::values_fp4, bias, block, r);
        codes.scale.fill(e8m0HalfToF32(static_cast<std::uint8_t>(byteAt(block + 256 + r))));
        return codes;
    }
};

struct PanelNVFP4 {
    static constexpr std::size_t bytes = 576, records = 2, minimums = 0;
    static constexpr int bias = 16;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i) {
            const int both = interleaved(block + 64 + record * 256, r, i / 16 * 8 + i % 8);
            codes.code[i] = tables::values_fp4[static_cast<std::size_t>(both >> (i / 8 % 2 * 4) & 15)] + bias;
        }
        for (std::size_t h = 0; h < 2; ++h)
            codes.scale[h] = ue4m3HalfToF32(static_cast<std::uint8_t>(byteAt(block + (2 * record + h) * 16 + r)));
        return codes;
    }
};

struct PanelQ8_K {
    static constexpr std::size_t bytes = 4160, records = 8, minimums = 0;
    static constexpr int bias = 128;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i) codes.code[i] = interleaved(block + 64 + record * 512, r, i);
        codes.scale.fill(loadF32(block + 4 * r));
        return codes;
    }
};

// Codes 0 and 2 for the levels -1 and 1.
struct PanelQ1_0 {
    static constexpr std::size_t bytes = 288, records = 4, minimums = 0;
    static constexpr int bias = 1;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i) codes.code[i] = (byteAt(block + 32 + record * 64 + 4 * r + i % 4) >> (i / 4) & 1) << 1;
        codes.scale.fill(halfAt(block, r));
        return codes;
    }
};

struct PanelQ2_0 {
    static constexpr std::size_t bytes = 288, records = 2, minimums = 0;
    static constexpr int bias = 1;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i)
            codes.code[i] = byteAt(block + 32 + record * 128 + i / 16 * 64 + 4 * r + i % 4) >> (i / 4 % 4 * 2) & 3;
        codes.scale.fill(halfAt(block, r));
        return codes;
    }
};

// Which byte of a row and which of its trits is element `i`.
struct TritPlace {
    std::size_t byte;
    unsigned trit;
};
constexpr TritPlace tritPlace(std::size_t i) {
    if (i < 160) return {i % 32, static_cast<unsigned>(i / 32)};
    if (i < 240) return {32 + i % 16, static_cast<unsigned>((i - 160) / 16)};
    return {48 + i % 4, static_cast<unsigned>((i - 240) / 4)};
}

struct PanelTQ1_0 {
    static constexpr std::size_t bytes = 864, records = 8, minimums = 0;
    static constexpr int bias = 1;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i) {
            const TritPlace place = tritPlace(record * 32 + i);
            const auto byte = static_cast<unsigned>(interleaved(block + 32, r, place.byte));
            codes.code[i] = static_cast<int>(layout::tritAt(byte, place.trit));
        }
        codes.scale.fill(halfAt(block, r));
        return codes;
    }
};

struct PanelTQ2_0 {
    static constexpr std::size_t bytes = 1056, records = 8, minimums = 0;
    static constexpr int bias = 1;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i)
            codes.code[i] = interleaved(block + 32 + record / 4 * 512, r, i) >> (2 * (record % 4)) & 3;
        codes.scale.fill(halfAt(block, r));
        return codes;
    }
};

// Signed codes.
template <class L>
struct PanelPoints {
    static constexpr std::size_t bytes = L::bytes, records = L::records, minimums = 0;
    static constexpr int bias = 0;
    static constexpr bool splits = L::splits;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        const LatticeRecord read = L::record(block, record, r);
        Codes codes;
        std::ranges::copy(latticeCodes<L>(read), codes.code.begin());
        codes.scale = read.scale;
        return codes;
    }
};

// The integer dot product of codes [first, end) with token `t`; `start` stands for the bias.
float dotCodes(const Codes& codes, std::size_t first, std::size_t end, int start, const std::byte* record, std::size_t t) {
    int sum = start;
    for (std::size_t i = first; i < end; ++i)
        sum += codes.code[i] * static_cast<std::int8_t>(byteAt(record + t * recordColumns + i));
    return static_cast<float>(sum);
}

template <class Panel, std::size_t T>
float addRecord(const Codes& codes, const std::byte* record, std::size_t t, float sum) {
    using R = Record<T>;
    const float scale = loadF32(record + R::scale + 4 * t);
    const int low = Panel::bias * load<std::int32_t>(record + R::low + 4 * t);
    const int high = Panel::bias * load<std::int32_t>(record + R::high + 4 * t);
    if constexpr (Panel::splits) {
        sum = fusedMultiplyAdd(dotCodes(codes, 0, 16, low, record, t), codes.scale[0] * scale, sum);
        sum = fusedMultiplyAdd(dotCodes(codes, 16, 32, high, record, t), codes.scale[1] * scale, sum);
    } else {
        sum = fusedMultiplyAdd(dotCodes(codes, 0, 32, low + high, record, t), codes.scale[0] * scale, sum);
    }
    if constexpr (Panel::minimums == 1) sum = fusedMultiplyAdd(codes.minimum[0], loadF32(record + R::offset + 4 * t), sum);
    if constexpr (Panel::minimums == 2)
        for (std::size_t h = 0; h < 2; ++h)
            sum = fusedMultiplyAdd(codes.minimum[h],
                                   scale * static_cast<float>(-load<std::int32_t>(record + (h == 0 ? R::low : R::high) + 4 * t)),
                                   sum);
    return sum;
}

template <class Panel, std::size_t T>
float dotIntegers(const Product& p, const std::byte* panel, std::size_t r, std::size_t t) {
    float sum = 0;
    for (std::size_t b = 0; b < p.blocks; ++b)
        for (std::size_t s = 0; s < Panel::records; ++s) {
            const std::byte* const record = p.activations + (b * Panel::records + s) * Record<T>::bytes;
            sum = addRecord<Panel, T>(Panel::codes(panel + b * Panel::bytes, s, r), record, t, sum);
        }
    return sum;
}

template <class Panel, std::size_t T>
float dot(const Product& p, const std::byte* panel, std::size_t r, std::size_t t) {
    if constexpr (requires { Panel::records; }) return dotIntegers<Panel, T>(p, panel, r, t);
    else return dotFloats<Panel, T>(p, panel, r, t);
}

template <class Panel, std::size_t panels>
void multiply(const Product& p) {
    for (std::size_t n = 0; n < panels; ++n)
        for (std::size_t r = 0; r < panelRows; ++r) p.out[n * panelRows + r] = dot<Panel, 1>(p, p.panel + n * p.panelBytes, r, 0);
}

template <class Panel>
void multiplyGroup(const Product& p) {
    for (std::size_t r = 0; r < panelRows; ++r)
        for (std::size_t t = 0; t < groupTokens; ++t) p.out[t * p.stride + r] = dot<Panel, groupTokens>(p, p.panel, r, t);
}

// The forms of one type.
struct Forms {
    Multiply one, wide, groups;
};
template <class Panel>
constexpr Forms makeForms() {
    return {multiply<Panel, 1>, multiply<Panel, widePanels>, eachGroup<multiplyGroup<Panel>>};
}

// clang-format off
constexpr std::array<Forms, panelTypes> forms = {
    makeForms<PanelF32>(), makeForms<PanelF16>(), makeForms<PanelBF16>(), makeForms<PanelQ8_0>(), makeForms<PanelQ4_0>(),
    makeForms<PanelQ4_1>(), makeForms<PanelQ5_0>(), makeForms<PanelQ5_1>(), makeForms<PanelQ2_K>(), makeForms<PanelQ3_K>(),
    makeForms<PanelQ4_K>(), makeForms<PanelQ5_K>(), makeForms<PanelQ6_K>(), makeForms<PanelIQ4_NL>(), makeForms<PanelIQ4_XS>(),
    makeForms<PanelMXFP4>(), makeForms<PanelNVFP4>(), makeForms<PanelQ8_0>(), makeForms<PanelQ8_K>(), makeForms<PanelQ1_0>(),
    makeForms<PanelQ2_0>(), makeForms<PanelTQ1_0>(), makeForms<PanelTQ2_0>(), makeForms<PanelPoints<LatticeIQ1_S>>(),
    makeForms<PanelPoints<LatticeIQ1_M>>(), makeForms<PanelPoints<LatticeIQ2_XXS>>(), makeForms<PanelPoints<LatticeIQ2_XS>>(),
    makeForms<PanelPoints<LatticeIQ2_S>>(), makeForms<PanelPoints<LatticeIQ3_XXS>>(), makeForms<PanelPoints<LatticeIQ3_S>>(),
};
// clang-format on

constexpr std::array<Multiply, panelTypes> select(Multiply Forms::* form) {
    std::array<Multiply, panelTypes> all{};
    for (std::size_t i = 0; i < panelTypes; ++i) all[i] = forms[i].*form;
    return all;
}

// ---- rows

void quantizeRecord(const float* values, std::byte* record, std::size_t token, std::size_t width) {
    float absmax = 0;
    for (std::size_t i = 0; i < recordColumns; ++i) absmax = std::max(absmax, std::fabs(values[i]));
    const float scale = absmax / 127.0F;
    const float inverse = absmax > minMagnitude ? 127.0F / absmax : 0.0F;
    std::array<std::int32_t, 2> sums{};
    for (std::size_t i = 0; i < recordColumns; ++i) {
        const auto code = static_cast<std::int8_t>(std::nearbyint(values[i] * inverse));
        record[token * recordColumns + i] = static_cast<std::byte>(code);
        sums[i / 16] += code;
    }
    store(record + 32 * width + 4 * token, scale);
    store(record + 36 * width + 4 * token, -sums[0]);
    store(record + 40 * width + 4 * token, -sums[1]);
    store(record + 44 * width + 4 * token, scale * static_cast<float>(sums[0] + sums[1]));
}

void quantize(const float* values, std::size_t columns, std::byte* group, std::size_t token, std::size_t width) {
    for (std::size_t k = 0; k < columns; k += recordColumns)
        quantizeRecord(values + k, group + k / recordColumns * 48 * width, token, width);
}

void rmsNorm(const float* x, const float* weight, float epsilon, std::size_t count, float* out) {
    LaneSums sums{};
    for (std::size_t i = 0; i < count; ++i) sums[i % sumLanes] = fusedMultiplyAdd(x[i], x[i], sums[i % sumLanes]);
    const float factor = 1.0F / std::sqrt(foldLanes(sums) / static_cast<float>(count) + epsilon);
    for (std::size_t i = 0; i < count; ++i) out[i] = x[i] * factor * weight[i];
}

void layerNorm(const float* x, const float* weight, const float* bias, float epsilon, std::size_t count, float* out) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < count; ++i) sum += static_cast<double>(x[i]);
    const double mean = sum / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const auto variance = static_cast<float>(squares / static_cast<double>(count));
    const float factor = 1.0F / std::sqrt(variance + epsilon);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = (x[i] - static_cast<float>(mean)) * factor * weight[i] + (bias ? bias[i] : 0.0F);
}

// ---- activations (docs/reference/inference.md, "Activations")

float silu(float x) { return gated(x, x); }
float geluTanh(float x) { return 0.5F * x * (1.0F + std::tanh(0.79788456080286535588F * x * (1.0F + 0.044715F * x * x))); }
float geluErf(float x) { return 0.5F * x * (1.0F + std::erf(x * 0.70710678118654752440F)); }
float relu(float x) { return std::max(x, 0.0F); }
float reluSquared(float x) { return relu(x) * relu(x); }

template <float (*act)(float)>
void activate(float* gate, const float* up, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) gate[i] = act(gate[i]) * (up ? up[i] : 1.0F);
}

void clampedSwiglu(float* gate, const float* up, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const float x = std::min(gate[i], 7.0F);
        gate[i] = gated(x, 1.702F * x) * (std::clamp(up[i], -7.0F, 7.0F) + 1.0F);
    }
}

void softcap(float* values, std::size_t count, float cap) {
    for (std::size_t i = 0; i < count; ++i) values[i] = cap * std::tanh(values[i] / cap);
}

void addScaled(float* sum, const float* addend, float scale, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sum[i] = fusedMultiplyAdd(scale, addend[i], sum[i]);
}

void rotate(float* head, const float* cosines, const float* sines, std::size_t pairs, bool halves) {
    for (std::size_t j = 0; j < pairs; ++j) {
        float& a = head[halves ? j : 2 * j];
        float& b = head[halves ? j + pairs : 2 * j + 1];
        const float x = a, y = b;
        a = x * cosines[j] - y * sines[j];
        b = x * sines[j] + y * cosines[j];
    }
}

void toF16(const float* values, std::size_t count, std::uint16_t* out) { std::transform(values, values + count, out, f32ToF16); }

// ---- attention

template <class Stored>
float cached(const void* base, std::size_t index) {
    if constexpr (std::is_same_v<Stored, float>) return static_cast<const float*>(base)[index];
    else return f16ToF32(static_cast<const std::uint16_t*>(base)[index]);
}

template <class Stored>
void scoreKeys(const KeyScores& task) {
    for (std::size_t q = 0; q < task.count; ++q)
        for (std::size_t p = task.firstTile * keyTile; p < task.endTile * keyTile; ++p) {
            float sum = 0;
            for (std::size_t d = 0; d < task.dimensions; ++d) {
                const std::size_t at = (p / keyTile * task.dimensions + d) * keyTile + p % keyTile;
                sum = fusedMultiplyAdd(task.queries[q * task.queryStride + d], cached<Stored>(task.keys, at), sum);
            }
            task.out[q * task.outStride + p] = sum * task.scale;
        }
}

template <class Stored>
void sumValues(const ValueSums& task) {
    for (std::size_t q = 0; q < task.count; ++q)
        for (std::size_t d = 0; d < task.dimensions; ++d) {
            float sum = task.goesOn ? task.out[q * task.outStride + d] : 0;
            for (std::size_t p = task.first; p < task.end; ++p)
                sum = fusedMultiplyAdd(task.probabilities[q * task.probabilityStride + p],
                                       cached<Stored>(task.values, p * task.dimensions + d), sum);
            task.out[q * task.outStride + d] = sum;
        }
}

float codeAt(const std::byte* at) { return static_cast<float>(signedByteAt(at)); }

void scoreKeysQ8_0(const KeyScores& task) {
    const auto* const keys = static_cast<const std::byte*>(task.keys);
    const std::size_t tileBytes = keyTile * positionBytes(CacheType::Q8_0, task.dimensions);
    for (std::size_t q = 0; q < task.count; ++q)
        for (std::size_t p = task.firstTile * keyTile; p < task.endTile * keyTile; ++p) {
            const std::byte* const codes = keys + p / keyTile * tileBytes;
            const std::byte* const scales = codes + keyTile * task.dimensions;
            float sum = 0;
            for (std::size_t g = 0; g < cacheGroups(task.dimensions); ++g) {
                float part = 0;
                for (std::size_t d = g * cacheGroup; d < std::min((g + 1) * cacheGroup, task.dimensions); ++d)
                    part =
                        fusedMultiplyAdd(task.queries[q * task.queryStride + d], codeAt(codes + d * keyTile + p % keyTile), part);
                sum = fusedMultiplyAdd(part, halfAt(scales, g * keyTile + p % keyTile), sum);
            }
            task.out[q * task.outStride + p] = sum * task.scale;
        }
}

void sumValuesQ8_0(const ValueSums& task) {
    const auto* const values = static_cast<const std::byte*>(task.values);
    const std::size_t rowBytes = positionBytes(CacheType::Q8_0, task.dimensions);
    for (std::size_t q = 0; q < task.count; ++q)
        for (std::size_t d = 0; d < task.dimensions; ++d) {
            float sum = task.goesOn ? task.out[q * task.outStride + d] : 0;
            for (std::size_t p = task.first; p < task.end; ++p) {
                const std::byte* const row = values + p * rowBytes;
                const float scale = halfAt(row + task.dimensions, d / cacheGroup);
                sum = fusedMultiplyAdd(task.probabilities[q * task.probabilityStride + p] * scale, codeAt(row + d), sum);
            }
            task.out[q * task.outStride + d] = sum;
        }
}

void softmax(float* scores, std::size_t first, std::size_t end, std::size_t paddedEnd, float sink) {
    const float highest = std::max(sink, *std::max_element(scores + first, scores + end));
    LaneSums sums{};
    for (std::size_t p = first; p < end; ++p) {
        const float less = scores[p] - highest;
        scores[p] = less > minExponent ? exponential(less) : 0.0F;
        sums[p % sumLanes] += scores[p];
    }
    const float inverse = 1.0F / (foldLanes(sums) + std::exp(sink - highest));
    for (std::size_t p = first; p < end; ++p) scores[p] *= inverse;
    std::fill(scores + first / keyTile * keyTile, scores + first, 0.0F);
    std::fill(scores + end, scores + paddedEnd, 0.0F);
}

} // namespace

const Kernels& scalarKernels() {
    static constexpr Kernels kernels{
        "scalar",
        select(&Forms::one),
        select(&Forms::wide),
        select(&Forms::groups),
        1,
        quantize,
        rmsNorm,
        layerNorm,
        {activate<silu>, activate<geluTanh>, activate<geluErf>, activate<relu>, activate<reluSquared>, clampedSwiglu},
        softcap,
        addScaled,
        rotate,
        toF16,
        {scoreKeys<std::uint16_t>, scoreKeys<float>, scoreKeysQ8_0},
        {sumValues<std::uint16_t>, sumValues<float>, sumValuesQ8_0},
        softmax};
    return kernels;
}

} // namespace wb::infer::cpu
