import {
  batchGet,
  type Call,
  get,
  type Members,
  OLD_ON_FAILURE,
  put,
  query,
  token,
  transact,
  update,
  workspaceId,
} from './conformance.ts';
import { lead } from './conformance-submissions.ts';

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

const form = {
  ...secretKey,
  workspaceId,
  name: 'F',
  active: true,
  fields: [{ key: 'email', role: 'email' }],
};

/** Expressions of the other stores: enrichment, statistics, secrets, tokens and forms. */
export const SETTINGS_CASES: Readonly<Record<string, readonly Call[]>> = {
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
  'a counter moves to a sequence number only from the one that was seen': [
    ...['003', '001', '004'].map((first) =>
      update('stats', {
        Key: { workspaceId, sk: 'hour#1' },
        UpdateExpression: 'ADD #n0 :n0, #n1 :n1 SET seq = :last, v = :v',
        ConditionExpression: 'attribute_not_exists(seq) OR seq < :first',
        ExpressionAttributeNames: { '#n0': 'accepted', '#n1': 'band60' },
        ExpressionAttributeValues: { ':n0': 1, ':n1': 2, ':v': 2, ':first': first, ':last': first },
        ...OLD_ON_FAILURE,
      }),
    ),
    ...['003', '004'].map((seen) =>
      update('stats', {
        Key: { workspaceId, sk: 'hour#1' },
        UpdateExpression: 'ADD accepted :n SET seq = :last',
        ConditionExpression: 'seq = :seen',
        ExpressionAttributeValues: { ':n': 1, ':seen': seen, ':last': '005' },
        ...OLD_ON_FAILURE,
      }),
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
};
