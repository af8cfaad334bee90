import { expect } from '@jest/globals';
import type { Row, Step } from './command-table.ts';
import { archiveOther, makeApiKey } from './every-command-steps.ts';

const SHOP = 'https://shop.example.com';
export const OWN_SECRET = 'my own secret, ünïcode';

export const matching = (pattern: RegExp) => expect.stringMatching(pattern);
const hoursUntil = (time = '') => (Date.parse(time) - Date.now()) / 3_600_000;
export const worksFor = (hours: number) => (result: { previousWorksUntil?: string }) =>
  expect(hoursUntil(result.previousWorksUntil)).toBeCloseTo(hours, 1);

const WORKSPACES: readonly (Row | Step)[] = [
  [
    'workspace create --name Acme',
    'full',
    /^Created workspace (?<other>ws_\w+) \(Acme\)\.\n[\s\S]*npx --no-install leadctl --outputs .+ form create --workspace \k<other> --name/,
  ],
  [
    'workspace create --name " Müller & Söhne " --json',
    'full',
    {
      workspaceId: matching(/^ws_[0-9A-Za-z]{22}$/),
      name: 'Müller & Söhne',
      status: 'active',
      configVersion: 1,
    },
  ],
  [
    'workspace list',
    'read',
    /^ID +STATUS +CREATED +NAME\n[\s\S]*^<workspaceId> +active +\S+Z +Müller & Söhne$/m,
  ],
  // The oldest first.
  ['workspace list --json', 'read', /^\[.*"workspaceId":"<other>".*"workspaceId":"<workspaceId>"/],
];

const FORMS: readonly (Row | Step)[] = [
  [
    'form list --workspace <workspaceId>',
    'read',
    /^No forms yet\. Create one:\n {2}npx --no-install leadctl .* form create --workspace <workspaceId>/,
  ],
  [
    'form create --workspace <workspaceId> --name "Contact us"',
    'full',
    /^Created form (?<otherForm>form_\w+) \(Contact us\)\.\n[\s\S]*Webhook URL: <ingestUrl>\/api\/v1\/ingest\/contact-us-[\s\S]*secret set --form \k<otherForm>\n[\s\S]*token create --form \k<otherForm>\n/,
  ],
  [
    'form create --workspace <workspaceId> --name "Über uns" --json',
    'full',
    { formId: matching(/^form_[0-9A-Za-z]{22}$/), slug: matching(/^uber-uns-[0-9a-f]{10}$/), active: true },
  ],
  archiveOther,
  [
    'form list --workspace <workspaceId> --json',
    'read',
    [
      { formId: '<otherForm>', archivedAt: expect.any(String) },
      { formId: '<formId>', active: true, url: '<ingestUrl>/api/v1/ingest/<slug>' },
    ],
  ],
  [
    'form list --workspace <workspaceId>',
    'read',
    /^ID +SLUG +STATE +KEEPS LEADS +BROWSERS +PROVIDER +CREATED +NAME\n<otherForm> +contact-us-\w+ +archived +forever +off +none [\s\S]*^<formId> +<slug> +active +forever +off +none /m,
  ],
  ['form keep <formId> --days 90 --json', 'full', { formId: '<formId>', slug: '<slug>', retentionDays: 90 }],
  [
    'form browser <formId> --enable',
    'full',
    'Form <formId> (<slug>) still rejects leads from browsers: no origin is allowed. Pass --origins.\n',
  ],
  [
    `form browser <formId> --origins ${SHOP}`,
    'full',
    `Form <formId> (<slug>) accepts leads from pages of ${SHOP}.\n`,
  ],
  ['form list --workspace <workspaceId>', 'read', /^<formId> +<slug> +active +90 days +1 origin +/m],
  [
    'form browser <formId> --disable',
    'full',
    `Form <formId> (<slug>) rejects leads from browsers. Allowed once enabled: ${SHOP}.\n`,
  ],
  ['form browser <formId> --no-origins', 'full', 'Form <formId> (<slug>) rejects leads from browsers.\n'],
  [
    `form browser <formId> --enable --origins ${SHOP}/ https://*.Example.org --json`,
    'full',
    { formId: '<formId>', browser: { enabled: true, origins: [SHOP, 'https://*.example.org'] } },
  ],
  ['form keep <formId> --forever', 'full', 'Form <formId> (<slug>) keeps new leads forever.\n'],
  [
    'form provider <formId> stripe --events customer.created --secret-stdin --json',
    'full',
    { provider: { name: 'stripe', events: ['customer.created'] }, url: '<sourcesUrl>/sources/v1/<slug>' },
    { stdin: 'whsec_of_decent_length' },
  ],
  ['form list --workspace <workspaceId> --json', 'read', [{}, { provider: { name: 'stripe' } }]],
  [
    'form provider <formId> tally --generate-secret',
    'full',
    /takes deliveries of Tally at <sourcesUrl>\/sources\/v1\/[\s\S]*^ {2}\w{43}$/m,
  ],
  ['form provider <formId> --generate-secret --grace 24h', 'full', /^The old secret works until .+Z\.$/m],
  ['form provider <formId> --end-grace', 'full', 'The old secret of form <formId> no longer works.\n'],
  ['form provider <formId> --none', 'full', 'Form <formId> (<slug>) takes no deliveries of a provider.\n'],
  [
    'form deactivate <formId>',
    'full',
    'Form <formId> (<slug>) is inactive: all its submissions are rejected.\n',
  ],
  ['form activate <formId> --json', 'full', { formId: '<formId>', slug: '<slug>', active: true }],
];

const CREDENTIALS: readonly (Row | Step)[] = [
  [
    'secret set --form <formId>',
    'full',
    /whsec_[0-9A-Za-z]{43}\n[\s\S]*shown only once[\s\S]*sends JSON by POST to <ingestUrl>\/api\/v1\/ingest\/<slug>\n/,
  ],
  ['secret rotate --form <formId> --yes --json', 'full', worksFor(24)],
  ['secret rotate --form <formId> --grace 7d --yes --json', 'full', worksFor(7 * 24)],
  ['secret rotate --form <formId> --grace 90m --yes', 'full', /^The old secret works until \d{4}-\S+Z\.$/m],
  [
    'secret rotate --form <formId> --grace 0 --yes',
    'full',
    /shown only once[\s\S]*^The old secret no longer works\.$/m,
  ],
  [
    'secret set --form <formId> --stdin --yes',
    'full',
    /^Set the webhook secret of form <formId>/,
    { stdin: OWN_SECRET },
  ],
  [
    'token create --form <formId>',
    'full',
    /^Created server token (?<otherToken>tok_\w+) \(server token\) for form <formId> \(<slug>\):\n[\s\S]*ingt_srv_[\s\S]*shown only once[\s\S]*curl <ingestUrl>\/api\/v1\/ingest -H[\s\S]*token revoke \k<otherToken>\n/,
  ],
  [
    'token revoke <otherToken> --yes',
    'full',
    /^Revoked server token <otherToken> at (?<revoked>\S+)\. Submissions with it are rejected\.\n$/,
  ],
  // The first date stays.
  ['token revoke <otherToken> --yes --json', 'full', { revokedAt: '<revoked>' }],
  [
    'token create --form <formId> --name CRM --json',
    'full',
    { tokenId: matching(/^tok_\w{22}$/), token: matching(/^ingt_srv_\w{49}$/), type: 'server', name: 'CRM' },
  ],
  [
    'token list --workspace <workspaceId>',
    'read',
    /^<otherToken> +<formId> +….{4} +revoked [\s\S]*^<tokenId> +<formId> +….{4} +active /m,
  ],
  [
    'token list --workspace <workspaceId> --json',
    'read',
    [{ revokedAt: '<revoked>' }, { tokenId: '<tokenId>', name: 'CRM', lastFour: '<lastFour>' }],
  ],
  [
    'owner invite --workspace <workspaceId> --email <email> --show-password --json',
    'full',
    { email: '<email>' },
  ],
  ['owner list --workspace <workspaceId>', 'read', /^STATUS +CREATED +EMAIL\n\S+ +\S+ +<email>\n$/],
  ['member list --workspace <workspaceId> --json', 'read', [{ email: '<email>', role: 'owner' }]],
  makeApiKey,
  ['api-key list --workspace <workspaceId>', 'read', /^KEY[\s\S]*^<keyId> +active +- +leads:read +Zapier/m],
  ['api-key revoke <keyId> --workspace <workspaceId> --yes', 'full', 'Revoked <keyId>.\n'],
];

/** What operators set up: workspaces, forms, credentials and access. */
export const SETTINGS_COMMANDS = [...WORKSPACES, ...FORMS, ...CREDENTIALS];
