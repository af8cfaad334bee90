import { AWS } from './aws-limits.ts';
import type { Burst } from './burst.ts';

const USUAL: Burst = {
  workspaces: 1,
  surfaces: ['1b'],
  submissions: 1_000,
  withinMilliseconds: 1_000,
  concurrency: AWS.lambda.concurrency,
  tableUnits: AWS.dynamodb.writeUnitsOfNewTable,
  warm: 0,
  sendersRetry: false,
};
const NEW_ACCOUNT = { concurrency: AWS.lambda.concurrencyOfNewAccount };
const BOTH = { surfaces: ['1a', '1b'] } as const;
const WARMED = { tableUnits: AWS.dynamodb.writeUnitsOfTable };
const MANY = { ...USUAL, workspaces: 20, warm: 500 };

export const BURST_SCENARIOS: Readonly<Record<string, Burst>> = {
  '1,000 in a second, functions warm': { ...USUAL, warm: 100 },
  '1,000 in a second, all cold': USUAL,
  '1,000 at once, all cold': { ...USUAL, withinMilliseconds: 50 },
  '1,000 on each surface in a second, warm': { ...USUAL, ...BOTH, warm: 100 },
  '1,000 on each surface in a second, cold': { ...USUAL, ...BOTH },
  '5,000 on one surface in a second, warm': { ...USUAL, submissions: 5_000, warm: 100 },
  '1,000 in a second, new account': { ...USUAL, ...NEW_ACCOUNT },
  '20 workspaces, 1,000 each in the same second': MANY,
  'the same, tables warmed to 40,000 units': { ...MANY, ...WARMED },
  'the same, and concurrency raised to 5,000': { ...MANY, ...WARMED, concurrency: 5_000, warm: 1_000 },
};
