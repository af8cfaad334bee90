import { type AttributeValue, type Item, requireKnownTypes } from './attribute-value.ts';
import { pick } from './projection-expression.ts';
import { invalid } from './service-error.ts';
import type { TableDefinition } from './table-definitions.ts';
import { Unsupported } from './unsupported.ts';

/** Items by their keys. Items are never changed, only replaced, so that a copy of the map is a copy of the table. */
export class Table {
  readonly definition: TableDefinition;
  #items = new Map<string, Item>();
  /** Each item as it was before its latest write: what a read that is not consistent may still see. */
  readonly #before = new Map<string, Item | undefined>();

  constructor(definition: TableDefinition) {
    this.definition = definition;
  }

  /** The item's address as one text; refuses what is no key of this table. */
  addressOf(key: Item, exactly = true): string {
    const { keys } = this.definition;
    if (exactly && Object.keys(key).length !== keys.length) {
      throw invalid('The provided key element does not match the schema');
    }
    return keys.map((name) => textOf(name, key[name])).join('\u0000');
  }

  get(address: string, consistent = true): Item | undefined {
    if (!consistent && this.#before.has(address)) return this.#before.get(address);
    return this.#items.get(address);
  }

  set(address: string, item: Item | undefined): void {
    this.#before.set(address, this.#items.get(address));
    if (item === undefined) {
      this.#items.delete(address);
      return;
    }
    requireKnownTypes(item);
    for (const { keys } of Object.values(this.definition.indexes)) {
      for (const name of keys) if (item[name] !== undefined) textOf(name, item[name]);
    }
    this.#items.set(address, item);
  }

  all(consistent = true): Item[] {
    if (consistent) return [...this.#items.values()];
    const addresses = new Set([...this.#items.keys(), ...this.#before.keys()]);
    return [...addresses].map((address) => this.get(address, false)).filter((item) => item !== undefined);
  }

  /** The items that an index holds, as it holds them; an item without its keys is in no index. */
  entries(indexName: string, consistent: boolean): { keys: readonly string[]; items: Item[] } {
    const index = this.definition.indexes[indexName];
    if (!index) throw new Unsupported(`the index ${indexName}`);
    const { keys, projects } = index;
    const items = this.all(consistent).filter((item) => keys.every((name) => item[name] !== undefined));
    const names = projects === 'all' ? undefined : [...keys, ...this.definition.keys, ...projects];
    return { keys, items: names ? items.map((item) => pick(item, names)) : items };
  }

  snapshot(): ReadonlyMap<string, Item> {
    return new Map(this.#items);
  }

  restore(snapshot: ReadonlyMap<string, Item>): void {
    this.#items = new Map(snapshot);
    this.#before.clear();
  }
}

function textOf(name: string, value: AttributeValue | undefined): string {
  if (value === undefined) throw invalid(`Missing the key ${name} in the item`);
  if (typeof value.S !== 'string') throw invalid(`Type mismatch for key ${name}`);
  if (value.S === '') throw invalid(`The key ${name} must not be empty`);
  return value.S;
}
