import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { beforeAll, expect, test } from '@jest/globals';
import { makeApiKeys } from '../../lambdas/access/api-keys-store.ts';
import { until } from '../until.ts';
import { fill, type Values, wordsOf } from './command-table.ts';
import { onTestStack, openTestStack, type Run, resultOf } from './run-leadctl.ts';

const stack = openTestStack();

const values: Values = { uuid: randomUUID(), folder: tmpdir() };
/** Everything that a refused command might have changed. */
const everything = () =>
  Promise.all([
    stack.workspaceItem(values.workspaceId ?? ''),
    stack.formItem(values.slug ?? '', values.formId ?? ''),
    stack.secretItem(values.slug ?? '', values.formId ?? ''),
    stack.secretItem(values.bareSlug ?? '', values.bareForm ?? ''),
    resultOf(wordsOf('token list --workspace <workspaceId>', values)),
    resultOf(wordsOf('form list --workspace <workspaceId>', values)),
    resultOf(wordsOf('destination list --workspace <workspaceId>', values)),
    resultOf(wordsOf('leads list --form <formId>', values)),
    resultOf(wordsOf('api-key list --workspace <workspaceId>', values)),
  ]);
let before: Awaited<ReturnType<typeof everything>>;

beforeAll(async () => {
  const tenant = await stack.newTenant();
  const bare = await stack.administration.createForm({ workspaceId: tenant.workspaceId, name: 'Bare' });
  const other = await stack.newForm();
  Object.assign(values, tenant, { bareForm: bare.formId, bareSlug: bare.slug, other: other.workspaceId });
  const webhook = 'destination create --workspace <workspaceId> --kind webhook --url http://127.0.0.1:9/';
  const made = await resultOf<{ destinationId: string }>(wordsOf(webhook, values));
  values.destinationId = made.destinationId;
  await resultOf(wordsOf('destination pause <destinationId> --workspace <workspaceId>', values));
  const [lead] = await stack.putLeads(tenant, [{}]);
  values.leadId = lead?.leadId ?? '';
  const apiKeys = makeApiKeys({ ...stack, now: Date.now, randomBytes })(tenant.workspaceId);
  const key = { name: 'Zapier', scopes: ['leads:read'], createdBy: 'a', createdById: 'mem_1' } as const;
  values.keyId = (await apiKeys.create(key)).record.keyId;
  await until(apiKeys.list, (keys) => keys.length > 0);
  before = await everything();
});

type Refusal = readonly [line: string, sentence: string, stdin?: string];

/** Exit status 1. */
const NOT_FOUND: readonly Refusal[] = [
  ['workspace suspend ws_nobody --yes', 'Workspace ws_nobody not found. Check the ID'],
  ['workspace resume ws_nobody --json', '{"error":{"code":"not_found","message":"Workspace ws_nobody not'],
  ['form create --workspace ws_nobody --name x', 'Workspace ws_nobody not found. Check the ID'],
  ['form list --workspace ws_nobody', 'Workspace ws_nobody not found.'],
  ['form deactivate form_nobody', 'Form form_nobody not found. Check the ID'],
  ['form browser form_nobody --enable', 'Form form_nobody not found.'],
  ['secret set --form form_nobody', 'Form form_nobody not found.'],
  ['token create --form form_nobody', 'Form form_nobody not found.'],
  ['token revoke tok_nobody --yes', 'tok_nobody not found.'],
  ['owner invite --workspace ws_nobody --email a@example.com', 'Workspace ws_nobody not found.'],
  ['api-key revoke key_none --workspace <workspaceId> --yes', 'API key key_none not found.'],
  ['alert list --workspace ws_nobody', 'Workspace ws_nobody not found.'],
  ['destination list --workspace ws_nobody', 'Workspace ws_nobody not found.'],
  ['destination show <destinationId> --workspace <other>', 'There is no destination <destinationId>.'],
  ['destination show dest_nobody --workspace <workspaceId>', 'dest_nobody. Check the ID, and that stack'],
  ['message replay msg_nobody --workspace <workspaceId>', 'There is no message msg_nobody.'],
  ['leads show <uuid>', 'not found'],
  ['leads erase <uuid> --yes', 'Lead <uuid> not found.'],
  ['leads list --form form_nobody', 'Form form_nobody not found.'],
  ['leads list --workspace ws_nobody', 'Workspace ws_nobody not found.'],
  ['leads reindex --workspace ws_nobody --yes', 'Workspace ws_nobody not found.'],
  ['leads reindex --from ws_nobody --yes', 'Workspace ws_nobody not found.'],
  ['person erase --email a@example.com --workspace ws_nobody --yes', 'Workspace ws_nobody not found'],
  ['diagnostics --workspace ws_nobody', 'Workspace ws_nobody not found.'],
  ['diagnostics --request <uuid>', 'The request was accepted or is too old.'],
  [
    'diagnostics --workspace <workspaceId> --request <uuid>',
    '30 days if the sender was authenticated, otherwise for one day',
  ],
  ['restore --table leads --from-table nobodys --yes', 'Table nobodys not found'],
  [
    'secret rotate --form <bareForm> --json',
    '{"error":{"code":"conflict","message":"Form <bareForm> has no webhook secret to rotate. Set one first."}}',
  ],
  [
    'destination test <destinationId> --workspace <workspaceId>',
    'The destination is paused: resume it first.',
  ],
];

