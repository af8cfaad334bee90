import { type JsonText, readJsonText } from '../model/json-text.ts';
import type { MistakeName } from './mistakes.ts';
import { type Layout, SPELLINGS, type Spelling, type Writing, writeJsonText } from './write-json-text.ts';

export interface ReserializedBody {
  readonly text: string;
  /** Called only for the match, since finding the names takes as long as writing the text. */
  readonly mistakes: () => readonly MistakeName[];
  readonly weight: number;
  /** How it was indented, if it was. */
  readonly detail?: string | undefined;
}

const LAYOUTS = {
  compact: { comma: ',', colon: ':' },
  /** Python's default. */
  spaced: { comma: ', ', colon: ': ' },
  one: { comma: ',', colon: ': ', indent: ' ' },
  two: { comma: ',', colon: ': ', indent: '  ' },
  four: { comma: ',', colon: ': ', indent: '    ' },
  tab: { comma: ',', colon: ': ', indent: '\t' },
} as const satisfies Record<string, Layout>;

/** A sentence about spacing, for the layouts that senders recognise by it. */
const INDENTS: Readonly<Partial<Record<keyof typeof LAYOUTS, string>>> = {
  one: 'The signed body is indented by one space.',
  two: 'The signed body is indented by two spaces.',
  four: 'The signed body is indented by four spaces.',
  tab: 'The signed body is indented by tabs.',
};

type Form = readonly [
  layout: keyof typeof LAYOUTS,
  spelling: keyof typeof SPELLINGS,
  order: 'kept' | 'sorted',
  weight: number,
];

/** What libraries write, likeliest first, since some callers only try a few. */
const FORMS: readonly Form[] = [
  ['compact', 'plain', 'kept', 1],
  ['spaced', 'ascii', 'kept', 1],
  ['compact', 'php', 'kept', 1],
  ['compact', 'plain', 'sorted', 1],
  ['two', 'plain', 'kept', 1],
  ['four', 'plain', 'kept', 1],
  ['spaced', 'plain', 'kept', 1],
  ['compact', 'ascii', 'kept', 1],
  ['spaced', 'ascii', 'sorted', 1],
  ['compact', 'ascii', 'sorted', 1],
  ['compact', 'html', 'sorted', 1],
  ['compact', 'html', 'kept', 2],
  ['compact', 'slashes', 'kept', 1],
  ['compact', 'dotnet', 'kept', 2],
  ['two', 'ascii', 'kept', 2],
  ['four', 'ascii', 'kept', 2],
  ['four', 'php', 'kept', 2],
  ['two', 'dotnet', 'kept', 2],
  ['spaced', 'plain', 'sorted', 2],
  ['two', 'plain', 'sorted', 2],
  ['two', 'ascii', 'sorted', 2],
  ['four', 'ascii', 'sorted', 2],
  ['two', 'html', 'sorted', 2],
  ['tab', 'plain', 'kept', 2],
  ['one', 'plain', 'kept', 2],
  ['one', 'ascii', 'kept', 2],
  ['one', 'ascii', 'sorted', 2],
  // Only the order or only the strings changed, all else as it was sent.
  ['spaced', 'asSent', 'kept', 2],
  ['compact', 'asSent', 'sorted', 2],
];

/** What JavaScript makes of the body: 1.0 becomes 1, numeric keys come first, repeated keys are dropped. */
const ROUND_TRIP_INDENTS = ['two', 'four', 'one'] as const;

/**
 * Room for four spaces before each field of a flat body and for the escapes of any alphabet. Anybody may send a body
 * for us to write again, so what would get longer is left out.
 */
export const longestRewrite = (sent: string) => 4 * Buffer.byteLength(sent) + 1024;

/** The body's JSON written again, in every form or in the likeliest ones; nothing where it is not JSON. */
export function reserializedBodies(sent: string, formsAtMost = FORMS.length): ReserializedBody[] {
  const json = readJsonText(sent);
  if (!json) return [];
  const longest = longestRewrite(sent);
  const written = FORMS.slice(0, formsAtMost).flatMap((form) => {
    const [layout, spelling, order, weight] = form;
    const text = writeJsonText(
      json,
      { layout: LAYOUTS[layout], spell: SPELLINGS[spelling].spell, sorted: order === 'sorted' },
      longest,
    );
    const mistakes = () => differences(sent, json, form);
    return text === undefined ? [] : [{ text, weight, mistakes, detail: INDENTS[layout] }];
  });
  return [...written, ...roundTrips(sent, formsAtMost < FORMS.length ? [] : ROUND_TRIP_INDENTS)];
}

function roundTrips(sent: string, indents: readonly (keyof typeof LAYOUTS)[]): ReserializedBody[] {
  const longest = longestRewrite(sent);
  const compact = JSON.stringify(JSON.parse(sent));
  if (compact.length > longest) return [];
  const json = indents.length > 0 ? readJsonText(compact) : undefined;
  const indented = indents.flatMap((layout) => {
    const writing = { layout: LAYOUTS[layout], spell: SPELLINGS.asSent.spell, sorted: false };
    const text = json && writeJsonText(json, writing, longest);
    const mistakes = () => ['body_values_rewritten', 'body_respaced'] as const;
    return text === undefined ? [] : [{ text, weight: 2, mistakes, detail: INDENTS[layout] }];
  });
  return [{ text: compact, weight: 1, mistakes: () => ['body_values_rewritten'] }, ...indented];
}

/** Names only what differs from the text that was sent: a compact body signed sorted was not respaced. */
function differences(sent: string, json: JsonText, [layout, spelling, order]: Form): MistakeName[] {
  const asSent = SPELLINGS.asSent.spell;
  const write = (writing: Partial<Writing>) =>
    writeJsonText(
      json,
      { layout: LAYOUTS.compact, spell: asSent, sorted: false, ...writing },
      longestRewrite(sent),
    );
  const compact = write({});
  const found: MistakeName[] = [];

  const spaced = write({ layout: LAYOUTS[layout] });
  if (spaced !== sent) found.push(spaced === sent.trim() ? 'body_trimmed' : 'body_respaced');
  if (write({ sorted: order === 'sorted' }) !== compact) found.push('body_keys_reordered');
  const { spell, signs }: Spelling = SPELLINGS[spelling];
  if (write({ spell }) !== compact) {
    const named = signs.filter(([pattern]) => pattern.test(sent)).map(([, name]) => name);
    found.push(...(named.length > 0 ? named : (['body_escapes_undone'] as const)));
  }
  return found;
}
