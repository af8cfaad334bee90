import { randomUUID } from 'node:crypto';
import type { Print } from '../function-log.ts';
import type { FunctionPools } from '../function-pool.ts';
import { unqualified } from '../functions.ts';
import { type Closers, StartupError } from '../lifecycle.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from '../local-account.ts';
import type { BusEvent, EventBus } from '../sending-services.ts';
import type { Resource, TemplateReader } from '../template.ts';

/** A rule of EventBridge and the function that it invokes. */
export interface InvokingRule {
  readonly logicalId: string;
  readonly ruleArn: string;
  readonly functionArn: string;
}

/** A function that EventBridge invokes at a fixed rate. */
interface Schedule extends InvokingRule {
  readonly everyMilliseconds: number;
}

interface Target {
  readonly Arn: string;
  readonly Input?: string;
  readonly InputPath?: string;
  readonly InputTransformer?: unknown;
}

const RATE = /^rate\((\d+) (minute|hour|day)s?\)$/;
const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { minute: MINUTE, hour: 60 * MINUTE, day: 24 * 60 * MINUTE };
/** A timer that waits longer would fire at once. Nobody's stack runs for 24 days. */
const MAX_TIMER = 2 ** 31 - 1;

/** The enabled rules of the template that have a schedule. event-rules.ts has those with a pattern. */
export function readSchedules(reader: TemplateReader): Schedule[] {
  const functions = functionArns(reader);
  return reader
    .resources('AWS::Events::Rule')
    .filter((rule) => rule.property('ScheduleExpression') && rule.property('State') !== 'DISABLED')
    .flatMap((rule) => readRule(rule, reader, functions));
}

function readRule(rule: Resource, reader: TemplateReader, functions: ReadonlySet<string>): Schedule[] {
  const { logicalId } = rule;
  const expression = rule.required<string>('ScheduleExpression');
  const [, count, unit = ''] = RATE.exec(expression) ?? [];
  if (count === undefined) {
    throw new StartupError(`${logicalId} has the schedule ${expression}; only rate(…) is supported here.`);
  }
  const everyMilliseconds = Math.min(MAX_TIMER, Number(count) * (UNITS[unit] ?? 0));
  const targets = rule.property<Target[]>('Targets') ?? [];
  return targets.map((target) => ({
    logicalId,
    ruleArn: reader.arn(logicalId),
    functionArn: functionOf(target, logicalId, functions),
    everyMilliseconds,
  }));
}

/** The function that a rule's target names, which must get the event as it is. */
function functionOf(
  { Arn, Input, InputPath, InputTransformer }: Target,
  logicalId: string,
  functions: ReadonlySet<string>,
): string {
  if (!functions.has(unqualified(Arn))) {
    throw new StartupError(`${logicalId} has a target that is no function of the stack.`);
  }
  if (Input !== undefined || InputPath !== undefined || InputTransformer !== undefined) {
    throw new StartupError(`${logicalId} changes its event, which is not supported here.`);
  }
  return Arn;
}

function functionArns(reader: TemplateReader): Set<string> {
  return new Set(reader.resources('AWS::Lambda::Function').map(({ logicalId }) => reader.arn(logicalId)));
}

interface SchedulesSettings {
  readonly schedules: readonly Schedule[];
  readonly pools: FunctionPools;
  /** Throws unless the function lets EventBridge invoke it. */
  readonly access: { checkRule(rule: InvokingRule): void };
  readonly print: Print;
  /** By how much the events' time is ahead of the clock. Schedules that run ahead also run more often. */
  readonly aheadMilliseconds?: number | undefined;
}

const AHEAD_EVERY_MS = 10_000;

