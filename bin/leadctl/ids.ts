import { UsageFailure } from './failure.ts';

type Kind = 'workspace' | 'form' | 'token';

const KIND_BY_PREFIX: Readonly<Record<string, Kind>> = { ws_: 'workspace', form_: 'form', tok_: 'token' };

/**
 * Checks that an id is not of something else. Imported ids may look different, so only what is known to be wrong
 * is refused; and a credential given by mistake must not be repeated in "There is no token …".
 */
export function idOf(wanted: Kind): (text: string) => string {
  return (text) => {
    if (text.trim() === '') throw new UsageFailure(`The id of a ${wanted} cannot be empty.`);
    if (/^(ingt_|whsec_)/.test(text)) {
      throw new UsageFailure(
        `Here goes the id of a ${wanted}, not a token or a secret itself: keep those off command lines.`,
      );
    }
    for (const [prefix, kind] of Object.entries(KIND_BY_PREFIX)) {
      if (text.startsWith(prefix) && kind !== wanted) {
        throw new UsageFailure(`${text} is the id of a ${kind}, and the id of a ${wanted} is needed.`);
      }
    }
    return text;
  };
}
