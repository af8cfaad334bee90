import type { RejectionCount } from '../../lambdas/rejections/rejection-counts.ts';
import type { RejectionEvent } from '../../lambdas/rejections/rejection-record.ts';
import { Mismatch, shorten } from '../report/mismatch.ts';
import type { InTurn } from './pacing.ts';

/** A signed-in owner, who sees and does everything through the settings API. */
export interface Owner {
  call(method: string, path: string, body?: unknown): Promise<SettingsAnswer>;
  /** The same, but fails unless it succeeds. */
  must<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
  lead(submissionId: string): Promise<OwnersLead>;
  leads(formId: string): Promise<OwnersLeads>;
  /** The counts of Diagnostics. */
  rejections(): Promise<Rejections>;
  rejectionsWithId(requestId: string): Promise<readonly RejectionEvent[]>;
}

export interface SettingsAnswer {
  readonly status: number;
  readonly text: string;
}

export interface OwnersLead {
  readonly submissionId: string;
  readonly formId: string;
  readonly surface: string;
  readonly score: unknown;
  readonly clean: unknown;
  readonly signals: readonly { readonly name: string; readonly weight: number }[];
  readonly body: string;
  readonly enrichment: { readonly state: string; readonly facts?: Facts };
}

type Facts = Readonly<Record<string, { readonly value: unknown; readonly source: string }>>;

export interface OwnersLeads {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly submissionId: string; readonly cells: readonly string[] }[];
}

export interface Rejections {
  readonly rateLimited: { readonly counts: readonly RejectionCount[] };
  readonly rejected: { readonly counts: readonly RejectionCount[] };
}

const PATIENCE_MS = 35_000;

export function makeOwner(settingsUrl: string, idToken: string, inTurn: InTurn): Owner {
  const call: Owner['call'] = (method, path, body) => inTurn(() => send(method, path, body));

  async function send(method: string, path: string, body: unknown): Promise<SettingsAnswer> {
    const response = await fetch(`${settingsUrl}/settings${path}`, {
      method,
      headers: {
        authorization: `Bearer ${idToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: response.status, text: await response.text() };
  }

  async function must<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const { status, text } = await call(method, path, body);
    if (status >= 200 && status < 300) return JSON.parse(text || 'null') as Answer;
    throw new Mismatch(`the settings area to do ${method} ${path}`, `${status} ${shorten(text)}`);
  }

  return {
    call,
    must,
    lead: (submissionId) => must('GET', `/leads/${submissionId}`),
    leads: (formId) => must('GET', `/forms/${formId}/leads`),
    rejections: () => must('GET', '/diagnostics?by=minute'),
    async rejectionsWithId(requestId) {
      const { status, text } = await call('GET', `/diagnostics/requests/${requestId}`);
      if (status === 404) return [];
      if (status !== 200) throw new Mismatch('the request to be looked up', `${status} ${shorten(text)}`);
      return [JSON.parse(text) as RejectionEvent];
    },
  };
}
