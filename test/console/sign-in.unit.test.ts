import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { generate } from 'lean-qr';
import { qrPath } from '../../console/src/pages/security/qr-path.ts';
import type { CallCognito, Config, Fields } from '../../console/src/session/cognito.ts';
import { newPasswordProblems, resetError, signInError } from '../../console/src/session/sign-in-problems.ts';
import { makeSignInSteps } from '../../console/src/session/sign-in-steps.ts';
import { makeSrpKeys, provePassword, timestampFor } from '../../console/src/session/srp.ts';

const named = (name: string) => Object.assign(new Error('in the words of Cognito'), { name });

test.each([signInError, resetError])("%p never shows Cognito's own message", (explain) => {
  expect(explain(named('SomethingNew'))).not.toContain('Cognito');
  expect(explain('not even an error')).toContain('Try again');
});

describe('a new password', () => {
  test.each([
    ['', 'at least 12 characters, an uppercase letter, a lowercase letter, a number and a symbol'],
    ['alllowercaseletters', 'an uppercase letter, a number and a symbol'],
    ['Nosymbol12345', 'a symbol'],
  ])('%p needs %s', (password, missing) => {
    expect(newPasswordProblems(password, password).password).toBe(`The password needs ${missing}.`);
  });
});

describe('the QR code', () => {
  const ADDRESS = 'otpauth://totp/Lead%20ingest:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Lead%20ingest';

  /** The modules that a path covers, as "x,y". */
  function covered(path: string): string[] {
    const runs = path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g);
    return [...runs].flatMap(([, x, y, width, back]) => {
      expect(back).toBe(width);
      return Array.from({ length: Number(width) }, (_, along) => `${Number(x) + along},${y}`);
    });
  }

  test('the path covers every dark module of the code once, and nothing else', () => {
    const code = generate(ADDRESS);
    const all = Array.from({ length: code.size ** 2 }, (_, at) => [
      at % code.size,
      Math.floor(at / code.size),
    ]);
    const dark = all.filter(([x, y]) => code.get(x as number, y as number)).map((module) => module.join());
    const path = qrPath(code);
    expect(path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/);
    expect(covered(path).sort()).toEqual(dark.sort());
  });
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Hexadecimal digits that look random and are always the same. */
function digits(seed: string, bytes: number): string {
  const count = Math.ceil(bytes / 32);
  const parts = Array.from({ length: count }, (_, index) => sha256(`${seed}${index}`));
  return parts.join('').slice(0, bytes * 2);
}

/** Computed by AWS Amplify 6.21 from the same numbers: public part (hashed) and signature. */
const VECTORS = [
  {
    password: 'Correct-horse-1',
    saltStart: 'f',
    serverStart: '7f',
    publicHash: '779de4cad30196646b94fee9da927ec460979ade662dd63ee887c9c7f29f2197',
    signature: 'H3fr1OFtnNcHDNLB2dcmyDpp8d8aqtKOiFSB5sIhXZ8=',
  },
  {
    password: 'pässwörd ✓ 12A!',
    saltStart: '0',
    serverStart: '00',
    publicHash: '39e378261582222f4972d6c843f7186689fd2d9dfa0852abe8d8c11d905ffe94',
    signature: 'vVc9pmCE+IosddJk+R5mJgwOKNbOwkfNhO3BaFGtSEw=',
  },
  {
    password: ' spaces-Kept1 ',
    saltStart: '7',
    serverStart: '7f',
    publicHash: 'a183e182780ad3756cd91bb9f7cba216b9f50972b08d523ca02d5811971c03f2',
    signature: 'OV+lZxHLxWJPf0TBa3aseRZYK8bhtR5SkpJWmKjcjQA=',
  },
].map((vector, index) => ({
  ...vector,
  keys: makeSrpKeys(Uint8Array.from(Buffer.from(digits(`a${index}`, 128), 'hex'))),
  challenge: {
    userId: `3f1c8d1e-000${index + 1}`,
    saltHex: vector.saltStart + digits(`s${index}`, 16).slice(1),
    serverPublicHex: vector.serverStart + digits(`B${index}`, 384).slice(2),
    secretBlock: Buffer.from(digits(`b${index}`, 48), 'hex').toString('base64'),
  },
}));

describe.each(VECTORS)('the password $password', ({ password, keys, challenge, publicHash, signature }) => {
  test('is proved as AWS Amplify proves it', async () => {
    expect(sha256(keys.publicHex)).toBe(publicHash);
    const timestamp = 'Mon Nov 16 04:05:06 UTC 2026';
    expect(await provePassword({ keys, poolName: 'AbCdEf123', password, challenge, timestamp })).toBe(
      signature,
    );
  });
});

test.each(['0', '00'])('a server that sends %s is refused', async (serverPublicHex) => {
  const [{ keys, challenge }] = VECTORS as [(typeof VECTORS)[number]];
  const proof = {
    keys,
    poolName: 'p',
    password: 'x',
    challenge: { ...challenge, serverPublicHex },
    timestamp: '',
  };
  await expect(provePassword(proof)).rejects.toThrow('Invalid challenge');
});

test('two sign-ins use different secrets', () => {
  expect(makeSrpKeys().secret).not.toBe(makeSrpKeys().secret);
});

test('a timestamp has Cognito’s format: no leading zero in the day, two digits in the time', () => {
  expect(timestampFor(new Date('2026-11-06T04:05:06Z'))).toBe('Fri Nov 6 04:05:06 UTC 2026');
  expect(timestampFor(new Date('2026-11-16T14:15:16Z'))).toBe('Mon Nov 16 14:15:16 UTC 2026');
});

describe('signing in with SRP', () => {
  const config = { userPoolId: 'eu-west-1_AbCdEf123', userPoolClientId: 'client-1', signIn: 'srp' } as Config;

  test('never sends the password, and answers further questions', async () => {
    const sent: [string, Fields][] = [];
    const replies: Fields[] = [
      {
        ChallengeName: 'PASSWORD_VERIFIER',
        Session: 'one',
        ChallengeParameters: {
          USER_ID_FOR_SRP: 'user-1',
          SALT: 'abc123',
          SRP_B: digits('B', 384),
          SECRET_BLOCK: 'c2VjcmV0',
        },
      },
      {
        ChallengeName: 'SOFTWARE_TOKEN_MFA',
        Session: 'two',
        ChallengeParameters: { USER_ID_FOR_SRP: 'user-1' },
      },
      { AuthenticationResult: { RefreshToken: 'the-refresh-token' } },
    ];
    const call: CallCognito = async (operation, fields) => {
      sent.push([operation, fields]);
      return replies[sent.length - 1] ?? {};
    };
    const signedIn: string[] = [];
    const steps = makeSignInSteps({ config, call, onSignedIn: async (token) => void signedIn.push(token) });
    expect(await steps.start('ada@example.com', 'Correct-horse-1')).toBe('code');
    expect(signedIn).toEqual([]);
    expect(await steps.answer('123456')).toBe('done');
    expect(signedIn).toEqual(['the-refresh-token']);
    expect(JSON.stringify(sent)).not.toContain('Correct-horse-1');
    expect(
      sent.map(([operation, { AuthFlow, ChallengeName, Session }]) => [
        operation,
        AuthFlow ?? ChallengeName,
        Session,
      ]),
    ).toEqual([
      ['InitiateAuth', 'USER_SRP_AUTH', undefined],
      ['RespondToAuthChallenge', 'PASSWORD_VERIFIER', 'one'],
      ['RespondToAuthChallenge', 'SOFTWARE_TOKEN_MFA', 'two'],
    ]);
    expect(sent[2]?.[1].ChallengeResponses).toEqual({
      USERNAME: 'user-1',
      SOFTWARE_TOKEN_MFA_CODE: '123456',
    });
  });
});
