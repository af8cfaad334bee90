import { expect } from '@jest/globals';
import type { Row, Step } from './command-table.ts';
import {
  awaitRejection,
  beginLongAgo,
  keepOnlyOwnBackup,
  letLettersDie,
  makeRestoredTable,
  putAlerts,
  putIndexEntry,
  putMessages,
  putRecipient,
  removeRestoredTable,
  writeFiles,
} from './every-command-steps.ts';
import { matching, OWN_SECRET, SETTINGS_COMMANDS, worksFor } from './every-setting-command.ts';

const LOOPBACK = 'http://127.0.0.1:9/leads';
const RECIPIENT = 'policies@example.com';

const SENT = { accepted: 1, rejected: 0, failed: 0 };

const LEADS: readonly (Row | Step)[] = [
  ['doctor --no-round-trip', 'read', /^skip {2}round trip {12}--no-round-trip$/m],
  ['doctor', 'full', /^ok {4}round trip {12}accepted and stored in \d+ ms; an unknown token is rejected$/m],
  [
    'send --surface 1a --form <formId> --token-stdin --count 2 --key-each --json',
    'read',
    { accepted: 2, leads: 2 },
    { stdin: '<token>' },
  ],
  ['send --surface 1b --slug <slug> --secret-stdin --json', 'read', SENT, { stdin: OWN_SECRET }],
  ['send --surface 1b --form <formId> --use-form-secret --json', 'full', SENT],
  writeFiles,
  ['send --surface 1a --token-stdin --file <folder>/note.json --json', 'read', SENT, { stdin: '<token>' }],
  // Once as an authenticated sender, and once not: the records of both are looked up, and deleted in the end.
  [
    'send --surface 1a --token-stdin --file <folder>/rejected.json',
    'read',
    /^0 accepted, 1 rejected, 0 failed\.\n[\s\S]*diagnostics [\s\S]*--request (?<requestId>\S+)\n/,
    { exits: 1, stdin: '<token>' },
  ],
  [
    'send --surface 1b --slug <slug> --secret-stdin --json',
    'read',
    { accepted: 0, rejected: 1, failed: 0 },
    { exits: 1, stdin: `${OWN_SECRET}x` },
  ],
  [
    'explain --form <formId> --timestamp 1 --signature none --body-file <folder>/note.json',
    'full',
    /^Rejected: /,
    { exits: 1 },
  ],
  // The newest is not clean; the two oldest are erased below.
  ['leads list --form <formId> --limit 1', 'read', /^SUBMISSION ID[\s\S]*^(?<unclean>[\w-]{36}) .* no +/m],
  ['leads list --form <formId>', 'read', /^(?<second>[\w-]{36}) .*\n(?<first>[\w-]{36}) .*\n$(?![\s\S])/m],
  ['leads list --workspace <workspaceId>', 'read', /^SUBMISSION ID +RECEIVED +FORM|^No leads found/],
  ['leads show <first>', 'read', /Score \d+ \(grade \w\)/],
  ['leads show <unclean> --json', 'read', { submissionId: '<unclean>', clean: false, state: 'skipped' }],
  [
    'leads export --form <formId> --format csv --out <folder>/leads.csv --json',
    'read',
    { leads: 5, file: '<folder>/leads.csv' },
  ],
  awaitRejection,
  ['diagnostics --workspace <workspaceId>', 'read', /^Since \S+: \d rejected, 0 rate limited\.\n/],
  ['diagnostics --unattributed --json', 'read', { truncated: expect.any(Boolean) }],
  ['diagnostics --request <requestId> --json', 'read', { requestId: '<requestId>' }],
  [
    'diagnostics --workspace <workspaceId> --request <requestId>',
    'read',
    /^Request <requestId> was rejected\.\n/,
  ],
  ['leads requeue --pending --since 1h', 'full', /^Requeued \d+ leads? received since \S+Z\.\n$/],
  ['leads reindex --workspace <workspaceId> --yes --json', 'full', { workspaces: 1, queued: 5 }],
];

