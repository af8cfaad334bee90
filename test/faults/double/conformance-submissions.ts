import {
  batchGet,
  type Call,
  get,
  OLD_ON_FAILURE,
  put,
  remove,
  token,
  transact,
  update,
  workspaceId,
} from './conformance.ts';

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

export const lead = (leadId: string) => ({
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

/** Expressions of the submission stores: gate, leads and idempotency records, in every possible state. */
export const SUBMISSION_CASES: Readonly<Record<string, readonly Call[]>> = {
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
