import { lineFault, MAX_NAME_LENGTH } from '../model/display-name.ts';
import { type FieldFault, Problem } from './problem.ts';

/** Returns the value as the route needs it, or throws a Fault that says what is wrong. */
export type Check<Value> = (value: unknown) => Value;

/** What is wrong with a value, as a predicate for its field name; `at` is the place inside the value. */
export class Fault extends Error {
  readonly at: string;

  constructor(problem: string, at = '') {
    super(problem);
    this.at = at;
  }
}

/** All that is wrong inside an object that is the value of a field. */
class GroupFault extends Error {
  readonly faults: readonly FieldFault[];

  constructor(faults: readonly FieldFault[]) {
    super('The object is not valid');
    this.faults = faults;
  }
}

type Checks = Readonly<Record<string, Check<unknown>>>;
type Checked<Shape extends Checks> = { readonly [Name in keyof Shape]: ReturnType<Shape[Name]> };

/**
 * Reads the fields of a body or a query, and reports all errors at once. An unknown field is an error: it is usually
 * misspelt, and would otherwise be ignored silently.
 */
export function readFields<Shape extends Checks>(source: unknown, shape: Shape): Checked<Shape> {
  const { faults, values } = tryFields(source, shape);
  if (faults.length > 0) throw new Problem('invalid-request', { errors: faults });
  return values;
}

/** The same, but a missing body means that no field is given. `null` is a body, and not an object. */
export function readFieldsIfAny<Shape extends Checks>(body: unknown, shape: Shape): Checked<Shape> {
  return readFields(body === undefined ? {} : body, shape);
}

function tryFields<Shape extends Checks>(source: unknown, shape: Shape) {
  const values: Record<string, unknown> = {};
  const faults: FieldFault[] = [];
  if (!isObject(source)) {
    return { values: values as Checked<Shape>, faults: [{ field: '', problem: 'must be an object' }] };
  }
  for (const name of Object.keys(source)) {
    if (!Object.hasOwn(shape, name)) faults.push({ field: name, problem: 'is not a known field' });
  }
  for (const [name, check] of Object.entries(shape)) {
    try {
      values[name] = check(Object.hasOwn(source, name) ? source[name] : undefined);
    } catch (error) {
      faults.push(...faultsOf(error, name));
    }
  }
  return { values: values as Checked<Shape>, faults };
}

function faultsOf(error: unknown, name: string): FieldFault[] {
  if (error instanceof GroupFault) {
    return error.faults.map(({ field, problem }) => ({
      field: field === '' ? name : `${name}.${field}`,
      problem,
    }));
  }
  if (!(error instanceof Fault)) throw error;
  return [{ field: `${name}${error.at}`, problem: error.message }];
}

export function optional<Value>(check: Check<Value>): Check<Value | undefined> {
  return (value) => (value === undefined ? undefined : check(value));
}

/** Null removes a value; a missing field leaves it. */
export function nullable<Value>(check: Check<Value>): Check<Value | null> {
  return function checkNullable(value) {
    if (value === null) return null;
    try {
      return check(value);
    } catch (error) {
      if (!(error instanceof Fault) || !error.message.startsWith('must be')) throw error;
      throw new Fault(`${error.message}, or null`, error.at);
    }
  };
}

interface Length {
  readonly min: number;
  readonly max: number;
}

export function text({ min, max }: Length): Check<string> {
  return function checkText(value) {
    if (typeof value !== 'string') throw new Fault(value === undefined ? 'is missing' : 'must be text');
    // By characters, as JSON Schema counts them.
    const length = [...value].length;
    if (length < min || length > max) throw new Fault(`must have ${min} to ${max} characters`);
    return value;
  };
}

/** Text without line breaks and other controls. */
export function line(length: Length): Check<string> {
  const check = text(length);
  return function checkLine(value) {
    return requireLine(check(value));
  };
}

function requireLine(text: string): string {
  const fault = lineFault(text);
  if (fault !== undefined) throw new Fault(fault);
  return text;
}

