import { GO } from './go.ts';
import {
  doubleQuoted,
  SECRET_VARIABLE,
  type Snippet,
  shellQuoted,
  singleQuoted,
  writeFields,
} from './snippet.ts';

// Can be pasted into a terminal: it never exits the shell and has no comments, which an interactive zsh rejects, nor
// a variable named status, which zsh reserves.
export const CURL: Snippet = {
  id: 'curl',
  label: 'curl',
  fileName: 'send-lead.sh',
  command: 'bash send-lead.sh',
  needs: 'bash or zsh, curl and openssl',
  write: ({ url, lead }) => `: "\${${SECRET_VARIABLE}:?is not set}"
url=${shellQuoted(url)}
body=${shellQuoted(JSON.stringify(lead))}
timestamp=$(date +%s)
signature=$(printf '%s.%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac "$${SECRET_VARIABLE}" -hex | sed 's/^.* //')
answer=$(curl --silent --show-error --include --max-time 30 --write-out '\\n%{http_code}' "$url" \\
  --header 'Content-Type: application/json' \\
  --header "X-SVC-Timestamp: $timestamp" \\
  --header "X-SVC-Signature: $signature" \\
  --header "X-SVC-Idempotency-Key: $(openssl rand -hex 16)" \\
  --data-raw "$body")
printf '%s\\n' "$answer"
if [ "\${answer##*$'\\n'}" = 202 ]; then
  echo 'Accepted.'
else
  echo 'Not accepted: look up the x-amzn-requestid above in Diagnostics.' >&2
  false
fi
`,
};

/** A plain `__proto__` key would set the prototype. */
const keyOf = (key: string) => (key === '__proto__' ? `[${doubleQuoted(key)}]` : doubleQuoted(key));

const NODE: Snippet = {
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

const PYTHON: Snippet = {
  id: 'python',
  label: 'Python',
  fileName: 'send_lead.py',
  command: 'python3 send_lead.py',
  needs: 'Python 3.6 or later',
  write: ({ url, lead }) => `import hashlib
import hmac
import json
import os
import time
import urllib.request
import uuid

url = ${doubleQuoted(url)}
secret = os.environ["${SECRET_VARIABLE}"]

# Serialize the body once; sign and send exactly these bytes.
body = json.dumps({
${writeFields(lead, '    ', (key, value) => `${doubleQuoted(key)}: ${doubleQuoted(value)}`)}}).encode()
timestamp = str(int(time.time()))
message = timestamp.encode() + b"." + body
signature = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()

request = urllib.request.Request(url, data=body, method="POST", headers={
    "Content-Type": "application/json",
    "X-SVC-Timestamp": timestamp,
    "X-SVC-Signature": signature,
    # One key per lead. Send the same key when you retry.
    "X-SVC-Idempotency-Key": str(uuid.uuid4()),
})
with urllib.request.urlopen(request, timeout=30) as response:
    answer = response.read().decode()
    # Only 202 means success. Rejections return 200.
    if response.status != 202:
        request_id = response.headers["x-amzn-requestid"]
        raise SystemExit(f"Not accepted: look up request ID {request_id} in Diagnostics.")
print(answer)
`,
};

const PHP: Snippet = {
  id: 'php',
  label: 'PHP',
  fileName: 'send-lead.php',
  command: 'php send-lead.php',
  needs: 'PHP 8.0 or later',
  write: ({ url, lead }) => `<?php
$url = ${singleQuoted(url)};
$secret = getenv('${SECRET_VARIABLE}') ?: throw new RuntimeException('${SECRET_VARIABLE} is not set.');

// Serialize the body once; sign and send exactly these bytes.
$body = json_encode((object) [
${writeFields(lead, '    ', (key, value) => `${singleQuoted(key)} => ${singleQuoted(value)}`)}], JSON_THROW_ON_ERROR);
$timestamp = (string) time();
$signature = hash_hmac('sha256', $timestamp . '.' . $body, $secret);

$stream = fopen($url, 'rb', false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Content-Type: application/json',
        'X-SVC-Timestamp: ' . $timestamp,
        'X-SVC-Signature: ' . $signature,
        // One key per lead. Send the same key when you retry.
        'X-SVC-Idempotency-Key: ' . bin2hex(random_bytes(16)),
    ],
    'content' => $body,
    'timeout' => 30,
    'follow_location' => 0,
    'ignore_errors' => true,
]])) ?: throw new RuntimeException('No response.');
$headers = stream_get_meta_data($stream)['wrapper_data'];
$answer = stream_get_contents($stream);
// Only 202 means success. Rejections return 200.
if (!preg_match('#^HTTP/\\S+ 202\\b#', $headers[0])) {
    $requestId = implode(preg_grep('/^x-amzn-requestid:/i', $headers));
    throw new RuntimeException('Not accepted. Look this up in Diagnostics: ' . $requestId);
}
echo $answer, PHP_EOL;
`,
};

const RUBY: Snippet = {
  id: 'ruby',
  label: 'Ruby',
  fileName: 'send_lead.rb',
  command: 'ruby send_lead.rb',
  needs: 'Ruby 2.5 or later',
  write: ({ url, lead }) => `require 'json'
require 'net/http'
require 'openssl'
require 'securerandom'

url = URI(${singleQuoted(url)})
secret = ENV.fetch('${SECRET_VARIABLE}')

# Serialize the body once; sign and send exactly these bytes.
body = JSON.generate({
${writeFields(lead, '  ', (key, value) => `${singleQuoted(key)} => ${singleQuoted(value)}`)}})
timestamp = Time.now.to_i.to_s
signature = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{timestamp}.#{body}")

response = Net::HTTP.post(url, body, {
  'Content-Type' => 'application/json',
  'X-SVC-Timestamp' => timestamp,
  'X-SVC-Signature' => signature,
  # One key per lead. Send the same key when you retry.
  'X-SVC-Idempotency-Key' => SecureRandom.uuid,
})
# Only 202 means success. Rejections return 200.
unless response.code == '202'
  abort "Not accepted: look up request ID #{response['x-amzn-requestid']} in Diagnostics."
end
puts response.body
`,
};

export const SNIPPETS: readonly Snippet[] = [CURL, NODE, PYTHON, PHP, RUBY, GO];
