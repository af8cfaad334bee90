import { exportLine, snippetLead, TOKEN } from '../delivery/snippets/snippet.ts';
import { SnippetTabs } from '../delivery/snippets/snippet-tabs.tsx';
import { TOKEN_SNIPPETS } from '../delivery/snippets/snippets.ts';

interface TokenCodeProps {
  readonly url: string;
  /** Only while it is shown. */
  readonly token: string;
}

const LEAD = snippetLead([]);

/** A chunk of its own: the page's table is shown before it. */
export default function TokenCode({ url, token }: TokenCodeProps) {
  return (
    <SnippetTabs
      snippets={TOKEN_SNIPPETS}
      input={{ url, lead: LEAD }}
      credential="token"
      setVariable={exportLine(TOKEN, token)}
    />
  );
}
