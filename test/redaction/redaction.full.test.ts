import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SURFACES } from '../../lambdas/model/limits.ts';
import { openOwners } from '../browser/owners.ts';
import { openContract, submissionId } from '../contract/tenant.ts';
import { runLeadctl } from '../leadctl/run-leadctl.ts';
import { killLeftovers, type Running, startMain } from '../local/support/run-main.ts';
import { localStack } from '../local-stack.ts';
import { waitFor } from '../until.ts';
import {
  escaped,
  type Haystack,
  isAt,
  makeCanaries,
  type Place,
  REJECTION_PLACES,
  readLogs,
  readTables,
  spellingsOf,
} from './canaries.ts';
import { useSettings } from './owners.ts';
import {
  newGuardedTenant,
  sendAccepted,
  sendElsewhere,
  sendFrom,
  sendRejected,
  sendUntilRecorded,
} from './senders.ts';
import { sendToSources } from './sources.ts';
import { breakSenders, sendAndErase, sendFromPages } from './unusual-senders.ts';

// Sends a unique value in every field, header and secret through every path, and then searches all tables and logs.
const ADDRESS = '127.83.61.47';
const canaries = makeCanaries();
let running: Running;
let haystack: Haystack;
let accepted: Awaited<ReturnType<typeof sendAccepted>>;
let rejected: Awaited<ReturnType<typeof sendRejected>>;
let fromPages: Awaited<ReturnType<typeof sendFromPages>>;
let elsewhere: Awaited<ReturnType<typeof sendElsewhere>>;
let toSources: Awaited<ReturnType<typeof sendToSources>>;
let statuses: Record<string, number>;
let fromAddress = [202, 200, 202, 200];

beforeAll(async () => {
  // Its own stack: the output of the shared one cannot be read.
  running = await startMain([...['--ephemeral', '--allow-loopback-destinations', '--schedule-ahead', '2h']]);
  const { summary, child, ended } = running;
  process.env.LEAD_INGEST_OUTPUTS = summary.outputsFile;
  const stack = localStack();
  const contract = openContract();
  const indexOf = async () => Object.fromEntries(await readTables(stack)).leadIndex ?? '';

  accepted = await sendAccepted(contract, canaries);
  rejected = await sendRejected(contract, canaries);
  fromPages = await sendFromPages(contract, canaries);
  toSources = await sendToSources(contract, canaries);
  const brokenWorkspace = await breakSenders(contract, canaries);
  elsewhere = await sendElsewhere(canaries);
  const userAgent = canaries.create('a user agent that is looked for', REJECTION_PLACES);
  await sendUntilRecorded(contract, userAgent);
  // Other systems have only 127.0.0.1, which everything else here uses too.
  if (process.platform === 'linux') {
    fromAddress = await sendFrom(canaries.track("a sender's address", ADDRESS, REJECTION_PLACES), contract);
  }
  const { ownerEmail: email, ownerPassword: password } = summary.demo;
  const { IdToken = '' } = await openOwners().signIn({ email, password });
  statuses = await useSettings(summary.settingsUrl, IdToken, canaries);
  const outputOfLeadctl = await useLeadctl(contract, summary.outputsFile);

  const erasedId = await sendAndErase(contract, canaries, async (id) => {
    await waitFor(async () => (await indexOf()).includes(id));
    return runLeadctl(['--outputs', summary.outputsFile, 'leads', 'erase', id, '--yes']);
  });
  const ids = accepted.map(submissionId);
  await waitFor(async () => {
    const index = await indexOf();
    const ofErased = index.split('\n').filter((entry) => entry.includes(erasedId));
    // Only the tombstone is left.
    return ids.every((id) => index.includes(id)) && ofErased.every((entry) => entry.includes('"erasedAt"'));
  });
  await waitFor(async () => {
    const { leads = '' } = Object.fromEntries(await readTables(stack));
    const ofOurs = (mark: string) =>
      ids.filter((id) => leads.split('\n').some((item) => item.includes(id) && item.includes(mark)));
    const clean = ofOurs('"clean":true');
    return clean.length > 0 && ofOurs('"part":"enrichment"').length === clean.length;
  });
  await waitFor(async () => {
    const { alerts = '' } = Object.fromEntries(await readTables(stack));
    const ofSenders = alerts
      .split('\n')
      .filter((item) =>
        [brokenWorkspace, '"sk":"alert#', 'sender_broken'].every((part) => item.includes(part)),
      );
    return ofSenders.length === SURFACES.length && alerts.includes('destination_failing');
  });
  const kept = await readTables(stack);
  const logs = readLogs(join(dirname(summary.outputsFile), 'logs'));
  child.kill('SIGTERM');
  const { stdout, stderr } = await ended;
  haystack = new Map([
    ...kept,
    ['logs', logs],
    ['output of the stack', `${stdout}\n${stderr}`],
    ['output of leadctl', outputOfLeadctl],
  ]);
}, 300_000);
afterAll(killLeftovers);

