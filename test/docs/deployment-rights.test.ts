import { describe, expect, test } from '@jest/globals';
import { evaluate, type Statement } from '../../local/iam/evaluate.ts';
import { grantsOf } from '../../local/iam/policies.ts';
import { everyTemplate } from '../stack/every-template.ts';
import { deploymentNeeds, documentedRights, type Need, roleNeeds } from './deployment-rights.ts';

const { execution, boundary } = documentedRights();
const templates = everyTemplate();

/** IAM's limit of a managed policy, which counts no white space. */
const MAX_CHARACTERS = 6_144;

describe.each([
  ['execution policy', execution, templates.flatMap(deploymentNeeds)],
  ['permissions boundary', boundary, templates.flatMap(roleNeeds)],
] as const)('the %s in docs/deploy.md', (_name, statements, needs) => {
  const different = [...new Map(needs.map((need) => [`${need.action} ${need.resource}`, need])).values()];
  const denied = (allowed: readonly Statement[]) =>
    different.filter((call) => !evaluate(allowed, call).allowed);

  test('allows everything that the templates need', () => {
    expect(different.length).toBeGreaterThan(50);
    expect(
      denied(statements).map(({ action, resource, for: what }) => `${action} on ${resource} for ${what}`),
    ).toEqual([]);
  });

  test('is too narrow without any one of its permissions', () => {
    const grants = grantsOf('', statements);
    const superfluous = grants.filter((grant) => {
      const others = grants.filter((each) => each !== grant).map(({ statement }) => statement);
      return denied(others).length === 0;
    });
    expect(superfluous.map(({ action, resource }) => `${action} on ${resource}`)).toEqual([]);
  });
});

test('one managed policy has room for both, because a boundary needs them together', () => {
  const policy = { Version: '2012-10-17', Statement: [...execution, ...boundary] };
  expect(JSON.stringify(policy).length).toBeLessThan(MAX_CHARACTERS);
});

describe('a later template', () => {
  const withResource = (resource: object) => ({
    name: 'planted',
    stackName: 'LeadIngest-dev',
    template: { Resources: { It: resource } } as (typeof templates)[0]['template'],
  });

  test('with a type of resource that is not listed is refused', () => {
    const template = withResource({ Type: 'AWS::StepFunctions::StateMachine' });
    expect(() => deploymentNeeds(template)).toThrow('AWS::StepFunctions::StateMachine is not listed');
  });

  test('with a role outside the documented names is denied', () => {
    const template = withResource({ Type: 'AWS::IAM::Role', Properties: { RoleName: 'leads' } });
    const [need] = deploymentNeeds(template);
    expect(need?.resource).toMatch(/:role\/leads$/);
    expect(evaluate(execution, need as Need).allowed).toBe(false);
  });

  test('with a role that may use another service is denied', () => {
    const PolicyDocument = {
      Statement: [{ Effect: 'Allow', Action: 'states:StartExecution', Resource: '*' }],
    };
    const template = withResource({ Type: 'AWS::IAM::Role', Properties: { Policies: [{ PolicyDocument }] } });
    const [need] = roleNeeds(template);
    expect(need?.action).toBe('states:StartExecution');
    expect(evaluate(boundary, need as Need).allowed).toBe(false);
  });
});
