import { OUTPUTS } from '../lambdas/contract.ts';
import type { Route } from './gateway/routes.ts';
import type { LocalStack } from './start-local-stack.ts';

const LEAD = '{"name":"Ada Lovelace","email":"ada@analytical-engines.co.uk","company":"Analytical Engines"}';

/** What somebody wants to see who has just typed `npm start`: addresses, and lines to paste into a shell. */
export function banner(stack: LocalStack, dataDirectory: string | undefined): string {
  const { demo } = stack;
  return `
Open ${stack.consoleUrl} and sign in as ${demo.ownerEmail} with the password ${demo.ownerPassword}

lead-ingest takes leads on ${stack.ingestUrl}

Send a lead with the demo workspace's server token:

  curl -i ${stack.ingestUrl}${pathOf(stack.routes, false)} \\
    -H ${quote(`Authorization: Bearer ${demo.serverToken}`)} \\
    -H 'Content-Type: application/json' \\
    --data-binary ${quote(LEAD)}

Send a lead as a webhook provider does, signed:

  timestamp=$(date +%s) body=${quote(LEAD)}
  signature=$(printf '%s.%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac ${quote(demo.webhookSecret)} | sed 's/^.* //')
  curl -i ${stack.ingestUrl}${pathOf(stack.routes, true).replace(/\{[^}]+\}/, demo.slug)} \\
    -H "X-SVC-Timestamp: $timestamp" \\
    -H "X-SVC-Signature: sha256=$signature" \\
    -H 'Content-Type: application/json' \\
    --data-binary "$body"

Ask the settings API as the workspace's owner:

  token=$(curl -s ${stack.cognitoEndpoint} \\
    -H 'X-Amz-Target: AWSCognitoIdentityProviderService.InitiateAuth' \\
    -H 'Content-Type: application/x-amz-json-1.1' \\
    --data-binary ${quote(signIn(stack))} | sed 's/.*"IdToken":"\\([^"]*\\)".*/\\1/')
  curl -i ${stack.settingsUrl}/settings/workspace -H "Authorization: Bearer $token"

See a lead, enriched within seconds:  npx --no-install leadctl --outputs ${stack.outputsFile} leads show SUBMISSION_ID

Operate it:  npx --no-install leadctl --outputs ${stack.outputsFile} --help
DynamoDB:    ${stack.dynamodbEndpoint}
SQS:         ${stack.sqsEndpoint}
Cognito:     ${stack.cognitoEndpoint}
Settings:    ${stack.settingsUrl}/settings
Console:     ${stack.consoleUrl}
Logs:        ${stack.logFolder}
Data:        ${dataDirectory ?? 'in memory, gone at the end'}

Ctrl-C ends it.
`;
}

/** The local Cognito knows no SRP: the password itself is sent, to this machine. */
function signIn({ outputs, demo }: LocalStack): string {
  return JSON.stringify({
    AuthFlow: 'USER_PASSWORD_AUTH',
    ClientId: outputs[OUTPUTS.userPoolClientId],
    AuthParameters: { USERNAME: demo.ownerEmail, PASSWORD: demo.ownerPassword },
  });
}

/** The POST route that takes a path parameter, or the one that takes none. */
function pathOf(routes: readonly Route[], withParameter: boolean): string {
  const route = routes.find(
    ({ httpMethod, resourcePath }) => httpMethod === 'POST' && resourcePath.includes('{') === withParameter,
  );
  return route?.resourcePath ?? '/';
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