/** As an operator would try things out. No output repeats the input. */
async function useLeadctl(contract: ReturnType<typeof openContract>, outputs: string): Promise<string> {
  const tenant = await newGuardedTenant(contract, canaries, 'leadctl');
  const body = (allowed: Place[]) =>
    `{"email":"${canaries.create('a body of leadctl', allowed)}@example.com"}`;
  const key = () => canaries.create('a key of leadctl');
  const send = ['--outputs', outputs, 'send', '--file', '-'];
  const runs = [
    await runLeadctl([...send, '--surface', '1a', '--key', key()], {
      stdin: body(['leads', 'leadIndex']),
      environment: { LEADCTL_TOKEN: tenant.token },
    }),
    await runLeadctl([...send, '--surface', '1b', '--slug', tenant.slug, '--key', key()], {
      stdin: body(['leads', 'leadIndex']),
      environment: { LEADCTL_SECRET: tenant.secret },
    }),
    await runLeadctl([...send, '--surface', '1a'], {
      stdin: body([]),
      environment: { LEADCTL_TOKEN: `ingt_srv_${canaries.create('a wrong token of leadctl')}` },
    }),
    await runLeadctl([...send, '--surface', '1b', '--slug', tenant.slug], {
      stdin: body([]),
      environment: { LEADCTL_SECRET: canaries.create('a wrong secret of leadctl') },
    }),
    await runLeadctl(['--outputs', outputs, 'diagnostics', '--workspace', tenant.workspaceId]),
    await runLeadctl(
      [
        ...['--outputs', outputs, 'explain', '--form', tenant.formId, '--body-file', '-'],
        ...['--timestamp', '1700000000', '--signature', canaries.create('a signature for leadctl')],
      ],
      // It shows the beginning of the message to the person who has just passed it.
      { stdin: body(['output of leadctl']) },
    ),
  ];
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 1, 1, 0, 1]);
  return runs.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join('\n');
}

test('every path was taken', () => {
  expect(accepted.map(({ status }) => status)).toEqual(accepted.map(() => 202));
  const wrong = rejected.filter(
    ([what, { status }]) => status !== (what.startsWith('a corrupt') ? 415 : 200),
  );
  expect(wrong).toEqual([]);
  expect(elsewhere.map(([, { status }]) => status)).toEqual([410, 410, 200, 200, 200]);
  expect(fromPages.map(([, { status }]) => status)).toEqual([202, 200]);
  expect(toSources.map(([, status]) => status)).toEqual([
    ...[200, 200, 200, 503, 503, 503, 503, 503],
    ...[200, 503, 503, 503],
  ]);
  expect(fromAddress).toEqual([202, 200, 202, 200]);
  // What is wrong is refused, and everything else is done.
  const isWrong = /^(a wrong|a forged|a short|an unknown|an API key|what is no) /;
  const otherwise = Object.entries(statuses).filter(
    ([what, status]) => status >= 500 || status >= 400 !== isWrong.test(what),
  );
  expect(otherwise).toEqual([]);
  expect(Object.keys(statuses).length).toBeGreaterThanOrEqual(45);
});

