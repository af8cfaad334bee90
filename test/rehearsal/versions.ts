import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeApp } from '../../lib/lead-ingest-app.ts';
import type { StageName } from '../../lib/stage.ts';
import { readAssembly } from '../../local/synthesize.ts';
import type { Template } from '../../local/template.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { Version } from './custom-resources.ts';

/** Versions of the stack, for the tests of a `describe`. */
export class Versions {
  readonly #folder = temporaryFolder('rehearsal-versions');

  /** What is deployed, with its code. */
  async synthesize(stage: StageName, settings: Readonly<Record<string, string>>): Promise<Version> {
    const outdir = mkdtempSync(join(this.#folder, `${stage}-`));
    makeApp({ outdir, context: { ...settings, stage }, builtinCloudFormationValidation: false }).synth();
    return readAssembly(outdir);
  }

  /** The version before: with other assets, which had files that are no longer there. */
  withEarlierAssets(version: Version): Version {
    const folders = new Map<string, string>();
    const earlierKey = (key: string) => {
      const folder = mkdtempSync(join(this.#folder, 'earlier-'));
      cpSync(version.assetFolder(key), folder, { recursive: true });
      mkdirSync(join(folder, 'assets'), { recursive: true });
      for (const file of ['index.html', 'dropped.html', 'assets/dropped.js']) {
        writeFileSync(join(folder, file), `${file} of the version before`);
      }
      folders.set(`earlier-${key}`, folder);
      return `earlier-${key}`;
    };
    const template = changed(version.template, (Properties) =>
      Array.isArray(Properties.SourceObjectKeys)
        ? { ...Properties, SourceObjectKeys: Properties.SourceObjectKeys.map(earlierKey) }
        : Properties,
    );
    return { ...version, template, assetFolder: (key) => folders.get(key) ?? version.assetFolder(key) };
  }
}

/** The version before, whose buckets had other names. */
export function withEarlierBuckets(version: Version): Version {
  const template = changed(version.template, (Properties, { Type }, logicalId) =>
    Type === 'AWS::S3::Bucket'
      ? { ...Properties, BucketName: `earlier-${logicalId.toLowerCase()}` }
      : Properties,
  );
  return { ...version, template };
}

type TemplateResource = Template['Resources'][string];

/** A template with other properties of its resources. */
export function changed(
  template: Template,
  change: (
    properties: Readonly<Record<string, unknown>>,
    resource: TemplateResource,
    logicalId: string,
  ) => Readonly<Record<string, unknown>>,
): Template {
  const resources = Object.entries(template.Resources).map(([logicalId, resource]) => [
    logicalId,
    { ...resource, Properties: change(resource.Properties ?? {}, resource, logicalId) },
  ]);
  return { ...template, Resources: Object.fromEntries(resources) };
}
