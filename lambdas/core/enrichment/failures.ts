/** The sources of facts that may be out of order. */
export type Outside = 'dns' | 'provider';

/**
 * DNS or the provider gave no answer. It carries a code and no message of theirs: those quote domains, addresses and
 * headers.
 */
export class OutsideFailure extends Error {
  override readonly name = 'OutsideFailure';
  readonly outside: Outside;
  /** Worth another try later; else no second try would end otherwise. */
  readonly transient: boolean;
  readonly code: string;

  constructor(outside: Outside, transient: boolean, code: unknown) {
    super(`${outside} gave no answer`);
    this.outside = outside;
    this.transient = transient;
    this.code = typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : 'UNKNOWN';
  }
}
