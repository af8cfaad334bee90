import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { useEffect, useState } from 'react';
import { useUrlParameters } from '#console/shared/url-parameters.ts';
import { Code, type Highlight } from './code.tsx';
import type { Snippet, SnippetInput } from './snippet.ts';

interface SnippetTabsProps {
  readonly snippets: readonly Snippet[];
  readonly input: SnippetInput;
  readonly credential: 'secret' | 'token';
  /** The line that puts the credential into the environment. */
  readonly setVariable: string;
}

/** One language at a time. The chosen one is kept in the URL. */
export function SnippetTabs({ snippets, ...code }: SnippetTabsProps) {
  const [parameters, choose] = useUrlParameters();
  const chosen = snippets.find(({ id }) => id === parameters.get('code')) ?? snippets[0];
  return (
    <Tabs
      ariaLabel="Languages"
      activeTabId={chosen?.id ?? ''}
      onChange={({ detail }) => choose({ code: detail.activeTabId })}
      tabs={snippets.map((snippet) => ({
        id: snippet.id,
        label: snippet.label,
        content: snippet.id === chosen?.id && <SnippetCode snippet={snippet} {...code} />,
      }))}
    />
  );
}

interface SnippetCodeProps extends Omit<SnippetTabsProps, 'snippets'> {
  readonly snippet: Snippet;
}

function SnippetCode({ snippet, input, credential, setVariable }: SnippetCodeProps) {
  const highlight = useHighlight(snippet.id);
  const code = snippet.write(input);
  return (
    <SpaceBetween size="s">
      {snippet.install && (
        <>
          <div>
            Install the client, which retries for you. It isn’t in a public registry: get the file from a
            release of lead-ingest, or install your team’s own package.
          </div>
          <Code content={snippet.install} what="install line" />
        </>
      )}
      <div>Set the {credential} as an environment variable first, so it stays out of your code.</div>
      <Code content={setVariable} what="export line" />
      <div>
        Save as <Box variant="code">{snippet.fileName}</Box> and run{' '}
        <Box variant="code">{snippet.command}</Box>. Needs {snippet.needs}.
        {snippet.id === 'curl' && ' Or paste it into a terminal.'}
      </div>
      <Code content={code} what={`code for ${snippet.label}`} {...(highlight && { highlight })} />
    </SpaceBetween>
  );
}

// One chunk per language, so only the chosen highlighter is loaded.
const LOADERS: Readonly<Record<string, () => Promise<{ default: Highlight }>>> = {
  curl: () => import('@cloudscape-design/code-view/highlight/sh'),
  node: () => import('@cloudscape-design/code-view/highlight/javascript'),
  'node-client': () => import('@cloudscape-design/code-view/highlight/javascript'),
  python: () => import('@cloudscape-design/code-view/highlight/python'),
  php: () => import('@cloudscape-design/code-view/highlight/php'),
  ruby: () => import('@cloudscape-design/code-view/highlight/ruby'),
  go: () => import('@cloudscape-design/code-view/highlight/go'),
};

/** Code is plain until its highlighter is loaded. */
function useHighlight(id: string): Highlight | undefined {
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
