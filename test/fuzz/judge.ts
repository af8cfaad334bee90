import { createHash } from 'node:crypto';
import type { Tenant } from '../contract/tenant.ts';
import { type Delivery, kindOf, type Outcome, submissionIdOf, type WireResponse } from './exchange.ts';
import { type Api, type Expectation, expected, GATEWAY_KIND, isAcceptance, type Kind } from './model.ts';
import type { Reading } from './read-as-server.ts';
import type { World } from './world.ts';

/** The result of one connection. */
export interface Verdict {
  /** One per allowed response. */
  readonly kinds: readonly Kind[];
  /** The server closed the connection without a response, where it may. */
  readonly closedSilently: boolean;
  readonly faults: readonly string[];
}

export type Judge = ReturnType<typeof makeJudge>;

/** Enough for keys to repeat. Older ones are forgotten. */
const MAX_KEYS = 20_000;

/** Checks responses against the promises, across requests that share a key. */
export function makeJudge(world: World) {
  const idsByKey = new Map<string, string>();
  const leads = new Map<string, string | undefined>();
  const namesById = new Map<string, string>();
  /** Undefined for a key that was sent with several bodies. */
  const bodiesByKey = new Map<string, string | undefined>();
  const sourceRejections = new Set<string>();
  let unheard = 0;

  function note({ tenant, key }: Expectation, body: Buffer): void {
    if (tenant === undefined || key === undefined) return;
    const name = nameOf(tenant, key);
    const digest = digestOf(body);
    const isOnly = !bodiesByKey.has(name) || bodiesByKey.get(name) === digest;
    bodiesByKey.set(name, isOnly ? digest : undefined);
  }

  function judgeAcceptance({ tenant, key }: Expectation, response: WireResponse, body: Buffer): string[] {
    const id = submissionIdOf(response) as string;
    if (tenant === undefined) return [];
    if (key === undefined) {
      if (leads.has(id)) return [`submission id ${id} was used twice`];
      leads.set(id, digestOf(body));
      return [];
    }
    const name = nameOf(tenant, key);
    const other = namesById.get(id);
    if (other === undefined && leads.has(id)) return [`submission id ${id} was used twice`];
    if (other !== undefined && other !== name) return [`one lead for two keys: ${id}`];
    namesById.set(id, name);
    // With several bodies for a key, it depends on which came first.
    if (!leads.has(id)) leads.set(id, bodiesByKey.get(name) === digestOf(body) ? digestOf(body) : undefined);
    const known = idsByKey.get(name);
    if (known !== undefined && known !== id) return [`two leads for one key: ${known} and ${id}`];
    idsByKey.set(name, id);
    if (idsByKey.size > MAX_KEYS) idsByKey.delete(idsByKey.keys().next().value as string);
    return [];
  }

  function judgeResponse(
    response: WireResponse,
    at: number,
    reading: Reading,
    expectations: readonly Expectation[],
    api: Api = 'ingest',
  ) {
    const request = reading.requests[at];
    const expectation = expectations[at] ?? { kinds: [GATEWAY_KIND[api]] };
    const kind = kindOf(response, request?.method ?? reading.unfinishedMethod);
    if (kind === undefined) return { kind, faults: [`answer not allowed: ${describe(response)}`] };
    if (!expectation.kinds.includes(kind)) {
      return { kind, faults: [`${kind}, expected ${expectation.kinds.join(' or ')}`] };
    }
    if (kind === 'source rejected') sourceRejections.add(response.headers.get('x-amzn-requestid') ?? '');
    const isLead = isAcceptance(kind) && request !== undefined;
    return { kind, faults: isLead ? judgeAcceptance(expectation, response, request.body) : [] };
  }

  return {
    /** Every acknowledged lead, by its id: a digest of its body, where the body is certain. */
    leads: leads as ReadonlyMap<string, string | undefined>,
    /** The requests that the function of Surface 1c has rejected. */
    sourceRejections: sourceRejections as ReadonlySet<string>,
    /** How many submissions may have made a lead without an acknowledgement. */
    unheard: () => unheard,
    /** The expected responses, by the model and by the keys seen so far. */
    expect(reading: Reading, nowSeconds: number, api?: Api): Expectation[] {
      return reading.requests.map((request) => {
        const expectation = expected(request, world, nowSeconds, api);
        note(expectation, request.body);
        const { repeatable, tenant, key } = expectation;
        if (!repeatable || tenant === undefined || key === undefined) return expectation;
        // A concurrent request may use an unknown key first.
        const isKnown = idsByKey.has(nameOf(tenant, key));
        const accepted = api === 'sources' ? 'source accepted' : 'accepted';
        return { ...expectation, kinds: isKnown ? [accepted] : [accepted, ...expectation.kinds] };
      });
    },
    judge(
      delivery: Delivery,
      reading: Reading,
      expectations: readonly Expectation[],
      outcome: Outcome,
    ): Verdict {
      const { responses, closed, late, leftOver } = outcome;
      const judged = responses.map((response, at) =>
        judgeResponse(response, at, reading, expectations, delivery.api),
      );
      unheard += expectations.slice(responses.length).filter(({ kinds }) => kinds.some(isAcceptance)).length;
      const faults = judged.flatMap((each) => each.faults);
      const gone = delivery.hangUpAfter !== undefined;
      const due = reading.requests.length + (reading.rest === 'not HTTP' ? 1 : 0);
      const most = due + (reading.rest === 'unfinished' ? 1 : 0);
      const saidClose = responses.at(-1)?.headers.get('connection') === 'close';
      // Bytes that are not HTTP get a response or none; the connection ends either way.
      const owed = reading.rest === 'not HTTP' ? due - 1 : due;
      if (late) faults.push(`timed out after ${responses.length} of ${due} answers`);
      if (leftOver !== '' && !gone)
        faults.push(`bytes that are not an answer: ${JSON.stringify(leftOver.slice(0, 200))}`);
      if (responses.length > most) faults.push(`${responses.length} answers to ${most} requests`);
      if (!gone && !late && responses.length < owed && !saidClose) {
        faults.push(`closed after ${responses.length} of ${due} answers`);
      }
      return {
        kinds: judged.flatMap(({ kind }) => kind ?? []),
        closedSilently: closed && responses.length < most,
        faults,
      };
    },
  };
}

function nameOf({ workspaceId }: Tenant, key: string): string {
  return `${workspaceId}\n${key}`;
}

export function digestOf(body: Buffer | string): string {
  return createHash('sha256').update(body).digest('base64').slice(0, 16);
}

function describe({ status, headers, body }: WireResponse): string {
  const names = [...headers].map(([name, value]) => `${name}: ${value}`);
  return `${status} ${JSON.stringify(body.slice(0, 200))} with ${names.join('; ')}`;
}
