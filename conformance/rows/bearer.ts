import { randomBytes } from 'node:crypto';
import { expectAccepted, expectRejected } from '../checks/expectations.ts';
import { DECIDED, ONLY_1A, type Section, type Sent, type Trial } from '../row.ts';
import { CAUSES } from './causes.ts';

/** 20 submissions that `make` makes. */
export const twenty = (make: () => Sent) =>
  Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`guess ${index + 1}`, make()]));

const withScheme = (scheme: string): Sent => {
  return ({ sender }) => ({ headers: { Authorization: `${scheme} ${sender.token}` } });
};

async function checkRevoked({ world, sender, submit }: Trial): Promise<void> {
  expectAccepted(await submit());
  await world.ownerOf(sender).must('DELETE', `/tokens/${sender.tokenId}`);
  expectRejected(await submit());
  // The form itself still accepts.
  expectAccepted(await world.submit('1b', sender));
}

export const BEARER: Section = {
  id: 'bearer',
  title: 'Authentication: Bearer token (Surface 1a)',
  rows: [
    {
      id: 'accepted',
      rule: 'Authorization: Bearer ingt_srv_<token> is accepted',
      surfaces: ONLY_1A,
      expect: 'accepted',
    },
    {
      id: 'scheme-case',
      rule: 'The case of the word Bearer does not matter',
      surfaces: ONLY_1A,
      note: DECIDED,
      examples: { bearer: withScheme('bearer'), BEARER: withScheme('BEARER'), Bearer: withScheme('Bearer') },
      expect: 'accepted',
    },
    { ...CAUSES.tokenMissing, rule: 'A missing token is rejected' },
    { ...CAUSES.tokenInvalid, rule: 'An invalid token is rejected' },
    {
      id: 'random-tokens',
      rule: '20 random tokens are rejected',
      surfaces: ONLY_1A,
      examples: twenty(() => ({ token: `ingt_srv_${randomBytes(24).toString('base64url')}` })),
      expect: 'rejected',
    },
    { ...CAUSES.tokenWrongType, rule: 'A token that is not of the server type is rejected' },
    {
      id: 'revoked',
      rule: 'A revoked token is rejected from the next submission on',
      surfaces: ONLY_1A,
      note: DECIDED,
      arrange: ({ world }) => world.changing.newSender(),
      check: checkRevoked,
    },
  ],
};
