import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { looksLikeCurl, parseCurl } from '../../console/src/pages/delivery/curl/parse-curl.ts';
import { SNIPPETS } from '../../console/src/pages/delivery/snippets/snippets.ts';
import { missingPrograms, runProgram, testUnlessMissing } from '../programs.ts';

const { here, title } = testUnlessMissing(missingPrograms(['bash', 'curl']));

interface Arrived {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

let arrived: Arrived[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    arrived.push({ method, url, headers, body: Buffer.concat(chunks) });
    response.end();
  });
});
const folder = mkdtempSync(join(tmpdir(), 'curl-'));
let address = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** What bash and curl really make of a command. */
async function reallySent(command: string): Promise<Arrived> {
  arrived = [];
  const result = await runProgram('bash', ['-c', command], {
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
  });
  const [request] = arrived;
  if (!request) throw new Error(`curl sent nothing: ${result.stderr}`);
  return request;
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const H =
  "-H 'X-SVC-Timestamp: 1800000000' -H 'X-SVC-Signature: sha256=ab12' -H 'Content-Type: application/json'";
const curl = (rest: string) => `curl -s ${address}/api/v1/ingest/contact ${H} ${rest}`;

describe('parses a command like bash and curl', () => {
  here.each(
    [
      ['single quotes', `-d '{"a":"b \\n"}'`],
      ['double quotes', `-d "{\\"a\\":\\"\\\\n \\$5 \\\`\\"}"`],
      ['double quotes, with a newline and other backslashes in them', '-d "a\\\nb\\q\\\\"'],
      ["$'…'", `-d $'{"a":"it\\'s\\t\\x41\\u00e9\\303\\251\\n"}'`],
      ["$'…' with a byte that is no UTF-8", `-d $'\\xe9\\xff'`],
      ["$'…' with a nought, and with escapes that there are not", `-d $'a\\q\\0b'`],
      ['$"…"', '-d $"a"'],
      ['quotes within a word', `-d '{"a":"it'"'"'s"}'`],
      ['backslashes without quotes', '-d \\{\\"a\\":1\\}'],
      ['a hash within a word and a comment after it', "-d a#b'c'#d # 'e"],
      ['lines that go on', '\\\n  -d \\\n  "a" \\\n'],
      ['a value joined to its short option', `-d'{"a":1}'`],
      ['short options in one word', `-sSgXPOST -d 'x'`],
      ['a short option that takes its value from the same word', `-sd'x' -XPOST`],
      ['several -d', `-d a=1 --data b --data-raw c --data-ascii d --data-binary e`],
      ['--json, several times', `--json '{"a":' --json '1}'`],
      ['--json after -d, and -d after --json', `-d a --json b -d c`],
      ['an empty body', `-d ''`],
      ['newlines and CR in -d', `-d $'a\\r\\nb\\n'`],
      ['newlines in --data-binary', `--data-binary $'a\\r\\nb\\n'`],
      ['an at in --data-raw', `--data-raw '@x'`],
      ['not ASCII', `-d '{"a":"Zoë 🙂 مرحبا"}'`],
      ['redirections', `-d 'a' 2>&1 >/dev/null 2>>err`],
      ['a pipe after it', `-d 'a' | cat`],
      ['options with values that look like others', `-A '-d' --user-agent '--data' -o /dev/null -d 'x'`],
      ['a value that looks like an address', `-e http://other.example/ -d 'x'`],
      ['the end of options', `-d x --`],
      ['white space around a header’s value', `-H 'X-A:  b ' -d x`],
      ['a header without a value, and one taken away', `-H 'X-A;' -H 'Accept:' -d x`],
    ].map(([name, rest]) => [title(name as string), rest as string] as const),
  )('%s', async (_, rest) => {
    const command = curl(rest);
    const sent = await reallySent(command);
    const read = parseCurl(command);
    expect(read).toMatchObject({ url: `${address}${sent.url}`, unreadable: [] });
    expect(Buffer.from(read?.body ?? []).toString('latin1')).toBe(sent.body.toString('latin1'));
    expect(read).toMatchObject({ timestamp: '1800000000', signature: 'sha256=ab12' });
    expect(read?.refused).toEqual([]);
    expect(sent.method).toBe('POST');
  });

  here(title('whatever the body, in each kind of quotes'), async () => {
    const quoted = (text: string) => [
      `'${text.replaceAll("'", "'\\''")}'`,
      `"${text.replace(/["\\$`]/g, '\\$&')}"`,
      `$'${text.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`,
    ];
    const piece = fc.constantFrom(...`'"\\$\`\n# {},&@én`, '🙂');
    const text = fc
      .array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 12 })
      .map((each) => each.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.nat({ max: 2 }), async (body, kind) => {
        const command = curl(`--data-raw ${quoted(body)[kind]}`);
        const sent = await reallySent(command);
        expect(Buffer.from(parseCurl(command)?.body ?? []).toString()).toBe(sent.body.toString());
      }),
      { numRuns: 20 },
    );
  });
});

