import type { TableNames } from '#aws/tables.ts';
import type { Call } from './conformance.ts';

type Members = Record<string, unknown>;
type Noun = keyof TableNames;

const on =
  (kind: Call['kind']) =>
  (noun: Noun, members: Members): Call => ({
    kind,
    input: (tables) => ({ TableName: tables[noun], ...members }),
  });

export const put = on('put');
export const update = on('update');
export const remove = on('delete');
export const get = on('get');
export const query = on('query');

export function transact(
  items: readonly (readonly [action: string, noun: Noun, members: Members])[],
  token?: string,
): Call {
  return {
    kind: 'transact',
    input: (tables) => ({
      ...(token && { ClientRequestToken: token }),
      TransactItems: items.map(([action, noun, members]) => ({
        [action]: { TableName: tables[noun], ...members },
      })),
    }),
  };
}

export function batchGet(keys: Partial<Record<Noun, Members[]>>, more: Members = {}): Call {
  return {
    kind: 'batchGet',
    input: (tables) => ({
      RequestItems: Object.fromEntries(
        Object.entries(keys).map(([noun, Keys]) => [tables[noun as Noun], { Keys, ...more }]),
      ),
    }),
  };
}

const OLD_ON_FAILURE = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
const workspaceId = 'ws';
const workspace = { workspaceId, name: 'W', status: 'active', configVersion: 3, v: 1 };
const seeWorkspace = get('workspaces', { Key: { workspaceId }, ConsistentRead: true });

const admit = (version: number, counts: readonly [string, string], expired: readonly string[] = []) =>
  update('workspaces', {
    Key: { workspaceId },
    UpdateExpression: `ADD #minute :one, #day :one${expired.length > 0 ? ` REMOVE ${expired.map((_, i) => `#expired${i}`).join(', ')}` : ''}`,
    ConditionExpression:
      '#status = :active AND configVersion = :version' +
      ' AND (attribute_not_exists(#minute) OR #minute < :perMinute)' +
      ' AND (attribute_not_exists(#day) OR #day < :perDay)',
    ExpressionAttributeNames: {
      '#status': 'status',
      '#minute': counts[0],
      '#day': counts[1],
      ...Object.fromEntries(expired.map((name, i) => [`#expired${i}`, name])),
    },
    ExpressionAttributeValues: {
      ':one': 1,
      ':active': 'active',
      ':version': version,
      ':perMinute': 2,
      ':perDay': 3,
    },
    ReturnValues: 'ALL_NEW',
    ...OLD_ON_FAILURE,
  });

const keyHash = 'hash';
const accepted = { keyHash, kind: 'accepted', statusCode: 202, body: '{}', expiresAt: 100, v: 1 };
const marker = (denialId: string) => ({ denialId, reason: 'r' });
const seeRecord = get('idempotency', { Key: { keyHash }, ConsistentRead: true });

const mark = (denialId: string, now: number, surface = '1a') =>
  update('idempotency', {
    Key: { keyHash },
    UpdateExpression:
      'SET kind = :denied, #marker = :marker, expiresAt = :expiresAt, v = :v REMOVE statusCode, #body, leadId',
    ConditionExpression: 'attribute_not_exists(keyHash) OR expiresAt <= :now OR kind = :denied',
    ExpressionAttributeNames: { '#marker': `denied${surface}`, '#body': 'body' },
    ExpressionAttributeValues: {
      ':now': now,
      ':denied': 'denied',
      ':marker': marker(denialId),
      ':expiresAt': 100,
      ':v': 1,
    },
    ...OLD_ON_FAILURE,
  });

const lead = (leadId: string) => ({
  leadId,
  part: 'lead',
  workspaceId,
  formId: 'form',
  surface: '1a',
  score: 71,
  clean: true,
  receivedAt: '2026-11-15T12:00:00.000Z',
  body: '{"a":1}',
  signals: '[]',
  v: 1,
});

const pair = (leadId: string, now: number, denialSeen = 'none', token?: string, body = '{}') =>
  transact(
    [
      ['Put', 'leads', { Item: lead(leadId), ConditionExpression: 'attribute_not_exists(leadId)' }],
      [
        'Put',
        'idempotency',
        {
          Item: { ...accepted, body, leadId },
          ConditionExpression:
            'attribute_not_exists(keyHash) OR expiresAt <= :now' +
            ' OR (kind = :denied AND attribute_not_exists(#marker)) OR #marker = :denialSeen',
          ExpressionAttributeNames: { '#marker': 'denied1a' },
          ExpressionAttributeValues: {
            ':now': now,
            ':denied': 'denied',
            ':denialSeen': denialSeen === 'none' ? denialSeen : marker(denialSeen),
          },
          ...OLD_ON_FAILURE,
        },
      ],
    ],
    token,
  );
