// SPDX-License-Identifier: MIT
#include "ui/widgets/tables/fit_words.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/sentence.h"

#include <QCoreApplication>

namespace wb::ui {
namespace {

struct FitWords {
    Q_DECLARE_TR_FUNCTIONS(FitWords)
};

} // namespace

QString runWord(const wb::infer::RunCheck& check) {
    if (check.refusal) return check.refusal->code == ErrorCode::Malformed ? FitWords::tr("damaged") : FitWords::tr("not supported");
    if (check.runs() && !check.fit) return FitWords::tr("fits");
    if (check.runs() && check.fit->verdict == wb::memory::Verdict::No) return FitWords::tr("tight"); // with a shorter context
    return fitWord(check.fit ? check.fit->verdict : wb::memory::Verdict::No);
}

QString runSentence(const wb::infer::RunCheck& check) {
    QStringList sentences;
    if (check.refusal) sentences << translated(*check.refusal);
    if (check.fit) sentences << fitSentence(*check.fit);
    return joined(sentences);
}

QString fitWord(wb::memory::Verdict verdict) {
    switch (verdict) {
    case wb::memory::Verdict::Fits: return FitWords::tr("fits");
    case wb::memory::Verdict::Tight: return FitWords::tr("tight");
    case wb::memory::Verdict::No: break;
    }
    return FitWords::tr("too large");
}

QString fitSentence(const wb::memory::Badge& fit) {
    const QString place = fit.device.empty() ? FitWords::tr("RAM") : text(fit.device);
    const QString context = shownCount(fit.context), need = bytesText(fit.need), available = bytesText(fit.available);
    switch (fit.verdict) {
    case wb::memory::Verdict::Fits:
        return FitWords::tr("Fits in %1: needs %3 of %4 at a context length of %2 tokens.").arg(place, context, need, available);
    case wb::memory::Verdict::Tight:
        return FitWords::tr("Tight fit in %1: needs %3 of %4 at a context length of %2 tokens.")
            .arg(place, context, need, available);
    case wb::memory::Verdict::No: break;
    }
    return FitWords::tr("Does not fit in %1: needs %3 of %4 at a context length of %2 tokens.")
        .arg(place, context, need, available);
}

} // namespace wb::ui
