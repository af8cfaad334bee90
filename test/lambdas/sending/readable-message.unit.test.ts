import { describe, expect, test } from '@jest/globals';
import { makeLeadId } from '#model/lead-item.ts';
import { messageLetter } from '#recipients/letters.ts';
import { testMessageLead } from '#sending/compose-message.ts';
import { mailMessage } from '#sending/mail-message.ts';
import { readableMessage } from '#sending/readable-message.ts';
import { slackBody } from '#sending/slack-blocks.ts';

const AT = '2026-11-15T12:00:00.000Z';
const LEAD_ID = makeLeadId(Date.parse(AT), new Uint8Array(10).fill(7));
type Fields = Readonly<Record<string, unknown>>;

function contentOf(fields: Fields) {
  const lead = { ...testMessageLead(LEAD_ID, AT), formId: 'form_1', body: JSON.stringify(fields) };
  return { type: 'lead.accepted', at: AT, submissionId: LEAD_ID, formId: 'form_1', lead } as const;
}

const CONTEXT = {
  form: { name: 'Contact\nus' },
  consoleUrl: 'https://console.example.com',
  includeFields: true,
} as const;
const LEAD_URL = `https://console.example.com/forms/form_1/leads/${LEAD_ID}`;
const OURS = ['New lead · Contact us', '', 'Score 90, clean', '', 'Open lead:', LEAD_URL];
const ADA = { email: 'ada@example.com', name: 'Ada Byron', company: 'Analytical Engines' };

const messageOf = (fields: Fields, changes: object = {}) =>
  readableMessage(contentOf(fields), { ...CONTEXT, ...changes });
const mailOf = (fields: Fields, changes?: object) => mailMessage(messageOf(fields, changes));

/** The lines of the plain text below the heading. */
function quoted(fields: Fields): string[] {
  const lines = mailOf(fields).text.trimEnd().split('\n');
  expect(lines.slice(0, OURS.length + 2)).toEqual([...OURS, '', 'Sent by the visitor:']);
  return lines.slice(OURS.length + 2);
}

describe('a message for people', () => {
  test('contains no value of the lead unless the owner chose so', () => {
    const { subject, text, html, replyTo } = mailOf(ADA, { includeFields: false });
    expect(subject).toBe('New lead · Contact us');
    expect(text).toBe(`${OURS.join('\n')}\n`);
    expect(`${html}${slackBody(messageOf(ADA, { includeFields: false }))}`).not.toMatch(/Ada|ada@|Engines/);
    expect(replyTo).toBeUndefined();
  });

  test('has the fields in the order and with the labels of the form, then the others as sent', () => {
    const fields = [
      { key: 'name', label: 'Your name' },
      { key: 'message' },
      { key: 'email', label: 'Email?' },
    ];
    const form = { name: 'Contact us', fields };
    const sent = { ...ADA, message: 'Hello,\r\n\r\n\r\nplease call.' };
    expect(
      mailOf(sent, { form })
        .text.split('\n')
        .slice(OURS.length + 2, -1),
    ).toEqual([
      '> Your name: Ada Byron',
      '> message: Hello,',
      '>',
      '>   please call.',
      '> Email? ada@example.com',
      '> company: Analytical Engines',
    ]);
  });

  test('has no heading for a lead without fields, and says which lead it is where there is no console', () => {
    expect(mailOf({}).text).toBe(`${OURS.join('\n')}\n`);
    expect(messageOf({}, { consoleUrl: undefined })).toMatchObject({
      notes: ['Score 90, clean', `Submission ${LEAD_ID}`],
      button: undefined,
    });
  });

  test('of a test has the fields of the sample, but no link and no Reply-To', () => {
    const content = {
      ...contentOf({}),
      type: 'destination.test',
      lead: testMessageLead(LEAD_ID, AT),
    } as const;
    const message = readableMessage(content, { ...CONTEXT, form: { name: 'Sample form' } });
    expect(message.subject).toBe('Test: Ada Byron, Analytical Engines · Sample form');
    expect(message).toMatchObject({ button: undefined, replyTo: undefined });
  });
});

