import { Fault, text } from '../middleware/settings/fields.ts';

const anyText = text({ least: 16, most: 200 });

/** A secret that an owner brings along. White space around it is lost on many ways, and nobody would see why. */
export function ownSecret(value: unknown): string {
  const secret = anyText(value);
  if (secret.trim() !== secret) throw new Fault('must have no white space around it');
  return secret;
}
