import type { CognitoTokens, Refusal } from './cognito-tokens.ts';
import type { SignOuts } from './sign-outs-store.ts';

/** `ended`: there is no session. `open`: the password is the new one, but other sessions may still be open. */
export type PasswordOutcome = 'done' | 'ended' | 'open' | { readonly refusal: Refusal };

export interface Passwords {
  change(refreshToken: string | undefined, current: string, next: string): Promise<PasswordOutcome>;
  reset(email: string, code: string, next: string): Promise<PasswordOutcome>;
}

interface PasswordDependencies {
  readonly cognito: Pick<
    CognitoTokens,
    'exchange' | 'changePassword' | 'resetPassword' | 'signOutEverywhere'
  >;
  readonly signOuts: SignOuts;
  readonly report: (error: unknown) => void;
}

const SIGN_OUT_TRIES = 3;

/**
 * Changes passwords and ends all sessions, which Cognito does not do by itself. Here and not in the page, so that a page
 * that is closed in between leaves no session open.
 */
export function makePasswords({ cognito, signOuts, report }: PasswordDependencies): Passwords {
  async function finish(signOut: () => Promise<void>): Promise<PasswordOutcome> {
    for (let tries = 1; tries <= SIGN_OUT_TRIES; tries += 1) {
      try {
        await signOut();
        return 'done';
      } catch (error) {
        report(error);
      }
    }
    return 'open';
  }

  return {
    async change(refreshToken, current, next) {
      const tokens = refreshToken === undefined ? undefined : await cognito.exchange(refreshToken);
      if (!tokens) return 'ended';
      const refusal = await cognito.changePassword(tokens.accessToken, current, next);
      return refusal === undefined
        ? finish(() => cognito.signOutEverywhere(tokens.accessToken))
        : { refusal };
    },

    async reset(email, code, next) {
      const refusal = await cognito.resetPassword(email, code, next);
      return refusal === undefined ? finish(() => signOuts.signOutEverywhere(email)) : { refusal };
    },
  };
}
