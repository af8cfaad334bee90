/**
 * The browser's half of Cognito's Secure Remote Password protocol (SRP-6a): it proves that the owner knows the password
 * without sending it. A test compares it with AWS Amplify's implementation.
 */

/** The 3072-bit prime of RFC 3526, with the generator that Cognito uses. */
const N = BigInt(
  `0x${[
    'ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74',
    '020bbea63b139b22514a08798e3404ddef9519b3cd3a431b302b0a6df25f1437',
    '4fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed',
    'ee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf05',
    '98da48361c55d39a69163fa8fd24cf5f83655d23dca3ad961c62f356208552bb',
    '9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3b',
    'e39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf695581718',
    '3995497cea956ae515d2261898fa051015728e5a8aaac42dad33170d04507a33',
    'a85521abdf1cba64ecfb850458dbef0a8aea71575d060c7db3970f85a6e1e4c7',
    'abf5ae8cdb0933d71e8c94e04a25619dcee3d2261ad2ee6bf12ffa06d98a0864',
    'd87602733ec86a64521f2b18177b200cbbe117577a615d6c770988c0bad946e2',
    '08e24fa074e5ab3143db5bfce0fd108e4b82d120a93ad2caffffffffffffffff',
  ].join('')}`,
);
const G = 2n;
const SECRET_BYTES = 128;

/** The random secret `a` of one sign-in and its public part, which starts it. */
export interface SrpKeys {
  readonly secret: bigint;
  readonly publicHex: string;
}

export function makeSrpKeys(random = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))): SrpKeys {
  const secret = toNumber(random);
  return { secret, publicHex: modPow(G, secret).toString(16) };
}

/** Cognito's response to the public part. */
export interface SrpChallenge {
  readonly userId: string;
  readonly saltHex: string;
  readonly serverPublicHex: string;
  /** Base64. */
  readonly secretBlock: string;
}

interface SrpProof {
  readonly keys: SrpKeys;
  /** The part of the pool's id after `_`. */
  readonly poolName: string;
  readonly password: string;
  readonly challenge: SrpChallenge;
  /** As `timestampFor` writes it. */
  readonly timestamp: string;
}

/** The signature that proves the password, in base64. */
export async function provePassword(proof: SrpProof): Promise<string> {
  const { poolName, challenge, timestamp } = proof;
  const key = await crypto.subtle.importKey(
    'raw',
    await passwordKey(proof),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const signed = concatenate(
    encode(poolName + challenge.userId),
    Uint8Array.from(atob(challenge.secretBlock), (letter) => letter.charCodeAt(0)),
    encode(timestamp),
  );
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
  return btoa(String.fromCharCode(...signature));
}

async function passwordKey({ keys, poolName, password, challenge }: SrpProof): Promise<ArrayBuffer> {
  const serverPublic = fromHex(challenge.serverPublicHex);
  if (serverPublic % N === 0n) throw new Error('Invalid challenge.');
  const k = await hashNumber(signedBytes(N), signedBytes(G));
  const u = await hashNumber(signedBytes(fromHex(keys.publicHex)), signedBytes(serverPublic));
  if (u === 0n) throw new Error('Invalid challenge.');
  const identity = await digest(encode(`${poolName}${challenge.userId}:${password}`));
  const x = await hashNumber(signedBytes(fromHex(challenge.saltHex)), identity);
  const shared = modPow(serverPublic - k * modPow(G, x), keys.secret + u * x);
  const material = await crypto.subtle.importKey('raw', signedBytes(shared), 'HKDF', false, ['deriveBits']);
  return crypto.subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt: signedBytes(u), info: encode('Caldera Derived Key') },
    material,
    128,
  );
}

/** As in `Mon Nov 16 04:05:06 UTC 2026`. */
export function timestampFor(now: Date): string {
  const [weekday, day, month, year, time] = now.toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${Number(day)} ${time} UTC ${year}`;
}

type Bytes = Uint8Array<ArrayBuffer>;

function modPow(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = ((base % N) + N) % N;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % N;
    square = (square * square) % N;
  }
  return result;
}

/** The bytes of a positive number with a sign bit, as Java's BigInteger writes them. */
function signedBytes(value: bigint): Bytes {
  const hex = value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  const padded = /^[89a-f]/.test(even) ? `00${even}` : even;
  return Uint8Array.from(padded.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

const fromHex = (hex: string) => BigInt(`0x${hex}`);
const toNumber = (bytes: Bytes) =>
  fromHex([...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
const encode = (text: string): Bytes => new TextEncoder().encode(text);

function concatenate(...parts: readonly Bytes[]): Bytes {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

async function digest(...parts: readonly Bytes[]): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', concatenate(...parts)));
}

async function hashNumber(...parts: readonly Bytes[]): Promise<bigint> {
  return toNumber(await digest(...parts));
}
