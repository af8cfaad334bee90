import { PassThrough, Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { confirm, readSecret } from '../../bin/leadctl/operator-input.ts';

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
    message: 'Canceled. Nothing was changed.',
    exitCode: 1,
  });
});

test('does not ask when --yes is given', async () => {
  const terminal = terminalWith('no\n');
  await confirm('suspend workspace ws_1', { yes: true }, terminal);
  expect(terminal.stderr.read()).toBeNull();
});

const SECRET = 'top-secret-ünïcode';
const input = (...chunks: (string | Buffer)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

test.each([
  ['a line', input(`${SECRET}\n`)],
  ['a line of Windows', input(`${SECRET}\r\n`)],
  ['text without a line end', input(SECRET)],
  ['pieces that cut a character', input(...[...Buffer.from(SECRET)].map((byte) => Buffer.of(byte)))],
])('reads %s', async (_, stdin) => {
  expect(await readSecret(stdin)).toBe(SECRET);
});

test('leaves white space to be refused: it may be meant', async () => {
  expect(await readSecret(input(` ${SECRET} \n`))).toBe(` ${SECRET} `);
});

test.each([
  ['nothing', input(), 'is empty'],
  ['an empty line', input('\n'), 'is empty'],
  ['two lines', input(`${SECRET}\n${SECRET}\n`), 'is one line'],
  ['a whole file', input(SECRET.repeat(1_000)), 'too long for a secret'],
  ['bytes that are no UTF-8', input(SECRET, Buffer.of(0xff)), 'not UTF-8'],
  ['what is typed at a terminal, where it shows', Object.assign(input(), { isTTY: true }), 'file or a pipe'],
])('refuses %s', async (_, stdin, problem) => {
  await expect(readSecret(stdin)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(problem),
  });
});
