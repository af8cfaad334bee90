import { readFileSync } from 'node:fs';
import { Bench } from 'tinybench';
import { scoreLead } from '../lambdas/core/score/score-lead.ts';

/** How long scoring takes, against its goals: `npm run bench:scoring`. */

const SIZE = 131_072;
const TYPICAL_GOAL = 0.2;
const HOSTILE_GOAL = 10;

const leads = readFileSync(new URL('../test/fixtures/leads/development.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const hostile: Record<string, Record<string, unknown>> = {
  'many keys': Object.fromEntries(Array.from({ length: SIZE / 12 }, (_, i) => [`key${i}`, 'v'])),
  'many long keys': Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`k${i}`, 'we offer you '.repeat(165)]),
  ),
  'one giant string': { message: 'a'.repeat(SIZE) },
  '100,000 brackets': JSON.parse(`{"message":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
  'all digits': { phone: '1'.repeat(SIZE / 2), message: '1'.repeat(SIZE / 2) },
  'numbers in a row': { message: '+49 30 1234567 '.repeat(SIZE / 15) },
  "all '@'": { email: '@'.repeat(SIZE / 2), message: 'a@a.'.repeat(SIZE / 8) },
  "all 'http://'": { message: 'http://'.repeat(SIZE / 7) },
  'all dots': { name: 'a.'.repeat(SIZE / 4), message: 'com.'.repeat(SIZE / 8) },
  unicode: { name: '\ufdfa'.repeat(SIZE / 12), message: '한ễ漢😀'.repeat(SIZE / 26) },
  offers: { message: 'we offer 我们提供 предлагаем نقدم لكم '.repeat(2_500) },
};

const bench = new Bench({ time: 300, warmupTime: 100 });
let next = 0;
bench.add('a typical lead', () => {
  const { body, fields } = leads[next++ % leads.length];
  scoreLead(body, fields);
});
for (const [name, body] of Object.entries(hostile)) bench.add(name, () => scoreLead(body));
await bench.run();

console.table(
  bench.tasks.map(({ name, result }) => {
    const goal = name === 'a typical lead' ? TYPICAL_GOAL : HOSTILE_GOAL;
    if (!('latency' in result)) return { body: name, goal, met: 'failed' };
    const { p50, p99 } = result.latency;
    return {
      body: name,
      'median ms': p50.toFixed(3),
      'p99 ms': p99.toFixed(3),
      'goal ms': goal,
      met: p50 < goal ? 'yes' : 'NO',
    };
  }),
);
