import { describe, expect, test } from '@jest/globals';
import type { Destination } from '../../console/src/api/types.ts';
import {
  changesIn,
  createBody,
  draftOf,
  draftProblems,
  NEW_DRAFT,
} from '../../console/src/pages/destinations/destination-draft.ts';
import { addressText } from '../../console/src/pages/destinations/destinations.ts';

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

test('an address never contains more of a Slack URL than its end', () => {
  expect(addressText(WEBHOOK)).toBe('https://crm.example.com/leads');
  expect(addressText({ ...WEBHOOK, kind: 'slack', url: undefined, urlEnd: 'x9Yz' })).toBe(
    'hooks.slack.com/…x9Yz',
  );
  expect(addressText({ ...WEBHOOK, kind: 'email', url: undefined, email: 'a@b.example' })).toBe(
    'a@b.example',
  );
});

describe('what is entered for a destination', () => {
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
