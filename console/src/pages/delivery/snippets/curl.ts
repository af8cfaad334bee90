import { SECRET_VARIABLE, type Snippet, shellQuoted } from './snippet.ts';

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
