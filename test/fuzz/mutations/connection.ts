import { type Draft, toBytes, validDraft } from '../draft.ts';
import type { Random } from '../random.ts';
import { type Apply, mutations } from './mutation.ts';

/** Any number, which is taken for a place in the bytes once these are known. */
const somewhere = (random: Random) => random.below(600);

const HARMLESS: Apply[] = [
  (draft, random) => {
    draft.cuts = Array.from({ length: random.between(1, 6) }, () => somewhere(random));
  },
  (draft) => {
    draft.cuts = Array.from({ length: 120 }, (_, at) => at + 1);
  },
  (draft, random, world) => {
    draft.following = following(draft, random, world, random.between(1, 4));
  },
];

const following = (draft: Draft, random: Random, world: Parameters<Apply>[2], count: number) =>
  Buffer.concat(
    Array.from({ length: count }, () => toBytes(validDraft(random, world, draft.madeAt), random)),
  );

const OPEN: Apply[] = [
  (draft, random) => {
    draft.following = random.bytes(random.between(1, 60));
  },
  (draft) => {
    draft.following = Buffer.from('\r\n\r\n\r\n');
  },
  (draft) => {
    draft.following = Buffer.from('GET / HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(3));
  },
  (draft, random) => {
    const share = random.below(1000) / 1000;
    draft.hangUpAfter = (length) => Math.floor(length * share);
  },
  (draft) => {
    draft.hangUpAfter = (length) => length;
  },
  (draft) => {
    draft.hangUpAfter = (length) => length - 1;
  },
];

export const CONNECTION = [
  ...mutations('connection', 'harmless', HARMLESS),
  ...mutations('connection', 'open', OPEN),
];
