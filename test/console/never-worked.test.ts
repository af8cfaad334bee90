import { expect, test } from '@jest/globals';
import { readNeverWorked } from '../../console/src/pages/diagnostics/never-worked.ts';

const NOW = Date.parse('2026-11-16T12:30:00Z');
const SET_UP = '2026-11-16T10:20:00.000Z';

interface Workspace {
  readonly rejected?: readonly object[];
  readonly secret?: object;
  readonly tokens?: readonly object[];
  readonly leads?: readonly object[];
}

const rejected = (more: object = {}) => ({
  at: '2026-11-16T11:00:00Z',
  formId: 'form_1',
  surface: '1b',
  reason: 'signature_mismatch',
  count: 3,
  ...more,
});
const webhook = { isSet: true, setAt: SET_UP };
const token = { tokenId: 'tok_1', formId: 'form_1', createdAt: SET_UP };
const byToken = rejected({ surface: '1a', reason: 'body_invalid_json' });

/** What the console shows for it, and what it asked for. */
async function shown({
  rejected: counts = [rejected()],
  secret = webhook,
  tokens = [],
  leads = [],
}: Workspace) {
  const asked: string[] = [];
  const responses: Readonly<Record<string, unknown>> = {
    '/settings/diagnostics': { rejected: { counts } },
    '/settings/deliveries': { deliveries: [{ formId: 'form_1', secret }] },
    '/settings/tokens': { tokens },
    '/settings/forms/form_1/leads': { rows: leads },
  };
  async function get<T>(path: string): Promise<T> {
    asked.push(path);
    return responses[path] as T;
  }
  const found = await readNeverWorked({ get }, NOW, new AbortController().signal);
  return {
    asked,
    found: found.map(({ surface, reason, rejections }) => `${surface} ${reason} ${rejections}`),
  };
}

test.each<[string, Workspace, string]>([
  ['a webhook', {}, '1b signature_mismatch 3'],
  [
    'a webhook of a form with a test lead',
    { leads: [{ surface: '1b', test: true }] },
    '1b signature_mismatch 3',
  ],
  ['a webhook of a form whose token works', { leads: [{ surface: '1a' }] }, '1b signature_mismatch 3'],
  [
    'a form without a secret',
    { secret: { isSet: false }, rejected: [rejected({ reason: 'secret_not_configured' })] },
    '1b secret_not_configured 3',
  ],
  ['a server token', { rejected: [byToken], tokens: [token] }, '1a body_invalid_json 3'],
  [
    'a page',
    { secret: { isSet: false }, rejected: [rejected({ surface: '2', reason: 'origin_not_allowed' })] },
    '2 origin_not_allowed 3',
  ],
  [
    'a webhook, with the newest reason',
    {
      rejected: [rejected({ at: '2026-11-16T12:00:00Z', reason: 'signature_missing', count: 1 }), rejected()],
    },
    '1b signature_missing 4',
  ],
])('%s that has only been rejected is shown', async (_what, workspace, expected) => {
  expect((await shown(workspace)).found).toEqual([expected]);
});

test.each<[string, Workspace]>([
  ['a webhook that was used', { secret: { ...webhook, lastUsedAt: SET_UP } }],
  ['a webhook that worked with an earlier secret', { leads: [{ surface: '1b' }] }],
  ['rejections from before the secret was set', { rejected: [rejected({ at: '2026-11-16T09:00:00Z' })] }],
  ['rejections of another form', { rejected: [rejected({ formId: 'form_2' })] }],
  ['a form without a secret that its tokens use', { secret: { isSet: false }, leads: [{ surface: '1a' }] }],
  [
    'a form of which one token works',
    { rejected: [byToken], tokens: [token, { ...token, tokenId: 'tok_2', lastUsedAt: SET_UP }] },
  ],
  ['a form whose only token was revoked', { rejected: [byToken], tokens: [{ ...token, revokedAt: SET_UP }] }],
])('%s is not shown', async (_what, workspace) => {
  expect((await shown(workspace)).found).toEqual([]);
});

test('a workspace without rejections is asked one request', async () => {
  expect((await shown({ rejected: [rejected({ formId: undefined })] })).asked).toEqual([
    '/settings/diagnostics',
  ]);
});
