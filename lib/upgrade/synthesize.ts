import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type App, AssetStaging, NestedStack, Stack } from 'aws-cdk-lib';
import { makeUncheckedApp } from '../lead-ingest-app.ts';
import { normalize, type Resources, type Template } from './normalize.ts';

const LAMBDAS = fileURLToPath(new URL('../../lambdas', import.meta.url));

/** What this checkout deploys with these settings. */
export interface Deployable {
  readonly resources: Resources;
  /** The bundle of each function by its folder below lambdas/. Empty unless it was asked for. */
  readonly code: Readonly<Record<string, string>>;
}

export function synthesizeResources(
  context: Readonly<Record<string, unknown>>,
  { withCode = false } = {},
): Deployable {
  const outdir = mkdtempSync(join(tmpdir(), 'lead-ingest-'));
  try {
    const app = makeUncheckedApp({
      outdir,
      // Bundling takes most of the time.
      context: { ...(withCode ? {} : { 'aws:cdk:bundling-stacks': [] }), ...context },
      builtinCloudFormationValidation: false,
      stackTraces: false,
      treeMetadata: false,
    });
    app.synth();
    const stagings = app.node.findAll().filter((construct) => construct instanceof AssetStaging);
    const own = stagings.filter(({ sourcePath }) => sourcePath.startsWith(`${LAMBDAS}/`));
    const folderOf = ({ sourcePath }: AssetStaging) => relative(LAMBDAS, sourcePath);
    const folders = new Map(own.map((staging) => [staging.assetHash, folderOf(staging)]));
    const code = (staging: AssetStaging) =>
      readFileSync(join(staging.absoluteStagedPath, 'index.cjs'), 'utf8');
    return {
      resources: everyResource(app, outdir, folders),
      code: withCode ? Object.fromEntries(own.map((each) => [folderOf(each), code(each)])) : {},
    };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** Of the stack and of those nested in it. */
export function everyResource(app: App, outdir: string, folders: ReadonlyMap<string, string>): Resources {
  const stacks = app.node.findAll().filter(Stack.isStack);
  const entries = stacks.flatMap((stack) => {
    const template = JSON.parse(readFileSync(join(outdir, stack.templateFile), 'utf8')) as Template;
    const path = pathOf(stack);
    return Object.entries(normalize(template, folders)).map(([id, each]) => [`${path}${id}`, each]);
  });
  return Object.fromEntries(entries);
}

function pathOf(stack: Stack): string {
  const { nestedStackParent: parent, nestedStackResource: resource } = stack;
  if (!NestedStack.isNestedStack(stack) || !parent || !resource) return '';
  return `${pathOf(parent)}${parent.resolve(resource.logicalId)}/`;
}