describe('a curl command is found', () => {
  const WHOLE = `curl -s ADDRESS ${H} -d '{"a":":) it'"'"'s"}'`;

  here.each(
    [
      ['in $(…)', `answer=$(${WHOLE})`],
      ['in "$(…)"', `echo "$(${WHOLE} -H "X-A: $(echo ')')")"`],
      ['in backticks', `answer=\`${WHOLE}\``],
      ['after a pipe', `echo x | ${WHOLE}`],
      ['after a here-document', `cat <<'END'\nit's\nEND\n${WHOLE}`],
      ['in the line of a here-document', `cat <<-END | ${WHOLE}\n\tit's\n\tEND\n`],
      ['with values that the text sets', `u='ADDRESS'\nb='{"a": "$5"}'; curl -s "$u" ${H} -d "\${b}"`],
      ['with one that was exported, without quotes', `export u=ADDRESS b=x\ncurl -s $u ${H} -d $b`],
      ['with values of values', `a=1\nb="{$a}"\ncurl -s ADDRESS ${H} -d "$b"`],
      ['rather than one inside it', `curl -s ADDRESS ${H} -d x -A "$(echo curl y.example)"`],
    ].map(([name, command]) => [title(name as string), command as string] as const),
  )('%s', async (_, template) => {
    const command = template.replace('ADDRESS', `${address}/api/v1/ingest/contact`);
    const sent = await reallySent(command);
    const read = parseCurl(command);
    expect(read).toMatchObject({ url: `${address}${sent.url}`, timestamp: '1800000000', unreadable: [] });
    expect(Buffer.from(read?.body ?? []).toString()).toBe(sent.body.toString());
  });

  test('in the snippet of this console, which has to be run for the rest', () => {
    const lead = { name: "it's (Ada)" };
    const curl = SNIPPETS.find(({ id }) => id === 'curl');
    const code = curl?.write({ url: 'https://x.example/contact', lead }) ?? '';
    expect(looksLikeCurl(code)).toBe(true);
    expect(parseCurl(code)).toEqual({
      hasAddress: true,
      url: 'https://x.example/contact',
      body: bytes(JSON.stringify(lead)),
      unreadable: [
        expect.stringMatching(/^X-SVC-Timestamp contains \$timestamp, which is known only when/),
        expect.stringMatching(/^X-SVC-Signature contains \$signature, which is known only when/),
      ],
      refused: [],
    });
    const filled = code
      .replace('timestamp=$(date +%s)', 'timestamp=1800000000')
      .replace(/^signature=.*$/m, 'signature=ab12');
    expect(parseCurl(filled)).toMatchObject({ timestamp: '1800000000', signature: 'ab12', unreadable: [] });
  });

  test('treats a variable as unknown if the shell would split it', () => {
    const reasons = (text: string) => parseCurl(text)?.unreadable.join();
    expect(reasons(`b='a b'\ncurl x.example --json $b`)).toMatch(/\$b, which only the shell/);
    expect(reasons(`b="$(cat x)"\ncurl x.example --json "$b"`)).toMatch(/\$b, which is known only/);
    expect(reasons(`b="{$a}"\ncurl x.example --json "$b"`)).toMatch(/contains \$a, which isn’t set/);
    expect(reasons('b=1 curl x.example --json "$b"')).toMatch(/\$b/);
    expect(reasons('echo "$(b=1)"; curl x.example --json "$b"')).toMatch(/\$b/);
  });
});

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
    "body='{}'\ncurl https://x.example",
    'answer=$(curl https://x.example)',
    'answer=`curl https://x.example`',
    'echo {}|curl https://x.example',
  ])('%s', (text) => {
    expect(looksLikeCurl(text)).toBe(true);
    expect(parseCurl(text)?.url).toBe('https://x.example');
  });

  test.each(['{"a":"curl"}', '{"message":"I use curl https://x.example"}', '', 'curl'])(
    'but not in %s',
    (text) => {
      expect(looksLikeCurl(text)).toBe(false);
    },
  );
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
