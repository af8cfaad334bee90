import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { SETTINGS_SCHEMA } from '../../lib/context/schema.ts';
import { packTemplates } from '../released/files.ts';
import { compareTemplates, notesOf } from '../released/make-files.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly uses?: string;
  readonly needs?: string;
  readonly if?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress': string };
  readonly jobs: Readonly<Record<string, Job>>;
}

const FILES = globSync('.github/workflows/*.yml').sort();
const textOf = (file: string) => readFileSync(file, 'utf8');
const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
const deploy = parse(textOf('.github/workflows/deploy.yml')) as Workflow;

const stepsOf = ({ steps = [] }: Job = {}) => steps;
const runsOf = (job: Job | undefined) => stepsOf(job).flatMap(({ run }) => run ?? []);
const rolesOf = (job: Job | undefined) => stepsOf(job).flatMap((step) => step.with?.['role-to-assume'] ?? []);

describe.each(FILES)('%s', (file) => {
  const workflow = parse(textOf(file)) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const runs = jobs.flatMap(runsOf);

  test('pins every action to a commit, and says which version that is', () => {
    const lines = [...textOf(file).matchAll(/^.*\buses: (.*)$/gm)].map(([, used = '']) => used);
    const actions = lines.filter((used) => !used.startsWith('./'));
    expect(actions.length).toBeGreaterThan(0);
    for (const used of actions)
      expect(used).toMatch(/^[\w-]+\/[\w-]+(\/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('has no stored keys', () => {
    expect(textOf(file)).not.toMatch(/secrets\.|aws-(access-key-id|secret-access-key)/i);
  });

  test('may read the repository; a job with a role may ask for a token, CodeQL may report findings, and a release needs more', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const job of jobs) {
      const isCodeQl = stepsOf(job).some(({ uses }) => uses?.startsWith('github/codeql-action/'));
      const codeQl = isCodeQl && { contents: 'read', actions: 'read', 'security-events': 'write' };
      const role = rolesOf(job).length > 0 && { contents: 'read', 'id-token': 'write' };
      // It runs no code of the repository, which could use these rights.
      const releases = runsOf(job).some((run) => run.startsWith('gh release create')) && {
        contents: 'write',
        'id-token': 'write',
        attestations: 'write',
      };
      if (releases) expect(JSON.stringify(job.steps)).not.toMatch(/checkout|npm|node/);
      expect(job.permissions).toEqual(codeQl || role || releases || undefined);
    }
  });

  test('does not keep the checkout’s token', () => {
    const checkouts = jobs.flatMap(stepsOf).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    for (const step of checkouts) expect(step.with).toMatchObject({ 'persist-credentials': false });
  });

  test('puts no expression into a script, where its text would be executed', () => {
    expect(runs.filter((run) => run.includes('${{'))).toEqual([]);
  });

  test('runs scripts and passes settings that exist', () => {
    for (const [, script] of runs.join('\n').matchAll(/npm run ([\w:-]+)/g)) {
      expect(Object.keys(scripts)).toContain(script);
    }
    for (const [, key] of runs.join('\n').matchAll(/(?:-c|--context) ([^\s=]+)=/g)) {
      expect(Object.keys(SETTINGS_SCHEMA)).toContain(key);
    }
  });
});

describe('a deployment', () => {
  const { diff, check, dev, prod } = deploy.jobs;

  test('is compared on a pull request, with a role that cannot deploy, and not for forks', () => {
    expect(diff?.if).toContain("github.event_name == 'pull_request'");
    expect(diff?.if).toContain('github.event.pull_request.head.repo.full_name == github.repository');
    expect(diff?.environment).toBeUndefined();
    expect(runsOf(diff).at(-1)).toMatch(/^npx cdk diff --method=template -c stage=/);
    expect(JSON.stringify(diff)).not.toMatch(/cdk deploy|DEPLOY_ROLE/);
  });

  test('goes from the checks to dev, and from dev to prod', () => {
    expect(Object.keys(deploy.jobs)).toEqual(['diff', 'check', 'dev', 'prod']);
    expect(check).toEqual({ if: "github.event_name == 'push'", uses: './.github/workflows/ci.yml' });
    expect([dev?.needs, prod?.needs]).toEqual(['check', 'dev']);
  });

  test.each([
    ['dev', dev],
    ['prod', prod],
  ])('of %s is followed by the conformance run, in an environment with a role of its own', (stage, job) => {
    expect(job?.environment).toBe(stage);
    expect(rolesOf(job)).toEqual([`\${{ vars.${stage.toUpperCase()}_DEPLOY_ROLE_ARN }}`]);
    expect(runsOf(job)).toEqual([
      'npm ci',
      `npx cdk deploy -c stage=${stage} $SETTINGS --require-approval never --outputs-file outputs.json`,
      'npm run conformance -- --outputs outputs.json --gentle',
    ]);
  });

  test('waits for the one before it, and is never cancelled halfway', () => {
    expect(deploy.concurrency).toEqual({
      group: `deploy-\${{ github.event_name == 'pull_request' && github.ref || 'stages' }}`,
      'cancel-in-progress': `\${{ github.event_name == 'pull_request' }}`,
    });
    expect(Object.keys(deploy.on).sort()).toEqual(['pull_request', 'push']);
    expect(deploy.on.push).toEqual({ branches: ['main'] });
  });
});

test('cfn-lint is pinned by hashes, and each finding that is left out has its reason', () => {
  const pinned = textOf('.github/cfn-lint-requirements.txt').trim().split('\n').slice(1);
  expect(pinned.some((line) => line.startsWith('cfn-lint=='))).toBe(true);
  for (const line of pinned) expect(line).toMatch(/^[a-z-]+==[\d.]+ --hash=sha256:[0-9a-f]{64}$/);
  const lines = textOf('.cfnlintrc.yaml').split('\n');
  const { ignore_checks: ignored } = parse(lines.join('\n')) as { ignore_checks: string[] };
  for (const check of ignored) {
    expect(lines[lines.indexOf(`  - ${check}`) - 1]).toMatch(/^ {2}# /);
  }
});

describe('a release', () => {
  const release = parse(textOf('.github/workflows/release.yml')) as Workflow;

  test('is made of a tag that passed all checks, with attested packages that are published nowhere', () => {
    expect(release.on).toEqual({ push: { tags: ['v*'] } });
    const { check, build, release: created } = release.jobs;
    expect(check).toEqual({ uses: './.github/workflows/ci.yml' });
    expect([build?.needs, created?.needs]).toEqual(['check', 'build']);
    const attestation = stepsOf(created).find(({ uses }) => uses?.includes('attest-build-provenance'));
    expect(attestation?.with).toEqual({ 'subject-path': 'release/*.tgz' });
    const [command = ''] = runsOf(created);
    for (const file of ['*.tgz', 'sbom.cdx.json', 'template-comparison.txt', 'notes.md']) {
      expect(command).toContain(`release/${file}`);
    }
    expect(textOf('.github/workflows/release.yml')).not.toMatch(/npm publish/);
  });

  test('has the section of the changelog as its notes', () => {
    const changelog =
      '# C\n\n## Unreleased\n\n- x\n\n## 1.2.3 – 2027-01-01\n\n- y\n\n### Z\n\n- z\n\n## 1.2.0 – 2026-01-01\n';
    expect(notesOf(changelog, '1.2.3')).toBe('- y\n\n### Z\n\n- z');
    expect(notesOf(changelog, '1.2')).toBeUndefined();
  });

  test('says what differs from the release before it, and what a rollback does not undo', () => {
    const queue = (more = {}) => ({ Type: 'AWS::SQS::Queue', Properties: more });
    const before = packTemplates(
      { dev: { stage: 'dev' } },
      { dev: { Old: queue(), Same: queue(), Other: queue() } },
    );
    const resources = { New: queue(), Same: queue(), Other: queue({ DelaySeconds: 5 }) };
    const text = compareTemplates(before, () => ({ resources, code: {} }));
    const [title, ...lines] = text.split('\n');
    expect(title).toBe('## dev');
    expect(lines.slice(0, 3)).toEqual([
      '+ New (AWS::SQS::Queue)',
      '- Old (AWS::SQS::Queue)',
      '~ Other (AWS::SQS::Queue)',
    ]);
    expect(lines.slice(3).join()).toMatch(/^! .*Old/);
  });
});
