import { eachField, inDoubleQuotes, SECRET_VARIABLE, type Snippet } from './snippet.ts';

/** Written as a plain key, this one would set the prototype. */
const keyOf = (key: string) => (key === '__proto__' ? `[${inDoubleQuotes(key)}]` : inDoubleQuotes(key));

export const NODE: Snippet = {
  id: 'node',
  label: 'Node.js',
  fileName: 'send-lead.mjs',
  command: 'node send-lead.mjs',
  needs: 'Node 18 or later',
  write: ({ url, lead }) => `import { createHmac, randomUUID } from 'node:crypto';

const url = ${inDoubleQuotes(url)};
const secret = process.env.${SECRET_VARIABLE};
if (!secret) throw new Error('${SECRET_VARIABLE} is not set.');

// Write the body once: sign and send this very text.
const body = JSON.stringify({
${eachField(lead, '  ', (key, value) => `${keyOf(key)}: ${inDoubleQuotes(value)}`)}});
const timestamp = String(Math.floor(Date.now() / 1000));
const signature = createHmac('sha256', secret).update(\`\${timestamp}.\${body}\`).digest('hex');

const response = await fetch(url, {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': signature,
    // One key for each lead: if you send the same lead again, send the same key.
    'X-SVC-Idempotency-Key': randomUUID(),
  },
  body,
  signal: AbortSignal.timeout(30_000),
});
const answer = await response.text();
// Every failure is answered with 200 as well: only 202 is success.
if (response.status !== 202) {
  const requestId = response.headers.get('x-amzn-requestid');
  throw new Error(\`Not accepted: look up the request id \${requestId} in Diagnostics.\`);
}
console.log(answer);
`,
};
