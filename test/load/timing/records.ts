import { TABLE_VARIABLES, type TableKey } from '#contract';
import { hashToken, makeIngestToken } from '#model/ingest-token.ts';

type Item = Readonly<Record<string, unknown>>;

/** Tables are named by their nouns here. */
export const TABLE_NAMES = Object.fromEntries(
  Object.keys(TABLE_VARIABLES).map((table) => [table, table]),
) as Record<TableKey, TableKey>;

export const SECRET = 'whsec_ySJnmsifqGRmb1uLntXzPtyRQnxYEfbYDXZEST9Enec';
export const NOW = Date.parse('2026-11-15T12:00:10Z');
/** The page that may send leads, and the keys that sign tokens for it. */
export const ORIGIN = 'https://shop.example.com';
export const BROWSER_KEYS = JSON.stringify({ current: 'k'.repeat(43) });
/** As many as a form can have, most of them wildcards, which take the longest to compare. */
const ORIGINS = [...Array.from({ length: 19 }, (_, index) => `https://*.shop-${index}.example.com`), ORIGIN];
const CREATED_AT = '2026-11-01T08:30:00.000Z';

/** All tokens have the same length, and so do all slugs, since the sender knows the length. */
const token = (fill: number, type: 'server' | 'browser' = 'server') =>
  makeIngestToken(type, new Uint8Array(32).fill(fill));

export const TOKENS = {
  unknown: token(1),
  good: token(2),
  revoked: token(3),
  'wrong type': token(4, 'browser'),
  'suspended workspace': token(5),
  'inactive form': token(6),
  'form gone': token(7),
  'workspace gone': token(8),
} as const;

export const SLUGS = {
  unknown: 'contact-us-00000001',
  good: 'contact-us-00000002',
  'previous secret in grace': 'contact-us-00000003',
  'no secret': 'contact-us-00000004',
  'suspended workspace': 'contact-us-00000005',
  'inactive form': 'contact-us-00000006',
  ambiguous: 'contact-us-00000007',
  'workspace gone': 'contact-us-00000008',
  'form without fields': 'contact-us-00000009',
  'open to browsers': 'contact-us-00000010',
} as const;

/** Forms on Surface 1c: one for each way in which providers sign, and those that are rejected for other causes. */
export const SOURCE_SLUGS = {
  typeform: 'contact-us-00000021',
  stripe: 'contact-us-00000022',
  'standard-webhooks': 'contact-us-00000023',
  framer: 'contact-us-00000024',
  github: 'contact-us-00000025',
  'inactive form': 'contact-us-00000026',
  'suspended workspace': 'contact-us-00000027',
  'no secret': 'contact-us-00000028',
  'previous secret': 'contact-us-00000029',
} as const;

export const PROVIDER_SECRET = Buffer.alloc(32, 9).toString('base64');

function providerOf(name: string): string {
  return ['stripe', 'standard-webhooks', 'framer', 'github'].includes(name) ? name : 'typeform';
}

/** The maximum number of fields, each with every property. */
const FIELDS = Array.from({ length: 100 }, (_, index) => ({
  key: `custom_field_${index}`,
  label: `What we ask for, number ${index}`,
  role: 'message',
}));

const workspace = (workspaceId: string, status = 'active'): Item => ({
  workspaceId,
  name: 'Analytical Engines',
  status,
  configVersion: 7,
  createdAt: CREATED_AT,
  v: 1,
});

const form = (slug: string, more: Item = {}): Item => ({
  slug,
  formId: `form_of_${slug}`,
  workspaceId: 'ws_active',
  name: 'Contact us',
  active: true,
  createdAt: CREATED_AT,
  v: 1,
  fields: FIELDS,
  ...more,
});

const secret = (slug: string, more: Item = {}): Item => ({
  slug,
  formId: `form_of_${slug}`,
  workspaceId: 'ws_active',
  secret: SECRET,
  setAt: CREATED_AT,
  v: 1,
  ...more,
});

const tokenRecord = (value: string, more: Item = {}): Item => ({
  tokenHash: hashToken(value),
  tokenId: `tok_${value.slice(9, 31)}`,
  workspaceId: 'ws_active',
  slug: SLUGS.good,
  formId: `form_of_${SLUGS.good}`,
  type: 'server',
  name: 'Backend',
  lastFour: value.slice(-4),
  createdAt: CREATED_AT,
  v: 1,
  ...more,
});

const formOf = (slug: string) => ({ slug, formId: `form_of_${slug}` });
const FORM_GONE = formOf('contact-us-00000099');

export const RECORDS: Readonly<Partial<Record<TableKey, readonly Item[]>>> = {
  workspaces: [workspace('ws_active'), workspace('ws_other'), workspace('ws_suspended', 'suspended')],
  forms: [
    form(SLUGS.good),
    form(SLUGS['previous secret in grace']),
    form(SLUGS['no secret']),
    form(SLUGS['suspended workspace'], { workspaceId: 'ws_suspended' }),
    form(SLUGS['inactive form'], { active: false }),
    form(SLUGS['workspace gone'], { workspaceId: 'ws_gone' }),
    form(SLUGS['form without fields'], { fields: undefined }),
    form(SLUGS['open to browsers'], { browser: { enabled: true, origins: ORIGINS } }),
    ...Object.entries(SOURCE_SLUGS).map(([name, slug]) =>
      form(slug, {
        provider: { name: providerOf(name) },
        ...(name === 'inactive form' && { active: false }),
        ...(name === 'suspended workspace' && { workspaceId: 'ws_suspended' }),
      }),
    ),
    form(SLUGS.ambiguous),
    form(SLUGS.ambiguous, { formId: 'form_of_another', workspaceId: 'ws_other' }),
  ],
  formSecrets: [
    secret(SLUGS.good),
    secret(SLUGS['previous secret in grace'], {
      previousSecret: `${SECRET.slice(0, -1)}d`,
      previousEndsAtMilliseconds: Date.parse('2100-01-01T00:00:00Z'),
    }),
    secret(SLUGS['suspended workspace'], { workspaceId: 'ws_suspended' }),
    secret(SLUGS['inactive form']),
    secret(SLUGS['form without fields']),
    secret(SLUGS['open to browsers']),
    secret(SLUGS['workspace gone'], { workspaceId: 'ws_gone' }),
    ...Object.entries(SOURCE_SLUGS).map(([name, slug]) =>
      secret(slug, {
        ...(name !== 'no secret' && { providerSecret: PROVIDER_SECRET }),
        ...(name === 'previous secret' && { previousProviderSecret: `${PROVIDER_SECRET.slice(1)}A` }),
      }),
    ),
    secret(SLUGS.ambiguous),
    secret(SLUGS.ambiguous, { formId: 'form_of_another', workspaceId: 'ws_other' }),
  ],
  tokens: [
    tokenRecord(TOKENS.good),
    tokenRecord(TOKENS.revoked, { revokedAt: '2026-11-10T08:30:00.000Z' }),
    tokenRecord(TOKENS['wrong type'], { type: 'browser' }),
    tokenRecord(TOKENS['suspended workspace'], {
      workspaceId: 'ws_suspended',
      ...formOf(SLUGS['suspended workspace']),
    }),
    tokenRecord(TOKENS['inactive form'], formOf(SLUGS['inactive form'])),
    tokenRecord(TOKENS['form gone'], FORM_GONE),
    tokenRecord(TOKENS['workspace gone'], { workspaceId: 'ws_gone', ...formOf(SLUGS['workspace gone']) }),
  ],
};
