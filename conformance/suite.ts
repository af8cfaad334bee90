import type { Section } from './row.ts';
import { AUTHENTICATION } from './rows/authentication.ts';
import { ENDPOINTS } from './rows/endpoints.ts';
import { ERRORS } from './rows/errors.ts';
import { IDEMPOTENCY } from './rows/idempotency.ts';
import { LIMITS_SECTION } from './rows/limits.ts';
import { RESOURCES } from './rows/resources.ts';
import { SERVICE } from './rows/service.ts';
import { STATES } from './rows/states.ts';
import { VERSIONING } from './rows/versioning.ts';

/** The specification, section by section, in its order. */
export const SUITE: readonly Section[] = [
  SERVICE,
  ...RESOURCES,
  STATES,
  ...ENDPOINTS,
  IDEMPOTENCY,
  ...AUTHENTICATION,
  { title: 'Events', about: 'The specification has none.', rows: [] },
  ...ERRORS,
  ...LIMITS_SECTION,
  VERSIONING,
];
