import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PROVIDERS, type Provider, type ProviderName } from '../../lambdas/sources/providers.ts';
import { localStack } from '../local-stack.ts';
import { missingPrograms, runProgram, testUnlessMissing } from '../programs.ts';
import { openContract, type Tenant } from './tenant.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const guide = readFileSync(resolve(ROOT, 'docs/sources.md'), 'utf8');

/** A section with a command that sends a lead, and the fields that it says the lead has. */
interface Example {
  readonly title: string;
  readonly text: string;
  /** Undefined in the section about server tokens. */
  readonly provider: Provider | undefined;
  readonly command: string;
  readonly fields: object;
}

const EXAMPLES: readonly Example[] = guide.split(/^## /m).flatMap((text) => {
  const [, command, fields] = /```sh\n(BODY=(?:(?!^```$).)*)^```\n\n```json\n(.*?)^```$/ms.exec(text) ?? [];
  if (command === undefined || fields === undefined) return [];
  const [, name = ''] = /^\| Name \| `([\w-]+)` \|$/m.exec(text) ?? [];
  const title = text.split('\n')[0] ?? '';
  return [{ title, text, provider: PROVIDERS.get(name), command, fields: JSON.parse(fields) as object }];
});
const OF_PROVIDERS = EXAMPLES.flatMap(({ provider, ...example }) =>
  provider ? [{ ...example, provider }] : [],
);

const contract = openContract();

/** As the owner would do it: choose, then paste or generate. */
async function connect({ formId }: Tenant, { name, secret: { madeBy, key } }: Provider): Promise<string> {
  await contract.administration.setFormProvider(formId, { name: name as ProviderName });
  const pasted = `whsec_${randomBytes(24).toString(key === 'base64' ? 'base64' : 'hex')}`;
  const secret = madeBy === 'provider' ? pasted : undefined;
  const set = await contract.administration.setProviderSecret({ formId, secret, graceMilliseconds: 0 });
  return set.secret ?? pasted;
}

describe('docs/sources.md', () => {
  test('has an example of every provider, and one with a server token', () => {
    expect(OF_PROVIDERS.map(({ provider }) => provider.name)).toEqual([...PROVIDERS.keys()]);
    expect(EXAMPLES).toHaveLength(PROVIDERS.size + 1);
  });

  test.each(OF_PROVIDERS)('says about $title what the table of providers says', ({ text, provider }) => {
    const row = (name: string) => new RegExp(`^\\| ${name} \\| (.*) \\|$`, 'm').exec(text)?.[1] ?? '';
    const { signature, time, bodyTime, secret, deliveryId, events } = provider;
    expect(row('Signed')).toContain(`\`${signature.header}:`);
    expect(row('Signed')).toContain(signature.encoding);
    const hours = (time?.maxAgeSeconds ?? 0) / 3600;
    const age = hours < 1 ? `${hours * 60} minutes` : hours === 1 ? '1 hour' : `${hours} hours`;
    expect(row('Age')).toContain(time ? age : bodyTime ? `\`${bodyTime.path}\`` : 'can be replayed');
    expect(row('Secret').startsWith('Yours')).toBe(secret.madeBy === 'owner');
    if (secret.madeBy === 'owner') expect(row('Secret')).toContain(`at least ${secret.minCharacters} `);
    const id = deliveryId && ('path' in deliveryId ? deliveryId.path : deliveryId.header);
    expect(row('Repeats are recognized by')).toContain(id ? `\`${id}\`` : 'SHA-256 of the body');
    for (const event of events?.choices ?? []) expect(row('Events')).toContain(`\`${event}\``);
    expect(text.includes('**Untested.**')).toBe(provider.untested === true);
  });

  const { here, title } = testUnlessMissing(missingPrograms(['bash', 'curl', 'openssl']));

  here.each(EXAMPLES)(title('makes the lead that it shows: $title'), async (example) => {
    const { command, fields, provider } = example;
    const tenant = await contract.newTenant();
    const { sourcesUrl } = localStack();
    const given = {
      URL: `${sourcesUrl}/sources/v1/${tenant.slug}`,
      SECRET: provider && (await connect(tenant, provider)),
      SOURCES_URL: sourcesUrl,
      TOKEN: tenant.token,
    };
    const { stdout } = await runProgram('bash', ['-euo', 'pipefail', '-c', command], {
      cwd: ROOT,
      env: { ...process.env, ...given },
    });
    expect(stdout).toMatch(/^HTTP\/1\.1 200/);
    const [, id = ''] = /\{"submission_id":"([^"]+)"\}/.exec(stdout) ?? [];
    const lead = await contract.lead(id);
    expect(JSON.parse(lead?.fields ?? lead?.body ?? '{}')).toEqual(fields);
    expect(lead?.test).toBeUndefined();
  });
});
