// A text as its reader sees it, and what is left of it for the words to be judged.

/** Nothing of them is seen. In emoji and in some scripts they have a meaning; between these letters they have none. */
const INVISIBLE = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/;
const WITHIN_WORD = new RegExp(`(?<=[a-z\u00c0-\u04ff])${INVISIBLE.source}+(?=[a-z\u00c0-\u04ff])`, 'gi');
const SOFT_HYPHEN = '\u00ad';
/** Four letters or more, with the same mark between each two. */
const SPACED =
  /(?<![a-z\u00c0-\u04ff\d])[a-z\u00c0-\u04ff]([ ._*|-])(?:[a-z\u00c0-\u04ff]\1){2,80}[a-z\u00c0-\u04ff](?![a-z\u00c0-\u04ff])/gi;
const SPACED_PAIRS =
  /(?<![a-z\u00c0-\u04ff\d])[a-z\u00c0-\u04ff](?: [a-z\u00c0-\u04ff]){1,2}(?![a-z\u00c0-\u04ff])/gi;
const OF_TWO_SCRIPTS =
  /[a-z\u0370-\u04ff]{0,40}(?:[a-z][\u0370-\u04ff]|[\u0370-\u04ff][a-z])[a-z\u0370-\u04ff]{0,40}/gi;

/** Letters of Cyrillic and Greek, and below them the Latin ones that look the same. */
const LETTERS = 'аеорсухіјѕԁһкмтвнАВЕКМНОРСТХІοανικτυΑΒΕΗΙΚΜΝΟΡΤΧΥ';
const SEEN_AS = 'aeopcyxijsdhkmtbhABEKMHOPCTXIoaviktuABEHIKMNOPTXY';

export interface Readable {
  readonly text: string;
  /** Whether letters were set apart or had something invisible between them: words are hidden so from filters. */
  readonly hidden: boolean;
}

/** So many letters set apart, or half as many marks within words, are no accident. */
const NO_ACCIDENT = 8;

/** The same mark three times, with one character between: a pattern would take longer to rule it out. */
function maySpace(text: string): boolean {
  for (let at = 1; at + 4 < text.length; at += 1) {
    const mark = text.charCodeAt(at);
    if (
      mark === text.charCodeAt(at + 2) &&
      mark === text.charCodeAt(at + 4) &&
      MARKS.includes(text[at] as string)
    )
      return true;
  }
  return false;
}

const MARKS = ' ._*|-';

const lettersOf = (run: string) => [...run].filter((_, at) => at % 2 === 0).join('');

export function readableText(text: string): Readable {
  let readable = text;
  let hidden = 0;
  if (INVISIBLE.test(readable)) {
    readable = readable.replace(WITHIN_WORD, (marks) => {
      // Pages have soft hyphens, and people copy from them.
      if (marks !== SOFT_HYPHEN) hidden += 2;
      return '';
    });
  }
  if (maySpace(readable)) {
    readable = readable.replace(SPACED, (run) => {
      hidden += (run.length + 1) / 2;
      return lettersOf(run);
    });
  }
  // Then also shorter words are spaced.
  if (hidden >= NO_ACCIDENT) readable = readable.replace(SPACED_PAIRS, lettersOf);
  if (/[\u0370-\u04ff]/.test(readable) && /[a-z]/i.test(readable)) {
    readable = readable.replace(OF_TWO_SCRIPTS, (word) =>
      [...word].map((letter) => SEEN_AS[LETTERS.indexOf(letter)] ?? letter).join(''),
    );
  }
  return { text: readable, hidden: hidden >= NO_ACCIDENT };
}
