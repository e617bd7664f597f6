// SPDX-License-Identifier: MIT
#include "ui/memory/phrases.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/translated.h"

#include <QCoreApplication>
#include <QLocale>

namespace wb::ui::memory {

using namespace wb::memory;

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(wb::ui::memory::Words)
};

} // namespace

QString shown(const Phrase& phrase) {
    Error sentence;
    sentence.format = phrase.format;
    sentence.arguments = phrase.arguments;
    return translated(sentence);
}

QString partFormula(const MemoryPart& part) {
    QStringList terms;
    for (const Phrase& term : part.formula) terms << shown(term);
    const QString sum = terms.join(QStringLiteral(" + "));
    if (part.sharedBy == 1) return sum;
    return Words::tr("%1 / %2 GPUs").arg(terms.size() == 1 ? sum : u'(' + sum + u')').arg(part.sharedBy);
}

QString verdictText(Verdict verdict) {
    switch (verdict) {
    case Verdict::Fits: return Words::tr("fits");
    case Verdict::Tight: return Words::tr("tight");
    case Verdict::No: return Words::tr("does not fit");
    }
    return {};
}

QString memoryName(const Memory& memory) { return memory.name.empty() ? Words::tr("This machine: RAM") : text(memory.name); }

Cell memoryCell(quint64 bytes) { return {bytesText(bytes), static_cast<qulonglong>(bytes), {}, true}; }

Cell fileCell(quint64 bytes) {
    const double size = static_cast<double>(bytes);
    const QString shownSize = bytes < 1'000'000'000 ? QLocale().toString(size / 1e6, 'f', 1) + QStringLiteral(" MB")
                                                    : QLocale().toString(size / 1e9, 'f', 2) + QStringLiteral(" GB");
    return {shownSize, static_cast<qulonglong>(bytes), {}, true};
}

Cell numberCell(std::optional<std::uint64_t> number) {
    if (!number) return {QStringLiteral("–"), qulonglong{0}, {}, true};
    return {shownCount(*number), static_cast<qulonglong>(*number), {}, true};
}

} // namespace wb::ui::memory
