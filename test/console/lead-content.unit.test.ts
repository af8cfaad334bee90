import { describe, expect, test } from '@jest/globals';
import type { Lead, Message } from '../../console/src/api/types.ts';
import { contactLink, leadContent, leadTitle } from '../../console/src/pages/leads/detail/contact.ts';
import { timelineOf } from '../../console/src/pages/leads/detail/timeline.ts';
import { SIGNAL_LABELS, signalLabel } from '../../lambdas/scoring/signal-words.ts';
import { WEIGHTS } from '../../lambdas/scoring/weights.ts';

const contentOf = (body: object, configured: Parameters<typeof leadContent>[1] = []) =>
  leadContent(JSON.stringify(body), configured);
const contactOf = (...given: Parameters<typeof contentOf>) =>
  contentOf(...given).contact.map(({ label, text }) => [label, text]);
const titleOf = (...given: Parameters<typeof contentOf>) => leadTitle(contentOf(...given).contact);

describe('the contact facts of a lead', () => {
  test('have a fixed order, and the other fields follow as sent', () => {
    const content = contentOf({
      budget: '5,000',
      message: 'Please call me about the engine.',
      city: 'London',
      land: 'UK',
      homepage: 'https://analytical-engines.co.uk',
      telefon: '+44 20 7946 0958',
      'E-Mail': 'ada@analytical-engines.co.uk',
      firma: 'Analytical Engines',
      vorname: 'Ada',
      nachname: 'Byron',
      seats: 40,
    });
    expect(content.contact.map(({ label, text }) => [label, text])).toEqual([
      ['Name', 'Ada Byron'],
      ['Company', 'Analytical Engines'],
      ['Email', 'ada@analytical-engines.co.uk'],
      ['Phone', '+44 20 7946 0958'],
      ['Website', 'https://analytical-engines.co.uk'],
      ['Country', 'UK'],
      ['city', 'London'],
      ['Message', 'Please call me about the engine.'],
    ]);
    expect(content.others.map(({ label, text }) => [label, text])).toEqual([
      ['budget', '5,000'],
      ['seats', '40'],
    ]);
  });

  test('follow the roles and labels of the form', () => {
    const configured = [
      { key: 'q1', label: 'Who are you?', role: 'name' },
      { key: 'q2', role: 'company' },
    ] as const;
    expect(contactOf({ q2: 'Acme', q1: 'ada' }, configured)).toEqual([
      ['Who are you?', 'ada'],
      ['Company', 'Acme'],
    ]);
  });

  test('a field with more than the address is also shown whole', () => {
    const content = contentOf({ email: 'Ada <ada@example.org>' });
    expect(content.contact.map(({ text }) => text)).toEqual(['ada@example.org']);
    expect(content.others.map(({ text }) => text)).toEqual(['Ada <ada@example.org>']);
  });

  test('include nested ones without hiding a field of the same name', () => {
    const content = contentOf({ person: { company: 'Acme' }, company: '' });
    expect(content.contact.map(({ text }) => text)).toEqual(['Acme']);
    expect(content.others.map(({ key }) => key)).toEqual(['company']);
    expect(content.nested).toEqual(['person']);
  });

  test.each(['not json', '[]', 'null', '"text"', '{"__proto__":{"email":"a@b.co"}}'])(
    'a body without any has none: %s',
    (body) => {
      expect(leadContent(body, []).contact.filter(({ role }) => role !== 'email')).toEqual([]);
    },
  );
});

