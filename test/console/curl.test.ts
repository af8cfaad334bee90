import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { looksLikeCurl, parseCurl } from '../../console/src/pages/delivery/curl/parse-curl.ts';
import { CURL } from '../../console/src/pages/delivery/snippets/snippets.ts';
import { missingPrograms, testUnlessMissing } from '../programs.ts';
import { runProgram } from './run-program.ts';

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
    const piece = fc.constantFrom(
      "'",
      '"',
      '\\',
      '$',
      '`',
      '\n',
      '#',
      ' ',
      '{',
      '}',
      ',',
      '&',
      '@',
      'é',
      '🙂',
      'n',
    );
    const text = fc
      .array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 12 })
      .map((each) => each.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.nat({ max: 2 }), async (body, kind) => {
        const command = curl(`--data-raw ${quoted(body)[kind]}`);
        const sent = await reallySent(command);
        expect(Buffer.from(parseCurl(command)?.body ?? []).toString()).toBe(sent.body.toString());
      }),
      { numRuns: 60 },
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
    const code = CURL.write({ url: 'https://x.example/contact', lead });
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
