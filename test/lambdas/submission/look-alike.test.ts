import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { hashToken, makeIngestToken } from '#model/ingest-token.ts';
import { slugConfigurations, tokenConfigurations } from '#submission/configuration-store.ts';
import { setAttributes } from '../../stored-items.ts';
import {
  openSubmissionFixture,
  REJECTED,
  type Request,
  type Sender,
  submissionId,
} from './submission-fixture.ts';

/**
 * Calls that an unauthenticated sender could time: each cause makes the same calls to the same tables, in the same
 * order, as a token or slug that nobody has. `npm run test:load` times the work in between.
 */

const fixture = openSubmissionFixture();
const { tables } = fixture.stack;
const tableKeys = new Map(Object.entries(tables).map(([tableKey, name]) => [name, tableKey]));

/** Every call in order of its start, with its tables. */
async function callsOf(send: () => Promise<unknown>): Promise<string[]> {
  const calls: string[] = [];
  fixture.calls.injectBefore((command, input) => {
    const { TableName, RequestItems = {} } = input as {
      TableName?: string;
      RequestItems?: Record<string, unknown>;
    };
    const named = TableName === undefined ? Object.keys(RequestItems) : [TableName];
    calls.push(`${command} ${named.map((name) => tableKeys.get(name)).join(' and ')}`);
    return undefined;
  });
  expect(await send()).toEqual(REJECTED);
  fixture.calls.injectBefore(undefined);
  return calls;
}

const formKey = ({ slug, formId }: Sender) => ({ slug, formId });

/** What is wrong with a sender; everything else about them is valid. */
const DEFECTS: Record<string, (sender: Sender) => Promise<unknown>> = {
  'a revoked token': ({ tokenId }) => fixture.administration.revokeToken(tokenId),
  'a token of another type': ({ token }) =>
    setAttributes(fixture.observer, tables.tokens, { tokenHash: hashToken(token) }, { type: 'browser' }),
  'a suspended workspace': ({ workspaceId }) => fixture.administration.suspendWorkspace(workspaceId),
  'an inactive form': ({ formId }) => fixture.administration.setFormActive({ formId, active: false }),
  'a form that is gone': (sender) =>
    fixture.observer.send(new DeleteCommand({ TableName: tables.forms, Key: formKey(sender) })),
  'a workspace that is gone': ({ workspaceId }) =>
    fixture.observer.send(new DeleteCommand({ TableName: tables.workspaces, Key: { workspaceId } })),
  'a form without a secret': (sender) =>
    fixture.observer.send(new DeleteCommand({ TableName: tables.formSecrets, Key: formKey(sender) })),
  'a previous secret in its grace': ({ formId }) =>
    fixture.administration.rotateSecret({ formId, graceMilliseconds: 3_600_000 }),
  'no defect': async () => undefined,
};

const STATES = ['cold', 'warm'] as const;

/** Warm: what was accepted before is in memory, from before the defect. */
async function senderWith(defect: string, state: (typeof STATES)[number], surface: '1a' | '1b') {
  const sender = await fixture.newSender();
  const environment = fixture.newEnvironment();
  if (state === 'warm') submissionId(await environment.send(surface, sender));
  await DEFECTS[defect]?.(sender);
  return { sender, environment };
}

/** Warm only where a change reaches what is in memory; a suspended workspace's good token proves its sender. */
test.each([
  ['a revoked token', 'cold'],
  ['a revoked token', 'warm'],
  ['a token of another type', 'cold'],
  ['a suspended workspace', 'cold'],
  ['an inactive form', 'cold'],
  ['an inactive form', 'warm'],
  ['a form that is gone', 'cold'],
  ['a workspace that is gone', 'cold'],
] as const)('an unknown token makes the calls of %s (%s)', async (defect, state) => {
  const { sender, environment } = await senderWith(defect, state, '1a');
  // The first after a change fails at the gate, and is forgotten: so much the holder of a good token may see.
  if (state === 'warm') await environment.server(sender);
  const unknown = makeIngestToken('server', crypto.getRandomValues(new Uint8Array(32)));
  const known = await callsOf(() => environment.server(sender));
  expect(await callsOf(() => environment.server({ ...sender, token: unknown }))).toEqual(known);
});

const SLUG_DEFECTS = [
  'no defect',
  'a suspended workspace',
  'an inactive form',
  'a workspace that is gone',
  'a form without a secret',
  'a previous secret in its grace',
];

test.each(SLUG_DEFECTS.flatMap((defect) => STATES.map((state) => [defect, state] as const)))(
  'an unknown slug makes the calls of a known one with %s, badly signed (%s)',
  async (defect, state) => {
    const { sender, environment } = await senderWith(defect, state, '1b');
    const forger = { ...sender, secret: 'guessed by somebody' };
    const known = await callsOf(() => environment.webhook(forger));
    expect(await callsOf(() => environment.webhook(forger, { slug: `${sender.slug}-x` }))).toEqual(known);
  },
);

