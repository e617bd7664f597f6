// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>
#include <QLabel>

class QVBoxLayout;

namespace wb::ui {

// A rounded area with a heading, as the start page and the dialogs group things.
class Card : public QFrame {
    Q_OBJECT

public:
    explicit Card(QWidget* parent = nullptr);

    void setHeading(const QString& text);              // no separate line if it is empty, as at first
    QVBoxLayout* content() const { return m_content; } // below the heading

private:
    QLabel* m_heading;
    QVBoxLayout* m_content;
};

// Labels of the style sheet: a section's heading, such a heading that is a name or a path, and secondary text that may wrap.
QLabel* makeHeading(QWidget* parent);
QLabel* makeElidedHeading(QWidget* parent);
QLabel* makeMutedLabel(QWidget* parent);

// Puts a label into the color of an error, or back.
enum class Tone { Normal, Error };
void setTone(QLabel* label, Tone tone);

} // namespace wb::ui
