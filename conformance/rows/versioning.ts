import { gzipSync } from 'node:zlib';
import { expectEqual, expectStatus, expectThat } from '../checks/expectations.ts';
import { BOTH, DECIDED, type Section, type Trial } from '../row.ts';
import type { HttpRequest } from '../world/http.ts';
import { requestFor } from '../world/submission.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];
const RETIRED_ON = '2026-06-25';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const BODIES: readonly Omit<HttpRequest, 'path'>[] = [
  { headers: JSON_TYPE, body: '{}' },
  { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a=1' },
  { headers: { 'Content-Type': 'image/png' }, body: Buffer.from([0x89, 0x50, 0x4e, 0x47]) },
  { headers: { 'Content-Type': 'nonsense' }, body: 'x' },
  { body: '' },
  { headers: JSON_TYPE, body: 'x'.repeat(140_000) },
  { headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: gzipSync('{}') },
];

const retiredPath = ({ sender }: Trial) => `/api/ingest/${sender.slug}`;

async function checkGone(trial: Trial, requests: readonly Omit<HttpRequest, 'path'>[]): Promise<void> {
  const path = retiredPath(trial);
  for (const request of requests) expectStatus(await trial.world.send({ ...request, path }), 410);
}

async function checkUnknownSlug({ world, sender }: Trial): Promise<void> {
  const known = await world.send({ path: `/api/ingest/${sender.slug}` });
  const unknown = await world.send({ path: `/api/ingest/${sender.slug}-0` });
  expectEqual([unknown.status, unknown.body], [known.status, known.body], 'the answer for an unknown slug');
}

async function checkDate(trial: Trial): Promise<void> {
  const { body } = await trial.world.send({ path: retiredPath(trial) });
  const says = body.includes(RETIRED_ON) && body.includes('/api/v1/ingest');
  expectThat(says, `${RETIRED_ON} and the new path`, body);
}

export const VERSIONING: Section = {
  id: 'versioning',
  title: 'Versioning',
  rows: [
    { id: 'v1', rule: 'The current interface is under /api/v1/', surfaces: BOTH, expect: 'accepted' },
    {
      id: 'gone',
      rule: 'Every request to /api/ingest/:slug returns 410 Gone, with any method',
      check: (trial) =>
        checkGone(
          trial,
          METHODS.map((method) => ({ method })),
        ),
    },
    { id: 'gone-bodies', rule: 'Also with any body', check: (trial) => checkGone(trial, BODIES) },
    {
      id: 'gone-signed',
      rule: 'Also with a valid signature',
      check: (trial) => checkGone(trial, [requestFor('1b', trial.sender, {}, trial.world.now)]),
    },
    {
      id: 'gone-unknown',
      rule: 'Also for an unknown slug, with the same body',
      note: DECIDED,
      check: checkUnknownSlug,
    },
    {
      id: 'gone-date',
      rule: `The response names the date of retirement, ${RETIRED_ON}, and the new path`,
      note: DECIDED,
      check: checkDate,
    },
  ],
};
