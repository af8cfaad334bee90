import { setMaxListeners } from 'node:events';

// Node 20 warns of more than ten listeners, also of an AbortSignal: one is for all requests of a command.
setMaxListeners(0);

/** What the sources use and Node 20 does not have yet. */
Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

URL.parse ??= (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null);
