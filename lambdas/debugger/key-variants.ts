import type { FoundMistake, MistakeName } from './mistakes.ts';
import { type FormSecrets, graceLasts } from './signature-proof.ts';

/** How key and message become a digest: HMAC, or something mistaken for it. */
export type Keying = 'hmac' | 'swapped' | 'prepended' | 'appended' | 'unkeyed';

export interface KeyVariant {
  readonly keying: Keying;
  readonly key: Buffer;
  readonly mistakes: readonly FoundMistake[];
  readonly weight: number;
}

export interface OtherSecret {
  readonly formId: string;
  readonly secret: string;
  readonly formName?: string | undefined;
}

export const PREFIX = 'whsec_';

const hmacKey = (key: string | Buffer, weight: number, ...mistakes: FoundMistake[]): KeyVariant => ({
  keying: 'hmac',
  key: typeof key === 'string' ? Buffer.from(key) : key,
  mistakes,
  weight,
});

/** Keys that the service would accept come first, with weight 0. */
export function keyVariants(secrets: FormSecrets, nowMilliseconds: number): KeyVariant[] {
  const { current, previous } = secrets;
  if (current === undefined) return [];
  const grace = graceLasts(secrets, nowMilliseconds);
  const old = previous && hmacKey(previous.secret, grace ? 0 : 1, ...(grace ? [] : [endedAt(previous)]));
  return withoutRepeats([
    hmacKey(current, 0),
    ...(old ? [old] : []),
    ...spellingsOf(current),
    ...(old && previous ? spellingsOf(previous.secret).map((each) => added(old, each)) : []),
    hmacKey('', 1, { name: 'secret_empty' }),
    ...['undefined', 'null', 'None'].map((word) => hmacKey(word, 2, { name: 'secret_empty' })),
    ...otherKeyings(current),
  ]);
}

export function endedAt(previous: { readonly endsAtMilliseconds: number }): FoundMistake {
  const ended = new Date(previous.endsAtMilliseconds).toISOString();
  return { name: 'secret_previous', detail: `It ended at ${ended}.` };
}

/** Other forms' secrets: first all of them as they are, since a workspace may have more than there are tries. */
export function otherKeyVariants(others: readonly OtherSecret[], own: readonly KeyVariant[]): KeyVariant[] {
  const name = 'secret_of_another_form';
  const asTheyAre = others.map(({ formId, secret, formName }) =>
    hmacKey(secret, 2, {
      name,
      formId,
      ...(formName && { detail: `It belongs to the form “${formName}”.` }),
    }),
  );
  const bare = others.flatMap(({ secret }, at) =>
    withoutPrefix(secret).map((each) => added(asTheyAre[at] as KeyVariant, each)),
  );
  return withoutRepeats([...own, ...asTheyAre, ...bare]).slice(own.length);
}

function added(base: KeyVariant, spelling: KeyVariant): KeyVariant {
  return {
    ...spelling,
    mistakes: [...base.mistakes, ...spelling.mistakes],
    weight: base.weight + spelling.weight,
  };
}

function withoutPrefix(secret: string): KeyVariant[] {
  return secret.startsWith(PREFIX)
    ? [hmacKey(secret.slice(PREFIX.length), 1, { name: 'secret_without_prefix' })]
    : [];
}

function spellingsOf(secret: string): KeyVariant[] {
  const spelling = (name: MistakeName, weight: number, key: string | Buffer) =>
    hmacKey(key, weight, { name });
  const bare = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  return [
    spelling('secret_with_whitespace', 1, secret.trim()),
    spelling('secret_with_whitespace', 1, `${secret}\n`),
    ...withoutPrefix(secret),
    spelling('secret_prefix_added', 2, PREFIX + secret),
    spelling('secret_with_whitespace', 2, `${secret} `),
    spelling('secret_with_whitespace', 2, `${secret}\r\n`),
    spelling('secret_with_whitespace', 2, ` ${secret}`),
    spelling('secret_quoted', 2, `"${secret}"`),
    spelling('secret_quoted', 2, `'${secret}'`),
    ...[bare, secret].filter(isHex).map((hex) => spelling('secret_hex_decoded', 1, Buffer.from(hex, 'hex'))),
    spelling('secret_base64_decoded', 1, Buffer.from(bare, 'base64')),
    spelling('secret_base64_decoded', 2, Buffer.from(secret, 'base64')),
    ...withoutPrefix(`${secret}\n`).map((each) =>
      added(hmacKey('', 2, { name: 'secret_with_whitespace' }), each),
    ),
  ].filter(({ key }) => key.length > 0);
}

const isHex = (text: string) => /^(?:[0-9a-f]{2})+$/i.test(text);

function otherKeyings(secret: string): KeyVariant[] {
  const key = Buffer.from(secret);
  const keyed = (keying: Keying, name: MistakeName): KeyVariant => ({
    keying,
    key,
    mistakes: [{ name }],
    weight: 2,
  });
  return [
    keyed('prepended', 'hash_without_hmac'),
    keyed('appended', 'hash_without_hmac'),
    keyed('unkeyed', 'hash_without_secret'),
    keyed('swapped', 'key_and_message_swapped'),
  ];
}

function withoutRepeats(variants: readonly KeyVariant[]): KeyVariant[] {
  const byKey = new Map<string, KeyVariant>();
  for (const each of variants) {
    const id = `${each.keying} ${each.key.toString('base64')}`;
    if (!byKey.has(id)) byKey.set(id, each);
  }
  return [...byKey.values()];
}
