import type { SeededRandom } from '../../random.ts';
import {
  type Apply,
  change,
  type Draft,
  type Framing,
  inChunks,
  mutations,
  toBytes,
  validDraft,
  withLength,
  withLengthText,
  withLines,
} from '../draft.ts';

const framing = (how: Framing) => change(() => ({ framing: how }));

const HARMLESS = [
  inChunks(),
  inChunks({ longest: 1 }),
  inChunks({ longest: 1_000_000 }),
  inChunks({ line: 'transfer-encoding: Chunked' }),
  inChunks({ size: (length) => length.toString(16).toUpperCase() }),
  inChunks({ size: (length) => length.toString(16).padStart(8, '0') }),
  inChunks({ size: (length, random) => `${length.toString(16)};${random.text(5)}=${random.text(20)}` }),
  inChunks({ size: (length) => `${length.toString(16)};quoted="a b;c"` }),
  inChunks({ end: '000;last\r\n\r\n' }),
  inChunks({ end: '0\r\nX-Trailer: a\r\nAuthorization: Bearer x\r\n\r\n' }),
  withLengthText((length) => `00${length}`),
  withLengthText((length) => `   ${length}   `),
].map(framing);

const OPEN = [
  withLengthText((length) => String(length - 1)),
  withLengthText((length) => String(length + 1)),
  withLengthText((length) => String(length + 100_000)),
  withLengthText(() => '0'),
  withLengthText(() => ''),
  withLengthText((length) => `-${length}`),
  withLengthText((length) => `+${length}`),
  withLengthText((length) => `${length}.0`),
  withLengthText((length) => `0x${length.toString(16)}`),
  withLengthText((length) => `${length}, ${length}`),
  withLengthText((length) => `${length} ${length}`),
  withLengthText(() => '99999999999999999999999'),
  withLengthText(() => '18446744073709551617'),
  withLengthText(() => 'many'),
  withLines(() => []),
  withLines((length) => [`Content-Length: ${length}`, `Content-Length: ${length}`]),
  withLines((length) => [`Content-Length: ${length}`, `Content-Length: ${length + 1}`]),
  withLines((length) => [`Content-Length: ${length}`, 'Transfer-Encoding: chunked']),
  withLines((length) => [`Content-Length: ${length}`, 'Transfer-Encoding: identity']),
  withLines((length) => [`Content-Length : ${length}`]),
  withLines(() => ['Transfer-Encoding: gzip']),
  withLines(() => ['Transfer-Encoding: \u00ff']),
  ...[
    'gzip, chunked',
    'chunked, gzip',
    'chunked, chunked',
    'xchunked',
    'chunked;q=1',
    '"chunked"',
    '\tchunked',
    ',',
  ].map((coding) => inChunks({ line: `Transfer-Encoding: ${coding}` })),
  inChunks({ line: 'Transfer-Encoding : chunked' }),
  inChunks({ line: 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity' }),
  inChunks({ line: 'Content-Length: 3\r\nTransfer-Encoding: chunked' }),
  inChunks({ line: 'Transfer-Encoding:\r\n chunked' }),
  inChunks({ size: () => 'zz' }),
  inChunks({ size: () => '' }),
  inChunks({ size: (length) => `-${length.toString(16)}` }),
  inChunks({ size: (length) => `0x${length.toString(16)}` }),
  inChunks({ size: (length) => ` ${length.toString(16)}` }),
  inChunks({ size: (length) => `${length.toString(16)} ` }),
  inChunks({ size: (length) => (length + 1).toString(16) }),
  inChunks({ size: (length) => (length - 1).toString(16) }),
  inChunks({ size: () => 'ffffffffffffffff' }),
  inChunks({ size: () => 'fffffffffffffffff' }),
  inChunks({ size: () => '7fffffff' }),
  inChunks({ size: (length) => `${length.toString(16)};${'e'.repeat(20_000)}` }),
  inChunks({ size: (length) => `${length.toString(16)};\0` }),
  inChunks({ separator: '\n' }),
  inChunks({ separator: '' }),
  inChunks({ separator: '\r\n\r\n' }),
  inChunks({ end: '' }),
  inChunks({ end: '0\r\n' }),
  inChunks({ end: '0\n\n' }),
  inChunks({ end: `0\r\n${'X-Trailer: a\r\n'.repeat(5000)}\r\n` }),
  inChunks({ end: '0\r\nno colon\r\n\r\n' }),
].map(framing);

/** Sends a whole submission where the end of the first one is ambiguous. */
const smuggle =
  (around: (inner: Buffer) => { lines: string[]; payload: Buffer }): Apply =>
  (draft, random) => {
    draft.framing = (body) => {
      const { following: _, ...whole } = draft;
      const inner = { ...whole, method: 'POST', version: 'HTTP/1.1', body, framing: withLength };
      return around(toBytes(inner, random));
    };
  };

const SMUGGLED = [
  smuggle((inner) => ({
    lines: ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    payload: Buffer.concat([Buffer.from('0\r\n\r\n'), inner]),
  })),
  smuggle((inner) => ({
    lines: [`Content-Length: ${inner.length}`, 'Transfer-Encoding: xchunked'],
    payload: inner,
  })),
  smuggle((inner) => ({ lines: ['Content-Length: 0'], payload: inner })),
  smuggle((inner) => ({ lines: [`Content-Length: ${inner.length}`], payload: inner })),
  smuggle((inner) => ({
    lines: ['Transfer-Encoding: chunked'],
    payload: Buffer.concat([Buffer.from('0\r\n\r\n'), inner]),
  })),
];

export const FRAMING = [
  ...mutations('framing', 'harmless', HARMLESS),
  ...mutations('framing', 'open', [...OPEN, ...SMUGGLED]),
];

/** A position in the bytes, which are not known yet. */
const somewhere = (random: SeededRandom) => random.below(600);

const CONNECTION_HARMLESS: Apply[] = [
  change((_draft, random) => ({
    cuts: Array.from({ length: random.between(1, 6) }, () => somewhere(random)),
  })),
  change(() => ({ cuts: Array.from({ length: 120 }, (_, at) => at + 1) })),
  change((draft, random, world) => ({ following: following(draft, random, world, random.between(1, 4)) })),
];

const following = (draft: Draft, random: SeededRandom, world: Parameters<Apply>[2], count: number) =>
  Buffer.concat(
    Array.from({ length: count }, () => toBytes(validDraft(random, world, draft.madeAt), random)),
  );

const CONNECTION_OPEN: Apply[] = [
  change((_draft, random) => ({ following: random.bytes(random.between(1, 60)) })),
  change(() => ({ following: Buffer.from('\r\n\r\n\r\n') })),
  change(() => ({ following: Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(3)) })),
  change((_draft, random) => {
    const share = random.below(1000) / 1000;
    return { hangUpAfter: (length) => Math.floor(length * share) };
  }),
  change(() => ({ hangUpAfter: (length) => length })),
  change(() => ({ hangUpAfter: (length) => length - 1 })),
];

export const CONNECTION = [
  ...mutations('connection', 'harmless', CONNECTION_HARMLESS),
  ...mutations('connection', 'open', CONNECTION_OPEN),
];
