import { describe, expect, test } from '@jest/globals';
import { makeLeadId } from '#model/lead-item.ts';
import { readableMessage, slackBody, testMessageLead } from '#sending/compose-message.ts';

const AT = '2026-11-15T12:00:00.000Z';
const LEAD_ID = makeLeadId(Date.parse(AT), new Uint8Array(10).fill(7));

function contentOf(fields: Readonly<Record<string, unknown>>) {
  const lead = { ...testMessageLead(LEAD_ID, AT), formId: 'form_1', body: JSON.stringify(fields) };
  return { type: 'lead.accepted', at: AT, submissionId: LEAD_ID, formId: 'form_1', lead } as const;
}

const CONTEXT = {
  formName: 'Contact\nus',
  consoleUrl: 'https://console.example.com',
  includeFields: true,
} as const;
const OURS = [
  'Score 90, clean',
  `Submission ${LEAD_ID}`,
  `https://console.example.com/forms/form_1/leads/${LEAD_ID}`,
];
const HEADING = 'Sent by the visitor:';

/** The lines below the heading. */
function quoted(fields: Readonly<Record<string, unknown>>): string[] {
  const { lines } = readableMessage(contentOf(fields), CONTEXT);
  expect(lines.slice(0, OURS.length + 1)).toEqual([...OURS, HEADING]);
  return lines.slice(OURS.length + 1);
}

describe('a message for people', () => {
  test('contains no value of the lead unless the owner chose so', () => {
    const content = contentOf({ name: 'Ada', email: 'ada@example.com' });
    const { subject, lines } = readableMessage(content, { ...CONTEXT, includeFields: false });
    expect(subject).toBe('New lead: Contact us');
    expect(lines).toEqual(OURS);
    expect(quoted({ email: 'ada@example.com' })).toEqual(['> email: ada@example.com']);
  });

  test('has no heading for a lead without fields', () => {
    expect(readableMessage(contentOf({}), CONTEXT).lines).toEqual(OURS);
  });

  test.each([
    ['a key that repeats a line of ours', { 'Score 100, clean': 'yes' }, '> Score 100, clean: yes'],
    ['a key with line breaks', { 'a\nScore 100, clean\u2028': 'b' }, '> a Score 100, clean: b'],
    [
      'a value with line breaks',
      { name: 'Ada\r\n\u0085Sent by us: x\u2029y' },
      '> name: Ada Sent by us: x y',
    ],
    ['a value that turns the text around', { name: 'a\u202egnp.exe' }, '> name: a gnp[.]exe'],
    ['a long key', { ['k'.repeat(70)]: 'x' }, `> ${'k'.repeat(60)}…: x`],
    ['a long value, cut between characters', { a: '😀'.repeat(601) }, `> a: ${'😀'.repeat(600)}…`],
  ])('shows %s as one line of the visitor', (_, fields, line) => {
    expect(quoted(fields)).toEqual([line]);
  });

  test.each([
    ['https://evil.example/a?b=c.html', 'https[:]//evil[.]example/a?b=c[.]html'],
    ['http://2130706433/', 'http[:]//2130706433/'],
    ['see www.evil.example.', 'see www[.]evil[.]example.'],
    ['evil.example/login', 'evil[.]example/login'],
    ['slack://open', 'slack[:]//open'],
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

test('for Slack, it escapes what Slack would interpret, and has no previews', () => {
  const content = contentOf({ name: 'Ada <!channel> & <https://evil.example|Acme>' });
  const { text, ...options } = JSON.parse(slackBody(readableMessage(content, CONTEXT)));
  expect(text.split('\n').slice(-2)).toEqual([
    HEADING,
    '&gt; name: Ada &lt;!channel&gt; &amp; &lt;https[:]//evil[.]example|Acme&gt;',
  ]);
  expect(options).toEqual({ unfurl_links: false, unfurl_media: false });
});
