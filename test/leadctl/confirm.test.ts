import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { confirm } from '../../bin/leadctl/confirm.ts';

function terminalWith(typed: string) {
  const stderr = new PassThrough();
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end(typed);
  return { stdin, stderr, shown: () => String(stderr.read()) };
}

test.each(['yes\n', ' Yes \n', 'YES\n'])('goes on after %j', async (typed) => {
  const terminal = terminalWith(typed);
  await confirm('suspend workspace ws_1', {}, terminal);
  expect(terminal.shown()).toBe('Type yes to suspend workspace ws_1: ');
});

test.each(['no\n', 'y\n', '\n', 'yes please\n', ''])('does nothing after %j, and exits 1', async (typed) => {
  await expect(confirm('suspend workspace ws_1', {}, terminalWith(typed))).rejects.toMatchObject({
    code: 'declined',
    message: 'Nothing was changed.',
    exitCode: 1,
  });
});

test('does not ask when --yes is given', async () => {
  const terminal = terminalWith('no\n');
  await confirm('suspend workspace ws_1', { yes: true }, terminal);
  expect(terminal.stderr.read()).toBeNull();
});
