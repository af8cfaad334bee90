import type { StreamedLead } from '../submission/streamed-lead.ts';

/** The lower ends of the score bands: 0–19, 20–39, 40–59, 60–79, 80–100. */
export const SCORE_BANDS = [0, 20, 40, 60, 80] as const;

/** What one hour of one form adds up to. */
export interface HourlyCount {
  readonly workspaceId: string;
  readonly sk: string;
  readonly increments: Readonly<Record<string, number>>;
}

/** A stream forgets after 24 hours, so no lead is delivered again later than that; twice as long is safe. */
const MARK_SECONDS = 48 * 60 * 60;

/** By this mark a lead that is delivered again is known to have been counted. */
export function countedMark(
  { workspaceId, leadId }: Pick<StreamedLead, 'workspaceId' | 'leadId'>,
  nowMilliseconds: number,
) {
  return {
    ...countedMarkKey({ workspaceId, leadId }),
    expiresAt: Math.ceil(nowMilliseconds / 1000) + MARK_SECONDS,
    v: 1,
  };
}

export function countedMarkKey({ workspaceId, leadId }: Pick<StreamedLead, 'workspaceId' | 'leadId'>) {
  return { workspaceId, sk: `counted#${leadId}` };
}

/** The counters that these leads raise, one entry for each hour and form. */
export function hourlyCounts(leads: readonly StreamedLead[]): HourlyCount[] {
  const counts = new Map<string, { workspaceId: string; sk: string; increments: Record<string, number> }>();
  for (const lead of leads) {
    const sk = `hour#${lead.receivedAt.slice(0, 13)}Z#${lead.formId}`;
    const key = `${lead.workspaceId}/${sk}`;
    const increments: Record<string, number> = counts.get(key)?.increments ?? {};
    for (const name of ['accepted', bandName(lead.score), ...(lead.clean ? ['clean'] : [])]) {
      increments[name] = (increments[name] ?? 0) + 1;
    }
    counts.set(key, { workspaceId: lead.workspaceId, sk, increments });
  }
  return [...counts.values()];
}

function bandName(score: number): string {
  return `band${SCORE_BANDS.findLast((from) => score >= from) ?? 0}`;
}
