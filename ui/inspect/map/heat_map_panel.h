// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/document/document.h"
#include "ui/shell/jobs/latest_job.h"
#include "core/stats/map/subject.h"
#include "ui/plots/heat_map.h"

#include <QJsonObject>
#include <QTimer>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QTableView;
class QTabWidget;
class QToolButton;

namespace wb::ui::inspect {

class CellTableView;
class ComparisonChoice;
class GridTableModel;

// The chosen tensor as a heat map, with its numbers in tables next to it: the block under the mouse, the largest elements, rows,
// columns, the visible area, and errors against another tensor. Everything is read on workers; a hidden view asks for nothing.
class HeatMapPanel : public QWidget {
    Q_OBJECT

public:
    HeatMapPanel(const Document& document, const Services& services, QWidget* parent = nullptr);

    void setTensor(std::optional<std::uint32_t> tensor);
    void setSlice(std::uint64_t slice);
    void compareWith(const std::optional<stats::OtherTensor>& other); // of equal shape
    ComparisonChoice* comparison() const { return m_other; }
    bool goTo(const QString& text); // "row, column", or "slice, row, column"
    HeatMap* picture() const { return m_picture; }

    QJsonObject save() const;
    void restore(const QJsonObject& state);

signals:
    void message(const QString& text, bool isError);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeControls();
    QWidget* makeTables();
    QToolButton* addTool(QWidget* row, const char* iconName, const QString& text);
    void connectAll();
    void compare();
    void request();
    void requestDetail(const stats::MatrixRegion& region, quint32 cell);
    void requestNote();
    void requestLargest();
    void requestDifference();
    void showMap(const stats::MapPtr& map);
    void present();
    void showNote(const stats::ElementLook& look, const HeatMap::Place& place);
    void updateScale();
    void updateLargest();
    void updateValues();
    void goToElement(std::uint64_t index);
    void savePicture();
    void copyNumbers();

    const Document& m_document;
    const Services& m_services;
    std::optional<stats::MapSubject> m_subject;
    bool m_isStale = false; // the picture is of something else
    stats::MapPtr m_map;
    bool m_awaitsMap = false;      // of the subject
    std::optional<double> m_limit; // of the colors of a difference, once computed; 0: none
    stats::MapDetail m_detail;
    std::vector<stats::TopElement> m_largest;
    LatestJob m_build, m_near, m_look, m_top, m_compare;
    QTimer m_valuesDelay;

    HeatMap* m_picture;
    QComboBox *m_statistic, *m_scale;
    ComparisonChoice* m_other;
    QLabel* m_sliceLabel;
    QSpinBox* m_slice;
    QLineEdit* m_goTo;
    QTabWidget* m_tables;
    CellTableView *m_block, *m_topTable, *m_rows, *m_columns, *m_difference;
    QTableView* m_values;
    GridTableModel* m_grid;
};

} // namespace wb::ui::inspect
