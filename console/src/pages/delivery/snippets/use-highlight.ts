import type { CodeViewProps } from '@cloudscape-design/code-view/code-view';
import { useEffect, useState } from 'react';

type Highlight = NonNullable<CodeViewProps['highlight']>;

// A chunk each: somebody who writes Go does not load what colours PHP.
const LOADERS: Readonly<Record<string, () => Promise<{ default: Highlight }>>> = {
  curl: () => import('@cloudscape-design/code-view/highlight/sh'),
  node: () => import('@cloudscape-design/code-view/highlight/javascript'),
  python: () => import('@cloudscape-design/code-view/highlight/python'),
  php: () => import('@cloudscape-design/code-view/highlight/php'),
  ruby: () => import('@cloudscape-design/code-view/highlight/ruby'),
  go: () => import('@cloudscape-design/code-view/highlight/go'),
};

/** The code shows plain until its colours are there, and stays plain where they cannot be loaded. */
export function useHighlight(id: string): Highlight | undefined {
  const [loaded, setLoaded] = useState<{ id: string; highlight: Highlight }>();
  useEffect(() => {
    let current = true;
    LOADERS[id]?.().then(
      ({ default: highlight }) => current && setLoaded({ id, highlight }),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [id]);
  return loaded?.id === id ? loaded.highlight : undefined;
}
