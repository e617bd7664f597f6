// SPDX-License-Identifier: MIT
#include "ui/inspect/document/glossary.h"

#include <QCoreApplication>

#include <array>

// Facts: docs/reference/gguf.md, "Decoding" and docs/reference/docs/reference/formats.md, "Element types".
namespace wb::ui::inspect {
namespace {

struct RoleText {
    const char* title;
    const char* sentence;
};

constexpr std::array<const char*, static_cast<std::size_t>(Dtype::Count)> dtypeTexts = {
    QT_TRANSLATE_NOOP("Glossary", "A type this program does not know: the tensor is listed, its values cannot be shown."),
    QT_TRANSLATE_NOOP("Glossary", "F64: floating point in 64 bits, about 16 decimal digits."),
    QT_TRANSLATE_NOOP("Glossary", "F32: floating point in 32 bits, about 7 decimal digits; the usual precision of training."),
    QT_TRANSLATE_NOOP("Glossary", "F16: floating point in 16 bits, about 3 decimal digits up to 65,504; larger values overflow."),
    QT_TRANSLATE_NOOP("Glossary", "BF16: the upper half of an F32, with its full range but only 2 to 3 decimal digits."),
    QT_TRANSLATE_NOOP("Glossary", "F8_E4M3: floating point in 8 bits with 3 bits of fraction, up to 448; no infinity."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "F8_E5M2: floating point in 8 bits with 2 bits of fraction, up to 57,344; the range of F16 with less precision."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "F8_E4M3FNUZ: floating point in 8 bits with 3 bits of fraction, up to 240; neither infinity nor negative zero."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "F8_E5M2FNUZ: floating point in 8 bits with 2 bits of fraction, up to 57,344; neither infinity nor negative zero."),
    QT_TRANSLATE_NOOP("Glossary", "F8_E8M0: a power of two in 8 bits, used as the shared scale of a block."),
    QT_TRANSLATE_NOOP("Glossary", "F6_E2M3: floating point in 6 bits with 3 bits of fraction, up to 7.5."),
    QT_TRANSLATE_NOOP("Glossary", "F6_E3M2: floating point in 6 bits with 2 bits of fraction, up to 28."),
    QT_TRANSLATE_NOOP("Glossary", "F4: floating point in 4 bits, 15 different values up to 6; useful only with scales beside it."),
    QT_TRANSLATE_NOOP("Glossary", "I64: whole numbers in 64 bits with sign."),
    QT_TRANSLATE_NOOP("Glossary", "I32: whole numbers in 32 bits with sign."),
    QT_TRANSLATE_NOOP("Glossary", "I16: whole numbers in 16 bits with sign."),
    QT_TRANSLATE_NOOP("Glossary", "I8: whole numbers in 8 bits with sign."),
    QT_TRANSLATE_NOOP("Glossary", "U64: whole numbers in 64 bits without sign."),
    QT_TRANSLATE_NOOP("Glossary", "U32: whole numbers in 32 bits without sign; often packed quantized values."),
    QT_TRANSLATE_NOOP("Glossary", "U16: whole numbers in 16 bits without sign."),
    QT_TRANSLATE_NOOP("Glossary", "U8: whole numbers in 8 bits without sign; often packed quantized values."),
    QT_TRANSLATE_NOOP("Glossary", "BOOL: true or false, one byte each."),
    QT_TRANSLATE_NOOP("Glossary", "C64: complex numbers of two F32."),
    QT_TRANSLATE_NOOP("Glossary", "C128: complex numbers of two F64."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "Q4_0: 4-bit codes with one scale for 32 elements, 4.5 bits per weight; simple and fast, replaced by Q4_K in most uses."),
    QT_TRANSLATE_NOOP("Glossary", "Q4_1: 4-bit codes with a scale and a minimum for 32 elements, 5 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary", "Q5_0: 5-bit codes with one scale for 32 elements, 5.5 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary", "Q5_1: 5-bit codes with a scale and a minimum for 32 elements, 6 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary",
                      "Q8_0: 8-bit codes with one scale for 32 elements, 8.5 bits per weight; hardly different from F16."),
    QT_TRANSLATE_NOOP("Glossary", "Q8_1: 8-bit codes with a scale and a sum for 32 elements, 9 bits per weight; used for "
                                  "intermediate results, not for files."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "Q2_K: 2-bit codes in super-blocks of 256 with scales and minimums for 16, 2.625 bits per weight; noticeable loss."),
    QT_TRANSLATE_NOOP("Glossary", "Q3_K: 3-bit codes in super-blocks of 256 with scales for 16, 3.4375 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary", "Q4_K: 4-bit codes in super-blocks of 256 with scales and minimums for 32, 4.5 bits per weight; "
                                  "the common balance of size and quality."),
    QT_TRANSLATE_NOOP("Glossary",
                      "Q5_K: 5-bit codes in super-blocks of 256 with scales and minimums for 32, 5.5 bits per weight; small loss."),
    QT_TRANSLATE_NOOP("Glossary",
                      "Q6_K: 6-bit codes in super-blocks of 256 with scales for 16, 6.5625 bits per weight; very small loss."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "Q8_K: 8-bit codes with one scale for 256 elements, 9.125 bits per weight; used for intermediate results, not for files."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "IQ1_S: groups of eight elements chosen from a table, 1.5625 bits per weight; heavy loss, needs an importance matrix."),
    QT_TRANSLATE_NOOP("Glossary",
                      "IQ1_M: like IQ1_S with finer scales, 1.75 bits per weight; heavy loss, needs an importance matrix."),
    QT_TRANSLATE_NOOP("Glossary",
                      "IQ2_XXS: groups of eight elements chosen from a table, 2.0625 bits per weight; needs an importance matrix."),
    QT_TRANSLATE_NOOP("Glossary", "IQ2_XS: like IQ2_XXS with a larger table, 2.3125 bits per weight; needs an importance matrix."),
    QT_TRANSLATE_NOOP("Glossary",
                      "IQ2_S: like IQ2_XS with a larger table still, 2.5625 bits per weight; an importance matrix is advised."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "IQ3_XXS: groups of four elements chosen from a table, 3.0625 bits per weight; an importance matrix is advised."),
    QT_TRANSLATE_NOOP("Glossary", "IQ3_S: like IQ3_XXS with a larger table, 3.4375 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary",
                      "IQ4_NL: 4-bit codes into 16 unevenly spaced values with one scale for 32 elements, 4.5 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary",
                      "IQ4_XS: the values of IQ4_NL in super-blocks of 256, 4.25 bits per weight; close to Q4_K and smaller."),
    QT_TRANSLATE_NOOP(
        "Glossary",
        "TQ1_0: ternary weights, five in a byte, 1.6875 bits per weight; for models trained with the values -1, 0 and 1."),
    QT_TRANSLATE_NOOP("Glossary",
                      "TQ2_0: ternary weights in 2 bits, 2.0625 bits per weight; for models trained with the values -1, 0 and 1."),
    QT_TRANSLATE_NOOP("Glossary",
                      "MXFP4: 4-bit floating point with a power of two as scale for 32 elements, 4.25 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary", "NVFP4: 4-bit floating point with an 8-bit scale for 16 elements, 4.5 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary",
                      "Q1_0: one bit an element with one scale for 128 elements, 1.125 bits per weight; only the sign is kept."),
    QT_TRANSLATE_NOOP("Glossary", "Q2_0: 2-bit codes with one scale for 64 elements, 2.25 bits per weight."),
    QT_TRANSLATE_NOOP("Glossary", "I4: whole numbers from -8 to 7, usually two in a byte."),
    QT_TRANSLATE_NOOP("Glossary", "U4: whole numbers from 0 to 15, usually two in a byte."),
    QT_TRANSLATE_NOOP("Glossary", "I2: whole numbers from -2 to 1, usually four in a byte."),
    QT_TRANSLATE_NOOP("Glossary", "U2: whole numbers from 0 to 3, usually four in a byte."),
    QT_TRANSLATE_NOOP("Glossary", "C32: complex numbers of two F16."),
};

constexpr std::array<RoleText, 10> roleTexts = {{
    {QT_TRANSLATE_NOOP("Glossary", "Embedding"),
     QT_TRANSLATE_NOOP("Glossary", "Turns a token into the vector the first layer reads.")},
    {QT_TRANSLATE_NOOP("Glossary", "Attention"),
     QT_TRANSLATE_NOOP("Glossary", "Lets every position read from the others: query, key, value and output projections.")},
    {QT_TRANSLATE_NOOP("Glossary", "MLP"),
     QT_TRANSLATE_NOOP("Glossary", "The feed-forward part of a layer, applied to every position alone.")},
    {QT_TRANSLATE_NOOP("Glossary", "Experts"),
     QT_TRANSLATE_NOOP("Glossary", "Feed-forward parts of which only a few work on each token (mixture of experts).")},
    {QT_TRANSLATE_NOOP("Glossary", "Router"), QT_TRANSLATE_NOOP("Glossary", "Chooses the experts that work on a token.")},
    {QT_TRANSLATE_NOOP("Glossary", "Recurrent"),
     QT_TRANSLATE_NOOP("Glossary", "Carries a state from token to token (state-space and linear-attention layers).")},
    {QT_TRANSLATE_NOOP("Glossary", "Convolution"),
     QT_TRANSLATE_NOOP("Glossary", "Slides a small filter over an image, a sound or a sequence.")},
    {QT_TRANSLATE_NOOP("Glossary", "Norm"),
     QT_TRANSLATE_NOOP("Glossary", "Keeps the scale of the values steady between the parts of a layer.")},
    {QT_TRANSLATE_NOOP("Glossary", "Output"),
     QT_TRANSLATE_NOOP("Glossary", "Turns the last layer's vector into a score for every token.")},
    {QT_TRANSLATE_NOOP("Glossary", "Other"), QT_TRANSLATE_NOOP("Glossary", "The name does not tell what the tensor is for.")},
}};

QString localized(const char* sentence) { return QCoreApplication::translate("Glossary", sentence); }

} // namespace

QString dtypeExplanation(Dtype dtype) { return localized(dtypeTexts[static_cast<std::size_t>(dtype)]); }

QString roleTitle(arch::Role role) { return localized(roleTexts[static_cast<std::size_t>(role)].title); }

QString roleExplanation(arch::Role role) { return localized(roleTexts[static_cast<std::size_t>(role)].sentence); }

} // namespace wb::ui::inspect
