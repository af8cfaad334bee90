import { describe, expect, test } from '@jest/globals';
import { looksLikeCurl, parseCurl } from '../../console/src/pages/delivery/curl/parse-curl.ts';

describe('reports what is not in the command', () => {
  const reasons = (command: string) => parseCurl(command)?.unreadable.join(' ');

  test.each([
    ['a file', `curl x.example -d @body.json`, /file body\.json/],
    ['standard input', `echo '{}' | curl x.example --data-binary @-`, /standard input/],
    ['a here-document', `curl x.example -d @- <<'EOF'\n{"it's": 1}\nEOF`, /standard input/],
    ['headers of a file', `curl x.example -H @headers.txt -d x`, /file headers\.txt/],
    ['a variable in the body', `curl x.example -d "$BODY"`, /The body contains \$BODY/],
    [
      'a variable in a header',
      `curl x.example -H "X-SVC-Timestamp: \${T}" -d x`,
      /X-SVC-Timestamp contains \$\{T\}/,
    ],
    [
      'a command in a header, with quotes of its own',
      `curl x.example -H "X-SVC-Signature: $(printf '%s' "$x" | openssl dgst)" -d x`,
      /X-SVC-Signature contains \$\(printf '%s' "\$x" \| openssl dgst\)/,
    ],
    ['backticks', 'curl x.example -d "`cat body`"', /`cat body`/],
    ['braces without quotes', `curl x.example -d {"a":1,"b":2}`, /only the shell/],
    ['--data-urlencode', `curl x.example --data-urlencode 'a=b c'`, /--data-urlencode/],
    ['a form in parts', `curl x.example -F a=b`, /only JSON/],
    ['a quote that is not closed', `curl x.example -d '{"a":`, /never closed/],
    ['PowerShell', 'curl.exe http://x.example `\n -H "X-SVC-Timestamp: 1" `\r\n -d "{}"', /PowerShell/],
    ['the Windows command prompt', `curl "http://x.example" ^\n -d ^"a^"`, /Windows/],
    ['a header that is a variable', `curl x.example -H "$HEADER" -d x`, /A header contains \$HEADER/],
    ['a name that is a variable', `curl x.example -H "$NAME: 1" -d x`, /A header contains \$NAME/],
    ['a type that is a variable', `curl x.example -H "Content-Type: $T" -d x`, /Content-Type contains \$T/],
    ['a method that is a variable', `curl x.example -X $M --json x`, /The method contains \$M/],
    ['a list of arguments', `curl x.example "$@"`, /The command contains \$@/],
    ['a parenthesis that is not closed', `a=$(curl x.example -d '{}'`, /never closed/],
  ])('%s, and draws no conclusions from it', (_, command, reason) => {
    expect(reasons(command)).toMatch(reason);
    expect(parseCurl(command)?.refused).toEqual([]);
  });

  test('reports nothing from a misread command', () => {
    for (const command of [
      `curl "http://x.example" ^\n -H ^"X-SVC-Timestamp: 17^" -d 'a'`,
      `curl http://x.example -H 'X-SVC-Timestamp: 17' -d '{"it's": 1}'`,
    ]) {
      expect(parseCurl(command)).toEqual({
        hasAddress: true,
        unreadable: [expect.anything()],
        refused: [],
      });
    }
  });

  test('does not take a caret in a body for Windows', () => {
    expect(parseCurl(`curl https://x.example --json '{"pattern":"^"}'`)?.unreadable).toEqual([]);
  });

  test('reports nothing if the command is complete', () => {
    expect(
      parseCurl(`curl https://x.example/a -H 'Content-Type: application/json' -d '{"price":"$5"}'`),
    ).toEqual({
      hasAddress: true,
      url: 'https://x.example/a',
      timestamp: undefined,
      signature: undefined,
      body: new Uint8Array(Buffer.from('{"price":"$5"}')),
      unreadable: [],
      refused: [],
    });
  });
});

describe('reports what the service rejects', () => {
  const refused = (rest: string) => parseCurl(`curl https://x.example ${rest}`)?.refused.join(' ');

  test.each([
    ['no Content-Type of its own', `-d '{}'`, /Content-Type: application\/json/],
    ['another Content-Type', `-d '{}' -H 'content-type: text/plain'`, /text\/plain/],
    [
      'two of them',
      `-d '{}' -H 'Content-Type: application/json' -H 'Content-Type: application/json'`,
      /more than once/,
    ],
    [
      'two timestamps',
      `--json '{}' -H 'X-SVC-Timestamp: 1' -H 'x-svc-timestamp: 2'`,
      /Timestamp is sent more/,
    ],
    [
      'two signatures',
      `--json '{}' -H 'X-SVC-Signature: 1' -H 'X-SVC-Signature: 1'`,
      /Signature is sent more/,
    ],
    ['another method', `-X PUT --json '{}'`, /method is PUT/],
    ['no body', '', /method is GET/],
    ['data in the address', `-G -d a=b`, /no body/],
    ['a compressed body', `--json x -H 'Content-Encoding: gzip'`, /gzip/],
  ])('%s', (_, rest, reason) => {
    expect(refused(rest)).toMatch(reason);
  });

  test.each([
    `--json '{}'`,
    `-d '{}' -H 'CONTENT-TYPE: Application/JSON; charset=utf-8'`,
    `-XPOST --json '{}'`,
  ])('but not %s', (rest) => {
    expect(refused(rest)).toBe('');
  });
});

describe('recognizes a curl command', () => {
  test.each([
    'curl -X POST https://x.example',
    '$ curl https://x.example',
    'TOKEN=a /usr/bin/curl -s https://x.example',
    '  curl \\\n  https://x.example',
    "body='{}'\ncurl https://x.example",
    'answer=$(curl https://x.example)',
    'answer=`curl https://x.example`',
    'echo {}|curl https://x.example',
  ])('%s', (text) => {
    expect(looksLikeCurl(text)).toBe(true);
    expect(parseCurl(text)?.url).toBe('https://x.example');
  });

  test.each([
    '{"a":"curl"}',
    '{"message":"I use curl https://x.example"}',
    '',
    'name=curl',
    'curl',
    '1800000000',
  ])('but not in %s', (text) => {
    expect(looksLikeCurl(text)).toBe(false);
  });

  test('returns undefined without a curl command', () => {
    expect(parseCurl('{"name":"Ada"}')).toBeUndefined();
  });
});

test('parses 128 KB bodies and unclosed quotes or nesting quickly', () => {
  const body = JSON.stringify({ a: `"$x\\ '`.repeat(20_000) }).slice(0, 131_072);
  for (const quote of [`'${body.replaceAll("'", "'\\''")}'`, `"${body.replace(/["\\$`]/g, '\\$&')}"`]) {
    expect(Buffer.from(parseCurl(`curl https://x.example -d ${quote}`)?.body ?? []).toString()).toBe(body);
  }
  expect(parseCurl(`curl https://x.example -d "${'$a\\"'.repeat(30_000)}`)?.unreadable).not.toEqual([]);
  for (const hostile of ['$('.repeat(60_000), '"$('.repeat(40_000), '$('.repeat(30_000) + ')'.repeat(30_000)])
    expect(parseCurl(`curl https://x.example -d ${hostile}`)?.unreadable).not.toEqual([]);
});
