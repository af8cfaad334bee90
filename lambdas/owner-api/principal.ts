import { createHash } from 'node:crypto';
import { base62 } from '../model/configuration.ts';
import { isScope, type Scope } from './scopes.ts';

export const ROLES = ['owner', 'viewer'] as const;

/** Owners may do everything in their workspace; viewers may only read. */
export type Role = (typeof ROLES)[number];

/** A person who signed in. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly workspaceId: string;
  /** The member's id, which says nothing about the person. */
  readonly id: string;
  /** The email address. */
  readonly name: string;
  readonly role: Role;
}

/** A program with an API key. */
export interface KeyPrincipal {
  readonly kind: 'key';
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** Who sends a request to the settings API. Only the authorizer decides this; functions trust nothing else. */
export type Principal = UserPrincipal | KeyPrincipal;

/** Why the authorizer refused a request. The texts are for the caller. */
const REFUSALS = {
  invalid_token: 'The ID token has expired or is not valid. Sign in again.',
  not_a_member: 'You are not a member of this workspace.',
  removed: 'You are no longer a member of this workspace.',
  workspace_gone: 'This workspace no longer exists.',
  malformed_key: 'This is no API key: part of it is missing or mistyped.',
  unknown_key: 'This API key does not exist.',
  revoked_key: 'This API key was revoked.',
} as const;

export type Refusal = keyof typeof REFUSALS;

export interface RefusedContext {
  readonly refusal: Refusal;
}

/** Undefined if the authorizer gave no reason. */
export function refusalIn(context: unknown): string | undefined {
  const { refusal } = Object(context) as { refusal?: unknown };
  return typeof refusal === 'string' && Object.hasOwn(REFUSALS, refusal)
    ? REFUSALS[refusal as Refusal]
    : undefined;
}

/** What the authorizer passes on: API Gateway hands it to functions as `requestContext.authorizer.lambda`. */
export interface AuthorizerContext {
  readonly workspaceId: string;
  /** `user:<memberId>` or `key:<keyId>` */
  readonly actor: string;
  readonly actorName: string;
  /** Of a user. */
  readonly role?: Role;
  /** Of a key, separated by spaces. */
  readonly scopes?: string;
}

export function contextOf(principal: Principal): AuthorizerContext {
  const { workspaceId, kind, id, name } = principal;
  const actor = { workspaceId, actor: `${kind}:${id}`, actorName: name };
  return principal.kind === 'user'
    ? { ...actor, role: principal.role }
    : { ...actor, scopes: principal.scopes.join(' ') };
}

/** Undefined if the context is incomplete. The request is then refused. */
export function principalIn(context: unknown): Principal | undefined {
  const given = Object(context) as Partial<Record<keyof AuthorizerContext, unknown>>;
  const { workspaceId, actor, actorName: name, role, scopes } = given;
  const [, kind, id] = /^(user|key):(.+)$/.exec(typeof actor === 'string' ? actor : '') ?? [];
  if (typeof workspaceId !== 'string' || workspaceId === '' || typeof name !== 'string') return undefined;
  if (id === undefined) return undefined;
  if (kind === 'user') return isRole(role) ? { kind, workspaceId, id, name, role } : undefined;
  if (kind !== 'key' || typeof scopes !== 'string') return undefined;
  return { kind, workspaceId, id, name, scopes: scopes.split(' ').filter(isScope) };
}

function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value);
}

const PREFIX = 'mem_';
const ID_BYTES = 16;

/**
 * A member's id outside of the service. Cognito's own ids have a form of theirs, so an invitation that reached nobody
 * would look different. Computed, not stored: members and log entries of earlier versions get the same id.
 */
export function memberIdOf(workspaceId: string, userId: string): string {
  const digest = createHash('sha256').update(`${workspaceId}#${userId}`).digest();
  return `${PREFIX}${base62(digest.subarray(0, ID_BYTES))}`;
}

/** The id of a member in the activity log, where earlier versions wrote Cognito's. */
export function currentMemberId(workspaceId: string, id: string): string {
  return id.startsWith(PREFIX) ? id : memberIdOf(workspaceId, id);
}