test('values of senders, owners and operators are only where they belong', () => {
  expect(canaries.all.length).toBeGreaterThan(400);
  expect(escaped(canaries.all, haystack)).toEqual([]);
});

describe('the search can find', () => {
  const find = (what: RegExp) => canaries.all.find((canary) => what.test(canary.what))?.core ?? 'none';

  test.each([
    ['leads', /^the message of an accepted submission on 1a, short/],
    ['leads', /^the message of an accepted submission on 1b, long/],
    ['leads', /^a nested value of an accepted/],
    ['leads', /^the message of a lead from a page/],
    ['leads', /^a key's name of an accepted/],
    ['leadIndex', /^the company of an accepted submission on 1a, short/],
    ['leadIndex', /^the e-mail of an accepted submission on 1b, long/],
    ['leadIndex', /^the e-mail of a test/],
    ['formSecrets', /^the secret of an accepted/],
    ['formSecrets', /^a secret that an owner chose/],
    ['formSecrets', /^a rotated secret/],
    ['formSecrets', /^the secret of a provider in use/],
    ['leads', /^the message of a delivery$/],
    ['rejections', /^the user agent of a delivery that is no JSON/],
    ['unauthenticatedRejections', /^the user agent of a delivery with a wrong secret/],
    ['forms', /^a form's name/],
    ['tokens', /^a token's name/],
    ['workspaces', /^the address of a sender/],
    ['alerts', /^the name of a form with broken senders/],
    ['alerts', /^the name of a broken token/],
    ['alerts', /^a destination's name/],
    ['destinations', /^a destination's name/],
    ['destinations', /^the URL of a webhook/],
    ['destinations', /^the address of a recipient/],
    ['destinationSecrets', /^the URL of Slack/],
    ['destinationSecrets', /^a signing secret/],
    ['destinationSecrets', /^a rotated signing secret/],
    ['rejections', /^a user agent that is looked for/],
    ['unauthenticatedRejections', /^a user agent that is looked for/],
    ['diagnostics', /^a user agent that is looked for/],
    ['rejections', /^the user agent of the second of one key on 1a/],
    ['diagnostics', /^a key's name of a full minute on 1b/],
  ] as const)('in %s: %s', (place, what) => {
    expect(isAt(haystack, place, find(what))).toBe(true);
  });

  test('logs of every function that a submission passes, with their metrics', () => {
    for (const sign of [
      '"submission.accepted"',
      '"submission.rejected"',
      '"settings.request"',
      // By stage, as the template says: without it two stages of one account would be one.
      '"Namespace":"LeadIngest/dev"',
      '"OwnerRequests"',
      '"Relayed"',
      '"Counted"',
      '"recorder.batch"',
      '"enrichment.',
      '"send.waiting"',
      '"LeadsIndexed"',
      '"watch.run"',
    ]) {
      expect(haystack.get('logs')).toContain(sign);
    }
  });

  const core = 'cnyZq8-f00d/ba5e';
  test.each([
    ['as it is', core],
    ['in JSON', JSON.stringify({ a: `"${core}"\n` })],
    ['in a URL', `?q=%22${core}%40x`],
    ['in capitals', core.toUpperCase()],
    ['in hex', Buffer.from(`x${core}y`).toString('hex')],
    ...[0, 1, 2, 3].map(
      (more) =>
        [`in base64, ${more} in`, Buffer.from(`${'x'.repeat(more)}${core}yz`).toString('base64')] as const,
    ),
    ['in base64 for URLs', Buffer.from(`{"a":"${core}"}`).toString('base64url')],
  ])('a value %s', (_, text) => {
    const place = new Map([['logs', text]] as const);
    expect(escaped([{ what: 'it', core, allowed: [] }], place)).toHaveLength(1);
    expect(escaped([{ what: 'it', core, allowed: ['logs'] }], place)).toEqual([]);
    expect(spellingsOf(core).every((spelling) => spelling.length >= 12)).toBe(true);
  });
});
