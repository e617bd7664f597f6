// SPDX-License-Identifier: MIT
#include "ui/browse/saved_searches.h"

namespace wb::ui::browse {
namespace {

QString searchName(const QJsonValue& search) { return search.toObject().value(QStringLiteral("name")).toString(); }

// As the text of an action, where & marks a letter.
QString actionText(QString name) { return name.replace(u'&', QStringLiteral("&&")); }

} // namespace

SavedSearches::SavedSearches(QWidget* parent) : QMenu(parent) { connect(this, &QMenu::aboutToShow, this, &SavedSearches::fill); }

void SavedSearches::keep(const QString& name, const QJsonObject& search) {
    forget(name);
    m_searches.prepend(QJsonObject{{QStringLiteral("name"), name}, {QStringLiteral("search"), search}});
    while (m_searches.size() > most) m_searches.removeLast();
}

void SavedSearches::forget(const QString& name) {
    for (qsizetype i = m_searches.size(); i-- > 0;)
        if (searchName(m_searches.at(i)) == name) m_searches.removeAt(i);
}

QStringList SavedSearches::names() const {
    QStringList names;
    for (const QJsonValue& search : m_searches) names << searchName(search);
    return names;
}

void SavedSearches::restore(const QJsonArray& searches) {
    m_searches = {};
    for (const QJsonValue& search : searches)
        if (!searchName(search).isEmpty() && m_searches.size() < most) m_searches.append(search);
}

void SavedSearches::fill() {
    clear();
    addAction(tr("Save this search"), this, &SavedSearches::keepWanted);
    if (m_searches.isEmpty()) return;
    addSeparator();
    for (const QJsonValue& search : std::as_const(m_searches))
        addAction(actionText(searchName(search)), this,
                  [this, search] { emit chosen(search.toObject().value(QStringLiteral("search")).toObject()); });
    addSeparator();
    QMenu* forgetting = addMenu(tr("Delete"));
    for (const QString& name : names()) forgetting->addAction(actionText(name), this, [this, name] { forget(name); });
}

} // namespace wb::ui::browse
