import { readFileSync } from 'node:fs';
import { Bench } from 'tinybench';
import { scoreLead } from '../../lambdas/scoring/score-lead.ts';

/** Milliseconds to score a body, and the goal. */
export interface ScoringTime {
  readonly body: string;
  readonly median: number;
  readonly p99: number;
  readonly goal: number;
}

const SIZE = 131_072;
const TYPICAL_GOAL = 0.2;
const HOSTILE_GOAL = 10;
export const TYPICAL = 'a typical lead';

const leads = readFileSync(new URL('../../test/fixtures/leads/development.ndjson', import.meta.url), 'utf8')
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

export async function measureScoring(): Promise<ScoringTime[]> {
  const bench = new Bench({ time: 300, warmupTime: 100 });
  let next = 0;
  bench.add(TYPICAL, () => {
    const { body, fields } = leads[next++ % leads.length];
    scoreLead(body, fields);
  });
  for (const [name, body] of Object.entries(hostile)) bench.add(name, () => scoreLead(body));
  await bench.run();
  return bench.tasks.map(({ name, result }) => {
    if (!('latency' in result)) throw new Error(`${name} could not be scored`);
    const { p50, p99 } = result.latency;
    return { body: name, median: p50, p99, goal: name === TYPICAL ? TYPICAL_GOAL : HOSTILE_GOAL };
  });
}

/** `npm run bench:scoring` */
if (import.meta.main) {
  console.table(
    (await measureScoring()).map(({ body, median, p99, goal }) => ({
      body,
      'median ms': median.toFixed(3),
      'p99 ms': p99.toFixed(3),
      'goal ms': goal,
      met: median < goal ? 'yes' : 'NO',
    })),
  );
}