/** Exit status 2: there is no terminal to confirm on, and `yes` on standard input is not enough. */
const UNCONFIRMED: readonly Refusal[] = [
  ['workspace suspend <workspaceId>', 'No terminal to confirm on. Add --yes to suspend workspace'],
  ['workspace offboard <workspaceId>', 'Add --yes to permanently delete workspace <workspaceId>'],
  ['secret set --form <formId>', 'Add --yes to replace the webhook secret of form <formId> (Contact us) of '],
  ['secret set --form <formId>', 'Submissions signed with the current secret are rejected at once.'],
  ['secret rotate --form <formId>', 'Submissions signed with the current secret are rejected at 20'],
  ['secret rotate --form <formId> --grace 0', 'current secret are rejected at once.'],
  ['token revoke <tokenId>', 'Add --yes to permanently revoke server token <tokenId>'],
  ['token revoke <tokenId> --json', '{"error":{"code":"usage","message":"No terminal to confirm on. Add'],
  ['api-key revoke <keyId> --workspace <workspaceId>', 'Add --yes to '],
  ['owner remove --email ada@example.com', 'Add --yes to '],
  ['owner reset-password --email ada@example.com', 'Add --yes to '],
  ['destination delete <destinationId> --workspace <workspaceId>', 'Add --yes to '],
  ['leads erase <leadId>', 'Add --yes to erase lead <leadId>'],
  ['leads reindex --workspace <workspaceId>', 'Add --yes to index 1 lead of <workspaceId> in stack '],
  ['leads reindex --workspace <workspaceId>', 'again, which takes about 3 write units.'],
  [
    'person erase --workspace <workspaceId> --email zoe@example.com',
    'Add --yes to erase all leads with this',
  ],
  ['dlq redrive', 'Add --yes to send all dead letters'],
].map(([line = '', sentence = '']) => [line, sentence, 'yes\n']);

const CREATE = 'destination create --workspace <workspaceId>';
const DESTINATIONS = [
  ['--kind webhook', '--url is missing.'],
  ['--kind webhook --url http://a.example', '--url must begin with https://.'],
  ['--kind webhook --url https://10.0.0.1/', '--url must contain a public'],
  ['--kind email --email nobody', '--email must be a valid email'],
  ['--kind webhook --url http://127.0.0.1:9/ --event lost', '--event must contain'],
  ['--kind webhook --url http://127.0.0.1:9/ --form form_x', '--form must contain'],
  ['--kind webhook --url http://127.0.0.1:9/ --name "a\nb"', '--name must not'],
  ['--kind slack --url https://a.example --url-stdin', 'not both.'],
] as const;

