// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/checkpoint.h"
#include "ui/inspect/document/document.h"

#include <QWidget>

namespace wb::ui {
struct Services;
}

namespace wb::ui::inspect {

class CellTableView;
class SeriesPanel;

QString checkpointPartTitle(CheckpointPart part);

// The anatomy of a training checkpoint: the state of the run, the parts with their sizes and files, the parts missing to resume.
// Of a folder of checkpoints a second tab shows all of them.
class CheckpointPanel : public QWidget {
    Q_OBJECT

public:
    // The model of `document` has a checkpoint or a series.
    CheckpointPanel(Document& document, const Services& services, QWidget* parent = nullptr);

    SeriesPanel* series() const { return m_series; } // null: the model has none

private:
    QWidget* makeAnatomy(const Checkpoint& checkpoint);
    QWidget* makeColumn(const QString& heading, CellTableView* table);

    SeriesPanel* m_series = nullptr;
};

} // namespace wb::ui::inspect
