export const ROLES = ['owner', 'viewer'] as const;

/** Owners may do everything in their workspace; viewers may only read. */
export type Role = (typeof ROLES)[number];

/** A person who signed in. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly workspaceId: string;
  /** Cognito's `sub`, which says nothing about the person. */
  readonly id: string;
  /** The email address. */
  readonly name: string;
  readonly role: Role;
}

/** Who sends a request to the settings API. The authorizer finds out, and functions take its word only. */
export type Principal = UserPrincipal;

/** What the authorizer passes on: API Gateway hands it to functions as `requestContext.authorizer.lambda`. */
export interface AuthorizerContext {
  readonly workspaceId: string;
  /** `user:<sub>` */
  readonly actor: string;
  readonly actorName: string;
  readonly role: Role;
}

export function contextOf(principal: Principal): AuthorizerContext {
  const { workspaceId, kind, id, name, role } = principal;
  return { workspaceId, actor: `${kind}:${id}`, actorName: name, role };
}

/** Undefined unless the context is complete: without it, nobody may do anything. */
export function principalIn(context: unknown): Principal | undefined {
  const given = Object(context) as Partial<Record<keyof AuthorizerContext, unknown>>;
  const { workspaceId, actor, actorName: name, role } = given;
  const [, kind, id] = /^(user):(.+)$/.exec(typeof actor === 'string' ? actor : '') ?? [];
  if (typeof workspaceId !== 'string' || workspaceId === '' || typeof name !== 'string') return undefined;
  if (kind !== 'user' || id === undefined || !isRole(role)) return undefined;
  return { kind, workspaceId, id, name, role };
}

export function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value);
}
