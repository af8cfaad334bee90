import { randomBytes } from 'node:crypto';
import {
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { Failure } from '../../bin/operator/failure.ts';
import { LOCAL_CREDENTIALS, type OpenStack, PATIENCE } from '../../bin/operator/open-stack.ts';
import { placeOf, type StackOutputs } from '../../bin/operator/stack-outputs.ts';
import { makeOffboarding, REMOVED_KINDS, type Removed } from '../../lambdas/operator/offboarding-store.ts';
import { makeOwners } from '../../lambdas/operator/owners-store.ts';
import type { RejectionCount } from '../../lambdas/rejections/rejection-counts.ts';
import type { RejectionEvent } from '../../lambdas/rejections/rejection-record.ts';
import { Mismatch, shorten } from '../checks/expectations.ts';
import type { InTurn } from './http.ts';
import type { Sender } from './submission.ts';

/** A signed-in owner, who sees and does everything through the settings API. */
export interface Owner {
  call(method: string, path: string, body?: unknown): Promise<SettingsResponse>;
  /** The same, but fails unless it succeeds. */
  must<HttpResponse>(method: string, path: string, body?: unknown): Promise<HttpResponse>;
  lead(submissionId: string): Promise<OwnersLead>;
  leads(formId: string): Promise<OwnersLeads>;
  /** The counts of Diagnostics. */
  rejections(): Promise<Rejections>;
  rejectionsWithId(requestId: string): Promise<readonly RejectionEvent[]>;
}

export interface SettingsResponse {
  readonly status: number;
  readonly text: string;
}

export interface OwnersLead {
  readonly submissionId: string;
  readonly formId: string;
  readonly surface: string;
  readonly score: unknown;
  readonly clean: unknown;
  readonly signals: readonly { readonly name: string; readonly weight: number }[];
  readonly body: string;
  readonly enrichment: { readonly state: string; readonly facts?: Facts };
}

type Facts = Readonly<Record<string, { readonly value: unknown; readonly source: string }>>;

export interface OwnersLeads {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly submissionId: string; readonly cells: readonly string[] }[];
}

export interface Rejections {
  readonly rateLimited: { readonly counts: readonly RejectionCount[] };
  readonly rejected: { readonly counts: readonly RejectionCount[] };
}

const PATIENCE_MS = 35_000;

