import { expect, test } from '@jest/globals';
import { fill, readCorpus, unfill } from './corpus.ts';
import { toBytes } from './draft.ts';
import { expected } from './model.ts';
import { makeRandom } from './random.ts';
import { readAsServer } from './read-as-server.ts';
import { validSourceDraft } from './source-draft.ts';
import { makeImaginaryWorld, type SourceTenant } from './world.ts';

const world = makeImaginaryWorld();
const corpus = readCorpus();
const nowSeconds = Math.floor(Date.now() / 1000);

test('a saved request contains no credentials and replays the same request', async () => {
  for (const { bytes } of corpus.filter((entry) => entry.bytes.length < 1_000)) {
    const filled = await fill(bytes, makeRandom(1, 1), world, nowSeconds);
    const written = await unfill(filled, world, nowSeconds);
    for (const { token, slug, secret } of world.tenants) {
      for (const value of [token, slug, secret]) expect(written.includes(value)).toBe(false);
    }
    const again = await fill(written, makeRandom(1, 1), world, nowSeconds);
    expect(again.length).toBe(filled.length);
  }
});

test('a saved delivery of a provider names the provider, and gets a valid signature again', async () => {
  for (const source of world.sources) {
    const template = Buffer.from(await savedDeliveryOf(source), 'latin1');
    for (const value of [source.slug, source.token, source.providerSecret])
      expect(template.includes(value)).toBe(false);
    const { requests } = await readAsServer(await fill(template, makeRandom(1, 1), world, nowSeconds));
    const due = requests.map((request) => expected(request, world, nowSeconds, 'sources').kinds);
    expect(due).toEqual([['source accepted']]);
  }
});

async function savedDeliveryOf(source: SourceTenant): Promise<string> {
  const only = { ...world, sources: [source] };
  for (let stream = 0; ; stream += 1) {
    const random = makeRandom(3, stream);
    const draft = validSourceDraft(random, only, nowSeconds);
    if (draft.source) return (await unfill(toBytes(draft, random), world, nowSeconds)).toString('latin1');
  }
}
