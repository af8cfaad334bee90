import { shellWord } from '../bin/operator/terminal.ts';
import { OUTPUTS } from '../lambdas/contract.ts';
import type { Reason } from '../lambdas/model/reasons.ts';
import type { Route } from './gateway/routes.ts';
import type { LocalStack } from './start-local-stack.ts';

const LEAD = '{"name":"Ada Lovelace","email":"ada@analytical-engines.co.uk","company":"Analytical Engines"}';

/** What `npm start` prints: addresses, and commands to paste into a shell. */
export function banner(stack: LocalStack, dataDirectory: string | undefined): string {
  return `
${withDemo(stack).join('\n\n')}

Show a lead, enriched within seconds:  ${leadctl(stack, 'leads show SUBMISSION_ID')}

Operations:  ${leadctl(stack, '--help')}
DynamoDB:    ${stack.dynamodbEndpoint}
SQS:         ${stack.sqsEndpoint}
Cognito:     ${stack.cognitoEndpoint}
Settings:    ${stack.settingsUrl}/settings
Sources:     ${stack.sourcesUrl}/sources/v1 (Surface 1c)
Console:     ${stack.consoleUrl}
Logs:        ${stack.logFolder}
Mail:        ${stack.mailFolder} (nothing is sent)
Events:      ${stack.eventBusFile}
Data:        ${dataDirectory ?? 'in memory, deleted at the end'}

Press Ctrl-C to stop.
`;
}

/** What works with the demo workspace, or how to get it. */
function withDemo(stack: LocalStack): string[] {
  const accepts = `lead-ingest accepts leads at ${stack.ingestUrl}`;
  const { workspaceId } = stack.demo;
  if (workspaceId === null) return [accepts, withoutWorkspace(stack)];
  return [signIn(stack), accepts, sendWithToken(stack), sendSigned(stack), ...callSettings(stack)];
}

function withoutWorkspace(stack: LocalStack): string {
  return `The demo workspace was removed. Create another one, with the IDs that each command prints:

  ${leadctl(stack, 'workspace create --name Demo')}
  ${leadctl(stack, 'form create --workspace ws_… --name "Contact us"')}
  ${leadctl(stack, 'token create --form form_…')}
  ${leadctl(stack, 'secret set --form form_…')}
  ${leadctl(stack, 'owner invite --workspace ws_… --email you@example.com --show-password')}`;
}

function signIn({ consoleUrl, demo, ...stack }: LocalStack): string {
  if (demo.ownerPassword !== null) {
    return `Open ${consoleUrl} and sign in as ${demo.ownerEmail} with the password ${demo.ownerPassword}`;
  }
  const reset = leadctl(stack, `owner reset-password --email ${demo.ownerEmail}`);
  return `Open ${consoleUrl} and sign in as ${demo.ownerEmail} with your own password. If you forgot it:\n\n  ${reset}`;
}

function sendWithToken(stack: LocalStack): string {
  const { serverToken } = stack.demo;
  if (serverToken === null) return explain(stack, 'token', stack.demoRejected.serverToken);
  return `Send a lead with the demo workspace's server token:

  curl -i ${stack.ingestUrl}${pathOf(stack.routes, false)} \\
    -H ${quote(`Authorization: Bearer ${serverToken}`)} \\
    -H 'Content-Type: application/json' \\
    --data-binary ${quote(LEAD)}`;
}

function sendSigned(stack: LocalStack): string {
  const { webhookSecret, slug } = stack.demo;
  if (webhookSecret === null || slug === null) {
    return explain(stack, 'secret', stack.demoRejected.webhookSecret);
  }
  return `Send a signed lead, as a webhook provider does:

  timestamp=$(date +%s) body=${quote(LEAD)}
  signature=$(printf '%s.%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac ${quote(webhookSecret)} | sed 's/^.* //')
  curl -i ${stack.ingestUrl}${pathOf(stack.routes, true).replace(/\{[^}]+\}/, slug)} \\
    -H "X-SVC-Timestamp: $timestamp" \\
    -H "X-SVC-Signature: sha256=$signature" \\
    -H 'Content-Type: application/json' \\
    --data-binary "$body"`;
}

/** By why the demo's token or secret is rejected: what to say, and the command that helps. */
const REMEDIES: Readonly<Partial<Record<Reason, readonly [string, (demo: LocalStack['demo']) => string]>>> = {
  workspace_suspended: ['The workspace is suspended', ({ workspaceId }) => `workspace resume ${workspaceId}`],
  form_inactive: ['The form is inactive', ({ formId }) => `form activate ${formId}`],
  form_not_found: [
    'The form is gone',
    ({ workspaceId }) => `form create --workspace ${workspaceId} --name "Demo form"`,
  ],
  token_revoked: ['The token was revoked', ({ formId }) => `token create --form ${formId}`],
  signature_mismatch: [
    'The form has another secret now. Sign with it, wherever you have kept it, or with',
    ({ formId }) => `send --surface 1b --form ${formId} --use-form-secret`,
  ],
};

function explain(stack: LocalStack, what: 'token' | 'secret', reason: Reason | undefined): string {
  const renew = what === 'token' ? 'token create --form' : 'secret set --form';
  const [why, command] = (reason && REMEDIES[reason]) ?? [
    `The ${what} is gone`,
    ({ formId }: LocalStack['demo']) => `${renew} ${formId}`,
  ];
  return `The demo workspace's ${what === 'token' ? 'server token' : 'webhook secret'} no longer works. ${why}:

  ${leadctl(stack, command(stack.demo))}`;
}

/** The local Cognito does not support SRP, so the password itself is sent (to this machine). */
function callSettings({ outputs, demo, cognitoEndpoint, settingsUrl }: LocalStack): string[] {
  if (demo.ownerPassword === null) return [];
  const authentication = JSON.stringify({
    AuthFlow: 'USER_PASSWORD_AUTH',
    ClientId: outputs[OUTPUTS.userPoolClientId],
    AuthParameters: { USERNAME: demo.ownerEmail, PASSWORD: demo.ownerPassword },
  });
  const call = `Call the settings API as the workspace's owner:

  token=$(curl -s ${cognitoEndpoint} \\
    -H 'X-Amz-Target: AWSCognitoIdentityProviderService.InitiateAuth' \\
    -H 'Content-Type: application/x-amz-json-1.1' \\
    --data-binary ${quote(authentication)} | sed 's/.*"IdToken":"\\([^"]*\\)".*/\\1/')
  curl -i ${settingsUrl}/settings/workspace -H "Authorization: Bearer $token"`;
  return [call];
}

/** The POST route with a path parameter, or the one without. */
function pathOf(routes: readonly Route[], withParameter: boolean): string {
  const route = routes.find(
    ({ httpMethod, resourcePath }) => httpMethod === 'POST' && resourcePath.includes('{') === withParameter,
  );
  return route?.resourcePath ?? '/';
}

function leadctl({ outputsFile }: Pick<LocalStack, 'outputsFile'>, command: string): string {
  return `npx --no-install leadctl --outputs ${shellWord(outputsFile)} ${command}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
