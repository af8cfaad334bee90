import type { Command } from 'commander';
import type { SignatureExplanation } from '../../lambdas/debugger/explain-signature.ts';
import type { FormRecord } from '../../lambdas/workspaces/forms-store.ts';
import { UsageFailure } from '../operator/failure.ts';
import { counted } from '../operator/terminal.ts';
import { examples, idOf } from './command-line.ts';
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
Pass both headers and the exact body as sent, for example from the sender's log. The command tries common mistakes and
lists those that produce the signature that was sent. It never shows the secret or the expected signature. It also
checks the signature of requests that are too old.

Exit status: 0 if the service would accept the request now, 1 if not.
`;

export function addExplainCommand(command: Command, run: RunCommand): void {
  command
    .requiredOption('--form <id>', 'form ID that the request was sent to', idOf('form'))
    .option('--timestamp <text>', 'X-SVC-Timestamp header as sent; omit it if there was none')
    .option('--signature <text>', 'X-SVC-Signature header as sent; omit it if there was none')
    .requiredOption('--body-file <file>', 'body exactly as sent; - for standard input')
    .addHelpText(
      'after',
      HELP +
        examples('explain --form form_… --timestamp 1763200000 --signature 9f86d0… --body-file body.json'),
    )
    .action((options: ExplainOptions) =>
      run(async (session) => {
        const body = await readBytes(options.bodyFile, session.terminal.stdin);
        if (body.length > 10 * 1024 * 1024)
          throw new UsageFailure('The body is larger than 10 MB, the maximum.');
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
      others: secrets.flatMap((each, at) =>
        each?.secret ? [{ formId: each.formId, secret: each.secret, formName: others[at]?.name }] : [],
      ),
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
  form_inactive: 'The form is inactive: all its submissions are rejected.',
  workspace_suspended: 'The workspace is suspended: all its submissions are rejected.',
};

const SIGNATURES: Readonly<Record<SignatureExplanation['signature'], string>> = {
  right: 'The signature matches.',
  explained: "The signature doesn't match. Here's why:",
  unexplained:
    "The signature doesn't match, and no common mistake explains it. Check the webhook secret, and that the body is exactly the one sent.",
};

function describe(
  { decision, acceptedBy, skewSeconds, signed, signature, mistakes }: SignatureExplanation,
  obstacles: readonly (keyof typeof OBSTACLES)[],
  accepted: boolean,
): string[] {
  const [obstacle] = obstacles;
  return [
    accepted
      ? `Accepted${acceptedBy === 'previous' ? ' with the previous webhook secret, until its grace period ends' : ''}.`
      : `Rejected: ${obstacle ?? decision}.`,
    ...obstacles.map((each) => OBSTACLES[each]),
    ...(accepted ? [] : [verdictOn(decision, signature)]),
    ...mistakes.map(
      ({ name, explanation, formId }) => `  ${name}: ${explanation}${formId ? ` (${formId})` : ''}`,
    ),
    ...(skewSeconds === undefined ? [] : [describeSkew(skewSeconds)]),
    `The ${signed.byteLength} signed bytes begin with:`,
    `  ${signed.firstBytes}`,
  ];
}

function verdictOn(
  decision: SignatureExplanation['decision'],
  signature: SignatureExplanation['signature'],
): string {
  if (decision === 'secret_not_configured') return 'The form has no webhook secret.';
  if (decision === 'signature_missing') return 'The signature is missing.';
  return SIGNATURES[signature];
}

function describeSkew(skewSeconds: number): string {
  const side = skewSeconds > 0 ? 'behind' : 'ahead of';
  return `The timestamp is ${counted(Math.abs(skewSeconds), 'second')} ${side} the service's clock. The limit is 300 seconds.`;
}