const SENDING: readonly (Row | Step)[] = [
  ['alert list --workspace <other>', 'read', 'No alerts.\n'],
  ['alert list --workspace <other> --open', 'read', 'No open alerts.\n'],
  putAlerts,
  [
    'alert list --workspace <workspaceId> --json',
    'read',
    {
      alerts: [
        { alertId: '<openAlert>', status: 'open' },
        { status: 'closed', outcome: 'recovered' },
      ],
      truncated: false,
    },
  ],
  [
    'alert list --workspace <workspaceId> --open --json',
    'read',
    { alerts: [{ alertId: '<openAlert>' }], truncated: false },
  ],
  [
    'alert list --workspace <workspaceId> --limit 1',
    'read',
    /^ALERT +KIND +STATUS +SINCE +OPENED +CLOSED +TITLE\n<openAlert> +silence +open +\S+Z +\S+Z +- +\S.*\nThere are more\. Raise --limit\.\n$/,
  ],
  [
    `destination create --workspace <workspaceId> --kind email --email ${RECIPIENT} --event lead.erased`,
    'full',
    /^Created destination (?<mail>dest_\w+) /,
  ],
  [
    'destination confirm <mail> --workspace <workspaceId>',
    'full',
    /^Asking policies@example\.com to confirm/,
  ],
  [
    `mail allow --workspace <workspaceId> --email ${RECIPIENT}`,
    'full',
    /^Removed 0 suppressions of policies@example\.com\.\n/,
  ],
  // Paused, as the other one below, so that an offboarding has nothing to wait for.
  ['destination pause <mail> --workspace <workspaceId>', 'full', /is paused: its messages wait\.\n$/],
  putRecipient,
  [
    `destination create --workspace <workspaceId> --kind webhook --url ${LOOPBACK} --name CRM`,
    'full',
    /^Created destination (?<gone>dest_\w+) \(CRM\)\.\n[\s\S]*^ {2}whsec_[A-Za-z0-9+/]{43}=$[\s\S]*--allow-loopback-destinations/m,
  ],
  [
    `destination create --workspace <workspaceId> --kind webhook --url ${LOOPBACK} --form <formId> --all-leads --event lead.erased --event lead.accepted --include-fields --json`,
    'full',
    {
      forms: ['<formId>'],
      onlyClean: false,
      includeFields: true,
      events: ['lead.accepted', 'lead.erased'],
      name: '127.0.0.1:9',
    },
  ],
  [
    'destination list --workspace <workspaceId>',
    'read',
    /^ID +KIND +STATE +ADDRESS +NAME\n[\s\S]*^<destinationId> +webhook +active +http:\/\/127\.0\.0\.1:9\/leads +127/m,
  ],
  ['destination rotate <destinationId> --workspace <workspaceId> --grace 90m --json', 'full', worksFor(1.5)],
  [
    'destination test <destinationId> --workspace <workspaceId> --json',
    'full',
    { messageId: matching(/^msg_/) },
  ],
  ['destination pause <destinationId> --workspace <workspaceId> --json', 'full', { status: 'paused' }],
  [
    'destination resume <destinationId> --workspace <workspaceId>',
    'full',
    /^Destination <destinationId> \(127\.0\.0\.1:9\) is active/,
  ],
  [
    'destination show <destinationId> --workspace <workspaceId>',
    'read',
    /^ {2}State {10}active$[\s\S]*^ {2}Events {9}lead\.accepted/m,
  ],
  ['destination delete <gone> --workspace <workspaceId> --yes', 'full', 'Deleted destination <gone>.\n'],
  putMessages,
  [
    'message list --workspace <workspaceId> --destination <destinationId> --json',
    'read',
    {
      messages: [{ messageId: '<failed>', attempts: [{ status: 503 }] }, { messageId: '<delivered>' }],
      truncated: false,
    },
  ],
  [
    'message list --workspace <workspaceId> --destination <destinationId> --limit 1',
    'read',
    /^<failed> +lead\.accepted +failed +2026-01-01\S+ +1 +503 +-$[\s\S]*^There may be more\. Raise --limit\.$/m,
  ],
  [
    'message list --workspace <workspaceId> --destination <destinationId> --status delivered --json',
    'read',
    { messages: [{ messageId: '<delivered>' }] },
  ],
  [
    'message list --workspace <workspaceId> --submission <first> --json',
    'read',
    { messages: [{ submissionId: '<first>' }], truncated: false },
  ],
  ['message replay <failed> --workspace <workspaceId> --json', 'full', { messageId: '<failed>' }],
  [
    'message replay --workspace <workspaceId> --destination <destinationId> --since 2026-01-01 --json',
    'full',
    { destinationId: '<destinationId>', since: '2026-01-01T00:00:00.000Z' },
  ],
  ['destination pause <destinationId> --workspace <workspaceId>', 'full', /is paused/],
];

