/** A resource without what every build or release changes. */
export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** The resources of one deployment by logical ID; those of a nested stack as `NestedStack/LogicalId`. */
export type Resources = Readonly<Record<string, Resource>>;

export interface Template {
  readonly Resources?: Readonly<Record<string, Partial<Resource> & { readonly Type: string }>>;
}

/** Alarms and dashboards hold nothing and serve nobody; the rest is CDK's, not the service's. */
const LEFT_OUT = /^(AWS::CloudWatch::|AWS::CDK::|AWS::Lambda::LayerVersion$|Custom::)/;
/** Functions that CDK adds, with their roles and policies: to fill a bucket, and to empty it before deletion. */
const OF_CDK = /^Custom(CDKBucketDeployment|S3AutoDeleteObjects)/;
/** The ends of their logical IDs are hashes of what they contain. */
const HASHED = /^AWS::(Lambda::Version|ApiGateway::Deployment)$/;
const HASH = /[0-9a-f]{32}$/;
/** They change nothing that anybody relies on. */
const NOT_COMPARED = new Set(['Description', 'Tags', 'UserPoolTags']);

/**
 * What two releases can be compared by.
 * @param folders the folder of a function by the hash of its bundle.
 */
export function normalize(template: Template, folders: ReadonlyMap<string, string> = new Map()): Resources {
  const all = Object.entries(template.Resources ?? {});
  const hashed = all.filter(([id, { Type }]) => HASHED.test(Type) && HASH.test(id));
  const names = new Map([
    ...[...folders].map(([hash, folder]) => [`${hash}.zip`, folder] as const),
    ...hashed.map(([id]) => [id, id.replace(HASH, '')] as const),
  ]);
  const kept = all
    .filter(([id, { Type }]) => !LEFT_OUT.test(Type) && !OF_CDK.test(id))
    .map(([id, { Type, Properties = {}, DeletionPolicy, UpdateReplacePolicy }]) => [
      names.get(id) ?? id,
      { Type, Properties: withoutTexts(Properties), DeletionPolicy, UpdateReplacePolicy },
    ]);
  return tidy(Object.fromEntries(kept), names) as Resources;
}

function withoutTexts(properties: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !NOT_COMPARED.has(name)));
}

/** Sorted, without undefined values, and with other names. */
function tidy(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => tidy(each, names));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, each]) => [key, tidy(each, names)]),
  );
}