describe('the title of a lead', () => {
  test('names the person and the company, else the email address', () => {
    const [name, company, email] = ['Ada Byron', 'Acme', 'ada@acme.com'];
    expect(titleOf({ email, company, name })).toBe('Ada Byron, Acme');
    expect(titleOf({ email, name })).toBe('Ada Byron');
    expect(titleOf({ email, company })).toBe('Acme');
    expect(titleOf({ email })).toBe('ada@acme.com');
    expect(titleOf({ color: 'red' })).toBe('Lead');
  });

  test('joins a family name with whatever comes before it', () => {
    expect(titleOf({ firstname: 'Ada', lastname: 'Byron' })).toBe('Ada Byron');
    expect(titleOf({ name: 'Ada', surname: 'Byron' })).toBe('Ada Byron');
    expect(titleOf({ name: 'Ada Byron', surname: 'Byron' })).toBe('Ada Byron');
  });

  test('is one short line', () => {
    expect(titleOf({ name: 'Ada\n\u202eByron' })).toBe('Ada Byron');
    expect(titleOf({ name: '😀'.repeat(100) })).toBe(`${'😀'.repeat(60)}…`);
  });

  test('keeps the joiners of emoji and names, also where it is cut', () => {
    expect(titleOf({ name: 'علی\u200cرضا 👩\u200d💻' })).toBe('علی\u200cرضا 👩\u200d💻');
    expect(titleOf({ name: '👩\u200d💻'.repeat(100) })).toBe(`${'👩\u200d💻'.repeat(60)}…`);
  });
});

test.each([
  ['email', 'ada+news@acme.com', 'mailto:ada%2Bnews@acme.com'],
  ['email', 'ada&cc=eve@acme.com', 'mailto:ada%26cc%3Deve@acme.com'],
  ['email', 'not an address', undefined],
  ['phone', '+44 (20) 7946-0958', 'tel:+442079460958'],
  ['phone', '030/123 456', 'tel:030123456'],
  ['phone', 'call me, 5 pm', undefined],
  ['website', 'https://acme.com', undefined],
] as const)('the link of %s %s is %s', (role, text, link) => {
  expect(contactLink({ role, label: '', text })).toBe(link);
});

describe('the timeline of a lead', () => {
  const LEAD: Lead = {
    submissionId: 'lead-1',
    formId: 'form_1',
    receivedAt: '2026-11-15T12:00:00Z',
    surface: '1b',
    score: 80,
    clean: true,
    status: 'new',
    signals: [],
    body: '{}',
    enrichment: { state: 'pending' },
  };
  const message = (more: Partial<Message>): Message => ({
    messageId: 'message-1',
    destinationId: 'dest_1',
    type: 'lead.accepted',
    submissionId: 'lead-1',
    alertId: undefined,
    formId: 'form_1',
    status: 'delivered',
    createdAt: '2026-11-15T12:00:01Z',
    attempts: [],
    nextAttemptAt: undefined,
    answerExcerpt: undefined,
    ...more,
  });
  const steps = (lead: Partial<Lead>, messages?: readonly Message[]) =>
    timelineOf({ ...LEAD, ...lead }, messages, (id) => `the ${id}`).map(({ text, at }) =>
      at === undefined ? text : `${at.slice(14, 19)} ${text}`,
    );
  const attempt = (at: string) => ({ at, milliseconds: 5, status: 200, error: undefined });

  test('is in order of time, and what has not happened comes last', () => {
    const enrichment = {
      state: 'enriched',
      facts: {},
      enrichedAt: '2026-11-15T12:00:07Z',
      attempts: 1,
    } as const;
    const delivered = message({
      attempts: [attempt('2026-11-15T12:00:02Z'), attempt('2026-11-15T12:00:05Z')],
    });
    const second = message({ type: 'lead.enriched', status: 'failed', createdAt: '2026-11-15T12:00:08Z' });
    expect(steps({ enrichment }, [second, delivered])).toEqual([
      '00:00 Received via Webhook',
      '00:00 Scored 80 of 100, clean',
      '00:05 Forwarded to the dest_1',
      '00:07 Enriched',
      '00:08 Couldn’t forward to the dest_1 (enrichment)',
    ]);
    expect(steps({}, [delivered]).at(-1)).toBe('Enrichment pending');
  });
});

describe('signal labels', () => {
  test('every signal has a short one of its own', () => {
    expect(Object.keys(SIGNAL_LABELS).sort()).toEqual(Object.keys(WEIGHTS).sort());
    const labels = Object.values(SIGNAL_LABELS);
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels.filter((label) => label.length < 4 || label.length > 28)).toEqual([]);
  });

  test('a signal of an earlier scoring keeps its name', () => {
    expect(signalLabel('email_company_domain')).toBe('Company email domain');
    expect(signalLabel('old_signal')).toBe('Old signal');
    expect(signalLabel('constructor')).toBe('Constructor');
  });
});
