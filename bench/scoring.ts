import { measureScoring } from './measure/scoring.ts';

/** How long scoring takes, against its goals: `npm run bench:scoring`. */
console.table(
  (await measureScoring()).map(({ body, median, p99, goal }) => ({
    body,
    'median ms': median.toFixed(3),
    'p99 ms': p99.toFixed(3),
    'goal ms': goal,
    met: median < goal ? 'yes' : 'NO',
  })),
);
