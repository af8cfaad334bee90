import { describe, expect, test } from '@jest/globals';
import type { Destination } from '../../console/src/api/types.ts';
import {
  changesIn,
  createBody,
  draftOf,
  draftProblems,
  NEW_DRAFT,
  withKind,
} from '../../console/src/pages/destinations/destination-draft.ts';
import {
  addressText,
  EVENT_WORDS,
  eventsText,
  formsText,
  stateWords,
} from '../../console/src/pages/destinations/destinations.ts';
import { DESTINATION_EVENTS } from '../../lambdas/sending/destination.ts';

const WEBHOOK = {
  destinationId: 'dest_1',
  kind: 'webhook',
  name: 'CRM',
  url: 'https://crm.example.com/leads',
  events: ['lead.accepted'],
  forms: 'all',
  onlyClean: true,
  includeFields: false,
  status: 'active',
  health: { state: 'ok' },
} as unknown as Destination;

describe('the state of a destination', () => {
  test.each([
    ['Active', {}, undefined],
    ['Failing', { health: { state: 'failing' } }, 'retried automatically'],
    ['Unreachable', { health: { state: 'unreachable' } }, 'once it works again'],
    ['Slow', { health: { state: 'ok', slowSince: '2026-11-15T12:00:00.000Z' } }, 'arrive late'],
    ['Paused', { status: 'paused', health: { state: 'failing' } }, 'until you resume it'],
    ['Disabled', { status: 'disabled', disabledReason: 'gone' }, 'It returned 410 Gone'],
    ['Disabled', { status: 'disabled', disabledReason: 'failing' }, 'failed for five days'],
    [
      'Not confirmed',
      { confirmation: 'pending', confirmationSentAt: '2026-11-15T12:00:00Z' },
      'works for 7 days',
    ],
    ['Not confirmed', { confirmation: 'pending' }, 'hasn’t been asked yet'],
    ['Active', { confirmation: 'confirmed' }, undefined],
    ['Stopped', { status: 'disabled', disabledReason: 'stopped' }, 'doesn’t want these emails'],
    ['Bounced', { status: 'disabled', disabledReason: 'bounced' }, 'doesn’t exist'],
    ['Marked as spam', { status: 'disabled', disabledReason: 'complained' }, 'as spam'],
  ] as const)('is %s for %p, with what it means', (text, changes, detail) => {
    const words = stateWords({ ...WEBHOOK, ...changes } as Destination);
    expect(words.text).toBe(text);
    if (detail === undefined) expect([words.brief, words.detail]).toEqual([undefined, undefined]);
    else expect(words.detail).toContain(detail);
  });

  test.each(['gone', 'failing'] as const)('says how to activate a destination disabled as %s', (reason) => {
    const { detail } = stateWords({ ...WEBHOOK, status: 'disabled', disabledReason: reason });
    expect(detail).toContain('then activate the destination again');
  });
});

test('an address never contains more of a Slack URL than its end', () => {
  expect(addressText(WEBHOOK)).toBe('https://crm.example.com/leads');
  expect(addressText({ ...WEBHOOK, kind: 'slack', url: undefined, urlEnd: 'x9Yz' })).toBe(
    'hooks.slack.com/…x9Yz',
  );
  expect(addressText({ ...WEBHOOK, kind: 'email', url: undefined, email: 'a@b.example' })).toBe(
    'a@b.example',
  );
});

test('every event and form has a name', () => {
  expect(Object.keys(EVENT_WORDS)).toEqual([...DESTINATION_EVENTS]);
  expect(eventsText({ events: ['lead.accepted', 'lead.erased'] })).toBe('Lead accepted, Lead erased');
  const nameOf = (formId: string) => (formId === 'form_1' ? 'Contact us' : undefined);
  expect(formsText({ forms: 'all' }, nameOf)).toBe('All forms');
  expect(formsText({ forms: ['form_1', 'form_2'] }, nameOf)).toBe('Contact us, form_2');
});

describe('what is entered for a destination', () => {
  test('is complete with an address', () => {
    expect(draftProblems(NEW_DRAFT)).toEqual({ address: 'Enter a URL.' });
    expect(draftProblems({ ...NEW_DRAFT, kind: 'email' })).toEqual({
      address: 'Enter an email address.',
      includeFields: 'Choose what messages contain.',
    });
    expect(draftProblems({ ...NEW_DRAFT, address: 'https://x.example' })).toEqual({});
  });

  test('needs an event and a form', () => {
    const draft = { ...NEW_DRAFT, address: 'https://x.example', events: [], allForms: false };
    expect(draftProblems(draft)).toEqual({
      events: 'Choose at least one event.',
      forms: 'Choose at least one form.',
    });
  });

  test('is sent without an empty name, and without fields that the kind does not have', () => {
    expect(createBody({ ...NEW_DRAFT, address: ' https://x.example ' })).toEqual({
      kind: 'webhook',
      url: 'https://x.example',
      events: ['lead.accepted'],
      forms: 'all',
      onlyClean: true,
    });
    expect(createBody({ ...NEW_DRAFT, kind: 'email', address: 'a@b.example', name: 'Sales' })).toEqual({
      kind: 'email',
      name: 'Sales',
      email: 'a@b.example',
      events: ['lead.accepted'],
      forms: 'all',
      onlyClean: true,
      includeFields: false,
    });
  });

  test.each(['email', 'slack'] as const)('suggests alerts for %s, and not for a webhook', (kind) => {
    const draft = withKind({ ...NEW_DRAFT, address: 'https://x.example' }, kind);
    expect(draft).toMatchObject({ kind, address: '' });
    expect(draft.events).toEqual(['lead.accepted', 'alert.opened', 'alert.closed']);
    expect(withKind(draft, 'webhook').events).toEqual(['lead.accepted']);
  });

  test('keeps chosen events if the kind changes', () => {
    const draft = { ...NEW_DRAFT, events: ['lead.erased'] as const };
    expect(withKind(draft, 'email').events).toEqual(['lead.erased']);
  });

  test('is sent as changes only, and a Slack URL may stay as it is', () => {
    const seen = draftOf({ ...WEBHOOK, kind: 'slack', url: undefined, urlEnd: 'x9Yz' });
    expect(draftProblems(seen, seen)).toEqual({});
    expect(changesIn(seen, seen)).toEqual({});
    expect(changesIn({ ...seen, includeFields: true }, seen)).toEqual({ includeFields: true });
    expect(changesIn({ ...seen, allForms: false, formIds: ['form_1'] }, seen)).toEqual({
      forms: ['form_1'],
    });
    expect(draftProblems({ ...seen, name: ' ' }, seen)).toEqual({ name: 'Enter a name.' });
  });
});
