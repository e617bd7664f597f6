// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/wizard.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QTabBar;
class QTableView;

namespace wb {
struct ProblemKind;
}

namespace wb::ui {
class Card;
}

namespace wb::ui::convert {

class ConvertActions;
class CostPanel;
class FolderPanel;
class GoalPanel;
class KeptBar;
class MixesPanel;
class PairsModel;
class PlanModel;

// The plan before a byte is read: the goal on the left with its estimate, every tensor on the right, the target below. A page too
// narrow for both shows one of them. In the place of the tensors all mixes can be shown side by side, and of a Hugging Face folder
// the pairs of the new file.
class PlanPage : public QWidget {
    Q_OBJECT

public:
    PlanPage(Wizard& wizard, const Services& services, ConvertActions& actions, QWidget* parent = nullptr);

    static constexpr QLatin1String ending{".plan.json"}; // of files with plans

    void refresh();
    QString target() const;

signals:
    void otherModelWanted();
    void resumeWanted(const wb::ui::convert::UnfinishedRun& run);
    void discardWanted(const wb::ui::convert::UnfinishedRun& run);
    void message(const QString& text); // why something was not done

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeHead();
    QTabBar* makeParts();
    QScrollArea* makeSide(const WorkSettings& settings);
    QWidget* makeTensors();
    QWidget* makePairs();
    QScrollArea* makeMixes();
    void takeMix(quant::FileType type);
    void onMixesChecked(const QList<PlannedRun>& planned);
    void arrange();
    void refreshFolder();
    QLayout* makeSearchLine();
    QLayout* makeBulkLine();
    QWidget* makeFoot();
    QPushButton* makeKeepMenu(QWidget* foot);
    void connectActions();
    void refreshActions();
    void refreshProblems();
    QString kindText(const ProblemKind& kind) const;
    void refreshTensors();
    void setTypes(bool selectedOnly);
    std::vector<std::string> shownTensors(bool selectedOnly, const QString& type) const;
    QString refusal(const QString& type, std::size_t refused, std::size_t asked) const;
    void askForTarget();
    void setPair(const QString& key, const QString& text);
    void savePlan();
    void loadPlan();
    void refreshTarget();
    void onChecked(RunCheck check);
    bool mayDiscard(const ConflictingRun& conflict, const QString& target);

    Wizard& m_wizard;
    QuantizeChoices& m_choices;
    PlanSession& m_plans;
    ConvertActions& m_actions;
    PlanModel* m_model;
    PairsModel* m_pairsModel;
    QTabBar* m_parts; // chooses which of the next four is shown
    QScrollArea* m_side;
    QWidget* m_tensors = nullptr;
    QWidget* m_pairs = nullptr;
    QScrollArea* m_mixesArea = nullptr;
    MixesPanel* m_mixes = nullptr;
    KeptBar* m_kept = nullptr;
    Card *m_folderCard = nullptr, *m_goalCard = nullptr;
    FolderPanel* m_folder = nullptr;
    QLabel *m_title, *m_failure, *m_count;
    GoalPanel* m_goal;
    CostPanel* m_costs;
    QTableView* m_table;
    QLineEdit *m_search, *m_target;
    QComboBox* m_type;
    QPushButton *m_setSelected, *m_setShown, *m_run;
    QString m_searchOf; // the model whose tensors are searched
};

} // namespace wb::ui::convert