/** Exit status 2. */
const WRONG: readonly Refusal[] = [
  ['workspace create --name "   "', 'must have 1 to 100 characters'],
  ['workspace create --name "Acme\nScore 100"', 'must not contain line breaks'],
  ['workspace create --name "Acme \u202egnp.exe"', 'must not contain line breaks'],
  ['form keep <formId>', 'Pass --days N or --forever.'],
  ['form keep <formId> --days 3651', 'Use a whole number from 1 to 3,650.'],
  ['form keep <formId> --days 7 --forever', 'Pass --days N or --forever.'],
  ['form browser <formId>', 'Pass --enable, --disable, --origins or --no-origins.'],
  ['form browser <formId> --enable --disable', 'not both'],
  ['form browser <formId> --origins example.com', 'The origin example.com must start with https'],
  ['form provider <formId>', 'Pass a provider, --none,'],
  ['form provider <formId> hubspot', 'Allowed choices are typeform'],
  ['form provider <formId> stripe --events form_response', 'must be one of checkout'],
  ['form provider <formId> tally --none', 'Pass --none alone.'],
  ['form provider <formId> --events a', 'Pass a provider with --events.'],
  ['form provider <formId> tally --grace 1h', 'Pass --grace with'],
  [
    'form provider <formId> stripe --secret-stdin',
    'This is an API key. Enter the signing',
    'sk_live_0123456789abcdef',
  ],
  ['secret set --form <formId> --stdin --yes', 'is empty', ''],
  ['secret set --form <formId> --stdin --yes', '16 to 200 characters', 'top-secret'],
  ['secret set --form <formId> --stdin --yes', 'no whitespace around them', ' top-secret-0123456789'],
  ['secret rotate --form <formId> --grace 8d', 'The grace period must be between 0 and 7 days.'],
  [
    'secret rotate --form <formId> --grace 12',
    "argument '12' is invalid. Use 0, or minutes, hours or days: 90m",
  ],
  ['owner invite --workspace <workspaceId> --email "no address"', 'Invalid email address.'],
  ...DESTINATIONS.map(([options, sentence]): Refusal => [`${CREATE} ${options}`, sentence]),
  ['destination rotate <destinationId> --workspace <workspaceId> --grace 8d', '--grace can be at most 7d.'],
  ['message list --workspace <workspaceId>', 'Pass --destination ID or --submission ID.'],
  [
    'message list --workspace <workspaceId> --submission x --status failed',
    '--status works with --destination only.',
  ],
  ['message replay --workspace <workspaceId>', 'Pass a message ID, or --destination ID with --since TIME.'],
  ['message replay msg_1 --workspace <workspaceId> --since 1h', 'Pass a message ID, or --destination ID'],
  [
    'message replay dest_1 --workspace <workspaceId>',
    'dest_1 is a destination ID. This option takes a message ID.',
  ],
  ['leads list', 'Pass --form ID or --workspace ID.'],
  ['leads list --form <formId> --workspace <workspaceId>', 'Pass --form ID or --workspace ID.'],
  ['leads list --form <formId> --clean --not-clean', 'Pass --clean or --not-clean'],
  ['leads list --form <formId> --limit 5000', 'a whole number from 1 to 1,000'],
  ['leads list --form <formId> --cursor nonsense', 'Start again without one'],
  ['leads export --form <formId> --format csv --json', '--out'],
  ['leads export --form <formId> --format csv --columns n,scoer', 'Unknown columns: n, scoer.'],
  ['leads export --form <formId> --format ndjson --columns n', '--format csv'],
  ['leads export --form <formId> --format xlsx', 'Allowed choices are csv, ndjson'],
  ['leads requeue --since 36h', 'Pass --pending'],
  ['leads requeue --pending', '--since'],
  ['leads requeue --pending --since yesterday', 'Use a date'],
  ['leads reindex --workspace ws_1 --from ws_2', 'Pass --workspace or --from, not both.'],
  ['person export --email " " --workspace <workspaceId>', 'The email address cannot be empty'],
  ['person erase --workspace <workspaceId>', '--email'],
  ['diagnostics --since 1h', 'Pass --workspace ID, --unattributed for'],
  ['diagnostics --workspace ws_1 --unattributed', 'Pass --workspace or --unattributed, not both.'],
  ['send --surface 1b --use-form-secret', 'Surface 1b needs a form'],
  ['send --surface 1b --slug x', 'Surface 1b needs a webhook secret'],
  ['send --surface 1a --secret-stdin', 'Surface 1a takes a server token'],
  ['send --surface 1b --provider tally --slug x', 'Only surface 1c'],
  ['send --surface 1c --provider tally', 'Surface 1c needs a form'],
  ['send --surface 1c', 'Surface 1c needs a server token'],
  ['send --surface 1c --provider tally --slug x --key a', 'no idempotency key'],
  ['send --surface 1a --key a --key-each', 'not both'],
  ['send --surface 2', 'Allowed choices are 1a, 1b, 1c'],
  ['send --surface 1a --count 100001', 'a whole number from 1 to 100,000'],
  [
    'send --surface 1a --form <bareForm> --token-stdin',
    'The server token belongs to form <formId>, not <bareForm>',
    '<token>',
  ],
  [
    'explain --form <formId> --body-file /nowhere.json',
    'Cannot read /nowhere.json: no such file or folder (ENOENT).',
  ],
  ['backup --to <folder>', 'is not empty. Choose a new folder with --to.'],
  ['restore --from <folder> --yes', 'is not a complete backup'],
  ['restore --yes', 'Pass --from'],
  ['restore --table leads --yes', 'Pass --from'],
  ['restore --from-table x --yes', 'Pass --from'],
  ['restore --from x --table leads --from-table y --yes', 'Pass --from'],
  ['restore --table diagnostics --from-table x --yes', 'Allowed choices are'],
];

