import { describe, expect, test } from '@jest/globals';
import { confirmationLetter, messageLetter } from '#recipients/letters.ts';
import { invalidPage, questionPage } from '#recipients/pages.ts';
import { addressHash, isToken, makeToken, plainName, tokenHash } from '#recipients/recipient.ts';

describe('a token', () => {
  test('has 128 random bits, and its hash does not contain it', () => {
    const token = makeToken(new Uint8Array(16).fill(255));
    expect(token).toBe('f'.repeat(32));
    expect(isToken(token)).toBe(true);
    expect(tokenHash(token)).toMatch(/^[0-9a-f]{64}$/);
    expect(tokenHash(token)).not.toContain(token);
  });

  test.each([
    '',
    'F'.repeat(32),
    'f'.repeat(31),
    `${'f'.repeat(32)}\n`,
    '../../settings/workspace',
    "' OR 1=1",
  ])('is not %j', (text) => expect(isToken(text)).toBe(false));
});

describe("the hash of an address's mailbox", () => {
  test.each([
    ['ada@example.com', 'ADA@Example.COM'],
    ['ada@example.com', 'ada+leads@example.com'],
    ['ada@example.com', 'ada+1+2@example.com'],
    ['ada.lovelace@gmail.com', 'a.d.a.lovelace+x@googlemail.com'],
  ])('is the same for %s and %s', (one, other) => expect(addressHash(one)).toBe(addressHash(other)));

  test.each([
    ['ada@example.com', 'ada@example.org'],
    ['ada.lovelace@example.com', 'adalovelace@example.com'],
    ['+ada@example.com', '+bob@example.com'],
  ])('differs for %s and %s', (one, other) => expect(addressHash(one)).not.toBe(addressHash(other)));
});

describe("a workspace's name in a mail", () => {
  test.each([
    ['Acme', 'Acme'],
    ['Acme Inc.', 'Acme Inc.'],
    ['Büro für Zählwerke', 'Büro für Zählwerke'],
    ['Win at https://evil.example/login?x=1 now', 'Win at evil example login?x=1 now'],
    ['www.evil.example', 'evil example'],
    ['evil.com', 'evil com'],
    ['evil．com and evil。com', 'evil com and evil com'],
    ['Mail boss@evil.com', 'Mail boss evil com'],
    ['//evil.com\\path', 'evil com path'],
    ['ev\u200bil.c\u00adom', 'ev il c om'],
    ['one\r\nBcc: two', 'one Bcc: two'],
    ['\u0000\u202e', 'a workspace'],
    ['', 'a workspace'],
  ])('%j is %j', (name, expected) => expect(plainName(name)).toBe(expected));

  test('has at most 60 characters, and cuts none in two', () => {
    expect([...plainName('🧮'.repeat(100))]).toHaveLength(60);
  });
});

const facts = { workspaceName: 'evil.com', confirmUrl: 'https://api/mail/c', stopUrl: 'https://api/mail/s' };

describe('every mail', () => {
  test.each([
    [
      'about a lead',
      messageLetter({ subject: 'New lead', text: 'New lead\n', html: '<p>New lead</p>' }, facts),
    ],
    ['that asks for the confirmation', confirmationLetter(facts)],
  ])('%s names the workspace, without a link, and how to stop it', (_, { text, headers }) => {
    expect(text).toContain('"evil com"');
    expect(text).toContain('\nhttps://api/mail/s\n');
    expect(headers).toEqual({
      'List-Unsubscribe': '<https://api/mail/s>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });
});

describe('every page', () => {
  test.each([
    ['confirm', questionPage('confirm')],
    ['stop', questionPage('stop')],
    ['invalid', invalidPage()],
  ])('%s loads nothing, runs nothing, and is kept by nobody', (_, { headers, body }) => {
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*form-action 'self'/),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
    });
    expect(body).not.toMatch(/<script|src=|href=|http-equiv/);
  });
});