const ENDS: readonly (Row | Step)[] = [
  ['backup --to <folder>/backup', 'full', /\d+ lead records/],
  letLettersDie,
  [
    'dlq list --limit 500',
    'read',
    /^MESSAGE +SUBMISSION ID +RECEIVES +AGE\n[\s\S]*^\S+ +<first> +\d +0 min$/m,
  ],
  ['dlq redrive --yes', 'full', 'Sent 1 lead back to be enriched.\n'],
  ['dlq list --queue sending', 'read', /^MESSAGE[\s\S]*dlq redrive --queue sending\n$/],
  // Other messages that nothing consumes have died with them.
  ['dlq redrive --queue sending --yes', 'full', /^Sent [2-9] messages back to their queues\.\n$/],
  ['leads erase <first> --yes --json', 'full', { submissionId: '<first>', erased: true }],
  putIndexEntry,
  [
    'person export --workspace <workspaceId> --email person@example.com --out <folder>/person.ndjson --json',
    'read',
    { leads: 1 },
  ],
  [
    'person erase --workspace <workspaceId> --email person@example.com --yes',
    'full',
    /Erased 1 lead\.[\s\S]*may not be in the index yet/,
    // Nothing reads the queue of the index.
    { exits: 1 },
  ],
  [
    'workspace suspend <workspaceId> --yes',
    'full',
    /^Workspace <workspaceId> is suspended: all its submissions are rejected\.[\s\S]*workspace resume <workspaceId>/,
  ],
  ['workspace resume <workspaceId>', 'full', 'Workspace <workspaceId> is active: it accepts submissions.\n'],
  ['owner reset-password --email <email> --yes --json', 'full', { temporaryPassword: matching(/^.{20}$/) }],
  ['owner remove --email <email> --revoke-api-keys --yes --json', 'full', { removed: true }],
  ['owner invite --workspace <workspaceId> --email <email> --show-password --json', 'full'],
  beginLongAgo,
  ['workspace offboard <workspaceId> --yes', 'full', /^Deleted workspace <workspaceId>: 2 server tokens, /],
  keepOnlyOwnBackup,
  ['restore --from <folder>/backup --yes', 'full', /^leads: \d+ restored, 0 already present/m],
  makeRestoredTable,
  [
    'restore --table leads --from-table <restoredTable> --yes',
    'full',
    'leads: 1 restored, 1 already present\n',
  ],
  removeRestoredTable,
  beginLongAgo,
  ['workspace offboard <workspaceId> --yes --json', 'full', { removed: { forms: 2, owners: 0 } }],
];

/** Every command that calls AWS, from creating a workspace to removing it. Each has something to work on. */
export const EVERY_COMMAND = [...SETTINGS_COMMANDS, ...LEADS, ...SENDING, ...ENDS];
