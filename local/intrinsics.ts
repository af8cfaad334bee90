/** What CloudFormation's intrinsic functions look up. */
export interface Scope {
  /** `Ref`, of a parameter or a resource. */
  reference(name: string): unknown;
  /** `Fn::GetAtt`. */
  attribute(logicalId: string, attribute: string): unknown;
  condition(name: string): boolean;
  mapping(map: string, first: string, second: string): unknown;
}

/** A missing property. */
export const NO_VALUE = Symbol('AWS::NoValue');

/** Resolves every intrinsic function in a value. */
export function resolve(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => resolve(item, scope)).filter((item) => item !== NO_VALUE);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first !== undefined && isIntrinsic(...first)) return call(...first, scope);
  return Object.fromEntries(
    entries.map(([key, item]) => [key, resolve(item, scope)]).filter(([, item]) => item !== NO_VALUE),
  );
}

/** `Condition` is also an ordinary key, for example of policy statements. As a function it takes a name. */
function isIntrinsic(key: string, argument: unknown): boolean {
  return key === 'Ref' || key.startsWith('Fn::') || (key === 'Condition' && typeof argument === 'string');
}

function call(name: string, argument: unknown, scope: Scope): unknown {
  switch (name) {
    case 'Fn::If': {
      // Only the branch taken is resolved: the other may name a missing resource.
      const [condition, then, otherwise] = list(argument);
      return resolve(scope.condition(String(condition)) ? then : otherwise, scope);
    }
    case 'Fn::Sub':
      return substitute(argument, scope);
    default: {
      const intrinsic = INTRINSICS[name];
      if (intrinsic === undefined) throw new Error(`${name} cannot be resolved on this machine`);
      return intrinsic(resolve(argument, scope), scope);
    }
  }
}

const INTRINSICS: Readonly<Record<string, (argument: unknown, scope: Scope) => unknown>> = {
  Ref: (name, scope) => scope.reference(String(name)),
  Condition: (name, scope) => scope.condition(String(name)),
  'Fn::GetAtt': (path, scope) => getAttribute(Array.isArray(path) ? path.join('.') : String(path), scope),
  'Fn::Join': (argument) => {
    const [separator, parts] = list(argument);
    return list(parts).join(String(separator));
  },
  'Fn::Select': (argument) => {
    const [index, choices] = list(argument);
    return list(choices)[Number(index)];
  },
  'Fn::Split': (argument) => {
    const [separator, text] = list(argument);
    return String(text).split(String(separator));
  },
  'Fn::Base64': (text) => Buffer.from(String(text)).toString('base64'),
  'Fn::FindInMap': (argument, scope) => {
    const [map, first, second] = list(argument);
    return scope.mapping(String(map), String(first), String(second));
  },
  'Fn::Equals': (argument) => {
    const [left, right] = list(argument);
    return left === right;
  },
  'Fn::And': (argument) => list(argument).every((item) => item === true),
  'Fn::Or': (argument) => list(argument).some((item) => item === true),
  'Fn::Not': (argument) => list(argument)[0] !== true,
};

/** `${Name}`, `${Resource.Attribute}`, `${!Literal}`. A list adds variables of its own. */
function substitute(argument: unknown, scope: Scope): string {
  const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
  const own = resolve(variables, scope) as Record<string, unknown>;
  return String(text).replace(/\$\{(!?)([^}]*)\}/g, (_, mark: string, name: string) => {
    if (mark === '!') return `\${${name}}`;
    if (Object.hasOwn(own, name)) return String(own[name]);
    return String(name.includes('.') ? getAttribute(name, scope) : scope.reference(name));
  });
}

function getAttribute(path: string, scope: Scope): unknown {
  const dot = path.indexOf('.');
  return scope.attribute(path.slice(0, dot), path.slice(dot + 1));
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error(`a list was expected, not ${JSON.stringify(value)}`);
  return value;
}
