import { beforeAll, expect, test } from '@jest/globals';
import { OPERATIONS } from './api-document.ts';
import { openOwnerWorkbench } from './owner-workbench.ts';

const bench = openOwnerWorkbench();
let workspaceId: string;

beforeAll(async () => {
  ({ workspaceId } = await bench.administration.createWorkspace({ name: 'Roles' }));
});

const viewer = { authorized: { role: 'viewer' } };

test.each(OPERATIONS.map(({ operationId, method, path }) => [operationId, method, path] as const))(
  '%s: a viewer changes nothing',
  async (_operationId, method, path) => {
    const call = bench.ownerOf(workspaceId)[method.toLowerCase() as 'get'];
    const at = path.replace('/settings', '').replace(/\{\w+\}/g, 'x');
    bench.calls.reset();
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
    expect(bench.calls.commands()).toEqual([]);
  },
);

test('the workspace tells everybody their role', async () => {
  const { get } = bench.ownerOf(workspaceId);
  expect((await get('/workspace')).body.role).toBe('owner');
  expect((await get('/workspace', viewer)).body.role).toBe('viewer');
});