const refuse = ([line, , stdin = '']: Refusal) =>
  onTestStack(wordsOf(line, values), { stdin: fill(stdin, values) });

/** Begun at once: what an index does not find is looked for again, for two seconds. */
const looking = new Map<Refusal, Promise<Run>>();
beforeAll(() => {
  for (const row of NOT_FOUND) looking.set(row, refuse(row));
});

test.each([...NOT_FOUND, ...UNCONFIRMED, ...WRONG].map((row) => [row[0], row] as const))(
  '%s',
  async (_, row) => {
    const [line, sentence, stdin = ''] = row;
    const exitCode = NOT_FOUND.includes(row) ? 1 : 2;
    const given = fill(stdin, values);
    const { stderr, ...run } = await (looking.get(row) ?? refuse(row));
    expect(run).toEqual({ exitCode, stdout: '' });
    // One line, and no stack trace.
    expect(stderr).toMatch(line.endsWith('--json') ? /^\{"error":\{[^\n]+\}\n$/ : /^leadctl: [^\n]+\n$/);
    expect(stderr).toContain(fill(sentence, values));
    // Neither what may be a secret, nor the address of a person.
    if (given.length > 4) expect(stderr).not.toContain(given.trim());
    expect(stderr).not.toMatch(/zoe|ada@/);
  },
);

test.each([
  'secret set --form form_x hunter2-hunter2-hunter2',
  'secret set --form form_x --secret hunter2-hunter2-hunter2',
  'secret set --form form_x --secret=hunter2-hunter2-hunter2',
  'secret set --form form_x --stdin=hunter2-hunter2-hunter2',
  'token revoke ingt_srv_hunter2 --yes',
  'api-key revoke lik_hunter2 --workspace ws_x --yes',
])('%s: a secret on the command line is refused and not repeated', async (line) => {
  const run = await onTestStack(wordsOf(line, values));
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).not.toContain('hunter2');
});

test('a table is not restored from itself', async () => {
  const restore = ['restore', '--table', 'leads', '--from-table', stack.tables.leads, '--yes'];
  expect((await onTestStack(restore)).stderr).toContain('is the table of the stack itself');
});

test('none of them has changed anything', async () => {
  expect(await everything()).toEqual(before);
  expect(await stack.workspaceItem('ws_nobody')).toBeUndefined();
});
