import { SECRET_VARIABLE, type Snippet, singleQuoted, writeFields } from './snippet.ts';

export const PHP: Snippet = {
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
