import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  exportLine,
  SECRET,
  type Snippet,
  snippetLead,
} from '../../console/src/pages/delivery/snippets/snippet.ts';
import { SNIPPETS, TOKEN_SNIPPETS } from '../../console/src/pages/delivery/snippets/snippets.ts';
import { installClient } from '../client/install-client.ts';
import { openContract, type Tenant } from '../contract/tenant.ts';
import { localStack } from '../local-stack.ts';
import { missingPrograms, runProgram, testUnlessMissing } from '../programs.ts';

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  curl: ['bash', 'curl', 'openssl'],
  node: ['node'],
  'node-client': ['node', 'npm'],
  python: ['python3'],
  php: ['php'],
  ruby: ['ruby'],
  go: ['go'],
};

const LEAD = {
  name: 'Zoë O’Neill',
  email: 'zoe@example.com',
  message: 'Ünïcode & <b>"quotes"</b> /\\ 100% $HOME',
};
/** All that could end a string, start a substitution or be an escape in one of the languages. */
const HOSTILE = `'"\`$(echo no)\${HOME}#{1+1}\\n\\'%s{{}}*?!;&|<>~\u00e9\ufeff`;

const contract = openContract();
const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
let tenant: Tenant;

beforeAll(async () => {
  tenant = await contract.newTenant();
  // In a folder above those of the snippets.
  await installClient(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const lacking = ({ id }: Snippet) => missingPrograms(NEEDED[id] ?? []);

/** Like a reader: the code in a file, the secret in the environment, and the suggested command. */
function run(snippet: Snippet, code: string, secret: string | undefined, variable = 'LEAD_INGEST_SECRET') {
  const ofOne = mkdtempSync(join(folder, `${snippet.id}-`));
  writeFileSync(join(ofOne, snippet.fileName), code);
  const [program = '', ...words] = snippet.command.split(' ');
  const { LEAD_INGEST_SECRET: _secret, LEAD_INGEST_TOKEN: _token, ...environment } = process.env;
  const given = secret === undefined ? {} : { [variable]: secret };
  return runProgram(program, words, { cwd: ofOne, env: { ...environment, ...given } });
}

const urlOf = (slug: string) => `${localStack().ingestUrl}/api/v1/ingest/${slug}`;

interface Seen {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Responds to everything with one status and records the requests. */
async function listen(status: number) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({ path: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status).end('{"submission_id":"x"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { seen, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

describe.each(SNIPPETS.map((snippet) => [snippet.label, snippet] as const))(
  'the snippet for %s',
  (_, snippet) => {
    const { here, title } = testUnlessMissing(lacking(snippet));

    here(title('signs a lead that the service accepts'), async () => {
      const result = await run(
        snippet,
        snippet.write({ url: urlOf(tenant.slug), lead: LEAD }),
        tenant.secret,
      );
      expect(result).toMatchObject({ exitCode: 0 });
      const [, id = ''] = /"submission_id":"([^"]+)"/.exec(result.stdout) ?? [];
      const lead = await contract.lead(id);
      expect(lead).toMatchObject({ formId: tenant.formId });
      expect(JSON.parse(lead?.body ?? '')).toEqual(LEAD);
    });

    here(title('fails where the service rejects, and says where to look'), async () => {
      const { exitCode, stdout, stderr } = await run(
        snippet,
        snippet.write({ url: urlOf(tenant.slug), lead: LEAD }),
        `${tenant.secret}x`,
      );
      expect(exitCode).not.toBe(0);
      expect(stdout + stderr).toMatch(/Diagnostics/);
      expect(stdout + stderr).not.toContain(tenant.secret);
    });

    here(title('takes no other status for success, and each time a new idempotency key'), async () => {
      const server = await listen(201);
      try {
        const code = snippet.write({ url: `${server.url}/api/v1/ingest/contact`, lead: {} });
        for (const _again of [1, 2]) expect((await run(snippet, code, 'x')).exitCode).not.toBe(0);
        const keys = server.seen.map(({ headers }) => headers['x-svc-idempotency-key'] as string);
        expect(new Set(keys).size).toBe(2);
        for (const key of keys) expect(key.length).toBeGreaterThanOrEqual(16);
        expect(server.seen[0]?.body).toBe('{}');
      } finally {
        server.close();
      }
    });

    here(title('stops where the secret is not set'), async () => {
      const server = await listen(202);
      try {
        const url = `${server.url}/api/v1/ingest/contact`;
        const result = await run(snippet, snippet.write({ url, lead: LEAD }), undefined);
        expect(result.exitCode).not.toBe(0);
        expect(result.stdout + result.stderr).toContain('LEAD_INGEST_SECRET');
        expect(server.seen).toEqual([]);
      } finally {
        server.close();
      }
    });

    here(title('keeps an address and a lead full of quotes and dollars as they are'), async () => {
      const server = await listen(202);
      try {
        // encodeURIComponent keeps these, and a custom domain may have a path before them.
        const path = `/it's!(a)*~/$HOME/${encodeURIComponent(HOSTILE)}/api/v1/ingest/contact`;
        const fields = [HOSTILE, '__proto__', '0'].map((key) => [key, HOSTILE] as const);
        const lead = Object.fromEntries(fields);
        const result = await run(snippet, snippet.write({ url: `${server.url}${path}`, lead }), HOSTILE);
        expect(result).toMatchObject({ exitCode: 0 });
        expect(server.seen).toHaveLength(1);
        expect(server.seen[0]?.path).toBe(path);
        const { headers, body } = server.seen[0] as Seen;
        expect(Object.entries(JSON.parse(body)).sort()).toEqual([...fields].sort());
        const signed = `${headers['x-svc-timestamp']}.${body}`;
        expect(headers['x-svc-signature']).toBe(createHmac('sha256', HOSTILE).update(signed).digest('hex'));
      } finally {
        server.close();
      }
    });
  },
);

describe.each(TOKEN_SNIPPETS.map((snippet) => [snippet.label, snippet] as const))(
  'the snippet for %s with a server token',
  (_, snippet) => {
    const { here, title } = testUnlessMissing(lacking(snippet));
    const runWith = (code: string, token: string | undefined) =>
      run(snippet, code, token, 'LEAD_INGEST_TOKEN');
    const tokenUrl = () => `${localStack().ingestUrl}/api/v1/ingest`;

    here(title('sends a lead that the service accepts'), async () => {
      const result = await runWith(snippet.write({ url: tokenUrl(), lead: LEAD }), tenant.token);
      expect(result).toMatchObject({ exitCode: 0 });
      const [, id = ''] = /"submission_id":"([^"]+)"/.exec(result.stdout) ?? [];
      const lead = await contract.lead(id);
      expect(lead).toMatchObject({ formId: tenant.formId, surface: '1a' });
      expect(JSON.parse(lead?.body ?? '')).toEqual(LEAD);
    });

    here(title('fails where the service rejects, and stops where the token is not set'), async () => {
      const code = snippet.write({ url: tokenUrl(), lead: LEAD });
      const { exitCode, stdout, stderr } = await runWith(code, `${tenant.token}x`);
      expect(exitCode).not.toBe(0);
      expect(stdout + stderr).toMatch(/Diagnostics/);
      expect(stdout + stderr).not.toContain(tenant.token);
      const unset = await runWith(code, undefined);
      expect(unset.exitCode).not.toBe(0);
      expect(unset.stdout + unset.stderr).toContain('LEAD_INGEST_TOKEN');
    });

    here(title('keeps an address and a lead full of quotes and dollars as they are'), async () => {
      const server = await listen(202);
      try {
        const path = `/it's!(a)*~/$HOME/${encodeURIComponent(HOSTILE)}/api/v1/ingest`;
        const fields = [HOSTILE, '__proto__', '0'].map((key) => [key, HOSTILE] as const);
        const code = snippet.write({ url: `${server.url}${path}`, lead: Object.fromEntries(fields) });
        expect(await runWith(code, 'ingt_srv_x')).toMatchObject({ exitCode: 0 });
        const { path: sentTo, headers, body } = server.seen[0] as Seen;
        expect(sentTo).toBe(path);
        expect(headers.authorization).toBe('Bearer ingt_srv_x');
        expect(Object.entries(JSON.parse(body)).sort()).toEqual([...fields].sort());
      } finally {
        server.close();
      }
    });
  },
);

describe('the line that puts the secret into the environment', () => {
  const { here, title } = testUnlessMissing(missingPrograms(['bash']));

  here(title('works as it is while the secret is shown'), async () => {
    const line = `${exportLine(SECRET, HOSTILE)}\nprintf %s "$LEAD_INGEST_SECRET"`;
    const { stdout } = await runProgram('bash', ['-c', line], { cwd: folder, env: process.env });
    expect(stdout).toBe(HOSTILE);
  });
});

test('there is a snippet for every language on the page', () => {
  expect(SNIPPETS.map(({ id }) => id)).toEqual(Object.keys(NEEDED));
});

describe('the lead that a snippet sends', () => {
  test('has the fields of the form except honeypots, up to a readable number', () => {
    const fields = [{ key: 'work_email' }, { key: 'trap', role: 'honeypot' }, { key: 'comment' }] as const;
    expect(snippetLead(fields)).toEqual({
      work_email: 'ada.byron@example.com',
      comment: 'Please call me back.',
    });
    const many = Array.from({ length: 50 }, (_, at) => ({ key: `field${at}` }));
    expect(Object.keys(snippetLead(many))).toHaveLength(8);
  });

  test('is a typical one if no fields are configured, and is not marked as a test', () => {
    expect(Object.keys(snippetLead([]))).toEqual(['name', 'email', 'company', 'message']);
  });
});
