import { randomUUID } from 'node:crypto';
import { expectAccepted, expectEqual, expectRejected, expectThat } from '../checks/expectations.ts';
import { BOTH, DECIDED, ONLY_1B, type Section, type Sent, type SentRow, type Trial } from '../row.ts';
import { requestFor, sign } from '../world/submission.ts';
import { CAUSES, secondsFrom } from './causes.ts';

const OTHER_METHODS = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const OTHER_PATHS = [
  '/',
  '/api',
  '/api/v1',
  '/api/v1/ingest2',
  '/api/v1/ingest/a/b',
  '/api/v2/ingest',
  '//api/v1/ingest',
];
const KEY = 'X-SVC-Idempotency-Key';

async function checkMethods({ world, surface, sender }: Trial): Promise<void> {
  const { body: _, ...bare } = requestFor(surface, sender, {}, world.now);
  for (const method of OTHER_METHODS) {
    expectRejected(await world.send({ ...bare, method }));
    expectRejected(await world.send({ ...requestFor(surface, sender, {}, world.now), method }));
  }
  world.rejectedOnly.add(sender);
}

async function checkPaths({ world }: Trial): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  for (const path of OTHER_PATHS) expectRejected(await world.send({ path, headers, body: '{}' }));
}

/** Of the two endpoints. The retired path has its own status. */
async function checkStatuses({ world }: Trial): Promise<void> {
  const statuses = new Set(world.log.seen().flatMap(({ retired, status }) => (retired ? [] : status)));
  expectThat(
    [...statuses].every((status) => status === 202 || status === 200),
    'only 202 and 200',
    [...statuses],
  );
}

async function checkHeaderCase({ world, surface, sender }: Trial): Promise<void> {
  const spellings = {
    upper: (name: string) => name.toUpperCase(),
    lower: (name: string) => name.toLowerCase(),
    mixed: (name: string) => [...name].map((c, i) => (i % 2 ? c.toUpperCase() : c.toLowerCase())).join(''),
  };
  for (const [name, spell] of Object.entries(spellings)) {
    const keyed = { headers: { [KEY]: randomUUID() } };
    const { headers = {}, ...request } = requestFor(surface, sender, keyed, world.now);
    const spelled = Object.entries(headers).map(([each, value]) => [spell(each), value]);
    const id = expectAccepted(await world.send({ ...request, headers: Object.fromEntries(spelled) }));
    // The key was read too: a repeat is recognized.
    const repeated = expectAccepted(await world.submit(surface, sender, keyed));
    expectEqual(repeated, id, `the submission_id of a repeat, with ${name} case first`);
  }
}

async function checkLongHeader({ submit }: Trial): Promise<void> {
  const response = await submit({ headers: { 'X-Long': 'x'.repeat(8_192) } });
  if (response.status === 202) expectAccepted(response);
  else expectRejected(response);
}

const typed = (type: string | null): Sent => ({ headers: { 'Content-Type': type } });
/** A key that has not been used, of this length. */
const keyOf = (length: number): Sent => {
  return () => ({ headers: { [KEY]: `${randomUUID()}${'k'.repeat(255)}`.slice(0, length) } });
};
const timestampAt = (seconds: (doubt: number) => number): Sent => {
  return ({ world }) => ({ timestamp: secondsFrom(world, seconds(world.clockDoubtSeconds)) });
};
const signatureWith = (prefix: string): Sent => {
  return ({ world, sender }) => {
    const timestamp = secondsFrom(world, 0);
    return { body: '{}', timestamp, signature: `${prefix}${sign(sender.secret, timestamp, '{}')}` };
  };
};

export const OTHER_CONTENT_TYPE: SentRow = {
  id: 'other-content-type',
  rule: 'Content-Type is required: none, or another one, is rejected',
  surfaces: BOTH,
  examples: {
    none: typed(null),
    'text/plain': typed('text/plain'),
    '+json': typed('application/vnd.api+json'),
  },
  expect: 'content_type_unsupported',
};

export const ENDPOINTS: Section = {
  id: 'endpoints',
  title: 'Endpoints',
  about: 'The causes of the 200 are listed under Errors.',
  rows: [
    {
      id: 'other-methods',
      rule: 'The method is POST: any other is rejected',
      surfaces: BOTH,
      note: DECIDED,
      check: checkMethods,
    },
    { id: 'other-paths', rule: 'An unknown path is rejected', note: DECIDED, check: checkPaths },
    {
      id: 'accepted',
      rule: '202 Accepted, with submission_id: accepted and scored',
      surfaces: BOTH,
      expect: 'accepted',
    },
    {
      id: 'rejected',
      rule: '200 OK, with status "rejected": opaque rejection',
      surfaces: BOTH,
      send: { body: '{"cut":' },
      expect: 'rejected',
    },
    {
      id: 'no-other-status',
      rule: 'No other status code in the whole run',
      when: 'last',
      check: checkStatuses,
    },
  ],
};

export const HEADERS: Section = {
  id: 'headers',
  title: 'Endpoints: headers',
  rows: [
    {
      id: 'names',
      rule: 'The case of header names does not matter',
      surfaces: BOTH,
      note: DECIDED,
      check: checkHeaderCase,
    },
    { ...CAUSES.tokenMissing, rule: 'Authorization is required' },
    { ...CAUSES.timestampMissing, rule: 'X-SVC-Timestamp is required' },
    {
      id: 'timestamp',
      rule: 'X-SVC-Timestamp: Unix seconds, within ±5 minutes of server time',
      surfaces: ONLY_1B,
      examples: {
        '5 minutes ahead': timestampAt((doubt) => 300 - doubt),
        now: timestampAt(() => 0),
        // The timestamp ages on its way to the service, so this leaves two seconds.
        'nearly 5 minutes behind': timestampAt((doubt) => -298 + doubt),
      },
      expect: 'accepted',
    },
    { ...CAUSES.signatureMissing, rule: 'X-SVC-Signature is required' },
    {
      id: 'signature',
      rule: 'X-SVC-Signature: lowercase hex, the prefix sha256= is optional',
      surfaces: ONLY_1B,
      examples: { 'without prefix': signatureWith(''), 'with prefix': signatureWith('sha256=') },
      expect: 'accepted',
    },
    {
      id: 'content-type',
      rule: 'Content-Type: application/json is accepted, with or without parameters',
      surfaces: BOTH,
      examples: {
        plain: typed('application/json'),
        'with a charset': typed('application/json; charset=utf-8'),
        'in another case': typed('Application/JSON'),
      },
      expect: 'accepted',
    },
    OTHER_CONTENT_TYPE,
    {
      id: 'idempotency-key',
      rule: 'X-SVC-Idempotency-Key is optional: none, or 1 to 255 characters, is accepted',
      surfaces: BOTH,
      examples: {
        none: {},
        '1 character': keyOf(1),
        '36 characters': keyOf(36),
        '255 characters': keyOf(255),
      },
      expect: 'accepted',
    },
    {
      id: 'long-header',
      rule: 'Another header of 8 KB gets one of the two responses',
      surfaces: BOTH,
      note: DECIDED,
      check: checkLongHeader,
    },
  ],
};
