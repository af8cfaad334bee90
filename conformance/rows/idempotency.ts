import { randomUUID } from 'node:crypto';
import { KEY_EMPTY, KEY_TOO_LONG, rowOf } from '../checks/causes.ts';
import { expectAccepted, expectEqual, expectSameAnswer } from '../checks/expectations.ts';
import { BOTH, DECIDED, type Section, type Trial } from '../row.ts';
import type { HttpAnswer } from '../world/http.ts';
import { listedLeads } from '../world/listed-leads.ts';
import type { Submission } from '../world/submission.ts';

const AT_ONCE = 20;

type Repeat = (trial: Trial, keyed: Submission) => Promise<HttpAnswer>;

/** An original and its repeat, which gets the same answer and makes no lead. */
function repeats(repeat: Repeat): (trial: Trial) => Promise<void> {
  return async (trial) => {
    const keyed = newKey();
    const original = await trial.submit(keyed);
    const id = expectAccepted(original);
    expectSameAnswer(await repeat(trial, keyed), original);
    await expectOneLead(trial, id);
  };
}

function newKey(): Submission {
  return { headers: { 'X-SVC-Idempotency-Key': randomUUID() } };
}

async function expectOneLead({ world, sender }: Trial, id: string): Promise<void> {
  const { rows } = await listedLeads(world, sender);
  expectEqual(
    rows.map(({ leadId }) => leadId),
    [id],
    'the leads of the form',
  );
}

async function checkAtOnce(trial: Trial): Promise<void> {
  const keyed = newKey();
  const [first, ...others] = await Promise.all(Array.from({ length: AT_ONCE }, () => trial.submit(keyed)));
  const id = expectAccepted(first as HttpAnswer);
  for (const other of others) expectSameAnswer(other, first as HttpAnswer);
  await expectOneLead(trial, id);
}

async function checkWithoutKey({ submit, world, sender }: Trial): Promise<void> {
  const ids = [expectAccepted(await submit()), expectAccepted(await submit())];
  expectEqual(new Set(ids).size, 2, 'the number of submission ids');
  for (const id of ids) await world.ownerOf(sender).lead(id);
}

export const IDEMPOTENCY: Section = {
  title: 'Endpoints: idempotency',
  rows: [
    {
      rule: 'A repeat with the same key gets the original response verbatim, and makes no second lead',
      surfaces: BOTH,
      check: repeats(({ submit }, keyed) => submit(keyed)),
    },
    {
      rule: 'Also with another body',
      surfaces: BOTH,
      note: DECIDED,
      check: repeats(({ submit }, keyed) => submit({ ...keyed, body: '{"another":"body"}' })),
    },
    {
      rule: 'Also through another form of the workspace',
      surfaces: BOTH,
      check: repeats(({ world, surface }, keyed) => world.submit(surface, world.main.sender, keyed)),
    },
    {
      rule: 'Also on the other surface of the workspace',
      surfaces: BOTH,
      check: repeats(({ world, surface, sender }, keyed) =>
        world.submit(surface === '1a' ? '1b' : '1a', sender, keyed),
      ),
    },
    {
      rule: `Of ${AT_ONCE} at once, all get the one response, and one lead is made`,
      surfaces: BOTH,
      check: checkAtOnce,
    },
    { rule: 'Without a key, each submission is a lead of its own', surfaces: BOTH, check: checkWithoutKey },
    {
      rule: 'After 24 hours, the key is a new one',
      skipped: 'takes a day; tested with a clock that is moved',
    },
    rowOf(KEY_EMPTY, 'An empty key is rejected'),
    rowOf(KEY_TOO_LONG, 'A key of 256 characters is rejected'),
  ],
};
