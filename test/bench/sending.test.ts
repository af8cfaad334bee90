import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { measureSending } from '../../bench/measure/sending.ts';
import { sendingSection } from '../../bench/report/counted-sections.ts';
import { openWorkbench } from '../lambdas/submission/workbench.ts';

test('docs/performance.md says what forwarding costs', async () => {
  const sending = await measureSending(openWorkbench());
  const page = readFileSync('docs/performance.md', 'utf8');
  const [, section = ''] = page.split('\n## US dollars for forwarding\n');
  // Paste what is expected here over the section there.
  expect(`## US dollars for forwarding\n${section.split('\n## ')[0]}`.trimEnd()).toBe(
    sendingSection({ sending }),
  );
});
