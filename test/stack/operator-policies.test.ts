import { expect, test } from '@jest/globals';
import { TemplateReader, type Template as TemplateText } from '../../local/template.ts';
import { EVERY_SETTING } from './every-setting.ts';
import { synthesise } from './synthesise.ts';

const prod = synthesise('prod', EVERY_SETTING);
const policies = Object.entries(prod.findResources('AWS::IAM::ManagedPolicy'));

/** Of AWS, without spaces. */
const MAX_CHARACTERS = 6_144;
/** CloudFormation ends names with 13 characters of its own, and regions are longer than the one of this machine. */
const LONGER_ON_AWS = 700;

test('operators have one policy for reading and one for everything', () => {
  expect(policies.map(([id]) => id).sort()).toEqual(['OperatorPolicy', 'OperatorReadPolicy']);
});

test.each(policies)('%s is attached to nobody', (_id, { Properties }) => {
  for (const who of ['Users', 'Groups', 'Roles']) expect(Properties[who] ?? []).toEqual([]);
});

test.each(policies)('%s fits into a managed policy', (id) => {
  const reader = new TemplateReader(prod.toJSON() as TemplateText, 'LeadIngest-prod');
  const policy = reader.resources('AWS::IAM::ManagedPolicy').find(({ logicalId }) => logicalId === id);
  const text = JSON.stringify(policy?.required('PolicyDocument'));
  expect(text.length).toBeLessThan(MAX_CHARACTERS - LONGER_ON_AWS);
});

test.each(policies)('%s names its actions one by one', (_id, { Properties }) => {
  const statements = Properties.PolicyDocument.Statement as { Action: string | string[] }[];
  const actions = statements.flatMap(({ Action }) => Action);
  expect(actions.filter((action) => action.includes('*'))).toEqual([]);
});
