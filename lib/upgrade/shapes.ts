import { isDeepStrictEqual } from 'node:util';
import type { Resource } from './normalize.ts';

interface Index {
  readonly IndexName: string;
  readonly KeySchema?: unknown;
  readonly Projection?: unknown;
}

/** An index with another key or projection is both gone and new: DynamoDB cannot change it. */
export function changedIndexes(before: Resource, after: Resource) {
  const [old, fresh] = [indexesOf(before), indexesOf(after)];
  const missingIn = (others: readonly Index[], { IndexName, KeySchema, Projection }: Index) =>
    !others.some((each) =>
      isDeepStrictEqual(
        [each.IndexName, each.KeySchema, each.Projection],
        [IndexName, KeySchema, Projection],
      ),
    );
  return {
    removed: old.filter((each) => missingIn(fresh, each)).map(({ IndexName }) => IndexName),
    added: fresh.filter((each) => missingIn(old, each)).map(({ IndexName }) => IndexName),
  };
}

function indexesOf({ Properties }: Resource): readonly Index[] {
  return (Properties.GlobalSecondaryIndexes ?? []) as Index[];
}

interface SchemaAttribute {
  readonly Name: string;
}

/** The names of a pool's attributes that are new, gone or different. */
export function changedSchema(before: Resource, after: Resource): string[] {
  const [old, fresh] = [attributesOf(before), attributesOf(after)];
  const names = [...new Set([...old.keys(), ...fresh.keys()])];
  return names.filter((name) => !isDeepStrictEqual(old.get(name), fresh.get(name)));
}

function attributesOf({ Properties }: Resource): Map<string, SchemaAttribute> {
  const schema = (Properties.Schema ?? []) as SchemaAttribute[];
  return new Map(schema.map((each) => [each.Name, each]));
}

/** Undefined if the stream stays, or if there was none. */
export function changedStream(before: Resource, after: Resource): { from: string; to: string } | undefined {
  const [from, to] = [viewOf(before), viewOf(after)];
  return from === undefined || from === to ? undefined : { from, to: to ?? 'none' };
}

function viewOf({ Properties }: Resource): string | undefined {
  return (Properties.StreamSpecification as { StreamViewType?: string } | undefined)?.StreamViewType;
}
