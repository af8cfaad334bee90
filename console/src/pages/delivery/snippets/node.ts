import { doubleQuoted, SECRET_VARIABLE, type Snippet, writeFields } from './snippet.ts';

/** A plain `__proto__` key would set the prototype. */
const keyOf = (key: string) => (key === '__proto__' ? `[${doubleQuoted(key)}]` : doubleQuoted(key));

export const NODE: Snippet = {
  id: 'node',
  label: 'Node.js',
  fileName: 'send-lead.mjs',
  command: 'node send-lead.mjs',
  needs: 'Node 18 or later',
  write: ({ url, lead }) => `import { createHmac, randomUUID } from 'node:crypto';

const url = ${doubleQuoted(url)};
const secret = process.env.${SECRET_VARIABLE};
if (!secret) throw new Error('${SECRET_VARIABLE} is not set.');

// Serialize the body once; sign and send exactly these bytes.
const body = JSON.stringify({
${writeFields(lead, '  ', (key, value) => `${keyOf(key)}: ${doubleQuoted(value)}`)}});
const timestamp = String(Math.floor(Date.now() / 1000));
const signature = createHmac('sha256', secret).update(\`\${timestamp}.\${body}\`).digest('hex');

const response = await fetch(url, {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': signature,
    // One key per lead. Send the same key when you retry.
    'X-SVC-Idempotency-Key': randomUUID(),
  },
  body,
  signal: AbortSignal.timeout(30_000),
});
const answer = await response.text();
// Only 202 means success. Rejections return 200.
if (response.status !== 202) {
  const requestId = response.headers.get('x-amzn-requestid');
  throw new Error(\`Not accepted: look up request ID \${requestId} in Diagnostics.\`);
}
console.log(answer);
`,
};
