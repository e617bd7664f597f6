// SPDX-License-Identifier: MIT
#include "ui/widgets/tensor_words.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/translated.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <utility>

namespace wb::ui {
namespace {

struct TensorWords {
    Q_DECLARE_TR_FUNCTIONS(wb::ui::TensorWords)
};

constexpr std::array schemes = std::to_array<std::pair<const char*, const char*>>({
    {"rename", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "renamed")},
    {"cast", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "cast")},
    {"decode", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "dequantized")},
    {"unpermute", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "rows unpermuted")},
    {"subtract_one", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "minus one")},
    {"log", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "logarithm of the negative")},
    {"transpose", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "transposed")},
    {"unstack", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "unstacked")},
    {"untile", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "heads reordered")},
    {"join", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "concatenated")},
    {"interleave", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "concatenated")},
    {"unpack", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "blocks and scales")},
    {"replace", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "replaced by adapter")},
    {"metadata", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "from metadata")},
    {"layers", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "selected layers")},
    {"conjugated", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "conjugated")},
    {"negated", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "negated")},
    {"conjugated and negated", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "conjugated and negated")},
    {"sparse", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "sparse")},
    {"sparse coo", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "sparse (COO)")},
    {"sparse csr", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "sparse (CSR)")},
    {"sparse csc", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "sparse (CSC)")},
    {"sparse bsr", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "sparse (BSR)")},
    {"sparse bsc", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "sparse (BSC)")},
    {"affine", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "affine")},
    {"blockwise", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "blockwise")},
    {"lookup table", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "lookup table")},
    {"constant", QT_TRANSLATE_NOOP("wb::ui::TensorWords", "constant")},
});

} // namespace

QString schemeText(const std::string& scheme) {
    const auto* const known = std::ranges::find(schemes, scheme, [](const auto& words) { return std::string_view(words.first); });
    return known != schemes.end() ? TensorWords::tr(known->second) : text(scheme);
}

QString shownFragment(const std::string& text) {
    Error sentence;
    sentence.format = "{}";
    sentence.arguments = {text};
    return translated(sentence);
}

} // namespace wb::ui
