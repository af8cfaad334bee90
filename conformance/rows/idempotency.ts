import { randomUUID } from 'node:crypto';
import { expectAccepted, expectEqual, expectSameResponse } from '../checks/expectations.ts';
import { BOTH, DECIDED, type Section, type Trial } from '../row.ts';
import type { HttpResponse } from '../world/http.ts';
import type { Submission } from '../world/submission.ts';
import { listedLeads } from '../world/world.ts';
import { CAUSES } from './causes.ts';

const SIMULTANEOUS = 50;

type Repeat = (trial: Trial, keyed: Submission) => Promise<HttpResponse>;

/** An original and its repeat, which gets the same response and creates no lead. */
function repeats(repeat: Repeat, keyFor = (_: Trial): string => randomUUID()) {
  return async (trial: Trial): Promise<void> => {
    const keyed = { headers: { 'X-SVC-Idempotency-Key': keyFor(trial) } };
    const original = await trial.submit(keyed);
    const id = expectAccepted(original);
    expectSameResponse(await repeat(trial, keyed), original);
    await expectLeads(trial, [id]);
  };
}

async function expectLeads({ world, sender }: Trial, ids: readonly string[]): Promise<void> {
  const { rows } = await listedLeads(world, sender, ids.length);
  expectEqual(
    rows.map(({ submissionId }) => submissionId).toSorted(),
    ids.toSorted(),
    'the leads of the form',
  );
}

const sameBody: Repeat = ({ submit }, keyed) => submit(keyed);
const otherBody: Repeat = ({ submit }, keyed) => submit({ ...keyed, body: '{"another":"body"}' });

async function checkAtOnce(trial: Trial): Promise<void> {
  const keyed = { headers: { 'X-SVC-Idempotency-Key': randomUUID() } };
  const [first, ...others] = await Promise.all(
    Array.from({ length: SIMULTANEOUS }, () => trial.submit(keyed)),
  );
  const id = expectAccepted(first as HttpResponse);
  for (const other of others) expectSameResponse(other, first as HttpResponse);
  await expectLeads(trial, [id]);
}

async function checkWithoutKey(trial: Trial): Promise<void> {
  const ids = [expectAccepted(await trial.submit()), expectAccepted(await trial.submit())];
  expectEqual(new Set(ids).size, 2, 'the number of submission ids');
  await expectLeads(trial, ids);
}

export const IDEMPOTENCY: Section = {
  id: 'idempotency',
  title: 'Endpoints: idempotency',
  rows: [
    {
      id: 'repeat',
      rule: 'A repeat with the same key gets the original response verbatim, and creates no second lead',
      surfaces: BOTH,
      check: repeats(sameBody),
    },
    {
      id: 'other-body',
      rule: 'Also with another body',
      surfaces: BOTH,
      note: DECIDED,
      check: repeats(otherBody),
    },
    {
      id: 'one-character',
      rule: 'Also with a key of one character',
      surfaces: BOTH,
      // No other row uses these keys, and the surfaces of a workspace share them.
      check: repeats(otherBody, ({ surface }) => (surface === '1a' ? '!' : '~')),
    },
    {
      id: 'longest',
      rule: 'Also with a key of 255 characters',
      surfaces: BOTH,
      check: repeats(otherBody, () => randomUUID().padEnd(255, 'k')),
    },
    {
      id: 'punctuation',
      rule: 'Also with spaces and punctuation in the key',
      surfaces: BOTH,
      check: repeats(otherBody, () => `order #1 / za???? ${randomUUID()}`),
    },
    {
      id: 'other-form',
      rule: 'Also through another form of the workspace',
      surfaces: BOTH,
      check: repeats(({ world, surface }, keyed) => world.submit(surface, world.main.sender, keyed)),
    },
    {
      id: 'other-surface',
      rule: 'Also on the other surface of the workspace',
      surfaces: BOTH,
      check: repeats(({ world, surface, sender }, keyed) =>
        world.submit(surface === '1a' ? '1b' : '1a', sender, keyed),
      ),
    },
    {
      id: 'at-once',
      rule: `${SIMULTANEOUS} simultaneous requests get the same response and create one lead`,
      surfaces: BOTH,
      check: checkAtOnce,
    },
    {
      id: 'no-key',
      rule: 'Without a key, each submission is a lead of its own',
      surfaces: BOTH,
      check: checkWithoutKey,
    },
    {
      id: 'expires',
      rule: 'After 24 hours, the key counts as new',
      skipped: 'takes a day; npm test tests it with a clock that can be set',
    },
    { ...CAUSES.keyEmpty, rule: 'An empty key is rejected' },
    { ...CAUSES.keyTooLong, rule: 'A key of 256 characters is rejected' },
  ],
};
