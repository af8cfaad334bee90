import { measureScoring } from './measure/scoring.ts';

/** `npm run bench:scoring`: how long scoring takes, compared with its goals. */
console.table(
  (await measureScoring()).map(({ body, median, p99, goal }) => ({
    body,
    'median ms': median.toFixed(3),
    'p99 ms': p99.toFixed(3),
    'goal ms': goal,
    met: median < goal ? 'yes' : 'NO',
  })),
);
