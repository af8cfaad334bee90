import { expect, test } from '@jest/globals';
import { generate } from 'lean-qr';
import { qrPath } from '../../console/src/pages/security/qr-path.ts';

const ADDRESS = 'otpauth://totp/Lead%20ingest:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Lead%20ingest';

/** The modules that a path covers, as "x,y". */
function covered(path: string): string[] {
  const runs = path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g);
  return [...runs].flatMap(([, x, y, width, back]) => {
    expect(back).toBe(width);
    return Array.from({ length: Number(width) }, (_, along) => `${Number(x) + along},${y}`);
  });
}

test('the path covers every dark module of the code once, and nothing else', () => {
  const code = generate(ADDRESS);
  const all = Array.from({ length: code.size ** 2 }, (_, at) => [at % code.size, Math.floor(at / code.size)]);
  const dark = all.filter(([x, y]) => code.get(x as number, y as number)).map((module) => module.join());
  const path = qrPath(code);
  expect(path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/);
  expect(covered(path).sort()).toEqual(dark.sort());
});
