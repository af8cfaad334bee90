import { OUTPUTS } from '../../lambdas/contract.ts';
import type { Statement } from '../../local/iam/evaluate.ts';
import { TemplateReader, type Template as TemplateText } from '../../local/template.ts';
import { synthesise } from '../stack/synthesise.ts';
import type { ArnOf } from './iam-actions.ts';

export const STACK_NAME = 'LeadIngest-dev';

/** The stack of the tests as CloudFormation would make it on this machine. */
export const reader = new TemplateReader(synthesise('dev').toJSON() as TemplateText, STACK_NAME);

type Outputs = Readonly<Record<string, string>>;

/** What a stack names its resources by, and the ARNs that the template gives them. */
export function arnsOf(outputs: Outputs): ArnOf {
  const { Outputs: described } = synthesise('dev').toJSON() as {
    Outputs: Record<string, { Value: { Ref: string } }>;
  };
  const arns = new Map(
    [...Object.values(OUTPUTS.tables), ...Object.values(OUTPUTS.queues), OUTPUTS.userPoolId].map((name) => [
      lastPart(outputs[name] ?? ''),
      reader.arn(described[name]?.Value.Ref as string),
    ]),
  );
  const arnOf = (name: string) => {
    const known = arns.get(lastPart(name));
    if (known !== undefined) return known;
    // A table that was restored beside the stack's.
    if (name.endsWith('-restored')) return `${reader.arn('Leads').replace(/[^/]+$/, '')}${name}`;
    throw new Error(`nothing of the stack is called ${name}`);
  };
  return Object.assign(arnOf, { sourcesOf });
}

function sourcesOf(deadLettersArn: string): string[] {
  return reader
    .resources('AWS::SQS::Queue')
    .filter(
      (queue) =>
        queue.property<{ deadLetterTargetArn: string }>('RedrivePolicy')?.deadLetterTargetArn ===
        deadLettersArn,
    )
    .map(({ logicalId }) => reader.arn(logicalId));
}

/** A queue is named by its address and by its ARN. Both end with its name. */
function lastPart(name: string): string {
  return name.split(/[/:]/).at(-1) ?? '';
}

/** The statements of a managed policy of the template. */
export function statementsOf(logicalIdStart: string): Statement[] {
  const policy = reader
    .resources('AWS::IAM::ManagedPolicy')
    .find(({ logicalId }) => logicalId.startsWith(logicalIdStart));
  if (!policy) throw new Error(`the template has no managed policy ${logicalIdStart}`);
  return policy.required<{ Statement: Statement[] }>('PolicyDocument').Statement;
}
