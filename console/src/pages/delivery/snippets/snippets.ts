import { GO } from './go.ts';
import { NODE_CLIENT } from './node-client.ts';
import {
  type Credential,
  doubleQuoted,
  keyOf,
  type Language,
  SECRET,
  type Snippet,
  shellQuoted,
  singleQuoted,
  TOKEN,
  writeFields,
} from './snippet.ts';

// Can be pasted into a terminal: it never exits the shell and has no comments, which an interactive zsh rejects, nor
// a variable named status, which zsh reserves.
const CURL: Language = {
  id: 'curl',
  label: 'curl',
  fileName: 'send-lead.sh',
  command: 'bash send-lead.sh',
  needs: 'bash or zsh, curl and openssl',
  write: ({ url, lead }, { variable, ifSigned }) => `: "\${${variable}:?is not set}"
url=${shellQuoted(url)}
body=${shellQuoted(JSON.stringify(lead))}
${ifSigned(`timestamp=$(date +%s)
signature=$(printf '%s.%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac "$${variable}" -hex | sed 's/^.* //')
`)}answer=$(curl --silent --show-error --include --max-time 30 --write-out '\\n%{http_code}' "$url" \\
  --header 'Content-Type: application/json' \\
${ifSigned(
  `  --header "X-SVC-Timestamp: $timestamp" \\
  --header "X-SVC-Signature: $signature" \\`,
  `  --header "Authorization: Bearer $${variable}" \\`,
)}
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

const NODE: Language = {
  id: 'node',
  label: 'Node.js',
  fileName: 'send-lead.mjs',
  command: 'node send-lead.mjs',
  needs: 'Node 18 or later',
  write: (
    { url, lead },
    { name, variable, ifSigned },
  ) => `import { ${ifSigned('createHmac, ')}randomUUID } from 'node:crypto';

const url = ${doubleQuoted(url)};
const ${name} = process.env.${variable};
if (!${name}) throw new Error('${variable} is not set.');

${ifSigned('// Serialize the body once; sign and send exactly these bytes.\n')}const body = JSON.stringify({
${writeFields(lead, '  ', (key, value) => `${keyOf(key)}: ${doubleQuoted(value)}`)}});
${ifSigned(`const timestamp = String(Math.floor(Date.now() / 1000));
const signature = createHmac('sha256', secret).update(\`\${timestamp}.\${body}\`).digest('hex');
`)}
const response = await fetch(url, {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
${ifSigned(
  `    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': signature,`,
  `    Authorization: \`Bearer \${token}\`,`,
)}
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

const PYTHON: Language = {
  id: 'python',
  label: 'Python',
  fileName: 'send_lead.py',
  command: 'python3 send_lead.py',
  needs: 'Python 3.6 or later',
  write: (
    { url, lead },
    { name, variable, ifSigned },
  ) => `${ifSigned('import hashlib\nimport hmac\n')}import json
import os
${ifSigned('import time\n')}import urllib.request
import uuid

url = ${doubleQuoted(url)}
${name} = os.environ["${variable}"]

${ifSigned('# Serialize the body once; sign and send exactly these bytes.\n')}body = json.dumps({
${writeFields(lead, '    ', (key, value) => `${doubleQuoted(key)}: ${doubleQuoted(value)}`)}}).encode()
${ifSigned(`timestamp = str(int(time.time()))
message = timestamp.encode() + b"." + body
signature = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
`)}
request = urllib.request.Request(url, data=body, method="POST", headers={
    "Content-Type": "application/json",
${ifSigned(
  `    "X-SVC-Timestamp": timestamp,
    "X-SVC-Signature": signature,`,
  '    "Authorization": f"Bearer {token}",',
)}
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

const PHP: Language = {
  id: 'php',
  label: 'PHP',
  fileName: 'send-lead.php',
  command: 'php send-lead.php',
  needs: 'PHP 8.0 or later',
  write: ({ url, lead }, { name, variable, ifSigned }) => `<?php
$url = ${singleQuoted(url)};
$${name} = getenv('${variable}') ?: throw new RuntimeException('${variable} is not set.');

${ifSigned('// Serialize the body once; sign and send exactly these bytes.\n')}$body = json_encode((object) [
${writeFields(lead, '    ', (key, value) => `${singleQuoted(key)} => ${singleQuoted(value)}`)}], JSON_THROW_ON_ERROR);
${ifSigned(`$timestamp = (string) time();
$signature = hash_hmac('sha256', $timestamp . '.' . $body, $secret);
`)}
$stream = fopen($url, 'rb', false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Content-Type: application/json',
${ifSigned(
  `        'X-SVC-Timestamp: ' . $timestamp,
        'X-SVC-Signature: ' . $signature,`,
  `        'Authorization: Bearer ' . $token,`,
)}
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

const RUBY: Language = {
  id: 'ruby',
  label: 'Ruby',
  fileName: 'send_lead.rb',
  command: 'ruby send_lead.rb',
  needs: 'Ruby 2.5 or later',
  write: ({ url, lead }, { name, variable, ifSigned }) => `require 'json'
require 'net/http'
${ifSigned("require 'openssl'\n")}require 'securerandom'

url = URI(${singleQuoted(url)})
${name} = ENV.fetch('${variable}')

${ifSigned('# Serialize the body once; sign and send exactly these bytes.\n')}body = JSON.generate({
${writeFields(lead, '  ', (key, value) => `${singleQuoted(key)} => ${singleQuoted(value)}`)}})
${ifSigned(`timestamp = Time.now.to_i.to_s
signature = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{timestamp}.#{body}")
`)}
response = Net::HTTP.post(url, body, {
  'Content-Type' => 'application/json',
${ifSigned(
  `  'X-SVC-Timestamp' => timestamp,
  'X-SVC-Signature' => signature,`,
  `  'Authorization' => "Bearer #{token}",`,
)}
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

const LANGUAGES = [CURL, NODE, NODE_CLIENT, PYTHON, PHP, RUBY, GO];

const snippetsWith = (credential: Credential): readonly Snippet[] =>
  LANGUAGES.map((language) => ({ ...language, write: (input) => language.write(input, credential) }));

export const SNIPPETS = snippetsWith(SECRET);

/** The same with a server token: nothing is signed. */
export const TOKEN_SNIPPETS = snippetsWith(TOKEN);
