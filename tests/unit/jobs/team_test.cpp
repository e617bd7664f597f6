// SPDX-License-Identifier: MIT
#include "core/jobs/team.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wb::jobs {
namespace {

TEST(Team, KeepsItsWorkersInStep) {
    for (const unsigned threads : {1u, 2u, 5u}) {
        const auto team = Team::make(threads);
        ASSERT_TRUE(team);
        ASSERT_EQ((*team)->size(), threads);
        std::vector<int> counts(threads);
        std::atomic<int> ahead = 0;
        for (int job = 0; job < 20; ++job)
            (*team)->run([&](unsigned worker) {
                for (int step = 0; step < 50; ++step) {
                    ++counts[worker];
                    (*team)->barrier();
                    if (!std::ranges::all_of(counts, [&](int count) { return count == counts[worker]; })) ++ahead;
                    (*team)->barrier();
                }
            });
        EXPECT_EQ(ahead, 0);
        EXPECT_TRUE(std::ranges::all_of(counts, [](int count) { return count == 20 * 50; }));
    }
}

TEST(Team, SharesEverythingOnce) {
    for (const std::size_t count : {0u, 1u, 7u, 64u}) {
        std::size_t next = 0;
        for (unsigned worker = 0; worker < 3; ++worker) {
            const Range range = share(count, worker, 3);
            EXPECT_EQ(range.begin, next);
            next = range.end;
        }
        EXPECT_EQ(next, count);
    }
}

} // namespace
} // namespace wb::jobs
