import { Type } from 'typebox';
import type { App } from '../../../src/app/build.ts';
import { type Operation, operation } from '../../../src/operations/operation.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { AnswerWeights } from '../../../src/surfaces/http/caller-context.ts';
import { FailedRequests } from '../../../src/surfaces/http/failed-requests.ts';
import { registerV2 } from '../../../src/surfaces/v2/routes.ts';
import { httpFrame, listening } from '../../support/http-frame.ts';

/** A second listener over the same service, with operations of the test's own behind the steps of v2. */
export async function openSurface(
  app: App,
  operations: readonly Operation[],
  authentication = app.authentication,
  { stallMs = 30_000, clock = app.clock }: { readonly stallMs?: number; readonly clock?: Clock } = {},
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const frame = httpFrame();
  const { services, rateLimits, log, metrics, notices } = app;
  registerV2(frame.server, frame.surfaces, {
    operations,
    services: { ...services, clock },
    authentication,
    rateLimits,
    log,
    metrics,
    failures: new FailedRequests(app),
    notices,
    weights: new AnswerWeights(1_000_000),
    stallMs,
  });
  return listening(frame);
}

/** A heavy read that a test controls. */
export function heavyOperation(path: string, handle: (signal: AbortSignal) => Promise<void>): Operation {
  return operation({
    id: 'wait_here',
    summary: 'Waits',
    method: 'GET',
    path,
    scope: null,
    tier: 'heavy',
    response: Type.Object({ object: Type.Literal('done') }),
    handle: async ({ signal }) => {
      await handle(signal);
      return { object: 'done' as const };
    },
  });
}
