/** An item that a later release wrote, in a way that this one does not know. */
export class UnknownVersion extends Error {
  override readonly name = 'UnknownVersion';
}

/** What has no version, somebody put there by hand: it is read as it stands. */
export function requireKnownVersion({ v }: { readonly v?: unknown }, newestKnown: number): void {
  if (typeof v === 'number' && v > newestKnown) {
    throw new UnknownVersion(`an item of version ${v}, and this release knows ${newestKnown}`);
  }
}
