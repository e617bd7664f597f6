// SPDX-License-Identifier: MIT
#include "ui/inspect/tensors/search_help.h"

#include "core/query/query.h"
#include "ui/widgets/card.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>

namespace wb::ui::inspect {
namespace {

struct Example {
    const char* query;
    const char* meaning;
};

constexpr Example examples[] = {
    {"attn_k", QT_TRANSLATE_NOOP("SearchHelp", "the name contains “attn_k”")},
    {"dtype:bf16 size:>10M", QT_TRANSLATE_NOOP("SearchHelp", "BF16 tensors over 10 million bytes")},
    {"name:*.ffn_down.*", QT_TRANSLATE_NOOP("SearchHelp", "the full name matches a pattern")},
    {"role:attention layer:0-3", QT_TRANSLATE_NOOP("SearchHelp", "attention in the first four layers")},
    {"type:q4_k or type:q6_k", QT_TRANSLATE_NOOP("SearchHelp", "one of two types")},
    {"shape:4096x* not norm", QT_TRANSLATE_NOOP("SearchHelp", "4,096 rows and no “norm” in the name")},
    {"kurtosis>50 or nan>0", QT_TRANSLATE_NOOP("SearchHelp", "statistics, where computed")},
};

QString fieldList() {
    QStringList names;
    for (const std::string_view name : query::fieldNames())
        names << QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
    return names.join(QStringLiteral(", "));
}

} // namespace

SearchHelp::SearchHelp(QWidget* parent) : QFrame(parent, Qt::Popup) {
    setObjectName(QStringLiteral("searchHelp"));
    setProperty("card", true);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(18, 14, 18, 16);
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(4);
    auto* heading = makeHeading(this);
    heading->setText(tr("Searching tensors"));
    grid->addWidget(heading, 0, 0, 1, 2);
    int row = 1;
    for (const Example& example : examples) {
        auto* button = new QPushButton(QString::fromLatin1(example.query), this);
        button->setProperty("example", true);
        connect(button, &QPushButton::clicked, this, [this, query = button->text()] {
            emit exampleChosen(query);
            close();
        });
        grid->addWidget(button, row, 0);
        grid->addWidget(new QLabel(tr(example.meaning), this), row++, 1);
    }
    auto* rules = makeMutedLabel(this);
    rules->setText(tr("Spaces mean “and”; “or”, “not” and parentheses also work. Comparison operators: : = != < <= > >=; ranges: "
                      "0-3. K, M and G stand for thousand, million and billion.") +
                   QStringLiteral("\n\n") + tr("Fields: %1.").arg(fieldList()));
    rules->setWordWrap(true);
    grid->addWidget(rules, row, 0, 1, 2);
    setMinimumWidth(520);
}

void SearchHelp::showBelow(const QWidget* anchor) {
    adjustSize();
    const QRect screen = anchor->screen()->availableGeometry();
    QPoint place = anchor->mapToGlobal(QPoint(anchor->width() - width(), anchor->height() + 4));
    place.setX(std::clamp(place.x(), screen.left(), std::max(screen.left(), screen.right() - width())));
    move(place);
    show();
    setFocus();
}

} // namespace wb::ui::inspect
