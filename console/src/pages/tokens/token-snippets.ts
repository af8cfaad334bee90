import {
  doubleQuoted,
  goQuoted,
  type Snippet,
  shellQuoted,
  singleQuoted,
  writeFields,
} from '../delivery/snippets/snippet.ts';

/** Snippets read the token from the environment, since code gets shared. */
export const TOKEN_VARIABLE = 'LEAD_INGEST_TOKEN';

// Can be pasted into a terminal, like the snippet that signs.
const CURL: Snippet['write'] = ({ url, lead }) => `: "\${${TOKEN_VARIABLE}:?is not set}"
answer=$(curl --silent --show-error --include --max-time 30 --write-out '\\n%{http_code}' ${shellQuoted(url)} \\
  --header "Authorization: Bearer $${TOKEN_VARIABLE}" \\
  --header 'Content-Type: application/json' \\
  --header "X-SVC-Idempotency-Key: $(openssl rand -hex 16)" \\
  --data-raw ${shellQuoted(JSON.stringify(lead))})
printf '%s\\n' "$answer"
if [ "\${answer##*$'\\n'}" = 202 ]; then
  echo 'Accepted.'
else
  echo 'Not accepted: look up the x-amzn-requestid above in Diagnostics.' >&2
  false
fi
`;

/** A plain `__proto__` key would set the prototype. */
const keyOf = (key: string) => (key === '__proto__' ? `[${doubleQuoted(key)}]` : doubleQuoted(key));

const NODE: Snippet['write'] = ({ url, lead }) => `import { randomUUID } from 'node:crypto';

const token = process.env.${TOKEN_VARIABLE};
if (!token) throw new Error('${TOKEN_VARIABLE} is not set.');

const response = await fetch(${doubleQuoted(url)}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${token}\`,
    'Content-Type': 'application/json',
    // One key per lead. Send the same key when you retry.
    'X-SVC-Idempotency-Key': randomUUID(),
  },
  body: JSON.stringify({
${writeFields(lead, '    ', (key, value) => `${keyOf(key)}: ${doubleQuoted(value)}`)}  }),
  signal: AbortSignal.timeout(30_000),
});
const answer = await response.text();
// Only 202 means success. Rejections return 200.
if (response.status !== 202) {
  const requestId = response.headers.get('x-amzn-requestid');
  throw new Error(\`Not accepted: look up request ID \${requestId} in Diagnostics.\`);
}
console.log(answer);
`;

const PYTHON: Snippet['write'] = ({ url, lead }) => `import json
import os
import urllib.request
import uuid

token = os.environ["${TOKEN_VARIABLE}"]
body = json.dumps({
${writeFields(lead, '    ', (key, value) => `${doubleQuoted(key)}: ${doubleQuoted(value)}`)}}).encode()
request = urllib.request.Request(${doubleQuoted(url)}, data=body, method="POST", headers={
    "Authorization": f"Bearer {token}",
    "Content-Type": "application/json",
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
`;

const PHP: Snippet['write'] = ({ url, lead }) => `<?php
$token = getenv('${TOKEN_VARIABLE}') ?: throw new RuntimeException('${TOKEN_VARIABLE} is not set.');
$body = json_encode((object) [
${writeFields(lead, '    ', (key, value) => `${singleQuoted(key)} => ${singleQuoted(value)}`)}], JSON_THROW_ON_ERROR);

$stream = fopen(${singleQuoted(url)}, 'rb', false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: Bearer ' . $token,
        'Content-Type: application/json',
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
`;

const RUBY: Snippet['write'] = ({ url, lead }) => `require 'json'
require 'net/http'
require 'securerandom'

token = ENV.fetch('${TOKEN_VARIABLE}')
body = JSON.generate({
${writeFields(lead, '  ', (key, value) => `${singleQuoted(key)} => ${singleQuoted(value)}`)}})

response = Net::HTTP.post(URI(${singleQuoted(url)}), body, {
  'Authorization' => "Bearer #{token}",
  'Content-Type' => 'application/json',
  # One key per lead. Send the same key when you retry.
  'X-SVC-Idempotency-Key' => SecureRandom.uuid,
})
# Only 202 means success. Rejections return 200.
unless response.code == '202'
  abort "Not accepted: look up request ID #{response['x-amzn-requestid']} in Diagnostics."
end
puts response.body
`;

const GO: Snippet['write'] = ({ url, lead }) => `package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	token := os.Getenv("${TOKEN_VARIABLE}")
	if token == "" {
		log.Fatal("${TOKEN_VARIABLE} is not set.")
	}
	body, err := json.Marshal(map[string]string{
${writeFields(lead, '\t\t', (key, value) => `${goQuoted(key)}: ${goQuoted(value)}`)}	})
	must(err)

	// One key per lead. Send the same key when you retry.
	key := make([]byte, 16)
	_, err = rand.Read(key)
	must(err)

	request, err := http.NewRequest("POST", ${goQuoted(url)}, bytes.NewReader(body))
	must(err)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-SVC-Idempotency-Key", hex.EncodeToString(key))
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	must(err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	must(err)

	// Only 202 means success. Rejections return 200.
	if response.StatusCode != 202 {
		log.Fatalf("Not accepted: look up request ID %s in Diagnostics.", response.Header.Get("x-amzn-requestid"))
	}
	fmt.Println(string(answer))
}
`;

const LANGUAGES = {
  curl: ['curl', 'send-lead.sh', 'bash send-lead.sh', 'bash or zsh, curl and openssl', CURL],
  node: ['Node.js', 'send-lead.mjs', 'node send-lead.mjs', 'Node 18 or later', NODE],
  python: ['Python', 'send_lead.py', 'python3 send_lead.py', 'Python 3.6 or later', PYTHON],
  php: ['PHP', 'send-lead.php', 'php send-lead.php', 'PHP 8.0 or later', PHP],
  ruby: ['Ruby', 'send_lead.rb', 'ruby send_lead.rb', 'Ruby 2.5 or later', RUBY],
  go: ['Go', 'send_lead.go', 'go run send_lead.go', 'Go 1.16 or later', GO],
} as const;

/** Programs that send one lead with a server token: nothing is signed. */
export const TOKEN_SNIPPETS: readonly Snippet[] = Object.entries(LANGUAGES).map(
  ([id, [label, fileName, command, needs, write]]) => ({ id, label, fileName, command, needs, write }),
);
