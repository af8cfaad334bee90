import type { ContextKind } from './kinds.ts';

export type TagValues = Readonly<Record<string, string>>;

/** The tags that the stack sets itself: bills and searches rely on them. */
export const OWN_TAGS = { service: 'service', stage: 'stage' } as const;

/** AWS allows 50 per resource. The rest is for the stack's own tags and CDK's. */
const MAX_TAGS = 40;

// The characters that every service takes: https://docs.aws.amazon.com/tag-editor/latest/userguide/tagging.html
const KEY = /^(?!aws:)[\p{L}\p{N}\p{Zs}_.:/=+\-@]{1,128}$/iu;
const VALUE = /^[\p{L}\p{N}\p{Zs}_.:/=+\-@]{0,256}$/u;

/** `team=growth,cost-centre=42`, or a JSON object, as text or in cdk.json. */
export const TAGS: ContextKind<TagValues> = {
  allowed: `key=value,key=value or a JSON object of texts, at most ${MAX_TAGS}, in characters that AWS allows, without ${Object.values(OWN_TAGS).join(' and ')}`,
  read(given) {
    const entries = typeof given === 'string' ? entriesOfText(given) : entriesOfObject(given);
    if (entries === undefined || entries.length > MAX_TAGS) return undefined;
    const tags = Object.fromEntries(entries);
    return Object.keys(tags).length === entries.length && entries.every(isTag) ? tags : undefined;
  },
};

type Entry = [key: string, value: string];

function isTag([key, value]: Entry): boolean {
  return !Object.hasOwn(OWN_TAGS, key) && KEY.test(key) && VALUE.test(value);
}

function entriesOfText(text: string): Entry[] | undefined {
  if (text.trimStart().startsWith('{')) return entriesOfObject(parsed(text));
  const entries = text.split(',').map((pair) => {
    const equals = pair.indexOf('=');
    return equals < 0 ? undefined : ([pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()] as Entry);
  });
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function entriesOfObject(given: unknown): Entry[] | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const entries = Object.entries(given);
  return entries.every((entry): entry is Entry => typeof entry[1] === 'string') ? entries : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
