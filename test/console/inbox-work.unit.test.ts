import { describe, expect, test } from '@jest/globals';
import type { Client } from '../../console/src/api/client.ts';
import type { InboxLead } from '../../console/src/api/types.ts';
import { FOLLOWED_MS, withOwnChanges } from '../../console/src/pages/leads/inbox/changed-leads.ts';
import { chipsOf, isSet, QUICK_FILTERS, toggle } from '../../console/src/pages/leads/inbox/filter-chips.ts';
import type { InboxFilter } from '../../console/src/pages/leads/inbox/inbox-filter.ts';
import { shortcutOf } from '../../console/src/pages/leads/inbox/inbox-keys.ts';
import { handledStep } from '../../console/src/pages/leads/review/handled-steps.ts';
import { reviewStep } from '../../console/src/pages/leads/review/review-steps.ts';
import type { Step, SteppedLead } from '../../console/src/pages/leads/review/step.ts';

const AT = '2026-11-15T12:00:00.000Z';
const NOW = Date.parse(AT);

const quick = (name: string) =>
  QUICK_FILTERS.find((one) => one.name === name) as (typeof QUICK_FILTERS)[number];

/** What is set, without what is explicitly undefined. */
const given = (filter: InboxFilter) => JSON.parse(JSON.stringify(filter));

describe('quick filters', () => {
  test('are removed by a second click, and keep the other filters', () => {
    const filter = toggle({ q: 'navy', period: '7d' }, quick('To do'));
    expect(isSet(filter, quick('To do'))).toBe(true);
    expect(given(toggle(filter, quick('To do')))).toEqual({ q: 'navy', period: '7d' });
  });

  test('replace each other', () => {
    expect(given(toggle({ status: 'todo', clean: true }, quick('Handled')))).toEqual({ status: 'handled' });
    expect(given(toggle({ status: 'new' }, quick('To do')))).toEqual({ status: 'todo', clean: true });
  });

  test('Today without a period ends the order by score', () => {
    expect(given(toggle({ period: 'today', sort: 'score' }, quick('Today')))).toEqual({});
  });
});

describe('chips', () => {
  const words = { formName: () => 'Contact us', dayText: (day: string) => day };

  test('say what is set, and each removes one filter', () => {
    const filter: InboxFilter = {
      q: 'navy',
      form: 'form_1',
      period: { firstDay: '2026-11-01', lastDay: '2026-11-15' },
      clean: true,
      minScore: 40,
      status: 'todo',
      reviewed: false,
      enrichment: 'failed',
      sort: 'score',
    };
    const chips = chipsOf(filter, words);
    expect(chips.map(({ text }) => text)).toEqual([
      '2026-11-01 to 2026-11-15',
      'Form: Contact us',
      'To do',
      'Clean',
      'Not reviewed',
      'Score 40 to 100',
      'Enrichment: nothing found',
    ]);
    for (const { without } of chips) {
      expect(chipsOf(without, words)).toHaveLength(chips.length - 1);
      expect(without.q).toBe('navy');
    }
    expect(chips[0]?.without.sort).toBeUndefined();
    expect(chipsOf({ q: 'navy', sort: 'score' }, words)).toEqual([]);
  });
});

describe('shortcuts', () => {
  const NONE = { altKey: false, ctrlKey: false, metaKey: false, repeat: false, defaultPrevented: false };
  /** An element that is within the first of these selectors. */
  const within = (...selectors: string[]) => ({
    closest: (asked: string) => selectors.some((one) => asked.split(', ').includes(one)) || null,
  });

  test('other keys, and keys with a modifier, belong to the browser', () => {
    for (const key of ['a', 'S', 'Tab', 'toString'])
      expect(shortcutOf({ ...NONE, key }, null)).toBeUndefined();
    for (const modifier of ['altKey', 'ctrlKey', 'metaKey', 'defaultPrevented']) {
      expect(shortcutOf({ ...NONE, key: 's', [modifier]: true }, null)).toBeUndefined();
    }
  });

  test.each([
    'textarea',
    'select',
    '[contenteditable]',
    'input:not([type="checkbox"])',
    '[role="dialog"]',
    '[role="menu"]',
  ])('are off while the focus is in %s', (selector) => {
    expect(shortcutOf({ ...NONE, key: 's' }, within(selector))).toBeUndefined();
  });

  test('Enter belongs to a button or link that has the focus; the letters do not', () => {
    expect(shortcutOf({ ...NONE, key: 'Enter' }, within('button'))).toBeUndefined();
    expect(shortcutOf({ ...NONE, key: 's' }, within('button', 'a'))).toBe('s');
  });

  test('held down, only moving repeats', () => {
    expect(shortcutOf({ ...NONE, key: 'j', repeat: true }, null)).toBe('j');
    expect(shortcutOf({ ...NONE, key: 's', repeat: true }, null)).toBeUndefined();
  });
});

