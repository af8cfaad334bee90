import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const headings = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);

describe('the changelog', () => {
  test('begins with what is not released yet', () => {
    expect(headings[0]).toBe('Unreleased');
  });

  test('dates every release', () => {
    for (const heading of headings.slice(1)) expect(heading).toMatch(/^\d+\.\d+\.\d+ – \d{4}-\d{2}-\d{2}$/);
  });

  test('has a section for the version of package.json, unless nothing was ever released', () => {
    const [latest] = headings.slice(1);
    if (latest !== undefined) expect(latest.split(' ')[0]).toBe(version);
    else expect(version).toBe('0.1.0');
  });
});
