import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { debugSignature, readSignedRequest } from '#debugger/debug-signature.ts';

const NOW = 1_800_000_000_000;
const TIMESTAMP = '1800000000';
const KNOWN = {
  form: { formId: 'f', workspaceId: 'w', slug: 's', name: 'Form', active: true, createdAt: '' },
  secret: { slug: 's', formId: 'f', secret: 'whsec_one' },
  others: [],
  workspace: { status: 'active' as const },
};

function debug(body: string, known: object = {}) {
  const signature = createHmac('sha256', 'whsec_one')
    .update(`${TIMESTAMP}.`)
    .update(body, 'latin1')
    .digest('hex');
  const bodyBase64 = Buffer.from(body, 'latin1').toString('base64');
  const signed = readSignedRequest({ timestamp: TIMESTAMP, signature, bodyBase64 });
  return debugSignature(signed, { ...KNOWN, ...known }, NOW);
}

describe('a body whose signature is right', () => {
  test.each([
    ['{"a":1}', 'accepted'],
    ['{"a":1', 'body_invalid_json'],
    ['', 'body_invalid_json'],
    ['{"a":"\xe9"}', 'body_invalid_json'],
    ['[{"a":1}]', 'body_not_object'],
    ['null', 'body_not_object'],
  ])('is judged as the service judges it: %j is %s', (body, decision) => {
    expect(debug(body)).toMatchObject({ decision, signature: 'right', mistakes: [] });
  });

  test('is refused before that where the form or the workspace takes nothing', () => {
    expect(debug('[]', { form: { ...KNOWN.form, active: false } }).decision).toBe('form_inactive');
    expect(debug('[]', { workspace: { status: 'suspended' } }).decision).toBe('workspace_suspended');
  });
});

test('a body whose signature is wrong is not judged further', () => {
  expect(debug('[', { secret: { ...KNOWN.secret, secret: 'whsec_two' } }).decision).toBe(
    'signature_mismatch',
  );
});
