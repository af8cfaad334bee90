import { createHmac } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Http, type HttpRequest, type HttpResponse, openHttp } from '../../conformance/world/http.ts';
import { localStack } from '../local-stack.ts';
import { openContract, SAMPLE, type Tenant } from './tenant.ts';

const contract = openContract();
const SECRET = 'the-secret-of-the-provider-0123456789';

let http: Http;
let tenant: Tenant;
beforeAll(async () => {
  http = openHttp(localStack().sourcesUrl);
  tenant = await contract.newTenant();
  await chooseGitHub(tenant);
});

async function chooseGitHub({ workspaceId, slug, formId }: Tenant): Promise<void> {
  const { forms, formSecrets, workspaces } = contract.tables;
  const update = (TableName: string, Key: object, UpdateExpression: string, value: unknown) =>
    contract.client.send(
      new UpdateCommand({
        TableName,
        Key: Key as Record<string, string>,
        UpdateExpression,
        ExpressionAttributeValues: { ':value': value },
      }),
    );
  await update(forms, { slug, formId }, 'SET provider = :value', { name: 'github' });
  await update(formSecrets, { slug, formId }, 'SET providerSecret = :value', SECRET);
  await update(workspaces, { workspaceId }, 'ADD configVersion :value', 1);
}

function signed(body: string, { slug = tenant.slug, secret = SECRET } = {}): HttpRequest {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return {
    method: 'POST',
    path: `/sources/v1/${slug}`,
    headers: { 'Content-Type': 'application/json', 'X-Hub-Signature-256': `sha256=${signature}` },
    body,
  };
}

const withToken = (headers: Record<string, string>): HttpRequest => ({
  method: 'POST',
  path: '/sources/v1',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: SAMPLE,
});

const answer = ({ status, body }: HttpResponse) => [status, body];
const idIn = ({ body }: HttpResponse) => (JSON.parse(body) as { submission_id: string }).submission_id;
const REFUSED = [503, '{"status":"rejected"}'];

test('a signed delivery is stored, and its repetition gets the same response', async () => {
  const body = '{"email":"ada@analytical-engines.co.uk","n":1}';
  const first = await http.send(signed(body));
  expect(answer(first)).toEqual([200, JSON.stringify({ submission_id: idIn(first) })]);
  expect(answer(await http.send(signed(body)))).toEqual(answer(first));
  expect(await contract.lead(idIn(first))).toMatchObject({ formId: tenant.formId, surface: '1c', body });
});

test.each(['Authorization', 'X-API-Key'])('a server token in %s', async (header) => {
  const value = header === 'Authorization' ? `Bearer ${tenant.token}` : tenant.token;
  const response = await http.send(withToken({ [header]: value }));
  expect(await contract.lead(idIn(response))).toMatchObject({ formId: tenant.formId, surface: '1c' });
});

test('a ping is ignored', async () => {
  const response = await http.send(signed('{"zen":"Anything added dilutes everything else.","hook_id":1}'));
  expect(answer(response)).toEqual([200, '{"status":"ignored"}']);
});

describe('503, with the same headers from the function for every cause', () => {
  const headersOf = ({ headers }: HttpResponse) =>
    Object.keys(headers).filter((name) => !['date', 'connection', 'keep-alive'].includes(name));

  test('an unknown slug, a wrong secret, a wrong token', async () => {
    const responses = [
      await http.send(signed(SAMPLE, { slug: 'no-such-form-1234' })),
      await http.send(signed(SAMPLE, { secret: 'another-secret-0123456789' })),
      await http.send(withToken({ 'X-API-Key': 'ingt_srv_wrong' })),
    ];
    for (const response of responses) {
      expect(answer(response)).toEqual(REFUSED);
      expect(headersOf(response)).toEqual(headersOf(responses[0] as HttpResponse));
    }
  });

  test('the limit of the day', async () => {
    const busy = await contract.newTenant();
    await contract.exhaust(busy, '1c', 'day');
    expect(answer(await http.send(withToken({ 'X-API-Key': busy.token })))).toEqual(REFUSED);
  });
});

describe('503 from the gateway', () => {
  test.each([
    ['another method', 'GET', '/sources/v1'],
    ['another path', 'POST', '/sources/v2'],
    ['the path of Surface 1a', 'POST', '/api/v1/ingest'],
    ['the root', 'GET', '/'],
  ])('%s', async (_what, method, path) => {
    expect(answer(await http.send({ method, path, headers: {} }))).toEqual(REFUSED);
  });

  test('a body that no function can take', async () => {
    const large = signed(JSON.stringify({ text: 'x'.repeat(5_000_000) }));
    expect(answer(await http.send(large))).toEqual(REFUSED);
  });
});

test('the ingest API does not know these paths', async () => {
  const ingest = openHttp(localStack().ingestUrl);
  const response = await ingest.send(withToken({ 'X-API-Key': tenant.token }));
  expect(answer(response)).toEqual([200, '{"status":"rejected"}']);
  ingest.close();
});
