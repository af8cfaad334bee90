import type { Section } from './row.ts';
import { BEARER } from './rows/bearer.ts';
import { ENDPOINTS, HEADERS } from './rows/endpoints.ts';
import { ERRORS } from './rows/errors.ts';
import { BROWSER_SDK, HMAC } from './rows/hmac.ts';
import { IDEMPOTENCY } from './rows/idempotency.ts';
import { LIMIT_RULES, LIMITS } from './rows/limits.ts';
import { REQUEST_BODY } from './rows/request-body.ts';
import { RESOURCES } from './rows/resources.ts';
import { SERVICE, STATES } from './rows/service.ts';
import { VERSIONING } from './rows/versioning.ts';

/** The specification, section by section, in its order. */
export const SUITE: readonly Section[] = [
  SERVICE,
  ...RESOURCES,
  STATES,
  ENDPOINTS,
  REQUEST_BODY,
  HEADERS,
  IDEMPOTENCY,
  BEARER,
  HMAC,
  BROWSER_SDK,
  { id: 'events', title: 'Events', about: 'The specification defines none.', rows: [] },
  ...ERRORS,
  LIMITS,
  LIMIT_RULES,
  VERSIONING,
];
