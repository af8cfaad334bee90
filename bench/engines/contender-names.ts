/** The environment variables of the functions that are compared with ours. */
export const SHELF_VARIABLES = {
  tokens: 'SHELF_TOKENS_TABLE',
  limits: 'SHELF_LIMITS_TABLE',
  idempotency: 'SHELF_IDEMPOTENCY_TABLE',
  leads: 'SHELF_LEADS_TABLE',
  queueUrl: 'SHELF_QUEUE_URL',
} as const;

export const FLOOR_VARIABLES = { leads: 'FLOOR_LEADS_TABLE' } as const;

/** The tables of the functions that are compared with ours. */
export const SHELF_TABLES = {
  tokens: 'shelf-tokens',
  limits: 'shelf-limits',
  idempotency: 'shelf-idempotency',
  leads: 'shelf-leads',
} as const;

export const FLOOR_TABLE = 'floor-leads';
