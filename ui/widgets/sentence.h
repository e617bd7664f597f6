// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/translated.h"

#include <QStringList>

#include <functional>
#include <type_traits>
#include <vector>

namespace wb::ui {

// One after another: with a blank between two, but none after a full stop of Chinese.
inline QString joined(const QStringList& sentences) {
    QString all;
    for (const QString& sentence : sentences) {
        if (!all.isEmpty() && !sentence.isEmpty() && !all.endsWith(u'\u3002')) all += u' ';
        all += sentence;
    }
    return all;
}

// A message that may stay on screen while the language changes: the sentences of Errors are translated, and a function that makes
// the sentence is called, whenever it is read. A sentence that was translated already stays in its language.
class Sentence {
public:
    Sentence() = default;
    Sentence(const QString& sentence) : m_sentence(sentence) {}
    template <typename Make>
        requires std::is_invocable_r_v<QString, const Make&>
    Sentence(Make make) : m_make(std::move(make)) {} // holds all it needs by value
    Sentence(const Error& error, std::vector<Error> more = {}) : m_errors(std::move(more)) {
        m_errors.insert(m_errors.begin(), error);
    }

    QString text() const {
        if (m_make) return m_make();
        QStringList sentences;
        for (const Error& error : m_errors) sentences << translated(error);
        return m_errors.empty() ? m_sentence : joined(sentences);
    }
    void clear() { *this = {}; }

private:
    QString m_sentence;
    std::function<QString()> m_make;
    std::vector<Error> m_errors;
};

} // namespace wb::ui