describe('the subject', () => {
  test.each([
    ['name, company and form', ADA, 'Ada Byron, Analytical Engines · Contact us'],
    ['two parts of a name', { first_name: 'Ada', last_name: 'Byron' }, 'Ada Byron · Contact us'],
    ['the address, if there is no name', { email: 'ada@example.com' }, 'ada@example.com · Contact us'],
    ['the event, if nobody is named', { message: 'Hello there' }, 'New lead · Contact us'],
    [
      'no control characters',
      { name: 'Ada\r\nBcc: eve@evil.example\u202e' },
      'Ada Bcc: eve@evil.example · Contact us',
    ],
    ['no URLs', { name: 'Ada https://evil.example/x www.evil.example' }, 'Ada · Contact us'],
    [
      'host names that are no links',
      { name: 'Ada', company: 'Evil.example' },
      'Ada, Evil[.]example · Contact us',
    ],
    ['joined characters', { name: 'Ada 👩‍💻 علی‌رضا' }, 'Ada 👩‍💻 علی‌رضا · Contact us'],
  ])('has %s', (_, fields, subject) => {
    expect(messageOf(fields).subject).toBe(subject);
  });

  test('is cut to 80 characters, and keeps the name of the form', () => {
    const { subject } = messageOf({ name: '😀'.repeat(90), company: 'B'.repeat(90) });
    expect([...subject]).toHaveLength(80);
    expect(subject).toMatch(/^😀+…, B+… · Contact us$/u);
    const long = messageOf(ADA, { form: { name: 'F'.repeat(200) } }).subject;
    expect([...long].length).toBeLessThanOrEqual(80);
    expect(long).toMatch(/^Ada Byron, Analytical Engines · F+…$/);
  });
});

describe('an answer goes to the lead', () => {
  test.each([
    ['ada@example.com', 'ada@example.com'],
    ['Ada <ada@example.com>', 'ada@example.com'],
    ['"a b"@example.com', undefined],
    ['ada@localhost', undefined],
    ['ada@exämple.com', undefined],
    [`${'a'.repeat(65)}@example.com`, undefined],
  ])('%s: %s', (email, replyTo) => {
    expect(mailOf({ email }).replyTo).toBe(replyTo);
  });
});

describe('plain text', () => {
  test.each([
    ['a key that repeats a line of ours', { 'Score 100, clean': 'yes' }, ['> Score 100, clean: yes']],
    ['a key with line breaks', { 'a\nScore 100, clean\u2028': 'b' }, ['> a Score 100, clean: b']],
    [
      'a value with line breaks',
      { topic: 'Ada\r\n\u0085Sent by us: x\u2029y' },
      ['> topic: Ada', '>', '>   Sent by us: x', '>   y'],
    ],
    ['a value that turns the text around', { topic: 'a\u202egnp.exe' }, ['> topic: a gnp[.]exe']],
    ['a value with nothing to see', { topic: '\u200b\u2060', a: 'b' }, ['> a: b']],
    ['a long key', { ['k'.repeat(70)]: 'x' }, [`> ${'k'.repeat(60)}…: x`]],
    ['a long value, cut between characters', { a: `${'é'.repeat(1_501)}` }, [`> a: ${'é'.repeat(1_500)}…`]],
    ['a joiner that hides a dot', { a: 'evil.\u200dcom' }, ['> a: evil. com']],
  ])('shows %s as lines of the visitor', (_, fields, lines) => {
    expect(quoted(fields)).toEqual(lines);
  });

  test('has at most 40 lines of a value', () => {
    const lines = quoted({ a: 'x\n'.repeat(100) });
    expect(lines).toHaveLength(41);
    expect(lines.at(-1)).toBe('>   …');
  });

  test.each([
    ['https://evil.example/a?b=c.html', 'https[:]//evil[.]example/a?b=c[.]html'],
    ['http://2130706433/', 'http[:]//2130706433/'],
    ['evil.example/login', 'evil[.]example/login'],
    ['ввод.рф', 'ввод[.]рф'],
    ['evil。com', 'evil[。]com'],
    ['ada@evil.example/login', 'ada@evil[.]example/login'],
    ['https://ada@evil.example', 'https[:]//ada@evil[.]example'],
    ['ada@example.com.', 'ada@example.com.'],
    ['Ada <ada.l@example.co.uk>, 9.30 a.m., 1.500,00 €', 'Ada <ada.l@example.co.uk>, 9.30 a.m., 1.500,00 €'],
    ['你好。世界', '你好。世界'],
  ])('makes no link of %s', (value, shown) => {
    expect(quoted({ [`key ${value}`]: value })).toEqual([`> key ${shown}: ${shown}`]);
  });
});