/** A display name: trimmed, and not empty. */
export const name: Check<string> = (value) => {
  const given = text({ min: 1, max: MAX_NAME_LENGTH })(value).trim();
  if (given === '') throw new Fault('must have a character that is not white space');
  return requireLine(given);
};

export const flag: Check<boolean> = (value) => {
  if (typeof value !== 'boolean') throw new Fault('must be true or false');
  return value;
};

export const object: Check<Record<string, unknown>> = (value) => {
  if (!isObject(value)) throw new Fault('must be an object');
  return value;
};

/** An object with fields of its own. */
export function group<Shape extends Checks>(shape: Shape): Check<Checked<Shape>> {
  return function checkGroup(value) {
    const { values, faults } = tryFields(value, shape);
    if (faults.length > 0) throw new GroupFault(faults);
    return values;
  };
}

export function number({ min, max }: Length): Check<number> {
  return function checkNumber(value) {
    if (typeof value === 'number' && value >= min && value <= max) return value;
    throw new Fault(`must be a number from ${min} to ${max}`);
  };
}

export function wholeNumber({ min, max }: Length): Check<number> {
  return function checkWholeNumber(value) {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw new Fault(`must be a whole number from ${min} to ${max}`);
  };
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Check<Choice> {
  return function checkOneOf(value) {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new Fault(`must be one of ${choices.join(', ')}`);
    return found;
  };
}

export function listOf<Shape extends Checks>(shape: Shape, max: number): Check<Checked<Shape>[]> {
  return function checkList(value) {
    if (!Array.isArray(value)) throw new Fault('must be a list');
    if (value.length > max) throw new Fault(`can have at most ${max} entries`);
    return value.map((entry, index) => {
      const { values, faults } = tryFields(entry, shape);
      const [first] = faults;
      if (first) throw new Fault(first.problem, `[${index}]${first.field && `.${first.field}`}`);
      return values;
    });
  };
}

/** At least one, and none twice. */
export function listOfTexts<Text extends string>(check: Check<Text>, max: number): Check<Text[]> {
  return function checkTexts(value) {
    if (!Array.isArray(value)) throw new Fault('must be a list');
    if (value.length < 1 || value.length > max) throw new Fault(`must have 1 to ${max} entries`);
    return value.map((entry, index) => {
      if (value.indexOf(entry) < index) throw new Fault('is listed twice', `[${index}]`);
      try {
        return check(entry);
      } catch (error) {
        throw error instanceof Fault ? new Fault(error.message, `[${index}]`) : error;
      }
    });
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const HOUR_MS = 60 * 60 * 1000;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** In a query everything is text. */
export function wholeNumberText(range: { readonly min: number; readonly max: number }): Check<number> {
  const check = wholeNumber(range);
  return (value) => check(typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined);
}

export const flagText: Check<boolean> = (value) => {
  if (value !== 'true' && value !== 'false') throw new Fault('must be true or false');
  return value === 'true';
};

/** A moment as of RFC 3339, in milliseconds. */
export const moment: Check<number> = (value) => {
  const at = typeof value === 'string' && MOMENT.test(value) && isDay(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isFinite(at) || at < 0) {
    throw new Fault('must be a date and time with its offset, such as 2026-11-15T12:00:00Z');
  }
  return at;
};

/** `Date.parse` takes the 30th of February for the 2nd of March. */
function isDay(moment: string): boolean {
  const day = moment.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

export const cursor: Check<string | undefined> = optional(text({ min: 1, max: 8_000 }));

export const RANGE = { from: optional(moment), to: optional(moment) };

/** By default, the last 24 hours. */
export function rangeOf(
  given: { readonly from: number | undefined; readonly to: number | undefined },
  nowMilliseconds: number,
) {
  const to = given.to ?? nowMilliseconds;
  return { from: given.from ?? Math.max(0, to - 24 * HOUR_MS), to };
}