export function makeOwner(settingsUrl: string, idToken: string, inTurn: InTurn): Owner {
  const call: Owner['call'] = (method, path, body) => inTurn(() => send(method, path, body));

  async function send(method: string, path: string, body: unknown): Promise<SettingsResponse> {
    const response = await fetch(`${settingsUrl}/settings${path}`, {
      method,
      headers: {
        authorization: `Bearer ${idToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: response.status, text: await response.text() };
  }

  async function must<HttpResponse>(method: string, path: string, body?: unknown): Promise<HttpResponse> {
    const { status, text } = await call(method, path, body);
    if (status >= 200 && status < 300) return JSON.parse(text || 'null') as HttpResponse;
    throw new Mismatch(`the settings area to do ${method} ${path}`, `${status} ${shorten(text)}`);
  }

  return {
    call,
    must,
    lead: (submissionId) => must('GET', `/leads/${submissionId}`),
    leads: (formId) => must('GET', `/forms/${formId}/leads`),
    rejections: () => must('GET', '/diagnostics?by=minute'),
    async rejectionsWithId(requestId) {
      const { status, text } = await call('GET', `/diagnostics/requests/${requestId}`);
      if (status === 404) return [];
      if (status !== 200) throw new Mismatch('the request to be looked up', `${status} ${shorten(text)}`);
      return [JSON.parse(text) as RejectionEvent];
    },
  };
}

export interface OwnerAccounts {
  /** Creates an owner of a workspace and signs in. No email is sent. */
  signIn(workspaceId: string): Promise<Owner>;
  /** Returns the workspaces of owners that could not be removed. */
  removeAll(): Promise<string[]>;
  close(): void;
}

/** Owners for this run only, in the stack's own user pool. The prefix of their addresses says who made them. */
export function openOwnerAccounts(
  outputs: StackOutputs,
  inTurn: InTurn,
  prefix = 'conformance',
): OwnerAccounts {
  const { region, userPoolId, userPoolClientId, settingsUrl, localCognitoEndpoint: endpoint } = outputs;
  // Without an endpoint the SDK would use the operator's AWS account, but the file means a local stack.
  const elsewhere = outputs.localDynamoDbEndpoint !== undefined && endpoint === undefined;
  if (!userPoolId || !userPoolClientId || !settingsUrl || elsewhere) {
    throw new Failure(
      'wrong_stack',
      `There is no settings area in ${placeOf(outputs)}. Deploy or start it again with this version.`,
    );
  }
  const local = endpoint === undefined ? {} : { endpoint, credentials: LOCAL_CREDENTIALS };
  const cognito = new CognitoIdentityProviderClient({ region, requestHandler: PATIENCE, ...local });
  const owners = makeOwners(cognito, userPoolId);
  const workspaceOf = new Map<string, string>();

  async function signIn(workspaceId: string): Promise<Owner> {
    const email = `${prefix}-${randomBytes(8).toString('hex')}@example.com`;
    const password = `${randomBytes(15).toString('base64url')}-aA1`;
    // Noted first, so that an interrupted creation is removed as well.
    workspaceOf.set(email, workspaceId);
    await owners.invite({ email, workspaceId, password });
    await cognito.send(
      new AdminSetUserPasswordCommand({
        UserPoolId: userPoolId,
        Username: email,
        Password: password,
        Permanent: true,
      }),
    );
    // The stack's client lets operators sign in as an owner, with AWS credentials and the password.
    const { AuthenticationResult } = await cognito.send(
      new AdminInitiateAuthCommand({
        UserPoolId: userPoolId,
        ClientId: userPoolClientId,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: email, PASSWORD: password },
      }),
    );
    const idToken = AuthenticationResult?.IdToken;
    if (!idToken) throw new Failure('aws', 'Cognito did not sign in the owner of this run.');
    return makeOwner(settingsUrl as string, idToken, inTurn);
  }

  async function removeAll(): Promise<string[]> {
    for (const email of workspaceOf.keys()) {
      // Those that are left are listed by workspace at the end.
      const removed = await owners.remove(email).catch(() => undefined);
      if (removed !== undefined) workspaceOf.delete(email);
    }
    return [...workspaceOf.values()];
  }

  return { signIn, removeAll, close: () => cognito.destroy() };
}

/** A workspace for this run only. */
export interface ThrowAwayWorkspace {
  readonly workspaceId: string;
  readonly owner: Owner;
  /** With `secret: false` the form has no webhook secret, and rejects every webhook. */
  newSender(options?: { readonly secret?: boolean }): Promise<Sender>;
}

/** With a form that rows share. */
export interface SharedWorkspace extends ThrowAwayWorkspace {
  readonly sender: Sender;
}

export interface ThrowAways {
  newWorkspace(purpose: string): Promise<ThrowAwayWorkspace>;
  /** Returns the ids of workspaces that could not be removed completely. */
  removeAll(): Promise<string[]>;
}

/** Streams may still write after the last submission, so one removal may not be enough. */
const REMOVALS = 3;

type Stack = Pick<OpenStack, 'administration' | 'client' | 'tables'>;

/** Created and removed by the code behind `leadctl workspace create` and `leadctl workspace offboard`. */
export function makeThrowAways(stack: Stack, accounts: OwnerAccounts, prefix = 'Conformance'): ThrowAways {
  const { administration } = stack;
  const workspaceIds = new Set<string>();

  async function newSender(workspaceId: string, withSecret: boolean): Promise<Sender> {
    const { formId, slug } = await administration.createForm({ workspaceId, name: prefix });
    const { token, tokenId } = await administration.createToken({ formId });
    const { secret } = withSecret ? await administration.setSecret({ formId }) : { secret: 'whsec_none' };
    return { workspaceId, formId, slug, secret, token, tokenId };
  }

  async function newWorkspace(purpose: string): Promise<ThrowAwayWorkspace> {
    const { workspaceId } = await administration.createWorkspace({ name: `${prefix}: ${purpose}` });
    workspaceIds.add(workspaceId);
    const owner = await accounts.signIn(workspaceId);
    return { workspaceId, owner, newSender: ({ secret = true } = {}) => newSender(workspaceId, secret) };
  }

  async function remove(workspaceId: string): Promise<void> {
    // Owners are removed by their addresses: reading a large pool once per workspace would be slow.
    const offboarding = makeOffboarding({
      ...stack,
      now: Date.now,
      owners: undefined,
      // Its senders have ended.
      forgottenAfterMilliseconds: 0,
      scansLeads: false,
    });
    const removed = Object.fromEntries(REMOVED_KINDS.map((kind) => [kind, 0])) as Removed;
    const never = new AbortController().signal;
    for (let attempt = 0; attempt < REMOVALS && workspaceIds.has(workspaceId); attempt += 1) {
      const outcome = await offboarding.run(workspaceId, { removed, onStep: () => {} }, never);
      if (outcome === 'gone' || outcome === 'unknown') workspaceIds.delete(workspaceId);
    }
  }

  return {
    newWorkspace,
    async removeAll() {
      const ownersLeft = accounts.removeAll();
      await Promise.allSettled([...workspaceIds].map(remove));
      return [...new Set([...workspaceIds, ...(await ownersLeft)])];
    },
  };
}
