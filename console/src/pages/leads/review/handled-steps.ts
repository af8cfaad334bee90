import type { Client } from '#console/api/client.ts';
import type { Operations } from '#console/api/schema.ts';
import type { Request } from '#console/api/types.ts';
import { groupBy, patchesOf, type Step, type SteppedLead } from './step.ts';

export const MAX_NOTE_LENGTH = 500;

interface Wanted {
  readonly handled: boolean;
  /** Null removes it. */
  readonly note?: string | null | undefined;
}

/** Marks leads as handled, or as to do again. */
export function handledStep(leads: readonly SteppedLead[], { handled, note }: Wanted): Step {
  const before = patchesOf(leads, (lead) => ({ status: lead.status, handled: lead.handled }));
  const at = new Date().toISOString();
  const patches = patchesOf(leads, (lead) => {
    if (!handled) return { status: 'open', handled: undefined };
    const { note: kept, ...first } = lead.handled ?? { at, by: 'you' as const };
    const noted = note === undefined ? kept : note;
    return { status: 'handled', handled: { ...first, ...(noted && { note: noted }) } };
  });
  return {
    before,
    patches,
    async send(client) {
      const ids = leads.map(({ submissionId }) => submissionId);
      const { changed, notFound } = await send(client, ids, handled, note);
      const count = changed.length === 1 ? 'Lead' : `${changed.length} leads`;
      const missing = notFound.length > 0 ? ` ${notFound.length} not found.` : '';
      const done = handled ? 'marked as handled' : 'marked as to do';
      return { text: `${count} ${done}.${missing}`, isWhole: notFound.length === 0 };
    },
    undo: { patches: before, before: patches, send: (client) => restore(client, leads) },
  };
}

type Outcome = Operations['handleLeads']['response'];

function send(
  client: Pick<Client, 'change'>,
  submissionIds: readonly string[],
  handled: boolean,
  note: string | null | undefined,
) {
  const body: Request<'handleLeads'> = { submissionIds, handled, ...(note !== undefined && { note }) };
  return client.change<Outcome>('POST', '/settings/leads/handled', body);
}

/** Each lead as it was: to do, or handled with its note. */
async function restore(client: Pick<Client, 'change'>, leads: readonly SteppedLead[]) {
  let missing = 0;
  const todo = leads.filter(({ status }) => status !== 'handled').map(({ submissionId }) => submissionId);
  if (todo.length > 0) missing += (await send(client, todo, false, undefined)).notFound.length;
  const others = leads.filter(({ status }) => status === 'handled');
  for (const [note, ids] of groupBy(others, ({ handled }) => handled?.note ?? null)) {
    missing += (await send(client, ids, true, note)).notFound.length;
  }
  return { text: missing > 0 ? `Undone. ${missing} not found.` : 'Undone.', isWhole: missing === 0 };
}
