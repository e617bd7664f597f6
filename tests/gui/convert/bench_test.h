// SPDX-License-Identifier: MIT
#pragma once

#include "tests/gui/convert/inline_jobs.h"
#include "tests/gui/convert/wizard_bench.h"

namespace wb::test {

// A test with a convert tab whose jobs run at once, all but the estimate of the speed.
class BenchTest : public QObject {
protected:
    template <typename Widget>
    Widget* find(const char* name) const {
        return m_bench->find<Widget>(name);
    }
    ui::convert::Wizard& wizard() const { return m_bench->wizard(); }
    QString path(const char* name) const { return m_bench->path(name); }
    bool settle() const { return m_bench->settle(); }

    void begin() {
        m_jobs.never = QStringLiteral("Estimating speed");
        m_bench = std::make_unique<WizardBench>(m_jobs);
    }

    InlineJobs m_jobs;
    std::unique_ptr<WizardBench> m_bench;
};

} // namespace wb::test
