export interface ProviderKey {
  current(): Promise<string>;
  /** The key after one that was refused: read again, unless another message has done so already. */
  after(refused: string): Promise<string>;
}

export interface ProviderKeyOptions {
  readonly now: () => number;
  readonly readSecret: () => Promise<string>;
}

const KEEP_MS = 5 * 60 * 1_000;

/** The provider's key, kept for a while, so that a lead costs no read of the secret. */
export function makeProviderKey({ now, readSecret }: ProviderKeyOptions): ProviderKey {
  let kept: { key: string; until: number } | undefined;
  let reading: Promise<string> | undefined;

  async function readAndKeep(): Promise<string> {
    const key = (await readSecret()).trim();
    // Checked here, since fetch's own complaint about a header quotes its value.
    if (!/^[\x21-\x7e]+$/.test(key)) throw new Error('The secret holds no key that fits into a header');
    kept = { key, until: now() + KEEP_MS };
    return key;
  }

  function readOnce(): Promise<string> {
    reading ??= readAndKeep().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  return {
    current: async () => (kept && now() < kept.until ? kept.key : readOnce()),
    after: async (refused) => (kept && kept.key !== refused ? kept.key : readOnce()),
  };
}
