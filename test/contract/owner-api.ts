import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  AdminCreateUserCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  InitiateAuthCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { expect } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { findOperation } from '../lambdas/owner-api/api-document.ts';
import { localStack } from '../local-stack.ts';
import type { Tenant } from './tenant.ts';

const [outputs = {}] = Object.values(
  JSON.parse(readFileSync(localStack().outputsFile, 'utf8')) as Record<string, Record<string, string>>,
);
const cognito = new CognitoIdentityProviderClient({
  endpoint: outputs[OUTPUTS.localCognitoEndpoint] as string,
  region: outputs[OUTPUTS.region] as string,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

export interface Tokens {
  readonly id: string;
  readonly access: string;
}

export const newAddress = () => `owner-${randomBytes(6).toString('hex')}@example.com`;

export const SETTINGS_URL = outputs[OUTPUTS.settingsUrl] as string;

const UserPoolId = outputs[OUTPUTS.userPoolId] as string;

export async function newOwner({ workspaceId }: Tenant): Promise<Tokens> {
  const Username = newAddress();
  await cognito.send(
    new AdminCreateUserCommand({
      UserPoolId,
      Username,
      MessageAction: 'SUPPRESS',
      UserAttributes: [
        { Name: 'email', Value: Username },
        { Name: 'custom:workspace_id', Value: workspaceId },
      ],
    }),
  );
  return signIn(Username);
}

/** Sets a password, as if the user had replaced the temporary one. */
export async function signIn(Username: string): Promise<Tokens> {
  const Password = `Aa1!${randomBytes(12).toString('hex')}`;
  await cognito.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password, Permanent: true }));
  const { AuthenticationResult } = await cognito.send(
    new InitiateAuthCommand({
      ClientId: outputs[OUTPUTS.userPoolClientId] as string,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: Username, PASSWORD: Password },
    }),
  );
  return { id: AuthenticationResult?.IdToken as string, access: AuthenticationResult?.AccessToken as string };
}

/** Checks every response of the functions against the OpenAPI document before a test sees it. */
export async function call(token: string | undefined, method: string, path: string, body?: unknown) {
  const response = await fetch(`${SETTINGS_URL}/settings${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const contentType = response.headers.get('content-type') ?? undefined;
  const json = contentType?.includes('json') && !contentType.includes('ndjson') ? JSON.parse(text) : text;
  // A file may be empty, but then it is still a body.
  const content = response.status === 204 ? undefined : json;
  const answer = { statusCode: response.status, contentType, body: content };
  // Without a token, API Gateway responds itself, in its own format.
  const isGateways = response.status === 401 && contentType === 'application/json';
  const operation = findOperation(method, `/settings${path.split('?')[0]}`);
  if (!isGateways) expect(operation?.responseFaults(answer)).toEqual([]);
  return { status: response.status, text, json, contentType, headers: response.headers };
}