describe('own changes', () => {
  const lead = { submissionId: 'a', clean: true, status: 'new' } as InboxLead;
  const changed = { a: { patch: { clean: false, status: 'handled' as const }, at: NOW } };

  test('are shown over what was read before the list could follow', () => {
    for (const readAt of [NOW - 60_000, NOW, NOW + FOLLOWED_MS - 1]) {
      expect(withOwnChanges([lead], changed, readAt)).toEqual([{ ...lead, clean: false, status: 'handled' }]);
    }
  });

  test('end once the list has followed, so that changes of others show', () => {
    expect(withOwnChanges([lead], changed, NOW + FOLLOWED_MS)).toEqual([lead]);
  });
});

/** What a step sends, with an API that finds every lead. */
async function sent(step: Step | undefined, senders: object = { changed: [], full: false }) {
  const requests: unknown[] = [];
  const client = {
    change: async (method: string, path: string, body: { submissionIds?: string[] }) => {
      requests.push([`${method} ${path}`, body]);
      return { reviewed: body.submissionIds, changed: body.submissionIds, notFound: [], senders };
    },
  } as unknown as Pick<Client, 'change'>;
  const told = await step?.send(client);
  return { requests, told };
}

const review = (verdict: 'good' | 'spam', by: 'you' | 'member' | 'key' = 'member') => ({
  verdict,
  at: AT,
  by,
});
const REVIEW = 'POST /settings/leads/review';

describe('a verdict', () => {
  const leads: SteppedLead[] = [
    { submissionId: 'a', clean: true },
    { submissionId: 'b', clean: true, review: review('good') },
    { submissionId: 'c', clean: false },
  ];

  test('is for the address, and offers the domains', async () => {
    const { requests, told } = await sent(reviewStep(leads, 'spam'), {
      changed: [],
      full: false,
      domains: ['acme.com', 'navy.com', 'third.com'],
    });
    expect(requests).toEqual([
      [REVIEW, { submissionIds: ['a', 'b', 'c'], verdict: 'spam', sender: 'address' }],
    ]);
    expect(told?.offers?.map(({ text }) => text)).toEqual([
      'Block everyone at acme.com',
      'Block everyone at navy.com',
    ]);
    const block = told?.offers?.[0]?.step;
    expect(await sent(block)).toMatchObject({
      requests: [['PUT /settings/senders', { sender: 'acme.com', status: 'blocked' }]],
      told: { text: 'acme.com is now blocked.' },
    });
    expect((await sent(block?.undo)).requests).toEqual([
      ['PUT /settings/senders', { sender: 'acme.com', status: null }],
    ]);
  });

  test('is shown at once, and what was before if it fails', () => {
    const { patches, before } = reviewStep(leads, 'spam');
    expect(patches.b).toMatchObject({ review: { verdict: 'spam', by: 'you' }, clean: false });
    expect(before).toEqual({
      a: { review: undefined, clean: true },
      b: { review: review('good'), clean: true },
      c: { review: undefined, clean: false },
    });
  });

  test('is taken back to what each lead had before', async () => {
    const { undo } = reviewStep(leads, 'spam');
    expect((await sent(undo)).requests).toEqual([
      [REVIEW, { submissionIds: ['a', 'c'], verdict: null }],
      [REVIEW, { submissionIds: ['b'], verdict: 'good', sender: 'address' }],
    ]);
    expect(undo?.patches.b).toEqual({ review: review('good', 'you'), clean: true });
    expect(undo?.undo).toBeUndefined();
  });
});

describe('handled', () => {
  const HANDLED = 'POST /settings/leads/handled';
  const handled = { at: AT, by: 'member' as const, note: 'Called.' };
  const leads: SteppedLead[] = [
    { submissionId: 'a', status: 'new' },
    { submissionId: 'b', status: 'handled', handled },
    { submissionId: 'c', status: 'handled', handled: { at: AT, by: 'key' } },
  ];

  test('keeps who did it first', () => {
    const { patches } = handledStep(leads, { handled: true, note: 'Again' });
    expect(patches.a).toMatchObject({ status: 'handled', handled: { by: 'you', note: 'Again' } });
    expect(patches.b).toEqual({ status: 'handled', handled: { ...handled, note: 'Again' } });
  });

  test('removes a note that was emptied', async () => {
    const step = handledStep(leads.slice(1, 2), { handled: true, note: null });
    expect(step.patches.b).toEqual({ status: 'handled', handled: { at: AT, by: 'member' } });
    const { requests } = await sent(step);
    expect(requests).toEqual([[HANDLED, { submissionIds: ['b'], handled: true, note: null }]]);
  });

  test('is taken back to what each lead had before, with its note', async () => {
    const { requests } = await sent(handledStep(leads, { handled: false }).undo);
    expect(requests).toEqual([
      [HANDLED, { submissionIds: ['a'], handled: false }],
      [HANDLED, { submissionIds: ['b'], handled: true, note: 'Called.' }],
      [HANDLED, { submissionIds: ['c'], handled: true, note: null }],
    ]);
  });
});
