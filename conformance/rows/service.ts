import { expectAccepted, expectRejected, expectThat } from '../checks/expectations.ts';
import { Mismatch } from '../report/mismatch.ts';
import { BOTH, type Section, type Trial } from '../row.ts';
import { CLEAN, NOT_CLEAN } from '../world/bodies.ts';
import { until } from '../world/until.ts';

/** The stream, the queue and the look-ups take their time, most of all with cold functions. */
const ENRICHMENT_SECONDS = 90;
const DIAGNOSTICS_ATTEMPTS = 8;

export async function checkScored({ world, sender, submit }: Trial): Promise<void> {
  // Read once, right after the answer: there is no later.
  const { score } = await world.ownerOf(sender).lead(expectAccepted(await submit({ body: CLEAN })));
  const inRange = typeof score === 'number' && score >= 0 && score <= 100;
  expectThat(inRange, 'a score from 0 to 100', score);
}

export async function checkEnriched({ world, sender, submit }: Trial): Promise<void> {
  const owner = world.ownerOf(sender);
  const id = expectAccepted(await submit({ body: CLEAN }));
  const enriched = await until(
    async () => ((await owner.lead(id)).enrichment.state === 'enriched' ? true : undefined),
    { seconds: ENRICHMENT_SECONDS, signal: world.signal },
  );
  if (enriched) return;
  const { enrichment } = await owner.lead(id);
  throw new Mismatch(`the lead to be enriched within ${ENRICHMENT_SECONDS} seconds`, enrichment.state);
}

export async function checkNotEnriched(trial: Trial): Promise<void> {
  const { world, sender, submit } = trial;
  const id = expectAccepted(await submit({ body: NOT_CLEAN }));
  // Once a later one is through, there was time enough for this one.
  await checkEnriched(trial);
  const { enrichment } = await world.ownerOf(sender).lead(id);
  expectThat(enrichment.state === 'skipped', 'its enrichment to be skipped', enrichment.state);
}

/** One rejection, from outside and from inside, by the id that the sender sees in the answer's headers. */
async function checkReasonInside({ world, sender, submit }: Trial): Promise<void> {
  for (let attempt = 0; attempt < DIAGNOSTICS_ATTEMPTS; attempt += 1) {
    const answer = await submit({ body: '[]' });
    expectRejected(answer);
    const path = `/diagnostics/requests/${answer.headers['x-amzn-requestid']}`;
    const found = await until(
      async () => {
        const { status, text } = await world.ownerOf(sender).call('GET', path);
        return status === 200 ? (JSON.parse(text) as { reason: string }) : undefined;
      },
      { seconds: 1, signal: world.signal },
    );
    if (!found) continue;
    expectThat(found.reason === 'body_not_object', 'the reason body_not_object', found.reason);
    return;
  }
  throw new Mismatch('the owner to find the rejection by its request id', 'nothing in Diagnostics');
}

export const SERVICE: Section = {
  title: 'What the service does',
  rows: [
    {
      rule: 'Receives a lead',
      surfaces: BOTH,
      async check({ submit }) {
        expectAccepted(await submit());
      },
    },
    { rule: 'Scores each lead automatically', surfaces: BOTH, check: checkScored },
    { rule: 'Enriches clean submissions asynchronously', surfaces: BOTH, check: checkEnriched },
    {
      rule: 'Takes leads from browsers (Surface 2)',
      skipped: 'announced only: the specification gives it no interface',
    },
    {
      rule: 'Shows the reason of a rejection to the owner alone',
      surfaces: BOTH,
      note: 'by request id',
      arrange: ({ world }) => world.other.newSender(),
      check: checkReasonInside,
    },
  ],
};
