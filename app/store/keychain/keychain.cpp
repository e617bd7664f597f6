// SPDX-License-Identifier: MIT
#include "app/store/keychain/keychain.h"

#include <qt6keychain/keychain.h>

namespace wb::store {
namespace {

const QString service = QStringLiteral("weighbridge");

QString hubKey(hub::Hub hub) { return QLatin1String(hub::shortName(hub)); }

class Keychain final : public hub::TokenStore {
public:
    void read(hub::Hub hub, std::function<void(std::string)> done) override {
        auto* job = new QKeychain::ReadPasswordJob(service);
        job->setKey(hubKey(hub));
        job->setInsecureFallback(false);
        QObject::connect(job, &QKeychain::Job::finished, job, [job, done = std::move(done)] {
            done(job->error() == QKeychain::NoError ? job->textData().toStdString() : std::string());
        });
        job->start();
    }

    void write(hub::Hub hub, const std::string& token, std::function<void(bool)> done) override {
        QKeychain::Job* job = nullptr;
        if (token.empty()) {
            job = new QKeychain::DeletePasswordJob(service);
        } else {
            auto* writing = new QKeychain::WritePasswordJob(service);
            writing->setTextData(QString::fromStdString(token));
            job = writing;
        }
        job->setKey(hubKey(hub));
        job->setInsecureFallback(false);
        QObject::connect(job, &QKeychain::Job::finished, job, [job, isRemoval = token.empty(), done = std::move(done)] {
            done(job->error() == QKeychain::NoError || (isRemoval && job->error() == QKeychain::EntryNotFound));
        });
        job->start();
    }
};

} // namespace

std::unique_ptr<hub::TokenStore> makeKeychain() { return std::make_unique<Keychain>(); }

} // namespace wb::store
