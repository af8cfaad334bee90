import type { FormRecord } from '../../lambdas/settings/administration/forms-store.ts';
import type { Surface } from '../../lambdas/submission/limits.ts';
import { Failure, UsageFailure } from './failure.ts';
import { readSecret } from './operator-input.ts';
import type { Session } from './session.ts';
import { openContents } from './stack-contents.ts';

/** `leadctl send`, as commander reads it. */
export interface SendOptions {
  readonly surface: Surface;
  readonly form?: string;
  readonly slug?: string;
  readonly tokenStdin?: boolean;
  readonly secretStdin?: boolean;
  readonly useFormSecret?: boolean;
  readonly file?: string;
  readonly generate?: boolean;
  readonly key?: string;
  readonly keyEach?: boolean;
  readonly count: number;
  readonly concurrency: number;
}

export interface Credential {
  /** The token of surface 1a, or the secret of surface 1b. */
  readonly value: string;
  /** Whose rejections to look at; undefined where they will be nobody's. */
  readonly workspaceId: string | undefined;
}

export async function readCredential(
  session: Session,
  options: SendOptions,
  form: FormRecord | undefined,
): Promise<Credential> {
  const { stdin, env } = session.terminal;
  if (options.file === '-' && (options.tokenStdin || options.secretStdin)) {
    throw new UsageFailure('Standard input cannot be both the body and the credential: use a file for one.');
  }
  if (options.surface === '1a') {
    const token = options.tokenStdin ? await readSecret(stdin) : env.LEADCTL_TOKEN;
    if (!token) throw new UsageFailure('Surface 1a needs a token: --token-stdin, or LEADCTL_TOKEN.');
    requireAscii(token);
    return { value: token, workspaceId: await workspaceOf(session, token, form?.formId) };
  }
  const workspaceId = form?.workspaceId;
  if (options.useFormSecret) return { value: await readFormSecret(session, form, options.slug), workspaceId };
  const secret = options.secretStdin ? await readSecret(stdin) : env.LEADCTL_SECRET;
  if (!secret) {
    throw new UsageFailure(
      'Surface 1b needs a secret: --use-form-secret, --secret-stdin, or LEADCTL_SECRET in the environment.',
    );
  }
  return { value: secret, workspaceId };
}

function requireAscii(token: string): void {
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageFailure('That is no token: it has characters that none has.');
}

/** The token alone decides which form the lead belongs to: whoever named another would look for it in vain. */
async function workspaceOf(
  session: Session,
  token: string,
  formId: string | undefined,
): Promise<string | undefined> {
  const known = await (await openContents(session)).findToken(token);
  if (known && formId !== undefined && known.formId !== formId) {
    throw new UsageFailure(`The token belongs to form ${known.formId}, not to ${formId}: nothing was sent.`);
  }
  return known?.workspaceId;
}

async function readFormSecret(
  session: Session,
  form: FormRecord | undefined,
  slug: string | undefined,
): Promise<string> {
  if (!form) throw new Failure('not_found', `No form, or more than one, has the slug ${slug}.`);
  const contents = await openContents(session);
  const [found] = await contents.readSecrets([form], AbortSignal.timeout(15_000));
  if (found?.secret) return found.secret;
  throw new Failure(
    'conflict',
    `Form ${form.formId} has no secret. Make one: ${session.command(`secret set --form ${form.formId}`)}`,
  );
}
