// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/model.h"

#include <QWidget>

namespace wb::ui::inspect {

class CellTableView;

// The anatomy of a training checkpoint: the state of the run, the parts with their sizes and files, the parts missing to resume,
// and of a folder of checkpoints all of them with their losses. Shows one model that does not change.
class CheckpointPanel : public QWidget {
    Q_OBJECT

public:
    // `model` has a checkpoint or a series.
    explicit CheckpointPanel(ModelPtr model, QWidget* parent = nullptr);

private:
    QWidget* makeColumn(const QString& heading, CellTableView* table);

    ModelPtr m_model;
    CellTableView *m_facts, *m_parts, *m_missing, *m_series;
};

} // namespace wb::ui::inspect
