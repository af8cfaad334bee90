import type { Outbox } from '../../aws/queues.ts';
import type { LearnMessage } from '../../model/lead-events.ts';
import type { LearnedFrom, LearnedPoints } from '../../model/learned.ts';
import { flag, readFields } from '../../owner-api/fields.ts';
import { type OwnerRoute, route } from '../../owner-api/owner-pipeline.ts';
import { notFound, ok } from '../../owner-api/problem.ts';
import type { LearnedStore, LearningState } from './learned-store.ts';

export interface LearningRouteDependencies {
  readonly learned: Pick<LearnedStore, 'find'>;
  readonly learning: {
    /** Applies from the next submission on. */
    readonly set: (workspaceId: string, enabled: boolean) => Promise<void>;
    readonly queue: Outbox<LearnMessage>;
  };
}

export function learningRoutes({ learned, learning }: LearningRouteDependencies): OwnerRoute[] {
  async function view(workspaceId: string, signal: AbortSignal) {
    const state = await learned.find(workspaceId, signal);
    if (state.workspace === 'gone') throw notFound();
    return learningView(state);
  }

  return [
    route('getLearning', async ({ workspaceId, query, signal }) => {
      readFields(query, {});
      return ok(await view(workspaceId, signal));
    }),

    // What was learned is deleted, or learned again, by the function that always does it.
    route('changeLearning', async ({ workspaceId, body, signal }) => {
      const { enabled } = readFields(body, { enabled: flag });
      await learning.set(workspaceId, enabled);
      const refused = await learning.queue.send([{ task: 'learn', workspaceId }]);
      if (refused.size > 0) throw new Error('the queue did not take the message');
      return ok(await view(workspaceId, signal));
    }),
  ];
}

const NOTHING: LearnedFrom = { good: { leads: 0, senders: 0 }, spam: { leads: 0, senders: 0 } };

/** Once it is switched off, nothing is shown: the item is deleted a little later. */
export function learningView({ workspace, item: stored }: LearningState) {
  const item = workspace === 'on' ? stored : undefined;
  const all = Object.entries(item?.learned.forms ?? {}).map(([formId, points]) => ({ formId, points }));
  const scopes: readonly Scope[] = item ? [{ formId: null, points: item.learned }, ...all] : [];
  const { good, spam } = item?.from ?? NOTHING;
  return {
    enabled: workspace === 'on',
    learnedAt: item?.learnedAt ?? null,
    from: {
      good: { leads: good.leads, senders: good.senders },
      spam: { leads: spam.leads, senders: spam.senders },
    },
    words: strongestFirst(scopes, 'words').map(({ name, ...rest }) => ({ word: name, ...rest })),
    signals: strongestFirst(scopes, 'signals'),
  };
}

interface Scope {
  readonly formId: string | null;
  readonly points: LearnedPoints;
}

function strongestFirst(scopes: readonly Scope[], kind: keyof LearnedPoints) {
  return scopes
    .flatMap(({ formId, points }) =>
      Object.entries(points[kind]).map(([name, value]) => ({ name, points: value, formId })),
    )
    .sort(
      (a, b) =>
        Math.abs(b.points) - Math.abs(a.points) ||
        a.name.localeCompare(b.name) ||
        (a.formId ?? '').localeCompare(b.formId ?? ''),
    );
}
