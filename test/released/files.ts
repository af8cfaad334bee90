import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Resource, Resources } from '../../lib/upgrade/normalize.ts';
import type { Everything } from './everything.ts';

/** What the last release deployed and stored. make.ts replaces all of it at each release. */
export const FILES = {
  templates: new URL('./templates.json', import.meta.url),
  bundles: new URL('./bundles.json.br', import.meta.url),
  stored: new URL('./stored.json', import.meta.url),
};

/** The settings of each template. An upgrade keeps the settings: those that are new since have no part in it. */
export type Contexts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Variant = Resource & { readonly in: readonly string[] };

interface Packed {
  readonly contexts: Contexts;
  /** A resource is written once for all templates in which it is the same. */
  readonly resources: Readonly<Record<string, readonly Variant[]>>;
}

/** One resource per line. */
export function packTemplates(contexts: Contexts, templates: Readonly<Record<string, Resources>>): string {
  const ids = [...new Set(Object.values(templates).flatMap((each) => Object.keys(each)))].sort();
  const lines = ids.map((id) => {
    const variants: { in: string[]; resource: Resource }[] = [];
    for (const [name, resources] of Object.entries(templates)) {
      const resource = resources[id];
      if (resource === undefined) continue;
      const same = variants.find((each) => isDeepStrictEqual(each.resource, resource));
      if (same) same.in.push(name);
      else variants.push({ in: [name], resource });
    }
    return `${JSON.stringify(id)}:${JSON.stringify(variants.map(({ in: names, resource }) => ({ in: names, ...resource })))}`;
  });
  return `{"contexts":${JSON.stringify(contexts)},\n"resources":{\n${lines.join(',\n')}\n}}\n`;
}

/** The templates of the last release, or of the one whose file is given, with their settings. */
export function releasedTemplates(
  file = readFileSync(FILES.templates, 'utf8'),
): { name: string; context: Contexts[string]; resources: Resources }[] {
  const { contexts, resources } = JSON.parse(file) as Packed;
  return Object.entries(contexts).map(([name, context]) => {
    const own = Object.entries(resources).flatMap(([id, variants]) =>
      variants.flatMap(({ in: names, ...resource }) =>
        names.includes(name) ? [[id, resource] as const] : [],
      ),
    );
    return { name, context, resources: Object.fromEntries(own) };
  });
}

/** By folder. Functions share most of their code, which a large window of the compression finds. */
export function packBundles(code: Readonly<Record<string, string>>): Buffer {
  const text = JSON.stringify(code);
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
  };
  return brotliCompressSync(text, { params });
}

export function releasedBundles(): Readonly<Record<string, string>> {
  return JSON.parse(brotliDecompressSync(readFileSync(FILES.bundles)).toString());
}

type Item = Record<string, AttributeValue>;

export interface Stored extends Everything {
  /** By table, as DynamoDB writes them. */
  readonly items: Record<string, Item[]>;
  /** The bodies of messages by the queue's logical ID. */
  readonly messages: Record<string, string[]>;
}

/** Bytes as base64, and one item or message per line. */
export function toText({ items, messages, ...everything }: Stored): string {
  const json = (value: unknown) =>
    JSON.stringify(value, (_key, each) => (each instanceof Uint8Array ? bytesToText(each) : each));
  const lists = (of: Readonly<Record<string, readonly unknown[]>>) =>
    Object.entries(of).map(([name, all]) => `${json(name)}:[\n${all.map(json).join(',\n')}\n]`);
  const rest = Object.entries(everything).map(([name, value]) => `${json(name)}:${json(value)}`);
  return `{${rest.join(',\n')},\n"items":{${lists(items).join(',\n')}},\n"messages":{${lists(messages).join(',\n')}}}\n`;
}

const BYTES = 'bytes:';
const bytesToText = (bytes: Uint8Array) => `${BYTES}${Buffer.from(bytes).toString('base64')}`;

/** With the hosts of receivers that run now: nobody listens at the old ones any more. */
export function releasedStored(receivers: readonly string[]): Stored {
  let text = readFileSync(FILES.stored, 'utf8');
  const { receivers: old } = JSON.parse(text) as Stored;
  for (const [index, host] of old.entries()) text = text.replaceAll(host, receivers[index] ?? host);
  return JSON.parse(text, (_key, each) =>
    typeof each === 'string' && each.startsWith(BYTES)
      ? Buffer.from(each.slice(BYTES.length), 'base64')
      : each,
  );
}
