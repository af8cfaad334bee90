import { setHeader } from '../draft.ts';
import type { Random } from '../random.ts';
import { type Apply, mutations, utf8 } from './mutation.ts';

const NAME = 'X-SVC-Idempotency-Key';

const key =
  (make: (random: Random) => string): Apply =>
  (draft, random) =>
    setHeader(draft, NAME, make(random));

const HARMLESS: Apply[] = [
  key((random) => random.text(36)),
  key((random) => random.text(255)),
  key((random) => `${random.text(20)} with  blanks`),
  key((random) => `${random.text(12)}\u00ff\u00e9\u0080`),
  key((random) => utf8(`${random.text(12)}漢😀`)),
  key((random) => `\u00ff`.repeat(235) + random.text(20)),
  key((random) => `   ${random.text(36)}\t `),
  key((random) => `${random.text(9)},"';--${'\\'}<>{}%00`),
  // So few that they meet again.
  key((random) => random.text(1)),
  key((random) => random.pick(['__proto__', 'constructor', 'null', '0', 'undefined'])),
  key((random) => `again-${random.below(40)}`),
  (draft, random) => {
    setHeader(draft, NAME, random.text(36));
    draft.copies = random.between(2, 5);
  },
  (draft, random) => {
    setHeader(draft, NAME, `crowd-${random.below(20)}`);
    draft.copies = random.between(2, 5);
  },
];

const FATAL: Apply[] = [
  key(() => ''),
  key(() => ' \t '),
  key((random) => random.text(256)),
  key((random) => random.text(random.between(257, 9000))),
  key(() => utf8('é'.repeat(128))),
  (draft, random) => {
    const value = random.text(20);
    draft.headers.push({ name: NAME, value }, { name: NAME.toLowerCase(), value });
  },
  (draft, random) => {
    draft.headers.push({ name: NAME, value: '' }, { name: NAME, value: random.text(20) });
  },
];

export const IDEMPOTENCY = [
  ...mutations('idempotency', 'harmless', HARMLESS),
  ...mutations('idempotency', 'fatal', FATAL),
];
