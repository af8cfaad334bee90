import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Template } from 'aws-cdk-lib/assertions';
import { makeApp } from '../../lib/lead-ingest-app.ts';
import type { StageName } from '../../lib/stage.ts';

type Context = Record<string, unknown>;

/** A temporary folder for CDK's output, deleted after `use`. */
export function withAssembly<Result>(use: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'lead-ingest-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const synthesised = new Map<string, Template>();

/**
 * The template of a stage, made once per worker for each set of settings. No code is bundled and nothing validated:
 * findings.test.ts does that.
 */
export function synthesise(stage: StageName, context: Context = {}): Template {
  const key = JSON.stringify([stage, context]);
  const template = synthesised.get(key) ?? make(stage, context);
  synthesised.set(key, template);
  return template;
}

function make(stage: StageName, context: Context): Template {
  return withAssembly((outdir) => {
    const app = makeApp({
      outdir,
      context: { stage, 'aws:cdk:bundling-stacks': [], ...context },
      builtinCloudFormationValidation: false,
    });
    return Template.fromJSON(app.synth().getStackByName(`LeadIngest-${stage}`).template);
  });
}

/** `IngestServerRole7CB9F769` is `IngestServerRole`: CDK ends a logical id with a hash of its path. */
export function withoutHash(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}

/** Functions that CDK adds: to fill a bucket, and to empty it before deletion. */
const OF_CDK = /^Custom(CDKBucketDeployment|S3AutoDeleteObjects)/;

/** The functions of this service, without CDK's own, by their logical ids. */
export function ownFunctions(template: Template): ReturnType<Template['findResources']> {
  const functions = Object.entries(template.findResources('AWS::Lambda::Function'));
  return Object.fromEntries(functions.filter(([id]) => !OF_CDK.test(id)));
}

/** The end of the stack's id, which is unique even if the stack is created again with the same name. */
const STACK_UUID = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };

/** An intrinsic as text: references as logical ids, joins joined, substitutions unchanged. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  const intrinsic = (value ?? {}) as Record<string, unknown>;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join, 'Fn::Sub': template } = intrinsic;
  if (typeof Ref === 'string') return `\${${Ref}}`;
  if (Array.isArray(attribute)) return `\${${attribute.join('.')}}`;
  if (Array.isArray(join)) return join[1].map(asText).join(join[0]);
  if (typeof template === 'string') return template;
  if (isDeepStrictEqual(intrinsic, STACK_UUID)) return `\${STACK_UUID}`;
  throw new Error(`Not an intrinsic that this stack uses: ${JSON.stringify(value)}`);
}
