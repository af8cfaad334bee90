import { expect, test } from '@jest/globals';
import type { MessageStatus } from '#sending/message.ts';
import { auditForwarding, auditTenants, type ForwardingEvidence } from './audit-forwarding.ts';

const LEADS = 200;
const names = Array.from({ length: LEADS }, (_, number) => `lead-${number}`);
const taking = (delayMilliseconds: number) => names.map((leadId) => ({ leadId, delayMilliseconds }));
const having = (status: MessageStatus) => names.map((leadId) => ({ leadId, status }));

/** A successful run: slow until the breaker opens, then as before. */
const EVIDENCE: ForwardingEvidence = {
  sent: LEADS,
  alone: taking(200),
  beside: taking(200).map((each, number) => (number < 50 ? { ...each, delayMilliseconds: 30_000 } : each)),
  good: having('delivered'),
  dead: having('parked'),
  deadRequests: 12,
};

const brokenBy = (changes: Partial<ForwardingEvidence>) =>
  auditForwarding({ ...EVIDENCE, ...changes })
    .filter(({ held }) => held === false)
    .map(({ what }) => what);

test('a successful run holds', () => {
  expect(brokenBy({})).toEqual([]);
});

test('finds what is wrong', () => {
  const grows = 'the delay at the good destination does not grow';
  const few = 'the dead destination gets few requests';
  const delivered = 'every lead is delivered to the good destination';
  const waits = 'every lead waits for the dead destination';
  expect(brokenBy({ beside: taking(30_000) })).toEqual([grows]);
  expect(brokenBy({ beside: taking(Number.POSITIVE_INFINITY) })).toEqual([grows]);
  expect(brokenBy({ beside: [] })).toEqual([grows, delivered, waits]);
  expect(brokenBy({ deadRequests: LEADS })).toEqual([few]);
  expect(brokenBy({ deadRequests: 0 })).toEqual([few]);
  expect(brokenBy({ good: having('delivered').slice(1) })).toEqual([delivered]);
  expect(brokenBy({ good: having('waiting') })).toEqual([delivered]);
  expect(brokenBy({ dead: having('delivered') })).toEqual([waits]);
});

test('finds what hostile tenants do to others', () => {
  const broken = (leads: ReturnType<typeof taking>) =>
    auditTenants(new Map([[1, leads]])).filter(({ held }) => held === false).length;
  expect(broken(taking(1_999))).toBe(0);
  expect(broken(taking(2_000))).toBe(1);
  expect(broken([...taking(100), { leadId: 'late', delayMilliseconds: 30_001 }])).toBe(1);
  expect(broken(taking(Number.POSITIVE_INFINITY))).toBe(2);
  expect(broken([])).toBe(2);
});
