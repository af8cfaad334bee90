import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { REASONS } from '../../lambdas/model/reasons.ts';
import { localStack } from '../local-stack.ts';
import { missingPrograms, runProgram, testUnlessMissing } from '../programs.ts';
import { openContract, submissionId } from './tenant.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const guide = readFileSync(resolve(ROOT, 'docs/send-leads.md'), 'utf8');
const contract = openContract();

describe('the commands of docs/send-leads.md', () => {
  const commands = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, command = '']) => command);
  const { here, title } = testUnlessMissing(missingPrograms(['bash', 'curl', 'openssl']));

  test('are one per surface', () => expect(commands).toHaveLength(2));

  here.each(commands.map((command) => [command.split('\n').at(-2)?.trim(), command] as const))(
    title('are accepted: … %s'),
    async (_, command) => {
      const { slug: SLUG, secret: SECRET, token: TOKEN } = await contract.newTenant();
      const given = { SLUG, SECRET, TOKEN, BASE_URL: localStack().ingestUrl };
      const { stdout } = await runProgram('bash', ['-euo', 'pipefail', '-c', command], {
        cwd: ROOT,
        env: { ...process.env, ...given },
      });
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(stdout) ?? [];
      const body = stdout.trim().split('\r\n').at(-1) ?? '';
      const id = submissionId({ status: Number(status), headers: {}, body });
      expect(await contract.lead(id)).toBeDefined();
    },
  );
});

test('explains every reason once, and no unknown ones', () => {
  const table = guide.slice(guide.indexOf('| Diagnostics says'), guide.indexOf('An unknown token or slug'));
  const explained = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/[a-z]+(?:_[a-z]+)+/g) ?? []);
  expect(explained.sort()).toEqual([...REASONS].sort());
});

test('links to files that exist', () => {
  const links = [...guide.matchAll(/\]\((?!#|https:)([^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(1);
  for (const link of links) readFileSync(resolve(ROOT, 'docs', link));
});
