import { doubleQuoted, SECRET_VARIABLE, type Snippet, writeFields } from './snippet.ts';

export const PYTHON: Snippet = {
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
