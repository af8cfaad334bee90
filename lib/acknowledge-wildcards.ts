import { Stack, Validations } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';

/** A statement, and the reason for a wildcard in its resources, if there is one. */
export interface Reasoned {
  readonly statement: PolicyStatement;
  readonly wildcard?: string;
}

/** Gives cdk-nag the reason for each wildcard. It still reports all others. */
export function acknowledgeWildcards(policy: IConstruct, statements: readonly Reasoned[]): void {
  const ids = new Map(
    statements.flatMap(({ statement, wildcard }) =>
      wildcard === undefined
        ? []
        : statement.resources
            .map((arn) => textOf(Stack.of(policy).resolve(arn)))
            .filter((text) => text.includes('*'))
            .map((text) => [`AwsSolutions-IAM5[Resource::${text}]`, wildcard] as const),
    ),
  );
  Validations.of(policy).acknowledge(...[...ids].map(([id, reason]) => ({ id, reason })));
}

/** An ARN as cdk-nag writes it: `arn:<AWS::Partition>:…`. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::Join': join } = value as { Ref?: string; 'Fn::Join'?: [string, unknown[]] };
  if (Ref !== undefined) return `<${Ref}>`;
  return join?.[1].map(textOf).join(join[0]) ?? '';
}
