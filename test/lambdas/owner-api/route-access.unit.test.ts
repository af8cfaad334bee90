import { describe, expect, test } from '@jest/globals';
import { ownerPipeline, route } from '#owner-api/owner-pipeline.ts';
import { makeOwnerTelemetry } from '#owner-api/owner-request.ts';
import { ok } from '#owner-api/problem.ts';
import { isChange, refusalOf } from '#owner-api/route-access.ts';
import { type OperationId, patternOf, ROUTES, type Route } from '#owner-api/route-table.ts';
import { SCOPES } from '#owner-api/scopes.ts';
import { DOCUMENT, OPERATIONS } from './api-document.ts';

const TABLE: Readonly<Record<string, Route>> = ROUTES;
const rows = Object.entries(TABLE).map(([operationId, route]) => ({ operationId, route, ...route }));
const user = { kind: 'user', workspaceId: 'ws_1', id: 'u', name: 'ada@example.com' } as const;
const key = { kind: 'key', workspaceId: 'ws_1', id: 'key_1', name: 'Zapier' } as const;

/** The few routes that viewers may not even read, and those that no key may use. */
const OWNERS_ONLY = new Set(['GET /settings/api-keys']);
const NO_KEYS = /^\/settings\/(members|api-keys|activity)/;

test('the table and the document have the same operations, by their IDs', () => {
  const documented = OPERATIONS.map(({ operationId, method, path, tag }) => [
    operationId,
    method,
    path,
    // Two tags of the document say that a function of its own serves them.
    ['Diagnostics', 'Members'].includes(tag) ? tag.toLowerCase() : 'settings',
  ]);
  const declared = rows.map(({ operationId, method, path, servedBy }) => [
    operationId,
    method,
    path,
    servedBy,
  ]);
  expect(declared.sort()).toEqual(documented.sort());
});

test('the document lists every scope, and every scope opens something', () => {
  const { schemas } = DOCUMENT.components as { schemas: { Scope: { enum: string[] } } };
  expect(schemas.Scope.enum).toEqual([...SCOPES]);
  const used = new Set(rows.flatMap(({ scopes }) => scopes));
  expect(SCOPES.filter((scope) => !used.has(scope))).toEqual([]);
});

describe.each(rows)('$method $path', ({ route, method, path, scopes }) => {
  test('is open to an owner', () => {
    expect(refusalOf({ ...user, role: 'owner' }, route)).toBeUndefined();
  });

  test('is open to a viewer only if it reads', () => {
    const refusal = refusalOf({ ...user, role: 'viewer' }, route);
    if (method === 'GET' && !OWNERS_ONLY.has(patternOf(route))) expect(refusal).toBeUndefined();
    else expect(refusal).toBe('Only an owner of this workspace can do this.');
  });

  test('is open to a key only with its scopes', () => {
    if (scopes.length === 0) {
      expect(refusalOf({ ...key, scopes: SCOPES }, route)).toBe(
        "API keys can't use this. Sign in as an owner.",
      );
      expect(path).toMatch(NO_KEYS);
      return;
    }
    for (const scope of scopes) {
      const others = SCOPES.filter((each) => each !== scope);
      expect(refusalOf({ ...key, scopes: others }, route)).toBe(`This API key needs the scope ${scope}.`);
    }
    expect(refusalOf({ ...key, scopes }, route)).toBeUndefined();
    expect(path).not.toMatch(NO_KEYS);
  });

  test('needs a scope that says what it does', () => {
    if (scopes[0] !== undefined) expect(scopes[0].endsWith(':read')).toBe(method === 'GET');
  });

  test('has the same scopes in the document', () => {
    const operation = DOCUMENT.paths[path]?.[method.toLowerCase()] as { security?: unknown } | undefined;
    const ofKey = scopes.length === 0 ? [] : [{ apiKey: scopes }];
    expect(operation?.security).toEqual([{ idToken: [] }, ...ofKey]);
  });
});

test('everything but reading, opening leads, the debugger and the preview is a change', () => {
  const unlogged = rows.filter(({ route, method }) => method !== 'GET' && !isChange(route));
  expect(unlogged.map(({ operationId }) => operationId)).toEqual([
    'debugSignature',
    'previewDelivery',
    'openLeads',
  ]);
  expect(isChange(ROUTES.listForms)).toBe(false);
});

test('a function that lacks a route of the table, or has a foreign one, does not start', () => {
  const dependencies = {
    telemetry: makeOwnerTelemetry('members', Date.now),
    now: Date.now,
    deadlineMilliseconds: 1,
  };
  const operations = ['listMembers', 'inviteMember', 'changeMember', 'removeMember'] as const;
  const start = (...ids: OperationId[]) =>
    ownerPipeline(
      'members',
      dependencies,
      ids.map((id) => route(id, async () => ok({}))),
    );
  expect(() => start(...operations)).not.toThrow();
  expect(() => start(...operations.slice(1))).toThrow('listMembers');
  expect(() => start(...operations, 'listMembers')).toThrow('listMembers');
  expect(() => start(...operations, 'listForms')).toThrow('listForms');
});
