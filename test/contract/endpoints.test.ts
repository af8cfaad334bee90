import { describe, expect, test } from '@jest/globals';
import { send } from './http.ts';
import { openContract, requestFor, SAMPLE, submissionId, submit } from './tenant.ts';

// Specification: Endpoints
const contract = openContract();
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe.each(['1a', '1b'] as const)('POST on surface %s', (surface) => {
  test('accepts a correct submission with 202 and a submission_id, and nothing else', async () => {
    const tenant = await contract.newTenant();
    const answer = await submit(surface, tenant);
    expect(answer.status).toBe(202);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(Object.keys(JSON.parse(answer.body))).toEqual(['submission_id']);
    expect(submissionId(answer)).toMatch(UUID);
  });

  test('has stored and scored the lead, attributed to its form, by the time of the answer', async () => {
    const tenant = await contract.newTenant();
    const id = submissionId(await submit(surface, tenant));
    expect(await contract.lead(id)).toMatchObject({
      leadId: id,
      workspaceId: tenant.workspaceId,
      formId: tenant.formId,
      surface,
      body: SAMPLE,
      score: expect.any(Number),
      clean: true,
      signals: expect.arrayContaining([{ name: 'email_plausible', weight: 50 }]),
    });
  });

  test.each([
    ['upper', (name: string) => name.toUpperCase()],
    ['lower', (name: string) => name.toLowerCase()],
    [
      'mixed',
      (name: string) => [...name].map((c, i) => (i % 2 ? c.toUpperCase() : c.toLowerCase())).join(''),
    ],
  ])('takes header names in %s case', async (_, spell) => {
    const tenant = await contract.newTenant();
    const request = requestFor(surface, tenant, { headers: { 'X-SVC-Idempotency-Key': 'key' } });
    const headers = Object.fromEntries(
      Object.entries(request.headers ?? {}).map(([name, value]) => [spell(name), value]),
    );
    const id = submissionId(await send({ ...request, headers }));
    expect(submissionId(await submit(surface, tenant, { headers: { 'X-SVC-Idempotency-Key': 'key' } }))).toBe(
      id,
    );
  });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s is answered with the opaque rejection',
    async (method) => {
      const tenant = await contract.newTenant();
      const answer = await send({ ...requestFor(surface, tenant, {}), method });
      expect([answer.status, answer.body]).toEqual([200, '{"status":"rejected"}']);
    },
  );
});

test.each([
  '/',
  '/api',
  '/api/v1',
  '/api/v1/ingest/a/b',
  '/api/v2/ingest',
  '/api/v1/ingest2',
  '//api/v1/ingest',
])('an unknown path %s is answered with the opaque rejection', async (path) => {
  const answer = await send({ path, body: SAMPLE, headers: { 'Content-Type': 'application/json' } });
  expect([answer.status, answer.body]).toEqual([200, '{"status":"rejected"}']);
});