/** A faulty request gets the same calls whether the slug or token exists or not. */
const REQUESTS: Record<string, Request> = {
  'no signature': { headers: { 'X-SVC-Signature': '' } },
  'a malformed signature': { headers: { 'X-SVC-Signature': 'sha256=zz' } },
  'no timestamp': { headers: { 'X-SVC-Timestamp': '' } },
  'an old timestamp': { headers: { 'X-SVC-Timestamp': '1' } },
  'a body too large': { body: Buffer.alloc(131_073, 32) },
  'a compressed body': { headers: { 'Content-Encoding': 'gzip' } },
};

test.each(Object.keys(REQUESTS))('an unknown slug makes the calls of a known one: %s', async (name) => {
  const sender = await fixture.newSender();
  const environment = fixture.newEnvironment();
  const known = await callsOf(() => environment.webhook(sender, REQUESTS[name]));
  const slug = `${sender.slug}-x`;
  expect(await callsOf(() => environment.webhook(sender, { ...REQUESTS[name], slug }))).toEqual(known);
});

test.each(['a body too large', 'a compressed body'])(
  'an unknown token makes the calls of a known one: %s',
  async (name) => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    const unknown = makeIngestToken('server', crypto.getRandomValues(new Uint8Array(32)));
    const known = await callsOf(() => environment.server(sender, REQUESTS[name]));
    expect(await callsOf(() => environment.server({ ...sender, token: unknown }, REQUESTS[name]))).toEqual(
      known,
    );
  },
);

/** The only cause that must differ: counted for each workspace, kept as an event for none. */
test('an ambiguous slug makes as many calls as an unknown one, at the same times', async () => {
  const sender = await fixture.newSender();
  const imported = { slug: sender.slug, formId: 'form_imported' };
  const { workspaceId } = await fixture.newSender();
  await setAttributes(fixture.observer, tables.forms, imported, { workspaceId, active: true, v: 1 });
  const environment = fixture.newEnvironment();
  const shapeOf = async (slug: string) => {
    fixture.calls.reset();
    await environment.webhook(sender, { slug });
    return { calls: fixture.calls.commands().length, inSequence: fixture.calls.inSequence() };
  };
  expect(await shapeOf(sender.slug)).toEqual(await shapeOf(`${sender.slug}-x`));
});

test('unauthenticated requests get their response on a tick, after telemetry; others do not wait', async () => {
  const sender = await fixture.newSender();
  const logLines: string[] = [];
  const waits: { until: number; linesWritten: number }[] = [];
  let elapsed = 0;
  const environment = fixture.newEnvironment({
    logLines,
    tickClock: {
      // Looked at when a request begins and when it gets a response: every request takes 25 ms.
      now: () => {
        elapsed += 25;
        return elapsed;
      },
      sleepUntil: async (until) => void waits.push({ until, linesWritten: logLines.length }),
    },
  });
  const unknown = makeIngestToken('server', crypto.getRandomValues(new Uint8Array(32)));
  expect(await environment.server({ ...sender, token: unknown })).toEqual(REJECTED);
  expect(await environment.webhook({ ...sender, secret: 'guessed by somebody' })).toEqual(REJECTED);
  expect(await environment.webhook(sender, { slug: `${sender.slug}-x` })).toEqual(REJECTED);
  expect(await environment.webhook(sender, { headers: { 'Content-Encoding': 'gzip' } })).toEqual(REJECTED);
  const began = [25, 75, 125, 175];
  expect(waits).toEqual(began.map((at, index) => ({ until: at + 40, linesWritten: index + 1 })));

  submissionId(await environment.server(sender));
  submissionId(await environment.webhook(sender));
  expect(await environment.server(sender, { body: '[]' })).toEqual(REJECTED);
  expect(waits).toHaveLength(4);
});

/** A form may have a hundred fields; reading them would take measurable time. */
test('an unauthenticated request reads only the attributes of a form that it needs', async () => {
  const sender = await fixture.newSender();
  const fields = [{ key: 'budget', role: 'message' }];
  await setAttributes(fixture.observer, tables.forms, formKey(sender), { fields });
  const slugs = slugConfigurations({ client: fixture.observer, tables });
  const tokens = tokenConfigurations({ client: fixture.observer, tables });
  const { signal } = new AbortController();
  const bySlug = await slugs.find(sender.slug, signal);
  const byToken = await tokens.find(hashToken(sender.token), signal);
  const judged = ['active', 'formId', 'slug', 'workspaceId'];
  expect(Object.keys(bySlug.forms[0] ?? {}).sort()).toEqual(judged);
  expect(Object.keys(byToken.form ?? {}).sort()).toEqual(judged);
  // The configuration that accepts a lead is complete: scoring needs the fields.
  const whole = await slugs.readAgain(sender.slug, bySlug, signal);
  expect(whole.forms[0]?.fields).toHaveLength(1);
  expect((await tokens.readAgain(hashToken(sender.token), byToken, signal)).form?.fields).toHaveLength(1);
});