describe('HTML', () => {
  const HOSTILE = `</td></table><script>alert(1)</script><a href="https://evil.example" onclick='x'>Ada & Co`;
  const letterOf = (fields: Fields, changes?: object) =>
    messageLetter(mailOf(fields, changes), { workspaceName: HOSTILE, stopUrl: 'https://api.example/mail/s' });

  test('has two links, to the lead and to stop, and nothing that loads or runs', () => {
    const { html = '' } = letterOf(ADA);
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      LEAD_URL,
      'https://api.example/mail/s',
    ]);
    expect(html).not.toMatch(/<(?:script|img|link|iframe)|src=|url\(/);
    expect(html).toContain('prefers-color-scheme: dark');
  });

  test('shows hostile names and values as text', () => {
    const fields = { name: HOSTILE, company: HOSTILE, [HOSTILE]: HOSTILE, message: HOSTILE };
    const { html = '' } = letterOf(fields, { form: { name: HOSTILE } });
    const tags = (page: string) => page.match(/<\/?[a-z][^>]*>/g) ?? [];
    const plain =
      letterOf({ name: 'a', company: 'b', c: 'd', message: 'e' }, { form: { name: 'f' } }).html ?? '';
    // Whatever is sent, the markup is the same.
    expect(tags(html)).toEqual(tags(plain));
  });
});

describe('Slack', () => {
  const blocksOf = (fields: Fields) =>
    JSON.parse(slackBody(messageOf(fields))) as { text: string; blocks: Record<string, unknown>[] };

  test('gets a header, the fields, the form and a button, and no previews', () => {
    const { blocks, ...options } = blocksOf({ ...ADA, message: `Hello,\nplease call${'!'.repeat(90)}` });
    expect(options).toEqual({
      text: 'Ada Byron, Analytical Engines · Contact us',
      unfurl_links: false,
      unfurl_media: false,
    });
    const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
    expect(blocks).toMatchObject([
      { type: 'header', text: { type: 'plain_text', text: 'Ada Byron, Analytical Engines' } },
      { type: 'section', text: { type: 'plain_text', text: 'Score 90, clean' } },
      { type: 'divider' },
      {
        type: 'section',
        fields: [
          mrkdwn('*email*\nada@example.com'),
          mrkdwn('*name*\nAda Byron'),
          mrkdwn('*company*\nAnalytical Engines'),
        ],
      },
      { type: 'section', text: mrkdwn(`*message*\nHello,\nplease call${'!'.repeat(90)}`) },
      { type: 'context', elements: [{ type: 'plain_text', text: 'New lead · Contact us' }] },
      { type: 'actions', elements: [{ type: 'button', url: LEAD_URL }] },
    ]);
  });

  test('interprets nothing that a visitor sent', () => {
    const mention = blocksOf({ a: 'Ada <!channel> & <https://evil.example|Acme>' }).blocks[3];
    expect(mention).toEqual({
      type: 'section',
      fields: [
        {
          type: 'mrkdwn',
          text: '*a*\nAda &lt;!channel&gt; &amp; &lt;https[:]//evil[.]example|Acme&gt;',
          verbatim: true,
        },
      ],
    });
    for (const value of ['*bold*', '_it_', '~no~', '`code`', ':tada:', '> quote', '• item', '1. one']) {
      for (const fields of [{ a: value }, { [value]: 'b' }]) {
        expect(blocksOf(fields).blocks[3]).toMatchObject({ fields: [{ type: 'plain_text', emoji: false }] });
      }
    }
  });

  test('gets no more than it takes', () => {
    const entries = Array.from({ length: 60 }, (_, at) => [
      `${at}${'&'.repeat(100)}`,
      '&'.repeat(at % 2 ? 5_000 : 70),
    ]);
    const { blocks } = blocksOf(Object.fromEntries(entries));
    expect(blocks.length).toBeLessThanOrEqual(50);
    for (const { text, fields = [] } of blocks as {
      text?: { text: string };
      fields?: { text: string }[];
    }[]) {
      expect(text?.text.length ?? 0).toBeLessThanOrEqual(3_000);
      expect(fields.length).toBeLessThanOrEqual(10);
      for (const field of fields) expect(field.text.length).toBeLessThanOrEqual(2_000);
    }
  });
});
