import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { recordTableActions } from '../../recorded-calls/iam-actions.ts';
import { openOwnerFixture } from '../owner-api/owner-fixture.ts';
import { crowd, type Sender } from '../submission/submission-fixture.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-11-15T12:30:30Z');
const fixture = openOwnerFixture(NOW);
const { tables } = fixture.stack;

const since = (days: number) => new Date(NOW - days * DAY).toISOString();

/** The requests of the console's first page, and the calls that each may take. */
const OVERVIEW: readonly (readonly [
  path: string,
  query: Record<string, string>,
  calls: readonly string[],
])[] = [
  ['/workspace', {}, ['GetItem']],
  ['/stats', { by: 'hour', from: since(7) }, ['Query']],
  ['/stats', { by: 'day', from: since(30) }, ['Query']],
  ['/diagnostics', { by: 'hour', from: since(7) }, ['Query', 'Query']],
  ['/diagnostics', { by: 'hour', from: since(30) }, ['Query', 'Query']],
  ['/forms', {}, ['Query']],
  ['/forms', { archived: 'true' }, ['Query']],
  ['/deliveries', {}, ['Query', 'Query', 'BatchGetItem']],
  ['/tokens', {}, ['Query', 'Query']],
];

type Item = Record<string, unknown>;

async function put(table: string, items: readonly Item[]): Promise<void> {
  await crowd(Math.ceil(items.length / 25), 8, (batch) => {
    const requests = items.slice(25 * batch, 25 * batch + 25).map((Item) => ({ PutRequest: { Item } }));
    return fixture.observer.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
  });
}

const textOf = (hoursAgo: number, length: number) =>
  `${new Date(NOW - hoursAgo * HOUR).toISOString().slice(0, length)}Z`;
const hours = (count: number) => Array.from({ length: count }, (_, hoursAgo) => hoursAgo);
const expiresAt = NOW / 1000 + 10_000;
const inEveryMinute = (count: number) =>
  Object.fromEntries(
    Array.from({ length: 60 }, (_, minute) => [`m${String(minute).padStart(2, '0')}`, count]),
  );

/** The counters of a month with this many leads and rejections in every minute. */
async function fill({ workspaceId, formId }: Sender, each: number): Promise<void> {
  await put(
    tables.stats,
    hours(30 * 24).map((ago) => ({
      workspaceId,
      sk: `hour#${textOf(ago, 13)}#${formId}`,
      accepted: each,
      clean: each,
      band80: each,
    })),
  );
  await put(
    tables.diagnostics,
    hours(30 * 24).flatMap((ago) =>
      ['limited', 'rejected'].map((kind) => ({
        sk: `${kind}#${textOf(ago, 13)}#1b#${formId}#${kind === 'limited' ? 'rate_limited_day' : 'body_not_object'}#a0`,
        workspaceId,
        expiresAt,
        ...inEveryMinute(each),
      })),
    ),
  );
}

/** Items that grow with every lead and rejection, in the same partitions as the counters: more than a call reads. */
async function leaveTraces({ workspaceId }: Sender, count: number): Promise<void> {
  const traces = hours(count).map((n) => ({ workspaceId, expiresAt, detail: 'x'.repeat(5_000), n }));
  await put(
    tables.stats,
    traces.map((trace) => ({ ...trace, sk: `counted#${String(trace.n).padStart(12, '0')}` })),
  );
  await put(
    tables.diagnostics,
    traces.map((trace) => ({
      ...trace,
      sk: `event#${textOf(Math.floor(trace.n / 20), 16)}#${trace.n % 20}`,
    })),
  );
}

let busy: Sender;

beforeAll(async () => {
  busy = await fixture.newSender('Busy');
  await Promise.all([fill(busy, 50_000), leaveTraces(busy, 300)]);
});

test.each(OVERVIEW)(
  '%s with %j takes these calls, however much data there is',
  async (path, query, calls) => {
    fixture.calls.reset();
    const { body } = await fixture.ownerOf(busy.workspaceId).get(path, { query });
    expect(fixture.calls.commands()).toEqual(calls);
    expect(body.truncated).toBeFalsy();
  },
);

test('the counts are those of all leads and rejections', async () => {
  const owner = fixture.ownerOf(busy.workspaceId);
  const { body: stats } = await owner.get('/stats', { query: { by: 'hour', from: since(7) } });
  expect(stats.total.accepted).toBe((7 * 24 + 1) * 50_000);
  const { body: recent } = await owner.get('/stats');
  expect(recent).toMatchObject({ by: 'hour', from: '2026-11-14T12:00:00Z', to: '2026-11-15T13:00:00Z' });
  const { body: diagnostics } = await owner.get('/diagnostics', { query: { by: 'hour', from: since(7) } });
  expect(diagnostics.rejected.total).toBe((7 * 24 * 60 + 1) * 50_000);
});

test('leads themselves are not read', async () => {
  const actions = recordTableActions(fixture.calls, tables);
  for (const [path, query] of OVERVIEW) await fixture.ownerOf(busy.workspaceId).get(path, { query });
  fixture.calls.injectBefore(undefined);
  expect(actions.size).toBeGreaterThan(0);
  expect([...actions].filter((action) => action.startsWith('lead'))).toEqual([]);
});

test('the deliveries of 101 forms take one more batch, and read no secret', async () => {
  const { workspaceId } = await fixture.administration.createWorkspace({ name: 'Many forms' });
  const owner = fixture.ownerOf(workspaceId);
  for (let n = 0; n < 101; n += 1) {
    const { formId } = await fixture.administration.createForm({ workspaceId, name: `Form ${n}` });
    if (n % 50 === 0) await fixture.administration.setSecret({ formId });
  }
  const projections = new Set<unknown>();
  fixture.calls.reset();
  fixture.calls.injectBefore((command, input) => {
    if (command !== 'BatchGetItem') return undefined;
    const { RequestItems } = input as { RequestItems: Record<string, { ProjectionExpression?: string }> };
    projections.add(RequestItems[tables.formSecrets]?.ProjectionExpression);
    return undefined;
  });
  const { body } = await owner.get('/deliveries');
  fixture.calls.injectBefore(undefined);
  expect(fixture.calls.commands()).toEqual(['Query', 'Query', 'BatchGetItem', 'BatchGetItem']);
  expect([...projections]).toEqual(['slug, formId, setAt, previousEndsAtMilliseconds']);
  const { body: list } = await owner.get('/forms');
  const ids = (entries: { formId: string }[]) => entries.map(({ formId }) => formId);
  expect(ids(body.deliveries)).toEqual(ids(list.forms));
  expect(body.deliveries.filter((each: { secret: { isSet: boolean } }) => each.secret.isSet)).toHaveLength(3);
});
