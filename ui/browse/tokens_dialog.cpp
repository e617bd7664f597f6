// SPDX-License-Identifier: MIT
#include "ui/browse/tokens_dialog.h"

#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace wb::ui::browse {

using namespace wb::hub;

TokensDialog::TokensDialog(const wb::hub::Settings& known, const TokenBox& box, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Access tokens"));
    auto* layout = new QVBoxLayout(this);
    auto* what = makeMutedLabel(this);
    what->setText(tr("Gated and private models require an access token of your account. The token is stored in the system keychain "
                     "and sent only to its own hub."));
    layout->addWidget(what);
    for (const Hub hub : allHubs) row(hub) = makeRow(known.source(hub), box.get(hub));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(520, sizeHint().height());
}

TokensDialog::Row TokensDialog::makeRow(const Source& source, const TokenBox::Given& before) {
    const QString name = QLatin1String(fullName(source.hub));
    Row row;
    row.before = before;
    auto* heading = makeHeading(this);
    heading->setText(name);
    auto* state = makeMutedLabel(this);
    state->setText(!before.token.empty()   ? tr("Using the token entered here.")
                   : !source.token.empty() ? tr("Using a token from the environment or the hub's token file.")
                                           : tr("No token."));
    row.token = new QLineEdit(this);
    row.token->setObjectName(QStringLiteral("token-") + QLatin1String(shortName(source.hub)));
    row.token->setEchoMode(QLineEdit::Password);
    row.token->setPlaceholderText(tr("New token"));
    row.token->setAccessibleName(tr("New token for %1").arg(name));
    row.removes = new QCheckBox(tr("Delete the token entered here"), this);
    row.removes->setVisible(!before.token.empty());
    for (QWidget* widget : std::initializer_list<QWidget*>{heading, state, row.token, row.removes}) layout()->addWidget(widget);
    if (source.isHubItself) return row;
    const QString host = text(source.endpoint.authority());
    row.consent =
        new QCheckBox(tr("Also send it to %1, which is not the official hub; its operator can read the token").arg(host), this);
    row.consent->setObjectName(QStringLiteral("consent-") + QLatin1String(shortName(source.hub)));
    row.consent->setChecked(before.consent);
    layout()->addWidget(row.consent);
    return row;
}

TokenBox::Given TokensDialog::given(Hub hub) const {
    const Row& row = m_rows[static_cast<std::size_t>(hub)];
    TokenBox::Given given = row.before;
    if (row.removes->isChecked()) given.token.clear();
    const std::string typed = row.token->text().trimmed().toStdString();
    if (isToken(typed)) given.token = typed;
    given.consent = row.consent && row.consent->isChecked();
    return given;
}

} // namespace wb::ui::browse
