// SPDX-License-Identifier: Apache-2.0
// The units' queues: executing and completing what they hold (queues.c).
#ifndef TESSERA_FRONTEND_QUEUES_H
#define TESSERA_FRONTEND_QUEUES_H

#include "frontend/engine.h"

// What can execute or complete at the present cycle. True: something moved.
bool tsr_queue_advance(struct tsr_engine *engine, tsr_unit unit);
// The same for an instruction that came into its unit's queue just now.
void tsr_queue_begin(struct tsr_engine *engine, struct tsr_queue *queue, struct tsr_inflight *inst,
                     const struct tsr_unit_ops *ops);
// With a schedule: the oldest instruction that has not executed, or the oldest one that has. True:
// it did execute, or complete.
bool tsr_queue_execute_one(struct tsr_engine *engine, tsr_unit unit);
bool tsr_queue_complete_one(struct tsr_engine *engine, tsr_unit unit);
// Forgets what the unit has accepted and not completed (a soft reset).
void tsr_queue_abort(struct tsr_env *env, tsr_unit unit);

// Completes what is due. True: something was.
bool tsr_queue_complete(struct tsr_engine *engine, tsr_unit unit);

#endif
