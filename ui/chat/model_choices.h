// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/services/local_models.h"

#include <QAbstractTableModel>
#include <QStringList>

namespace wb::ui::chat {

// The models that can be chatted with, one a row: those used last, then those that are open in Inspect, then those of the library
// that run here, then the others.
class ModelChoices : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Type, Size, Fits, ColumnCount };
    enum Role { PathRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;

    // GGUF models alone. `recent`: paths, the last used first. Neither these nor the `open` ones need be in the library.
    void setModels(const QList<LocalModel>& models, const QStringList& recent, const QStringList& open = {});
    void setFilter(const QString& words); // each is part of the name, the type or the path
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Choice {
        QString path, name, type;
        quint64 bytes = 0; // 0: not known
        bool isRecent = false, isDamaged = false;
        std::optional<wb::infer::RunCheck> check;
    };
    static Choice choiceFrom(const LocalModel& model);
    static Choice choiceFromPath(const QString& path);
    bool matches(const Choice& choice) const;
    void show(std::vector<Choice> choices);
    QString fitText(const Choice& choice) const;
    QVariant fitColor(const Choice& choice) const;
    QString toolTip(const Choice& choice) const;

    std::vector<Choice> m_all, m_shown;
    QStringList m_words;
};

} // namespace wb::ui::chat
