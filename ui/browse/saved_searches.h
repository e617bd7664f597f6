// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QMenu>

namespace wb::ui::browse {

// The saved searches as a menu: each can be run or deleted. A search is whatever its owner makes of it.
class SavedSearches : public QMenu {
    Q_OBJECT

public:
    static constexpr int most = 50;

    explicit SavedSearches(QWidget* parent = nullptr);

    // The newest first; one of the same name is replaced.
    void keep(const QString& name, const QJsonObject& search);
    void forget(const QString& name);
    QStringList names() const;

    QJsonArray toJson() const { return m_searches; }
    void restore(const QJsonArray& searches); // what is none is omitted

signals:
    void keepWanted();
    void chosen(const QJsonObject& search);

private:
    void fill();

    QJsonArray m_searches; // {"name": …, "search": …}
};

} // namespace wb::ui::browse
