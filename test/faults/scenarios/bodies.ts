import type { SeededRandom } from '../machine/seeded-random.ts';

/** `$REF` becomes the name of the submission, so that a stored lead tells which one made it. */
export const CLEAN =
  '{ "ref":"$REF","name":"Ada Byron", "email":"ada@analytical-engines.co.uk","company":"Analytical Engines","budget":1.10000000000000000001 }';

const NOT_CLEAN = '{"ref":"$REF","email":"asdf@mailinator.com","name":"asdf asdf","message":"test"}';

/** Long enough that it is stored compressed. */
const LONG = CLEAN.replace(
  ' }',
  `,"message":"${'We would like to hear more about the engine. '.repeat(40)}" }`,
);

export function anyBody(random: SeededRandom): string {
  return random.pick([CLEAN, CLEAN, CLEAN, NOT_CLEAN, LONG]);
}
