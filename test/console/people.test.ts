import { expect, test } from '@jest/globals';
import type { Client } from '../../console/src/api/client.ts';
import type { Related, RelatedLead } from '../../console/src/api/types.ts';
import {
  countByForm,
  erasedAsCsv,
  erasePerson,
  whySame,
} from '../../console/src/pages/leads/person/people.ts';

test.each([
  [true, true, 'Same email and phone'],
  [true, false, 'Same email'],
  [false, true, 'Same phone'],
])('email %s, phone %s: %s', (sameEmail, samePhone, words) => {
  expect(whySame({ sameEmail, samePhone })).toBe(words);
});

test('counts by form what has the same email address, with the lead itself', () => {
  const lead = (formId: string, sameEmail: boolean) => ({ formId, sameEmail }) as RelatedLead;
  const related: Related = { leads: [lead('a', true), lead('b', true), lead('b', false)], more: false };
  expect(countByForm(related, { formId: 'b' })).toEqual([
    { formId: 'b', leads: 2 },
    { formId: 'a', leads: 1 },
  ]);
});

const erased = (id: string) => ({
  submissionId: id,
  formId: 'form_1',
  receivedAt: '2026-11-15T12:00:00.000Z',
});

test('repeats the request with the cursor until nothing is left', async () => {
  const responses = [
    { erased: [erased('3')], complete: false, cursor: 'next' },
    { erased: [erased('2')], complete: false },
    { erased: [], complete: true },
  ];
  const sent: unknown[] = [];
  const client = {
    change: async (method: string, path: string, body: unknown) => {
      sent.push([method, path, body]);
      return responses[sent.length - 1];
    },
  } as Pick<Client, 'change'>;
  const told: string[] = [];
  await erasePerson(client, 'ann@acme.example', (leads) => {
    told.push(...leads.map(({ submissionId }) => submissionId));
  });
  expect(told).toEqual(['3', '2']);
  expect(sent).toEqual(
    ['', 'next', ''].map((cursor) => [
      'POST',
      '/settings/people/erase',
      { email: 'ann@acme.example', cursor: cursor || undefined },
    ]),
  );
});

test('lists what was erased as CSV', () => {
  expect(erasedAsCsv([erased('3')])).toBe(
    'submission_id,form_id,received_at\r\n3,form_1,2026-11-15T12:00:00.000Z\r\n',
  );
});
