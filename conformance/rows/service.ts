import { isDeepStrictEqual } from 'node:util';
import { expectAccepted, expectEqual, expectThat, Mismatch } from '../checks/expectations.ts';
import { expectReason } from '../checks/run-row.ts';
import { BOTH, DECIDED, type Section, type Trial } from '../row.ts';
import { until } from '../world/http.ts';
import { CLEAN, NOT_CLEAN, type Sender } from '../world/submission.ts';
import type { OwnersLead } from '../world/throw-away.ts';
import { CAUSES } from './causes.ts';

/** The stream, the queue and the lookups take their time, especially with cold functions. */
const ENRICHMENT_SECONDS = 90;

async function checkScored({ world, sender, surface, submit }: Trial): Promise<void> {
  // Read once, right after the response: the score must be there by now.
  const lead = await world.ownerOf(sender).lead(expectAccepted(await submit()));
  const { score, clean, signals, formId } = lead;
  const inRange = typeof score === 'number' && score >= 0 && score <= 100;
  expectThat(inRange, 'a score from 0 to 100', score);
  expectEqual([clean, formId, lead.surface], [true, sender.formId, surface], 'clean, form and surface');
  const plausible = signals.find(({ name }) => name === 'email_plausible');
  expectEqual(Number(plausible?.weight) > 0, true, 'whether a valid email address raises the score');
}

async function enriched({ world, sender }: Trial, id: string): Promise<OwnersLead> {
  const owner = world.ownerOf(sender);
  const look = async () => {
    const lead = await owner.lead(id);
    return lead.enrichment.state === 'enriched' ? lead : undefined;
  };
  const found = await until(look, { seconds: ENRICHMENT_SECONDS, signal: world.signal });
  if (found) return found;
  const { enrichment } = await owner.lead(id);
  throw new Mismatch(`the lead to be enriched within ${ENRICHMENT_SECONDS} seconds`, enrichment.state);
}

async function checkEnriched(trial: Trial): Promise<void> {
  const { world, sender, submit } = trial;
  const id = expectAccepted(await submit({ body: CLEAN }));
  const { enrichment: _before, ...before } = await world.ownerOf(sender).lead(id);
  const { enrichment: _after, ...after } = await enriched(trial, id);
  expectThat(isDeepStrictEqual(after, before), 'body and score to stay as they were', 'a changed lead');
}

async function checkFacts(trial: Trial): Promise<void> {
  const id = expectAccepted(await trial.submit({ body: CLEAN }));
  const { facts = {} } = (await enriched(trial, id)).enrichment;
  const expected = {
    email: 'mina.farrow@copperfieldjoinery.co.uk',
    emailDomain: 'copperfieldjoinery.co.uk',
    mailClass: 'company',
    phone: '+442079460018',
    phoneCountry: 'GB',
    firstName: 'Mina',
    lastName: 'Farrow',
  };
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, facts[name]?.value]));
  // Not shown: they are personal data in real leads, and a report may be kept for long.
  const wrong = Object.entries(expected).filter(([name, value]) => found[name] !== value);
  expectEqual(
    wrong.map(([name]) => name),
    [],
    'the facts that differ',
  );
  expectEqual(facts.phone?.source, 'phone-metadata', 'the source of the phone number');
  expectEqual(typeof facts.email?.source, 'string', 'the source of the email address');
}

async function checkNotEnriched(trial: Trial): Promise<void> {
  const { world, sender, submit } = trial;
  const id = expectAccepted(await submit({ body: NOT_CLEAN }));
  // Once a later lead is enriched, this one has had enough time.
  await enriched(trial, expectAccepted(await submit({ body: CLEAN })));
  const { enrichment, clean, body } = await world.ownerOf(sender).lead(id);
  expectThat(enrichment.state === 'skipped', 'its enrichment to be skipped', enrichment.state);
  expectEqual([clean, body], [false, NOT_CLEAN], 'clean and the stored body');
}

export const SERVICE: Section = {
  id: 'service',
  title: 'What the service does',
  rows: [
    { id: 'receives', rule: 'Receives leads', surfaces: BOTH, expect: 'accepted' },
    { id: 'scores', rule: 'Scores each lead automatically', surfaces: BOTH, check: checkScored },
    {
      id: 'enriches',
      rule: 'Enriches clean submissions asynchronously; body and score stay as they were',
      surfaces: BOTH,
      check: checkEnriched,
    },
    {
      id: 'facts',
      rule: 'Enrichment finds email, phone and name',
      surfaces: BOTH,
      note: DECIDED,
      check: checkFacts,
    },
    {
      id: 'browser-sdk',
      rule: 'Receives leads from browsers (Surface 2)',
      skipped: 'only announced: see the section about the browser SDK, which is decided here',
    },
    {
      id: 'reason-inside',
      rule: 'Shows the reason of a rejection to the owner alone',
      surfaces: BOTH,
      note: 'by request id',
      arrange: ({ world }) => world.other.newSender(),
      check: (trial) => expectReason(trial, { body: '[]' }, { reason: 'body_not_object' }),
    },
  ],
};

export const STATES: Section = {
  id: 'states',
  title: 'States and transitions',
  rows: [
    { ...CAUSES.suspended, rule: 'Workspace suspended: every submission is rejected' },
    {
      id: 'suspended-and-resumed',
      rule: 'Workspace suspended, then resumed: both apply to the next submission',
      async check({ world }) {
        const { suspendWorkspace, resumeWorkspace } = world.stack.administration;
        const sender = await world.resumed.newSender();
        const { workspaceId } = sender;
        await expectSwitch(world, sender, (on) =>
          on ? resumeWorkspace(workspaceId) : suspendWorkspace(workspaceId),
        );
      },
    },
    { ...CAUSES.slugUnknown, rule: 'Form not found: rejected' },
    { ...CAUSES.formRemoved, rule: 'Form of the token not found: rejected' },
    { ...CAUSES.formInactive, rule: 'Form inactive: rejected' },
    {
      id: 'deactivated-and-activated',
      rule: 'Form deactivated, then activated: both apply to the next submission',
      async check({ world }) {
        const sender = await world.changing.newSender();
        const { formId } = sender;
        await expectSwitch(world, sender, (active) =>
          world.stack.administration.setFormActive({ formId, active }),
        );
      },
    },
    { ...CAUSES.slugAmbiguous, rule: 'Form with an ambiguous slug: rejected' },
    { ...CAUSES.noSecret, rule: 'Form without a webhook secret: every submission is rejected' },
    { id: 'scored', rule: 'Lead scored: before the 202 is returned', surfaces: BOTH, check: checkScored },
    {
      id: 'not-enriched',
      rule: 'Lead enriched: only if the submission is clean',
      surfaces: BOTH,
      check: checkNotEnriched,
    },
  ],
};

/** Before, after switching off and after switching on. A configuration that is cached would show here. */
async function expectSwitch(
  world: Trial['world'],
  sender: Sender,
  turn: (on: boolean) => Promise<unknown>,
): Promise<void> {
  const statuses = async () => [
    (await world.submit('1a', sender)).status,
    (await world.submit('1b', sender)).status,
  ];
  expectEqual(await statuses(), [202, 202], 'the statuses before');
  await turn(false);
  expectEqual(await statuses(), [200, 200], 'the statuses after switching off');
  await turn(true);
  expectEqual(await statuses(), [202, 202], 'the statuses after switching on again');
}