/** Invokes the functions of the schedules until the stack stops. */
export function startSchedules(
  { schedules, pools, access, print, aheadMilliseconds = 0 }: SchedulesSettings,
  closers: Closers,
): void {
  for (const schedule of schedules) {
    access.checkRule(schedule);
    const { logicalId, functionArn } = schedule;
    const everyMilliseconds =
      aheadMilliseconds > 0
        ? Math.min(AHEAD_EVERY_MS, schedule.everyMilliseconds)
        : schedule.everyMilliseconds;
    pools.open(functionArn, 'schedule');
    let open = true;
    const timer = setInterval(() => {
      pools
        .invoke(functionArn, JSON.stringify(scheduledEvent(schedule, Date.now() + aheadMilliseconds)))
        .catch((error: Error) => {
          if (open) print(`${logicalId}: ${error.message}`);
        });
    }, everyMilliseconds);
    closers.defer(() => {
      open = false;
      clearInterval(timer);
    });
  }
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-run-lambda-schedule.html */
function scheduledEvent({ ruleArn }: Schedule, atMilliseconds: number) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: LOCAL_ACCOUNT,
    time: new Date(atMilliseconds).toISOString().replace(/\.\d+Z$/, 'Z'),
    region: LOCAL_REGION,
    resources: [ruleArn],
    detail: {},
  };
}

/** Each value is one of a list, at each place that the pattern names. */
export type EventPattern = { readonly [name: string]: readonly string[] | EventPattern };

/** A function that EventBridge invokes with the events of the default bus that match a pattern. */
export interface EventRule extends InvokingRule {
  readonly pattern: EventPattern;
}

/** The enabled rules of the template that have a pattern. */
export function readEventRules(reader: TemplateReader): EventRule[] {
  const functions = functionArns(reader);
  return reader
    .resources('AWS::Events::Rule')
    .filter((rule) => rule.property('EventPattern') && rule.property('State') !== 'DISABLED')
    .flatMap((rule) => {
      const { logicalId } = rule;
      if (rule.property('EventBusName') !== undefined) {
        throw new StartupError(`${logicalId} is on an event bus of its own, which is not supported here.`);
      }
      const pattern = rule.required<EventPattern>('EventPattern');
      requireSimple(pattern, logicalId);
      return (rule.property<Target[]>('Targets') ?? []).map((target) => ({
        logicalId,
        ruleArn: reader.arn(logicalId),
        functionArn: functionOf(target, logicalId, functions),
        pattern,
      }));
    });
}

/** `[{ "prefix": … }]` and its like would match nothing here, silently. */
function requireSimple(pattern: EventPattern, logicalId: string): void {
  for (const expected of Object.values(pattern)) {
    if (!Array.isArray(expected)) requireSimple(expected as EventPattern, logicalId);
    else if (expected.some((value) => typeof value !== 'string')) {
      throw new StartupError(`${logicalId} has a pattern with more than texts, which is not supported here.`);
    }
  }
}

/** As EventBridge does: a list in the event matches if one of its values does. */
export function matchesPattern(value: unknown, pattern: EventPattern): boolean {
  return Object.entries(pattern).every(([name, expected]) => {
    const found = (Object(value) as Record<string, unknown>)[name];
    if (!Array.isArray(expected)) return matchesPattern(found, expected as EventPattern);
    return [found].flat().some((each) => expected.includes(each));
  });
}

interface DeliverySettings {
  readonly rules: readonly EventRule[];
  readonly eventBus: EventBus;
  readonly pools: FunctionPools;
  /** Throws unless the function lets EventBridge invoke it. */
  readonly access: { checkRule(rule: InvokingRule): void };
  readonly print: Print;
}

/** Invokes the functions of the rules. Unlike on AWS, an invocation that fails is not repeated. */
export function deliverEvents({ rules, eventBus, pools, access, print }: DeliverySettings): void {
  for (const rule of rules) {
    access.checkRule(rule);
    pools.open(rule.functionArn, 'background');
  }
  eventBus.subscribe((event: BusEvent) => {
    for (const { logicalId, functionArn, pattern } of rules) {
      if (!matchesPattern(event, pattern)) continue;
      pools
        .invoke(functionArn, JSON.stringify(event))
        .catch((error: Error) => print(`${logicalId}: ${error.message}`));
    }
  });
}
