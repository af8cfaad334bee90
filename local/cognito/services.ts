import { CognitoServiceFactoryImpl } from 'cognito-local/lib/services/cognitoService.js';
import type { Context } from 'cognito-local/lib/services/context.js';
import type { Services } from 'cognito-local/lib/services/index.js';
import { MessagesService } from 'cognito-local/lib/services/messages.js';
import { otp } from 'cognito-local/lib/services/otp.js';
import { JwtTokenGenerator } from 'cognito-local/lib/services/tokenGenerator.js';
import type { Triggers } from 'cognito-local/lib/services/triggers/index.js';
import { UserPoolServiceFactoryImpl } from 'cognito-local/lib/services/userPoolService.js';
import type { Print } from '../function-log.ts';
import { makeDataStores } from './data-store.ts';

const QUIET = {
  child: () => QUIET,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
} as unknown as Context['logger'];

/** What every call of cognito-local's takes: a logger that says nothing, since it would say passwords. */
export const CONTEXT: Context = { logger: QUIET };

/** None: the stack has no Lambda triggers. */
const NO_TRIGGERS = { enabled: () => false } as unknown as Triggers;

export interface CognitoServices extends Services {
  /** Tokens are issued in the name of this address from now on. */
  issueFrom(address: string): void;
}

/**
 * cognito-local put together without its own server: that one keeps its data where the process runs, prints to stdout,
 * and loads AWS SDK 2 for triggers, which this stack does not have and package.json therefore leaves out.
 */
export async function makeCognitoServices(directory: string, print: Print): Promise<CognitoServices> {
  const clock = { get: () => new Date() };
  const stores = makeDataStores(directory);
  const cognito = await new CognitoServiceFactoryImpl(
    directory,
    stores,
    new UserPoolServiceFactoryImpl(clock, stores),
  ).create(CONTEXT, {});
  const tokenConfig: { IssuerDomain?: string } = {};
  return {
    clock,
    cognito,
    config: { TokenConfig: tokenConfig } as Services['config'],
    // In place of mail: whoever runs this machine reads it over the owner's shoulder.
    messages: new MessagesService(NO_TRIGGERS, {
      async deliver(_, __, { Destination }, { __code }) {
        print(`Mail to ${Destination}: your code or temporary password is ${__code}`);
      },
    }),
    otp,
    tokenGenerator: new JwtTokenGenerator(clock, NO_TRIGGERS, tokenConfig),
    triggers: NO_TRIGGERS,
    issueFrom(address) {
      tokenConfig.IssuerDomain = address;
    },
  };
}
