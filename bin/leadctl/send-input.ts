import { randomInt } from 'node:crypto';
import type { ProviderName } from '../../lambdas/sources/providers.ts';
import type { FormRecord } from '../../lambdas/workspaces/forms-store.ts';
import { Failure, UsageFailure } from '../operator/failure.ts';
import { readSecret } from './operator-input.ts';
import type { SendingSurface } from './send-submissions.ts';
import type { Session } from './session.ts';
import { openContents } from './stack-contents.ts';

/** `leadctl send`, as commander reads it. */
export interface SendOptions {
  readonly surface: SendingSurface;
  /** Only on surface 1c. */
  readonly provider?: ProviderName;
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

/** A server token, a webhook secret, or the signing secret of a provider. */
export async function readCredential(
  session: Session,
  options: SendOptions,
  form: FormRecord | undefined,
): Promise<string> {
  const { stdin, env } = session.terminal;
  if (options.file === '-' && (options.tokenStdin || options.secretStdin)) {
    throw new UsageFailure(
      'Standard input cannot be both the body and the credential. Use a file for one of them.',
    );
  }
  if (takesToken(options)) {
    const token = options.tokenStdin ? await readSecret(stdin) : env.LEADCTL_TOKEN;
    if (!token) {
      throw new UsageFailure(
        `Surface ${options.surface} needs a server token. Pass --token-stdin or set LEADCTL_TOKEN.`,
      );
    }
    requireAscii(token);
    if (form) await requireTokenOf(session, token, form);
    return token;
  }
  if (options.useFormSecret) return readFormSecret(session, form, options);
  const secret = options.secretStdin ? await readSecret(stdin) : env.LEADCTL_SECRET;
  if (!secret) {
    throw new UsageFailure(
      `Surface ${options.surface} needs a ${options.provider ? 'signing' : 'webhook'} secret. Pass --use-form-secret or --secret-stdin, or set LEADCTL_SECRET.`,
    );
  }
  return secret;
}

/** Without a provider, surface 1c is for tools that send a server token. */
export function takesToken({ surface, provider }: Pick<SendOptions, 'surface' | 'provider'>): boolean {
  return surface === '1a' || (surface === '1c' && provider === undefined);
}

function requireAscii(token: string): void {
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageFailure('Invalid server token: it contains characters that tokens never have.');
}

/** The token alone decides the form of a lead, so another --form must be a mistake. */
async function requireTokenOf(session: Session, token: string, { formId }: FormRecord): Promise<void> {
  const known = await (await openContents(session)).findToken(token);
  if (known && known.formId !== formId) {
    throw new UsageFailure(
      `The server token belongs to form ${known.formId}, not ${formId}. Nothing was sent.`,
    );
  }
}

async function readFormSecret(
  session: Session,
  form: FormRecord | undefined,
  { slug, provider }: SendOptions,
): Promise<string> {
  if (!form) throw new Failure('not_found', `The slug ${slug} matches no form, or more than one.`);
  const contents = await openContents(session);
  const [found] = await contents.readSecrets([form], AbortSignal.timeout(15_000));
  const secret = provider ? found?.providerSecret : found?.secret;
  if (secret) return secret;
  const [kind, command] = provider
    ? ['provider’s secret', session.command`form provider ${form.formId} --secret-stdin`]
    : ['webhook secret', session.command`secret set --form ${form.formId}`];
  throw new Failure('conflict', `Form ${form.formId} has no ${kind}. Set one: ${command}`);
}

const FIRST_NAMES =
  'Ines Tomas Amara Jonas Leila Piotr Noor Callum Saskia Mateo Yuki Freya Anton Zanele Bruno Elif'.split(' ');
const LAST_NAMES =
  'Varga Lindqvist Okonjo Brandl Haddad Nowicki Ferrante Macrae Vos Ibarra Tanabe Solberg Kozak Dlamini Prado Aydin'.split(
    ' ',
  );
const TRADES =
  'Bearings Textiles Logistics Robotics Foods Interiors Optics Packaging Hydraulics Studios'.split(' ');
const ROLES = ['Head of Operations', 'Purchasing Manager', 'Founder', 'Marketing Lead', 'Plant Engineer'];
const SOURCES = ['pricing page', 'newsletter', 'trade fair', 'search', 'recommended by a partner'];
const QUESTIONS = [
  'Could you send a quote for 40 seats, starting next quarter?',
  'We are replacing our current system and would like to see a demo in the week of the 12th.',
  'Does the integration support two-way sync, and what is the delivery time?',
  'Please call me back about the annual plan. Afternoons suit best.',
  'We have three sites and need offline access on the shop floor. Is that possible?',
  'What would the migration of about 9,000 records look like, and who does it?',
];

/**
 * A fictional lead. The domain ends in random letters, so nobody owns it, and the phone numbers are reserved for fiction
 * (London 020 7946 0xxx, North America 555-01xx).
 */
export function generateLead(pick: (below: number) => number = randomInt): Record<string, string> {
  const of = <Each>(all: readonly Each[]) => all[pick(all.length)] as Each;
  const digits = (count: number) => Array.from({ length: count }, () => pick(10)).join('');
  const letters = (count: number) =>
    Array.from({ length: count }, () => String.fromCharCode(97 + pick(26))).join('');
  const [first, last, trade] = [of(FIRST_NAMES), of(LAST_NAMES), of(TRADES)];
  const company = `${of(LAST_NAMES)} ${trade}`;
  const domain = `${company.toLowerCase().replace(' ', '-')}-${letters(6)}.com`;
  const lead: Record<string, string> = {
    name: `${first} ${last}`,
    email: `${first}.${last}@${domain}`.toLowerCase(),
    company,
    message: of(QUESTIONS),
  };
  if (pick(2) === 0) lead.phone = pick(2) === 0 ? `+44 20 7946 0${digits(3)}` : `+1 212 555 01${digits(2)}`;
  if (pick(2) === 0) lead.job_title = of(ROLES);
  if (pick(3) === 0) lead.source = of(SOURCES);
  return lead;
}
