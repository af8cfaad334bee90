import { expect, test } from '@jest/globals';
import { isOwnSender } from '#leads/reviews/own-senders.ts';

const OWN = {
  emails: ['Ada@Mail.Acme.com', 'grace.hopper@gmail.com'],
  origins: [
    'https://shop.engines.co.uk',
    'https://*.looms.example',
    'http://localhost:5173',
    'https://acme.github.io',
  ],
};

test.each([
  ['eve@acme.com', true],
  ['eve@mail.acme.com', true],
  ['eve@sales.acme.com', true],
  ['eve@engines.co.uk', true],
  ['eve@shop.engines.co.uk', true],
  ['eve@looms.example', true],
  ['grace.hopper@gmail.com', true],
  ['eve@gmail.com', false],
  ['eve@acme.org', false],
  ['eve@notacme.com', false],
  ['eve@other.co.uk', false],
  ['eve@other.github.io', false],
  ['eve@localhost', false],
])('%s: %s', (address, own) => {
  const domain = address.slice(address.indexOf('@') + 1);
  expect(isOwnSender(OWN, { address, domain })).toBe(own);
});

test('a workspace without members and sites has no own senders', () => {
  expect(isOwnSender({ emails: [], origins: [] }, { address: 'a@acme.com', domain: 'acme.com' })).toBe(false);
});
