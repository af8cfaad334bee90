import { describe, expect, test } from '@jest/globals';
import type { Diagnostics, ListedForm } from '../../console/src/api/types.ts';
import { readNeverWorked } from '../../console/src/pages/diagnostics/never-worked.ts';
import { reasonLinks } from '../../console/src/pages/diagnostics/reason-links.ts';
import {
  knownForms,
  matchingRejections,
  readFilters,
  readRequestId,
  sumByReason,
} from '../../console/src/pages/diagnostics/rejections.ts';
import { KEY_REUSED, REASONS, type RecordedReason } from '../../lambdas/model/reasons.ts';

type Count = Diagnostics['rejected']['counts'][number];

const AT = '2026-11-15T12:00:00Z';
const COUNTS: Count[] = [
  { at: AT, surface: '1b', formId: 'f1', reason: 'signature_mismatch', authenticated: false, count: 2 },
  { at: AT, surface: '1b', formId: 'f2', reason: 'signature_mismatch', authenticated: false, count: 3 },
  { at: AT, surface: '1a', reason: 'token_missing', authenticated: false, count: 1 },
];

describe('filters', () => {
  const filtered = (address: string) => matchingRejections(COUNTS, readFilters(new URLSearchParams(address)));

  test.each([
    ['', COUNTS],
    ['surface=1a', [COUNTS[2]]],
    ['form=f1', [COUNTS[0]]],
    ['form=none', [COUNTS[2]]],
    ['reason=signature_mismatch&form=f2', [COUNTS[1]]],
    ['surface=3c&reason=bad_luck', COUNTS],
  ])('from the address %p', (address, expected) => {
    expect(filtered(address)).toEqual(expected);
  });
});

describe('counts', () => {
  test('are summed by reason, most frequent first, with the affected forms', () => {
    expect(sumByReason(COUNTS)).toEqual([
      { reason: 'signature_mismatch', count: 5, formIds: ['f2', 'f1'], surfaces: ['1b'] },
      { reason: 'token_missing', count: 1, formIds: [], surfaces: ['1a'] },
    ]);
  });
});

describe('links for a reason', () => {
  test('a wrong signature: in the debugger of its form', () => {
    expect(reasonLinks('signature_mismatch', { form: { formId: 'f1', name: 'Contact' } })).toEqual([
      { text: 'Signature debugger of “Contact”', href: '/forms/f1/delivery#debugger' },
      { text: 'Delivery settings of “Contact”', href: '/forms/f1/delivery' },
    ]);
  });

  test.each<RecordedReason>([...REASONS, KEY_REUSED])(
    '%s: without a form no address names one, and none comes twice',
    (reason) => {
      const hrefs = reasonLinks(reason).map(({ href }) => href);
      expect(hrefs.filter((href) => href.includes('undefined') || href.startsWith('/forms/'))).toEqual([]);
      expect(new Set(hrefs).size).toBe(hrefs.length);
    },
  );
});

describe('the forms that rejections name', () => {
  const form = (formId: string, name: string, archivedAt?: string) =>
    ({ formId, name, slug: `${name}-1`, ...(archivedAt && { archivedAt }) }) as ListedForm;
  const live = [form('f1', 'Contact')];

  test('have their names, including archived ones once loaded', () => {
    const { nameOf, all } = knownForms(live, [form('f2', 'Fair', AT)]);
    expect([undefined, 'f1', 'f2', 'f3'].map(nameOf)).toEqual([
      'No form',
      'Contact',
      'Fair (archived)',
      'Unknown form',
    ]);
    expect(all.map(({ formId }) => formId)).toEqual(['f1', 'f2']);
    expect(knownForms(live, undefined).nameOf('f2')).toBe('Archived form');
  });

  test('are linked only while they accept leads', () => {
    const { takingLeads } = knownForms(live, [form('f2', 'Fair', AT)]);
    expect(takingLeads(['f2', 'f1', 'f3'])).toEqual([{ formId: 'f1', name: 'Contact' }]);
  });
});

describe('a request id', () => {
  const ID = '6f1e2c9a-0b3d-4e5f-8a7b-1c2d3e4f5a6b';
  test.each([
    [ID, ID],
    [`  ${ID.toUpperCase()}\n`, ID],
    [`x-amzn-RequestId: ${ID}`, ID],
    [`< x-amzn-requestid: ${ID}\r\n`, ID],
    [`"x-amzn-RequestId": "${ID}",`, ID],
    ['garbage!!', undefined],
    ['', undefined],
    [`${ID}0`, undefined],
  ])('of %j', (typed, id) => {
    expect(readRequestId(typed)).toBe(id);
  });
});

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
