import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { makeApp } from '../../lib/lead-ingest-app.ts';
import { asText, synthesise } from './synthesise.ts';

const prod = synthesise('prod');

describe('what is deployed', () => {
  const [[assetsId, assets] = [], [, pages] = []] = Object.entries(
    prod.findResources('Custom::CDKBucketDeployment'),
  );

  test('files named after their contents are kept for ever, and stay when newer ones come', () => {
    expect(assets?.Properties).toMatchObject({
      Exclude: ['*'],
      Include: ['assets/*'],
      Prune: false,
      SystemMetadata: { 'cache-control': 'public, max-age=31536000, immutable' },
    });
  });

  test('all others are asked for each time, and come after what they refer to', () => {
    expect(pages?.Properties).toMatchObject({
      Exclude: ['assets/*'],
      Prune: true,
      SystemMetadata: { 'cache-control': 'no-cache' },
    });
    expect(pages?.DependsOn).toContain(assetsId);
  });

  // Its handler would wait for an invalidation, for which the role has no permission: Create, Update and Delete fail.
  test('invalidates nothing: edges keep what is not named after its contents for a second at most', () => {
    for (const { Properties } of [assets, pages].flatMap((it) => it ?? [])) {
      expect(Object.keys(Properties).filter((key) => /Distribution(Id|Paths)/.test(key))).toEqual([]);
    }
  });

  test('both are of one build', () => {
    expect(pages?.Properties.SourceObjectKeys[0]).toBe(assets?.Properties.SourceObjectKeys[0]);
  });
});

describe.each(['dev', 'prod'] as const)('%s without a console', (stage) => {
  const without = synthesise(stage, { console: 'false' }).toJSON();

  // AWS refuses CloudFront to accounts that it has not verified yet, and a deployment fails half-made.
  test('has nothing of CloudFront, no bucket and no function of CDK to fill one', () => {
    const types = Object.values<{ Type: string }>(without.Resources).map(({ Type }) => Type);
    expect(types.filter((type) => /^AWS::(CloudFront|S3)::|^Custom::/.test(type))).toEqual([]);
    expect(JSON.stringify(without)).not.toContain('cloudfront');
  });

  test('has every other resource and output', () => {
    const withConsole = synthesise(stage).toJSON();
    const lost = (kind: 'Resources' | 'Outputs') =>
      Object.keys(withConsole[kind]).filter((id) => !(id in without[kind]));
    expect(lost('Outputs')).toEqual(['ConsoleUrl']);
    expect(lost('Resources').filter((id) => !/^Console|^Custom(CDKBucket|S3Auto)/.test(id))).toEqual([]);
  });
});

describe('config.json', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'console-site-test-'));
  afterAll(() => rmSync(outdir, { recursive: true }));

  test.each(['dev', 'prod'])('gives the console of %s everything in which stages differ', (stage) => {
    const context = { stage, 'aws:cdk:bundling-stacks': [] };
    const app = makeApp({ outdir: join(outdir, stage), context, builtinCloudFormationValidation: false });
    const { template } = app.synth().getStackByName(`LeadIngest-${stage}`);
    const resources = Object.values(template.Resources) as {
      Type: string;
      Properties: { SourceObjectKeys: string[]; SourceMarkers?: Record<string, unknown>[] };
    }[];
    const pages = resources.find(
      ({ Type, Properties }) => /BucketDeployment/.test(Type) && Properties.SourceMarkers,
    );
    const asset = `asset.${pages?.Properties.SourceObjectKeys[1]?.replace('.zip', '')}`;
    const text = Object.entries(pages?.Properties.SourceMarkers?.[1] ?? {}).reduce(
      (before, [marker, value]) => before.replaceAll(marker, asText(value)),
      readFileSync(join(outdir, stage, asset, 'config.json'), 'utf8'),
    );
    expect(JSON.parse(text)).toEqual({
      stage,
      region: `\${AWS::Region}`,
      userPoolId: `\${Owners}`,
      userPoolClientId: `\${OwnersClient}`,
      cognitoEndpoint: `https://cognito-idp.\${AWS::Region}.\${AWS::URLSuffix}`,
      signIn: 'srp',
    });
  });
});
