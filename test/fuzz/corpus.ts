import { readFileSync } from 'node:fs';
import { sign } from '#conformance/world/submission.ts';
import type { Tenant } from '../contract/tenant.ts';
import type { SeededRandom } from '../random.ts';
import { readAsServer } from './read-as-server.ts';
import { sourceSignature } from './source-model.ts';
import type { World } from './world.ts';

const FILE = new URL('./corpus.json', import.meta.url);

export interface CorpusEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Requests as they go over the wire, one character per byte, with placeholders for values that differ per stack. */
export function readCorpus(): CorpusEntry[] {
  const requests = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>;
  return Object.entries(requests).map(([name, text]) => ({ name, bytes: Buffer.from(text, 'latin1') }));
}

/**
 * `{{token}}`, `{{slug}}` and `{{secret}}` belong to one tenant, `{{token2}}` and so on to another; `{{dead_token}}` and
 * `{{dead_slug}}` aren't allowed to send; `{{timestamp-280}}` is 280 seconds ago; `{{signature}}` is the valid signature
 * of its request; `{{source_slug:typeform}}` and `{{source_token:typeform}}` belong to a form with that provider, on
 * Surface 1c; `{{length}}` counts the bytes after the first blank line; `{{json:N}}` is an object of N bytes;
 * `{{x:N}}` is N times x.
 */
export async function fill(
  template: Buffer,
  random: SeededRandom,
  world: World,
  nowSeconds: number,
): Promise<Buffer> {
  const first = random.below(world.tenants.length);
  const tenant = (number: string) =>
    world.tenants[(first + Number(number || 1) - 1) % world.tenants.length] as Tenant;
  let signatures = 0;
  const filled = template
    .toString('latin1')
    .replace(/\{\{(token|slug|secret)(\d?)\}\}/g, (_, what: 'token' | 'slug' | 'secret', number: string) =>
      String(tenant(number)[what]),
    )
    .replace(/\{\{source_(token|slug):([\w-]+)\}\}/g, (_, what: 'token' | 'slug', provider: string) =>
      String(world.sources.find((each) => each.provider === provider)?.[what]),
    )
    .replace(/\{\{dead_token\}\}/g, () => random.pick(world.deadTokens))
    .replace(/\{\{dead_slug\}\}/g, () => random.pick(world.deadForms).slug)
    .replace(/\{\{timestamp([+-]\d+)?\}\}/g, (_, more?: string) => String(nowSeconds + Number(more ?? 0)))
    .replace(/\{\{json:(\d+)\}\}/g, (_, length: string) => `{"pad":"${'x'.repeat(Number(length) - 10)}"}`)
    .replace(/\{\{x:(\d+)\}\}/g, (_, length: string) => 'x'.repeat(Number(length)))
    .replace(/\{\{signature\}\}/g, () => marker(signatures++));
  const measured = filled.replace(/\{\{length\}\}/, String(filled.length - filled.indexOf('\r\n\r\n') - 4));
  return Buffer.from(signatures === 0 ? measured : await fillSignatures(measured, world), 'latin1');
}

/** A placeholder for a signature until the signed bytes are known. */
function marker(number: number): string {
  return `ff${String(number).padStart(62, '0')}`;
}

async function fillSignatures(text: string, { tenants, sources }: World): Promise<string> {
  let filled = text;
  for (const request of (await readAsServer(Buffer.from(text, 'latin1'))).requests) {
    const { headers, target, body } = request;
    const source = sources.find(({ slug }) => target.includes(slug));
    const held = headers.flatMap(([, each]) => /ff0{50}\d{12}/.exec(each) ?? [])[0];
    if (source && held) filled = filled.replace(held, sourceSignature(request, source));
    const value = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? '';
    const [standing] = /ff0{50}\d{12}/.exec(value('x-svc-signature')) ?? [];
    const tenant = tenants.find(({ slug }) => target.includes(slug));
    if (!standing || !tenant) continue;
    filled = filled.replace(standing, sign(tenant.secret, value('x-svc-timestamp'), body));
  }
  return filled;
}