const seeLead = (leadId: string) => get('leads', { Key: { leadId, part: 'lead' }, ConsistentRead: true });

const enrichment = (state: string, more: Members = {}) => ({
  leadId: 'l',
  part: 'enrichment',
  state,
  attempts: 1,
  v: 1,
  ...more,
  facts: { email: { value: 'a@b.c', source: 'body', list: ['x', 1, true, null] } },
});

const enrich = (item: Members, again: boolean) =>
  transact([
    [
      'ConditionCheck',
      'leads',
      { Key: { leadId: 'l', part: 'lead' }, ConditionExpression: 'attribute_exists(leadId)' },
    ],
    [
      'Put',
      'leads',
      {
        Item: item,
        ConditionExpression: again
          ? 'attribute_not_exists(leadId) OR (#state = :failed AND reason <> :reason)'
          : 'attribute_not_exists(leadId) OR #state = :failed',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':failed': 'failed', ...(again && { ':reason': item.reason }) },
      },
    ],
  ]);
const seeParts = batchGet(
  {
    leads: [
      { leadId: 'l', part: 'lead' },
      { leadId: 'l', part: 'enrichment' },
    ],
  },
  { ConsistentRead: true },
);

const secretKey = { slug: 'contact', formId: 'form' };
const secret = { ...secretKey, secret: 'old', workspaceId, setAt: 'then', v: 1 };
const seeSecret = get('formSecrets', { Key: secretKey, ConsistentRead: true });
const rotate = (value: string) =>
  update('formSecrets', {
    Key: secretKey,
    UpdateExpression:
      'SET previousSecret = secret, previousEndsAtMilliseconds = :endsAt, secret = :secret, unshown = :true',
    ConditionExpression: 'attribute_exists(secret) AND attribute_not_exists(unshown)',
    ExpressionAttributeValues: { ':endsAt': 1_763_208_000_000, ':secret': value, ':true': true },
    ...OLD_ON_FAILURE,
  });

const token = {
  tokenHash: 't',
  tokenId: 'tok_1',
  workspaceId,
  slug: 'contact',
  formId: 'form',
  type: 'server',
};
const form = {
  ...secretKey,
  workspaceId,
  name: 'F',
  active: true,
  fields: [{ key: 'email', role: 'email' }],
};

