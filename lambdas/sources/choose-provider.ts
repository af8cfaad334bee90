import { PROVIDER_NAMES, PROVIDERS } from './providers.ts';

const MAX_EVENTS = 20;
const MAX_EVENT_CHARACTERS = 100;

/** What is wrong with a choice, as a predicate for the name of its field. */
export interface ChoiceProblem {
  readonly at: 'name' | `events${string}`;
  readonly problem: string;
}

/** Whether a form can take this provider, and these of its events. Without events, the provider's defaults apply. */
export function problemOfChoice(name: unknown, events?: unknown): ChoiceProblem | undefined {
  const provider = typeof name === 'string' ? PROVIDERS.get(name) : undefined;
  if (!provider) return { at: 'name', problem: `must be one of ${PROVIDER_NAMES.join(', ')}` };
  if (events === undefined) return undefined;
  if (!provider.events) return { at: 'events', problem: 'must be left out: this provider names no events' };
  if (!Array.isArray(events)) return { at: 'events', problem: 'must be a list' };
  if (events.length < 1 || events.length > MAX_EVENTS) {
    return { at: 'events', problem: `must have 1 to ${MAX_EVENTS} entries` };
  }
  const { choices } = provider.events;
  for (const [index, event] of events.entries()) {
    const at = `events[${index}]` as const;
    if (events.indexOf(event) < index) return { at, problem: 'is listed twice' };
    if (choices.length > 0 && !choices.includes(event)) {
      return { at, problem: `must be one of ${choices.join(', ')}` };
    }
    if (typeof event !== 'string' || event === '' || event.length > MAX_EVENT_CHARACTERS) {
      return { at, problem: `must be text of 1 to ${MAX_EVENT_CHARACTERS} characters` };
    }
  }
  return undefined;
}
