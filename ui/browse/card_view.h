// SPDX-License-Identifier: MIT
#pragma once

#include <QTextBrowser>

namespace wb::ui::browse {

// Shows the card of a model, Markdown that a stranger wrote: it fetches and reads nothing, neither pictures nor files, and a link
// is opened only when the user has seen its address and agreed.
class CardView : public QTextBrowser {
    Q_OBJECT

public:
    explicit CardView(QWidget* parent = nullptr);

    void setCard(const std::string& markdown); // of any origin and length

protected:
    QVariant loadResource(int type, const QUrl& name) override;

private:
    void askForLink(const QUrl& link);
};

// The card without the block of metadata at its beginning.
std::string_view withoutFrontMatter(std::string_view markdown);

} // namespace wb::ui::browse
