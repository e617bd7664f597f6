// SPDX-License-Identifier: MIT
#include "ui/inspect/document/glossary.h"

#include <QCoreApplication>

#include <array>

// Facts: docs/reference/gguf.md, "Decoding" and docs/reference/formats.md, "Element types".
namespace wb::ui::inspect {
namespace {

struct RoleText {
    const char* title;
    const char* sentence;
};

constexpr std::array<const char*, static_cast<std::size_t>(Dtype::Count)> dtypeTexts = {
    QT_TRANSLATE_NOOP("Glossary", "Unsupported type: the tensor is listed, but its values cannot be shown."),
    QT_TRANSLATE_NOOP("Glossary", "F64: 64-bit floating point, about 16 decimal digits."),
    QT_TRANSLATE_NOOP("Glossary", "F32: 32-bit floating point, about 7 decimal digits; the usual training precision."),
    QT_TRANSLATE_NOOP("Glossary", "F16: 16-bit floating point, about 3 decimal digits, up to 65,504; larger values overflow."),
    QT_TRANSLATE_NOOP("Glossary", "BF16: the upper 16 bits of an F32; same range, but only 2 to 3 decimal digits."),
    QT_TRANSLATE_NOOP("Glossary", "F8_E4M3: 8-bit floating point with a 3-bit mantissa, up to 448; no infinity."),
    QT_TRANSLATE_NOOP("Glossary",
                      "F8_E5M2: 8-bit floating point with a 2-bit mantissa, up to 57,344; the range of F16 at lower precision."),
    QT_TRANSLATE_NOOP("Glossary",
                      "F8_E4M3FNUZ: 8-bit floating point with a 3-bit mantissa, up to 240; no infinity, no negative zero."),
    QT_TRANSLATE_NOOP("Glossary",
                      "F8_E5M2FNUZ: 8-bit floating point with a 2-bit mantissa, up to 57,344; no infinity, no negative zero."),
    QT_TRANSLATE_NOOP("Glossary", "F8_E8M0: an 8-bit power of two, used as the shared scale of a block."),
    QT_TRANSLATE_NOOP("Glossary", "F6_E2M3: 6-bit floating point with a 3-bit mantissa, up to 7.5."),
    QT_TRANSLATE_NOOP("Glossary", "F6_E3M2: 6-bit floating point with a 2-bit mantissa, up to 28."),
    QT_TRANSLATE_NOOP("Glossary", "F4: 4-bit floating point, 15 distinct values up to 6; only usable together with scales."),
    QT_TRANSLATE_NOOP("Glossary", "I64: 64-bit signed integers."),
    QT_TRANSLATE_NOOP("Glossary", "I32: 32-bit signed integers."),
    QT_TRANSLATE_NOOP("Glossary", "I16: 16-bit signed integers."),
    QT_TRANSLATE_NOOP("Glossary", "I8: 8-bit signed integers."),
    QT_TRANSLATE_NOOP("Glossary", "U64: 64-bit unsigned integers."),
    QT_TRANSLATE_NOOP("Glossary", "U32: 32-bit unsigned integers; often hold packed quantized values."),
    QT_TRANSLATE_NOOP("Glossary", "U16: 16-bit unsigned integers."),
    QT_TRANSLATE_NOOP("Glossary", "U8: 8-bit unsigned integers; often hold packed quantized values."),
    QT_TRANSLATE_NOOP("Glossary", "BOOL: true or false, one byte each."),
    QT_TRANSLATE_NOOP("Glossary", "C64: complex numbers made of two F32 values."),
    QT_TRANSLATE_NOOP("Glossary", "C128: complex numbers made of two F64 values."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "Q4_0: 4-bit codes with one scale per 32 elements, 4.5 bits per weight; simple and fast, mostly replaced by Q4_K."),
    QT_TRANSLATE_NOOP("Glossary", "Q4_1: 4-bit codes with a scale and a minimum per 32 elements, 5 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary", "Q5_0: 5-bit codes with one scale per 32 elements, 5.5 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary", "Q5_1: 5-bit codes with a scale and a minimum per 32 elements, 6 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary",
                      "Q8_0: 8-bit codes with one scale per 32 elements, 8.5 bits per weight; almost identical to F16."),
    QT_TRANSLATE_NOOP("Glossary", "Q8_1: 8-bit codes with a scale and a sum per 32 elements, 9 bits per weight; used for "
                                  "intermediate results, not in files."),
    QT_TRANSLATE_NOOP("Glossary", "Q2_K: 2-bit codes in super-blocks of 256, with a scale and a minimum per 16 elements, 2.625 "
                                  "bits per weight; noticeable loss."),
    QT_TRANSLATE_NOOP("Glossary",
                      "Q3_K: 3-bit codes in super-blocks of 256, with a scale per 16 elements, 3.4375 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary", "Q4_K: 4-bit codes in super-blocks of 256, with a scale and a minimum per 32 elements, 4.5 bits "
                                  "per weight; the usual balance of size and quality."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "Q5_K: 5-bit codes in super-blocks of 256, with a scale and a minimum per 32 elements, 5.5 bits per weight; small loss."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "Q6_K: 6-bit codes in super-blocks of 256, with a scale per 16 elements, 6.5625 bits per weight; very small loss."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "Q8_K: 8-bit codes with one scale per 256 elements, 9.125 bits per weight; used for intermediate results, not in files."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "IQ1_S: groups of eight elements from a codebook, 1.5625 bits per weight; heavy loss, requires an importance matrix."),
    QT_TRANSLATE_NOOP("Glossary",
                      "IQ1_M: like IQ1_S with finer scales, 1.75 bits per weight; heavy loss, requires an importance matrix."),
    QT_TRANSLATE_NOOP("Glossary",
                      "IQ2_XXS: groups of eight elements from a codebook, 2.0625 bits per weight; requires an importance matrix."),
    QT_TRANSLATE_NOOP("Glossary",
                      "IQ2_XS: like IQ2_XXS with a larger codebook, 2.3125 bits per weight; requires an importance matrix."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "IQ2_S: like IQ2_XS with an even larger codebook, 2.5625 bits per weight; an importance matrix is recommended."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "IQ3_XXS: groups of four elements from a codebook, 3.0625 bits per weight; an importance matrix is recommended."),
    QT_TRANSLATE_NOOP("Glossary", "IQ3_S: like IQ3_XXS with a larger codebook, 3.4375 bits per weight."),
    QT_TRANSLATE_NOOP(
        "Glossary", "IQ4_NL: 4-bit codes for 16 non-uniformly spaced values with one scale per 32 elements, 4.5 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary",
                      "IQ4_XS: IQ4_NL values in super-blocks of 256, 4.25 bits per weight; close to Q4_K, but smaller."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "TQ1_0: ternary weights, five per byte, 1.6875 bits per weight; for models trained with the values -1, 0 and 1."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "TQ2_0: ternary weights in 2 bits each, 2.0625 bits per weight; for models trained with the values -1, 0 and 1."),
    QT_TRANSLATE_NOOP("Glossary", "MXFP4: 4-bit floating point with a power-of-two scale per 32 elements, 4.25 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary", "NVFP4: 4-bit floating point with an 8-bit scale per 16 elements, 4.5 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary",
                      "Q1_0: one bit per element with one scale per 128 elements, 1.125 bits per weight; only the sign is stored."),
    QT_TRANSLATE_NOOP("Glossary", "Q2_0: 2-bit codes with one scale per 64 elements, 2.25 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary", "I4: integers from -8 to 7, usually two per byte."),
    QT_TRANSLATE_NOOP("Glossary", "U4: integers from 0 to 15, usually two per byte."),
    QT_TRANSLATE_NOOP("Glossary", "I2: integers from -2 to 1, usually four per byte."),
    QT_TRANSLATE_NOOP("Glossary", "U2: integers from 0 to 3, usually four per byte."),
    QT_TRANSLATE_NOOP("Glossary", "C32: complex numbers made of two F16 values."),
};

constexpr std::array<RoleText, 10> roleTexts = {{
    {QT_TRANSLATE_NOOP("Glossary", "Embedding"),
     QT_TRANSLATE_NOOP("Glossary", "Maps each token to the input vector of the first layer.")},
    {QT_TRANSLATE_NOOP("Glossary", "Attention"),
     QT_TRANSLATE_NOOP("Glossary", "Mixes information between positions: query, key, value and output projections.")},
    {QT_TRANSLATE_NOOP("Glossary", "MLP"),
     QT_TRANSLATE_NOOP("Glossary", "The feed-forward network of a layer, applied to each position separately.")},
    {QT_TRANSLATE_NOOP("Glossary", "Experts"),
     QT_TRANSLATE_NOOP("Glossary", "Feed-forward networks of which only a few are active for each token (mixture of experts).")},
    {QT_TRANSLATE_NOOP("Glossary", "Router"), QT_TRANSLATE_NOOP("Glossary", "Selects the active experts for each token.")},
    {QT_TRANSLATE_NOOP("Glossary", "Recurrent"),
     QT_TRANSLATE_NOOP("Glossary", "Passes a state from token to token (state-space and linear-attention layers).")},
    {QT_TRANSLATE_NOOP("Glossary", "Convolution"),
     QT_TRANSLATE_NOOP("Glossary", "Slides a small filter over an image, audio or a sequence.")},
    {QT_TRANSLATE_NOOP("Glossary", "Norm"),
     QT_TRANSLATE_NOOP("Glossary", "Normalizes the values between the sublayers of a layer.")},
    {QT_TRANSLATE_NOOP("Glossary", "Output"),
     QT_TRANSLATE_NOOP("Glossary", "Maps the last layer's output to a score (logit) for each token.")},
    {QT_TRANSLATE_NOOP("Glossary", "Other"),
     QT_TRANSLATE_NOOP("Glossary", "The purpose cannot be derived from the tensor's name.")},
}};

struct Glossary {
    Q_DECLARE_TR_FUNCTIONS(Glossary)
};

} // namespace

QString dtypeExplanation(Dtype dtype) { return Glossary::tr(dtypeTexts[static_cast<std::size_t>(dtype)]); }

QString roleTitle(arch::Role role) { return Glossary::tr(roleTexts[static_cast<std::size_t>(role)].title); }

QString roleExplanation(arch::Role role) { return Glossary::tr(roleTexts[static_cast<std::size_t>(role)].sentence); }

} // namespace wb::ui::inspect
