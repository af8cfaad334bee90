import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import type { ListedForm, Token } from '../../console/src/api/types.ts';
import { curlLine, isRecentlyUsed, tokenState, tokenUrl } from '../../console/src/pages/tokens/tokens.ts';

describe('the command that sends a first lead', () => {
  test('goes to the address for tokens', () => {
    expect(tokenUrl('https://x.example/api/v1/ingest/contact-us-1')).toBe('https://x.example/api/v1/ingest');
  });

  test('is parsed by a shell as written', () => {
    const url = "https://x.example/it's $HOME";
    const said = curlLine(url, 'ingt_srv_abc').replace('curl', `printf '%s\\n'`);
    const words = execFileSync('sh', ['-c', said], { encoding: 'utf8' }).split('\n');
    expect(words).toEqual([
      '-i',
      url,
      '-H',
      'Authorization: Bearer ingt_srv_abc',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"name":"Ada Byron","email":"ada.byron@example.com"}',
      '',
    ]);
  });
});

describe('the state of a token', () => {
  const token = { formId: 'f1', type: 'server' } as Token;
  const forms = (active: boolean, archivedAt?: string) =>
    new Map([['f1', { formId: 'f1', active, archivedAt } as ListedForm]]);

  test.each([
    ['works', token, forms(true)],
    ['revoked', { ...token, revokedAt: '2026-11-15T12:00:00Z' }, forms(true)],
    ['wrong type', { ...token, type: 'browser' } as Token, forms(true)],
    ['form archived', token, new Map()],
    ['form archived', token, forms(false, '2026-11-15T12:00:00Z')],
    ['form off', token, forms(false)],
  ])('is: %s', (state, given, known) => {
    expect(tokenState(given, known)).toBe(state);
  });
});

test('a token counts as used for a day', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');
  expect(isRecentlyUsed({ lastUsedAt: '2026-11-14T12:00:01Z' }, now)).toBe(true);
  expect(isRecentlyUsed({ lastUsedAt: '2026-11-14T12:00:00Z' }, now)).toBe(false);
  expect(isRecentlyUsed({ lastUsedAt: undefined }, now)).toBe(false);
});
