import type { Print } from '../function-log.ts';
import type { FunctionPools } from '../function-pool.ts';
import { StartupError } from '../lifecycle.ts';
import type { BusEvent, EventBus } from '../sending-services.ts';
import type { TemplateReader } from '../template.ts';
import { functionArns, functionOf, type InvokingRule, type Target } from './schedule.ts';

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
