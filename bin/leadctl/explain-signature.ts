import type { Command } from 'commander';
import type { SignatureExplanation } from '../../lambdas/debugger/explain-signature.ts';
import type { FormRecord } from '../../lambdas/settings/administration/forms-store.ts';
import { examples, idOf } from './command-line.ts';
import { UsageFailure } from './failure.ts';
import { readBytes } from './operator-input.ts';
import type { RunCommand, Session } from './session.ts';
import { openContents, requireForm } from './stack-contents.ts';

interface ExplainOptions {
  readonly form: string;
  readonly timestamp?: string;
  readonly signature?: string;
  readonly bodyFile: string;
}

const HELP = `
Give it what the sender sent: both headers, and the bytes of the body, from the sender's log for instance. It tries the
mistakes that people make, and names those that together make the very signature that was sent. It shows neither the
secret nor the right signature. An old request shows as too old, and its signature is judged all the same.

Exit status: 0 if the service would accept it now, 1 if not.`;

export function addExplainCommand(program: Command, run: RunCommand): void {
  program
    .command('explain')
    .description('Tell what the service makes of a signed request, and what is wrong with its signature.')
    .requiredOption('--form <id>', 'the form that it was sent to', idOf('form'))
    .option('--timestamp <text>', 'the header X-SVC-Timestamp, as sent; leave it out if it was not sent')
    .option('--signature <text>', 'the header X-SVC-Signature, as sent; leave it out if it was not sent')
    .requiredOption('--body-file <file>', 'the body as sent, byte for byte; - for standard input')
    .addHelpText(
      'after',
      HELP +
        examples('explain --form form_… --timestamp 1763200000 --signature 9f86d0… --body-file body.json'),
    )
    .action((options: ExplainOptions) =>
      run(async (session) => {
        const body = await readBytes(options.bodyFile, session.terminal.stdin);
        if (body.length > 10 * 1024 * 1024) throw new UsageFailure('No body is larger than 10 MB.');
        const form = await requireForm(session, options.form);
        const { explanation, obstacles } = await explain(session, form, { ...options, body });
        const accepted = explanation.decision === 'accepted' && obstacles.length === 0;
        return {
          result: { accepted, ...explanation, obstacles },
          lines: describe(explanation, obstacles, accepted),
          exitCode: accepted ? 0 : 1,
        };
      }),
    );
}

async function explain(
  session: Session,
  form: FormRecord,
  { timestamp, signature, body }: ExplainOptions & { body: Buffer },
) {
  const [contents, { explainSignature }] = await Promise.all([
    openContents(session),
    import('../../lambdas/debugger/explain-signature.ts'),
  ]);
  const forms = await contents.listForms(form.workspaceId);
  const others = forms.filter(({ formId }) => formId !== form.formId);
  const [workspace, [own, ...secrets]] = await Promise.all([
    contents.findWorkspace(form.workspaceId),
    contents.readSecrets([form, ...others], AbortSignal.timeout(30_000)),
  ]);
  const previous = own?.previousSecret && {
    secret: own.previousSecret,
    endsAtMilliseconds: own.previousEndsAtMilliseconds ?? 0,
  };
  const explanation = explainSignature(
    { timestamp, signature, body },
    {
      current: own?.secret,
      ...(previous && { previous }),
      others: secrets.flatMap((each) => (each ? [{ formId: each.formId, secret: each.secret }] : [])),
    },
    Date.now(),
  );
  const obstacles = [
    ...(form.active ? [] : ['form_inactive' as const]),
    ...(workspace?.status === 'suspended' ? ['workspace_suspended' as const] : []),
  ];
  return { explanation, obstacles };
}

const OBSTACLES = {
  form_inactive: 'The form is inactive: everything that is sent to it is rejected.',
  workspace_suspended: 'The workspace is suspended: everything that is sent to it is rejected.',
};

const SIGNATURES: Readonly<Record<SignatureExplanation['signature'], string>> = {
  right: 'The signature is right.',
  explained: 'The signature is wrong, and this is why:',
  unexplained:
    'The signature is wrong, and none of the usual mistakes explains it: is it the right secret, and are these the bytes that were sent?',
};

function describe(
  { decision, acceptedBy, skewSeconds, signed, signature, mistakes }: SignatureExplanation,
  obstacles: readonly (keyof typeof OBSTACLES)[],
  accepted: boolean,
): string[] {
  const [obstacle] = obstacles;
  return [
    accepted
      ? `Accepted${acceptedBy === 'previous' ? ', by the previous secret, while its grace period lasts' : ''}.`
      : `Rejected: ${obstacle ?? decision}.`,
    ...obstacles.map((each) => OBSTACLES[each]),
    ...(accepted ? [] : [verdictOn(decision, signature)]),
    ...mistakes.map(
      ({ name, explanation, formId }) => `  ${name}: ${explanation}${formId ? ` (${formId})` : ''}`,
    ),
    ...(skewSeconds === undefined ? [] : [describeSkew(skewSeconds)]),
    `To be signed are ${signed.byteLength} bytes, which begin with:`,
    `  ${signed.firstBytes}`,
  ];
}

function verdictOn(
  decision: SignatureExplanation['decision'],
  signature: SignatureExplanation['signature'],
): string {
  if (decision === 'secret_not_configured') return 'The form has no secret: nothing can be signed for it.';
  if (decision === 'signature_missing') return 'There is no signature.';
  return SIGNATURES[signature];
}

function describeSkew(skewSeconds: number): string {
  const side = skewSeconds > 0 ? 'behind' : 'ahead of';
  return `The timestamp is ${Math.abs(skewSeconds)} seconds ${side} the time of the service; 300 are allowed.`;
}
