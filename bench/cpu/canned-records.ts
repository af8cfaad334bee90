import { makeIngestToken } from '../../lambdas/model/ingest-token.ts';
import { SHELF_TABLES } from '../engines/contender-names.ts';

/** The content of the canned store: one sender for every key. Idempotency keys are always new. */
export const CANNED_TOKEN = makeIngestToken('server', Buffer.alloc(32, 7));

export const OUR_TABLES = {
  workspaces: 'Workspaces',
  tokens: 'Tokens',
  forms: 'Forms',
  idempotency: 'Idempotency',
  leads: 'Leads',
  rejections: 'Rejections',
  unauthenticatedRejections: 'UnauthenticatedRejections',
  diagnostics: 'Diagnostics',
} as const;

type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const workspaceId = { S: 'ws_2wVQ0zqvJ3gqkVf3yQ9dJb' };
const formId = { S: 'form_7hYt1mDk2bLr9xQe4sWnUc' };
const slug = { S: 'contact-x7k2m9' };

export const CANNED_ITEMS: Readonly<Record<string, Item>> = {
  [OUR_TABLES.tokens]: {
    tokenId: { S: 'tok_5' },
    workspaceId,
    formId,
    slug,
    type: { S: 'server' },
    v: { N: '1' },
    name: { S: 'Demo token' },
    lastFour: { S: 'abcd' },
    createdAt: { S: '2026-11-15T12:00:00.000Z' },
  },
  [OUR_TABLES.workspaces]: {
    workspaceId,
    name: { S: 'Demo' },
    status: { S: 'active' },
    configVersion: { N: '3' },
    v: { N: '1' },
    createdAt: { S: '2026-11-15T12:00:00.000Z' },
  },
  [OUR_TABLES.forms]: {
    slug,
    formId,
    workspaceId,
    name: { S: 'Contact' },
    active: { BOOL: true },
    v: { N: '1' },
    createdAt: { S: '2026-11-15T12:00:00.000Z' },
  },
  [SHELF_TABLES.tokens]: { workspaceId, formId },
};
