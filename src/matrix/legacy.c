// SPDX-License-Identifier: Apache-2.0
// What earlier architectures left: the 3x3 convolutions and average pools, which add 0 to Dst, the
// 3x3 maximum pools, which are like GMPOOL of a SrcA of zeroes; MOVDBGB2D, which vendor software
// alone describes; and CLREXPHIST, which resets the packers' exponent histograms.
// Pages: MatrixUnit.md ("Legacy instructions"), RWCs.md, CLREXPHIST.md,
// Packers/ExponentHistogram.md.
#include "matrix/legacy.h"

#include "matrix/elementwise.h"
#include "matrix/matrix_plan.h"
#include "matrix/moves.h"
#include "matrix/pools.h"
#include "state/report.h"

// Vendor software: eight rows for the convolutions. The pools are taken to be the same.
void tsr_matrix_sample_legacy_sum(const struct tsr_matrix_call *call)
{
    struct tsr_matrix_job *job = call->job;
    job->no_sources = true;
    job->accumulate = true;
    job->rows = 8;
    job->row[TSR_SRCA] = job->before.srca & 0x38;
    job->dst = (uint16_t)((call->args->dst + job->dst_base) & 0x3f8);
    job->clear_dvalid = call->args->clear_dvalid;
}

void tsr_matrix_sample_legacy_pool(const struct tsr_matrix_call *call)
{
    tsr_matrix_sample_gmpool(call);
    call->job->no_sources = true;
    call->job->argmax = tsr_matrix_arg(call, OPERAND_index_en);
}

static bool report_legacy(const struct tsr_matrix_call *call, const char *what)
{
    return tsr_report(call->env, FINDING_LEGACY_INSTRUCTION, call->inst, NULL,
                      "%s is left from earlier architectures: it %s.", tsr_matrix_name(call),
                      what) != TSR_HALT;
}

bool tsr_matrix_run_legacy_sum(const struct tsr_matrix_call *call)
{
    return report_legacy(call, "adds 0 to eight rows of Dst") && tsr_matrix_run_elementwise(call);
}

bool tsr_matrix_run_legacy_pool(const struct tsr_matrix_call *call)
{
    return report_legacy(call, "does what GMPOOL would with a SrcA of zeroes") &&
           tsr_matrix_run_gmpool(call);
}

bool tsr_matrix_run_movdbgb2d(const struct tsr_matrix_call *call)
{
    return tsr_report(call->env, FINDING_UNDOCUMENTED_MODE, call->inst, NULL,
                      "No page describes MOVDBGB2D; it is MOVB2D that does not wait for its bank, "
                      "as vendor software has it.") != TSR_HALT &&
           tsr_matrix_run_movb2d(call);
}

bool tsr_matrix_run_clrexphist(const struct tsr_matrix_call *call)
{
    for (int i = 0; i < TSR_PACKERS; i++)
        tsr_packer_reset_exponents(&call->env->state->packers.packer[i]);
    return true;
}
