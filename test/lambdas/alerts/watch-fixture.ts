import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { makeAlertReader } from '#alerts/alert-reader-store.ts';
import { makeAlertStore } from '#alerts/alerts-store.ts';
import { type EvaluationDependencies, evaluateWorkspace } from '#alerts/watch/evaluate-workspace.ts';
import { makeWorkspaceReader } from '#alerts/watch/read-workspace-store.ts';
import { makeLeadId } from '#model/lead-item.ts';
import type { AlertEvent } from '#sending/destination.ts';
import { localStack } from '../../local-stack.ts';
import { until } from '../../until.ts';
import { openSubmissionFixture, type Sender } from '../submission/submission-fixture.ts';

export const HOUR = 3_600_000;
export const NOW = Date.parse('2026-11-15T12:00:00Z');

/** The watch on the stack's tables, with senders that work and senders that break. */
export function openWatchFixture() {
  const fixture = openSubmissionFixture(NOW, localStack());
  const { tables } = fixture.stack;
  const client = fixture.observer;
  const alerts = makeAlertReader({ client, tables, now: () => NOW });
  const signal = AbortSignal.timeout(300_000);
  const announced: AlertEvent[] = [];
  beforeEach(() => void announced.splice(0));
  afterEach(() => {
    fixture.clock.now = NOW;
  });

  const dependencies: EvaluationDependencies = {
    reader: makeWorkspaceReader({ client, tables }),
    store: makeAlertStore({ client, tables }),
    events: {
      async send(events) {
        announced.push(...events);
        return new Set();
      },
    },
    newAlertId: (now) => makeLeadId(now, randomBytes(10)),
  };

  /** A new environment each time: one of them notes a use only once per minute. */
  const submit = (sender: Sender) => fixture.newEnvironment().webhook(sender);

  /** Once the recorder has counted a rejection. */
  const rejectionCounted = ({ workspaceId }: Sender) =>
    until(
      async () => (await fixture.diagnosticsOf(workspaceId, 'rejected#')).length,
      (count) => count > 0,
    );

  return {
    ...fixture,
    tables,
    alerts,
    signal,
    announced,
    dependencies,
    submit,
    rejectionCounted,
    evaluate: ({ workspaceId }: Sender, at: number, parts: Partial<EvaluationDependencies> = {}) =>
      evaluateWorkspace(workspaceId, at, { ...dependencies, ...parts }, signal),
    types: () => announced.map(({ type }) => type),

    /** A sender that goes on signing with a secret that was rotated away. */
    async breakSender(): Promise<{ broken: Sender; repaired: Sender }> {
      const broken = await fixture.newSender();
      fixture.clock.now = NOW;
      expect((await submit(broken)).statusCode).toBe(202);
      const { secret } = await fixture.administration.rotateSecret({ formId: broken.formId });
      fixture.clock.now = NOW + 5 * 60_000;
      expect((await submit(broken)).statusCode).toBe(200);
      await rejectionCounted(broken);
      return { broken, repaired: { ...broken, secret } };
    },
  };
}
