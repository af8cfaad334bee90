import { nearestSpelling, regionOf, SettingsError } from './kinds.ts';
import { INPUTS, type InputKey } from './schema.ts';

/** Where settings are given, by names of its own: in context, or as properties of the stack. */
export interface Origin {
  /** The first word of an error message. */
  readonly noun: 'Context' | 'Property';
  readonly nameOf: (key: InputKey) => string;
  readonly valueOf: (key: InputKey) => unknown;
  /** Whether a text stands for a value that is known only at deployment, such as the ARN of a new certificate. */
  readonly isUnresolved: (text: string) => boolean;
  /** The region of the deployment, if it is known, and from where. */
  readonly region: { readonly name: string; readonly knownFrom: string } | undefined;
}

export function refuse(origin: Origin, key: InputKey, problem: string): never {
  throw new SettingsError(`${origin.noun} "${origin.nameOf(key)}" ${problem}`);
}

/** The value of one setting, or its default; undefined if there is neither. */
export function readInput(origin: Origin, key: InputKey): unknown {
  const { read, allowed, byDefault, isText } = INPUTS[key];
  const given = origin.valueOf(key) ?? byDefault;
  if (given === undefined) return undefined;
  if (isText && typeof given === 'string' && origin.isUnresolved(given)) return given;
  return read(given) ?? refuse(origin, key, `must be ${allowed}, but is ${JSON.stringify(given)}.`);
}

/** An unknown name is a typo: prod without its domain, or without a firewall. */
export function refuseUnknown(
  nouns: readonly [one: string, many: string],
  names: readonly string[],
  known: readonly string[],
  isForOthers: (name: string) => boolean = () => false,
): void {
  const unknown = names.find((name) => !known.includes(name) && !isForOthers(name));
  if (unknown === undefined) return;
  const meant = nearestSpelling(unknown, known);
  const guess = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  const [one, many] = nouns;
  throw new SettingsError(`Unknown ${one} "${unknown}".${guess} Known ${many}: ${known.join(', ')}.`);
}

/** The region in an ARN; undefined if only the deployment knows it. */
export function knownRegion(origin: Origin, arn: string): string | undefined {
  return origin.isUnresolved(arn) ? undefined : regionOf(arn);
}
