import { beforeAll, expect, test } from '@jest/globals';
import { OPERATIONS } from './api-document.ts';
import { openOwnerFixture } from './owner-fixture.ts';

const fixture = openOwnerFixture();
let workspaceId: string;

beforeAll(async () => {
  ({ workspaceId } = await fixture.administration.createWorkspace({ name: 'Roles' }));
});

const viewer = { authorized: { role: 'viewer' } };

test.each(OPERATIONS.map(({ operationId, method, path }) => [operationId, method, path] as const))(
  '%s: a viewer changes nothing',
  async (_operationId, method, path) => {
    const call = fixture.ownerOf(workspaceId)[method.toLowerCase() as 'get'];
    const at = path.replace('/settings', '').replace(/\{\w+\}/g, 'x');
    fixture.calls.reset();
    const { status, body } = await call(at, viewer);
    if (method === 'GET' && path !== '/settings/api-keys') {
      expect(status).not.toBe(403);
      return;
    }
    expect(status).toBe(403);
    expect(body).toMatchObject({
      type: 'urn:lead-ingest:problem:forbidden',
      detail: 'Only an owner of this workspace can do this.',
    });
    expect(fixture.calls.commands()).toEqual([]);
  },
);

test('the workspace tells everybody their role', async () => {
  const { get } = fixture.ownerOf(workspaceId);
  expect((await get('/workspace')).body.role).toBe('owner');
  expect((await get('/workspace', viewer)).body.role).toBe('viewer');
});
