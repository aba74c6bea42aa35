// SPDX-License-Identifier: Apache-2.0
// How one item of `tessera check` ended: a case, or a file of numeric vectors.
#ifndef CLI_CHECK_RESULT_H
#define CLI_CHECK_RESULT_H

enum check_verdict { CHECK_PASSED, CHECK_FAILED, CHECK_SKIPPED, CHECK_VERDICT_COUNT };

struct check_result {
    enum check_verdict verdict;
    char text[1024]; // why it failed or was skipped, one line
};

#endif
