import { randomUUID } from 'node:crypto';
import {
  BODY_TOO_LARGE,
  BODY_TOO_LARGE_TO_PARSE,
  MISSING_TOKEN,
  rowOf,
  SIGNATURE_MISSING,
  secondsFrom,
  TIMESTAMP_MISSING,
} from '../checks/causes.ts';
import { expectAccepted, expectEqual, expectRejected, expectThat } from '../checks/expectations.ts';
import { BOTH, DECIDED, ONLY_1B, type Section, type Trial } from '../row.ts';
import { jsonOf } from '../world/bodies.ts';
import type { HttpRequest } from '../world/http.ts';
import { requestFor, sign } from '../world/submission.ts';

const OTHER_METHODS = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const OTHER_PATHS = ['/', '/api', '/api/v1', '/api/v1/ingest2', '/api/v1/ingest/a/b', '/api/v2/ingest'];
/** Each must come back as it was sent: text is stored, not what some parser made of it. */
const BODIES = [
  '{"name":"Zoë Ångström 李雷 🚀","a key with spaces":true,"":null}',
  '{\r\n  "number": 12345678901234567890.10,\r\n  "number": 2\r\n}\r\n',
  '{"a":{"deep":[1,{"er":null}]},"__proto__":"a key like any other"}',
];

async function checkBodies({ world, sender, submit }: Trial): Promise<void> {
  for (const body of BODIES) {
    const id = expectAccepted(await submit({ body }));
    expectEqual((await world.ownerOf(sender).lead(id)).body, body, 'the stored body');
  }
}

async function checkMethods({ world, surface, sender }: Trial): Promise<void> {
  const { path, headers = {} } = requestFor(surface, sender, {}, world.now);
  for (const method of OTHER_METHODS) expectRejected(await world.send({ method, path, headers }));
}

async function checkPaths({ world }: Trial): Promise<void> {
  const request: Omit<HttpRequest, 'path'> = { headers: { 'Content-Type': 'application/json' }, body: '{}' };
  for (const path of OTHER_PATHS) expectRejected(await world.send({ ...request, path }));
}

async function checkContentType({ submit }: Trial): Promise<void> {
  const typed = (type: string | null) => submit({ headers: { 'Content-Type': type } });
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
    expectAccepted(await typed(type));
  }
  for (const type of [null, 'text/plain', 'application/vnd.api+json']) expectRejected(await typed(type));
}

/** A key that has not been used, of so many characters. */
const keyOf = (length: number) => `${randomUUID()}${'k'.repeat(255)}`.slice(0, length);

async function checkKeys({ submit }: Trial): Promise<void> {
  expectAccepted(await submit());
  for (const length of [1, 36, 255]) {
    expectAccepted(await submit({ headers: { 'X-SVC-Idempotency-Key': keyOf(length) } }));
  }
}

async function checkTimestamps({ world, submit }: Trial): Promise<void> {
  const doubt = world.clockDoubtSeconds;
  // The way there makes a timestamp older, so that the edge behind is met with a second or two to spare.
  for (const seconds of [300 - doubt, 0, -298 + doubt]) {
    expectAccepted(await submit({ timestamp: secondsFrom(world, seconds) }));
  }
}

async function checkSignatures({ world, sender, submit }: Trial): Promise<void> {
  const timestamp = secondsFrom(world, 0);
  const hex = sign(sender.secret, timestamp, '{}');
  for (const signature of [hex, `sha256=${hex}`]) {
    expectAccepted(await submit({ body: '{}', timestamp, signature }));
  }
}

/** Of the two endpoints; the retired path is about something else. */
async function checkStatuses({ world }: Trial): Promise<void> {
  const statuses = new Set(world.log.seen().flatMap(({ retired, status }) => (retired ? [] : status)));
  expectThat(
    [...statuses].every((status) => status === 202 || status === 200),
    '202 and 200 alone',
    [...statuses],
  );
}

export const ENDPOINTS: readonly Section[] = [
  {
    title: 'Endpoints',
    about: 'What the 200 covers is under Errors, cause by cause.',
    rows: [
      {
        rule: 'The method is POST: any other is rejected',
        surfaces: BOTH,
        note: DECIDED,
        check: checkMethods,
      },
      { rule: 'A path that does not exist is rejected', note: DECIDED, check: checkPaths },
      {
        rule: '202 Accepted, with submission_id: accepted and scored',
        surfaces: BOTH,
        async check({ submit }) {
          expectAccepted(await submit());
        },
      },
      {
        rule: '200 OK, with status "rejected": opaque rejection',
        surfaces: BOTH,
        async check({ submit }) {
          expectRejected(await submit({ body: '{"cut":' }));
        },
      },
      { rule: 'No other status code in the whole run', when: 'last', check: checkStatuses },
    ],
  },
  {
    title: 'Endpoints: request body',
    rows: [
      { rule: 'A JSON object with arbitrary keys, kept as it was sent', surfaces: BOTH, check: checkBodies },
      {
        rule: 'An object without keys is a lead too',
        surfaces: BOTH,
        note: DECIDED,
        async check({ submit }) {
          expectAccepted(await submit({ body: '{}' }));
        },
      },
      {
        rule: '128 KB: 131,072 bytes are accepted',
        surfaces: BOTH,
        async check({ submit }) {
          expectAccepted(await submit({ body: jsonOf(131_072) }));
        },
      },
      rowOf(BODY_TOO_LARGE, '131,073 bytes are rejected'),
      rowOf(BODY_TOO_LARGE_TO_PARSE, 'Oversized bodies are rejected before any parsing'),
    ],
  },
  {
    title: 'Endpoints: headers',
    rows: [
      rowOf(MISSING_TOKEN, 'Authorization is required'),
      rowOf(TIMESTAMP_MISSING, 'X-SVC-Timestamp is required'),
      {
        rule: 'X-SVC-Timestamp: Unix seconds, within ±5 minutes of server time',
        surfaces: ONLY_1B,
        check: checkTimestamps,
      },
      rowOf(SIGNATURE_MISSING, 'X-SVC-Signature is required'),
      {
        rule: 'X-SVC-Signature: lowercase hex, the prefix sha256= is optional',
        surfaces: ONLY_1B,
        check: checkSignatures,
      },
      { rule: 'Content-Type is required: application/json', surfaces: BOTH, check: checkContentType },
      {
        rule: 'X-SVC-Idempotency-Key is not: left out, or 1 to 255 characters, is accepted',
        surfaces: BOTH,
        check: checkKeys,
      },
    ],
  },
];
