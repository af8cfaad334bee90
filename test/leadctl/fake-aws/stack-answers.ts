import { AwsError } from './fake-aws.ts';

export const MAIL_FROM = 'leads@mail.example.com';
export const REGION = 'eu-west-1';
export const ACCOUNT = '111122223333';
export const NOW = Date.parse('2026-05-01T00:00:00Z');
/** Who asks, which no line may name. */
export const PERSON = 'someone-in-person';

export const IDENTITY = {
  Account: ACCOUNT,
  UserId: 'AIDA',
  Arn: `arn:aws:iam::${ACCOUNT}:user/${PERSON}`,
};

export const NO_STACK = new AwsError('ValidationError: Stack with id LeadIngest-prod does not exist');

/** In the words of AWS, which name the person. */
export function denied(name = 'AccessDeniedException'): AwsError {
  return new AwsError(`${name}: User ${IDENTITY.Arn} is not allowed to do this`);
}

export function stackIn(StackStatus: string): object {
  return { Stacks: [{ StackName: 'LeadIngest-prod', CreationTime: new Date(NOW), StackStatus }] };
}

export function resources(...all: readonly (readonly [type: string, physicalId: string])[]): object {
  return {
    StackResourceSummaries: all.map(([ResourceType, PhysicalResourceId], index) => ({
      LogicalResourceId: `R${index}`,
      ResourceType,
      PhysicalResourceId,
      LastUpdatedTimestamp: new Date(NOW),
      ResourceStatus: 'CREATE_COMPLETE',
    })),
  };
}