/** The shapes of expressions that the stores use, each with the states that it can meet. */
export const CASES: Readonly<Record<string, readonly Call[]>> = {
  'the gate admits, counts, and stops at either limit': [
    put('workspaces', { Item: workspace }),
    ...[admit(3, ['m1', 'd1']), admit(3, ['m1', 'd1']), admit(3, ['m1', 'd1'])],
    ...[admit(3, ['m2', 'd1'], ['m1', 'gone']), admit(3, ['m3', 'd1'], ['m2'])],
    seeWorkspace,
  ],
  'the gate refuses another version, a suspended workspace and one that is not there': [
    admit(3, ['m1', 'd1']),
    put('workspaces', { Item: workspace }),
    admit(2, ['m1', 'd1']),
    put('workspaces', { Item: { ...workspace, status: 'suspended' } }),
    admit(3, ['m1', 'd1']),
    seeWorkspace,
  ],
  'status and version change in one write': [
    update('workspaces', {
      Key: { workspaceId },
      UpdateExpression: 'ADD configVersion :one',
      ConditionExpression: 'attribute_exists(workspaceId)',
      ExpressionAttributeValues: { ':one': 1 },
      ReturnValues: 'UPDATED_NEW',
    }),
    put('workspaces', { Item: workspace, ConditionExpression: 'attribute_not_exists(workspaceId)' }),
    put('workspaces', { Item: workspace, ConditionExpression: 'attribute_not_exists(workspaceId)' }),
    update('workspaces', {
      Key: { workspaceId },
      UpdateExpression: 'SET #status = :status ADD configVersion :one',
      ConditionExpression: 'attribute_exists(workspaceId)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':one': 1, ':status': 'suspended' },
      ReturnValues: 'UPDATED_NEW',
    }),
    seeWorkspace,
  ],
  'lead and record are stored together, once': [
    pair('l', 10),
    ...[pair('m', 10), pair('l', 10), seeLead('l'), seeLead('m'), seeRecord],
    batchGet({ idempotency: [{ keyHash }], workspaces: [{ workspaceId }] }, { ConsistentRead: true }),
  ],
  'an expired record is replaced, at its very second': [
    put('idempotency', { Item: accepted }),
    ...[pair('l', 99), pair('l', 100), seeRecord, seeLead('l')],
  ],
  'a denial is overruled by whoever has seen it, and by nobody else': [
    ...[mark('d1', 10), pair('l', 10), pair('l', 10, 'd2'), pair('l', 10, 'd1'), seeRecord, seeLead('l')],
  ],
  'a denial replaces denials and what has expired, never a live acceptance': [
    ...[mark('d1', 10), mark('d2', 10), seeRecord],
    ...[put('idempotency', { Item: accepted }), mark('d3', 99), mark('d3', 100), seeRecord],
  ],
  'a transaction repeated with its token is a success, and changes nothing': [
    ...[pair('l', 10, 'none', 'token-1'), pair('l', 10, 'none', 'token-1')],
    ...[pair('l', 10, 'none', 'token-1', 'other'), pair('l', 10, 'none', 'token-2'), seeRecord],
  ],
  'a lead without a key is put once': [
    ...[0, 1].map(() =>
      put('leads', { Item: lead('l'), ConditionExpression: 'attribute_not_exists(leadId)' }),
    ),
    seeLead('l'),
  ],
  'an enrichment is written once beside a lead that is still there': [
    enrich(enrichment('enriched'), false),
    put('leads', { Item: lead('l') }),
    ...[
      enrich(enrichment('failed', { reason: 'a' }), true),
      enrich(enrichment('failed', { reason: 'a' }), true),
    ],
    ...[enrich(enrichment('failed', { reason: 'b' }), true), enrich(enrichment('enriched'), false)],
    ...[enrich(enrichment('enriched'), false), enrich(enrichment('failed', { reason: 'c' }), true), seeParts],
    transact([
      [
        'Delete',
        'leads',
        {
          Key: { leadId: 'l', part: 'lead' },
          ConditionExpression: 'workspaceId = :workspaceId',
          ExpressionAttributeValues: { ':workspaceId': workspaceId },
        },
      ],
      ['Delete', 'leads', { Key: { leadId: 'l', part: 'enrichment' } }],
    ]),
    ...[enrich(enrichment('enriched'), false), seeParts],
  ],
  'stats are counted with their marks or not at all': [
    ...[1, 1, 2].map((mark) =>
      transact([
        [
          'Put',
          'stats',
          {
            Item: { workspaceId, sk: `counted#${mark}`, expiresAt: 1, v: 1 },
            ConditionExpression: 'attribute_not_exists(sk)',
          },
        ],
        [
          'Update',
          'stats',
          {
            Key: { workspaceId, sk: 'hour#1' },
            UpdateExpression: 'ADD #n0 :n0, #n1 :n1 SET v = :v',
            ExpressionAttributeNames: { '#n0': 'accepted', '#n1': 'band60' },
            ExpressionAttributeValues: { ':n0': 1, ':n1': 2, ':v': 1 },
          },
        ],
      ]),
    ),
    query('stats', {
      KeyConditionExpression: 'workspaceId = :workspaceId AND begins_with(sk, :hour)',
      ExpressionAttributeValues: { ':workspaceId': workspaceId, ':hour': 'hour#' },
      ConsistentRead: true,
    }),
  ],
  'a secret is rotated with what it was, and a mark stops the next rotation': [
    rotate('new'),
    ...[put('formSecrets', { Item: secret }), rotate('new'), rotate('newer'), seeSecret],
    update('formSecrets', {
      Key: secretKey,
      UpdateExpression: 'REMOVE unshown',
      ...OLD_ON_FAILURE,
    }),
    update('formSecrets', {
      Key: secretKey,
      UpdateExpression: 'SET secret = :secret REMOVE previousSecret, previousEndsAtMilliseconds, unshown',
      ExpressionAttributeValues: { ':secret': 'mine' },
    }),
    seeSecret,
  ],
  'a token is revoked once, and found by its id': [
    put('tokens', { Item: token, ConditionExpression: 'attribute_not_exists(tokenHash)' }),
    ...['first', 'second'].map((now) =>
      update('tokens', {
        Key: { tokenHash: 't' },
        UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
        ConditionExpression: 'attribute_exists(tokenHash)',
        ExpressionAttributeValues: { ':now': now },
        ReturnValues: 'ALL_NEW',
      }),
    ),
    query('tokens', {
      IndexName: 'byTokenId',
      KeyConditionExpression: '#id = :id',
      ExpressionAttributeNames: { '#id': 'tokenId' },
      ExpressionAttributeValues: { ':id': 'tok_1' },
      Limit: 1,
    }),
    query('tokens', {
      IndexName: 'byWorkspace',
      KeyConditionExpression: 'workspaceId = :workspaceId AND #id = :id',
      ExpressionAttributeNames: { '#id': 'tokenId' },
      ExpressionAttributeValues: { ':workspaceId': workspaceId, ':id': 'tok_1' },
      Limit: 1,
    }),
  ],
  'forms are queried by slug and through their indexes, in the order of the sort key': [
    ...['b', 'a', 'c'].map((formId) => put('forms', { Item: { ...form, formId } })),
    put('forms', { Item: { ...form, formId: 'z', archivedAt: 'x' } }),
    ...[true, false].map((ScanIndexForward) =>
      query('forms', {
        KeyConditionExpression: 'slug = :slug',
        ExpressionAttributeValues: { ':slug': 'contact' },
        ConsistentRead: true,
        ScanIndexForward,
        Limit: 3,
      }),
    ),
    query('forms', {
      KeyConditionExpression: 'slug = :slug AND formId BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':slug': 'contact', ':from': 'b', ':to': 'c' },
    }),
    query('forms', {
      IndexName: 'byWorkspace',
      KeyConditionExpression: 'workspaceId = :workspaceId',
      FilterExpression: 'attribute_not_exists(archivedAt)',
      ProjectionExpression: 'formId, #name, active',
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: { ':workspaceId': workspaceId },
    }),
    update('forms', {
      Key: { slug: 'contact', formId: 'a' },
      UpdateExpression: 'SET #active = :active, #archivedAt = if_not_exists(#archivedAt, :archivedAt)',
      ConditionExpression: 'attribute_exists(slug)',
      ExpressionAttributeNames: { '#active': 'active', '#archivedAt': 'archivedAt' },
      ExpressionAttributeValues: { ':active': false, ':archivedAt': 'now' },
      ReturnValues: 'ALL_NEW',
    }),
  ],
  'mistakes are refused': [
    put('workspaces', { Item: workspace }),
    get('workspaces', { Key: { workspaceId: '' } }),
    get('workspaces', { Key: { workspaceId, more: 'x' } }),
    get('forms', { Key: { slug: 'contact' } }),
    put('forms', { Item: { slug: 'contact' } }),
    put('tokens', { Item: { ...token, tokenId: '' } }),
    put('workspaces', { Item: workspace, ConditionExpression: '#nobody = :x' }),
    put('workspaces', {
      Item: workspace,
      ConditionExpression: 'attribute_exists(workspaceId)',
      ExpressionAttributeValues: { ':idle': 1 },
    }),
    put('workspaces', { Item: workspace, ConditionExpression: 'attribute_exists(workspaceId) AND' }),
    update('workspaces', {
      Key: { workspaceId },
      UpdateExpression: 'SET workspaceId = :x',
      ExpressionAttributeValues: { ':x': 'other' },
    }),
    update('workspaces', {
      Key: { workspaceId },
      UpdateExpression: 'SET v = :x ADD v :x',
      ExpressionAttributeValues: { ':x': 1 },
    }),
    update('workspaces', {
      Key: { workspaceId },
      UpdateExpression: 'ADD #name :x',
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: { ':x': 1 },
    }),
    update('workspaces', { Key: { workspaceId }, UpdateExpression: 'SET copy = nothing' }),
    batchGet({ workspaces: [{ workspaceId }, { workspaceId }] }),
    transact([
      ['Put', 'workspaces', { Item: workspace }],
      ['Delete', 'workspaces', { Key: { workspaceId } }],
    ]),
    seeWorkspace,
  ],
  'deletes return what was there, and deleting nothing is no error': [
    remove('tokens', { Key: { tokenHash: 't' }, ReturnValues: 'ALL_OLD' }),
    put('tokens', { Item: token }),
    remove('tokens', {
      Key: { tokenHash: 't' },
      ConditionExpression: 'attribute_exists(revokedAt)',
      ...OLD_ON_FAILURE,
    }),
    remove('tokens', { Key: { tokenHash: 't' }, ReturnValues: 'ALL_OLD' }),
    get('tokens', { Key: { tokenHash: 't' }, ConsistentRead: true }),
  ],
};
