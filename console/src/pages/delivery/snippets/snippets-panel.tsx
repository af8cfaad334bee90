import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useMemo } from 'react';
import type { Form } from '#console/api/types.ts';
import { exportLine, SECRET, snippetLead } from './snippet.ts';
import { SnippetTabs } from './snippet-tabs.tsx';
import { SNIPPETS } from './snippets.ts';

interface SnippetsPanelProps {
  readonly url: string;
  readonly fields: Form['fields'];
  /** Only while it is shown. */
  readonly secret: string | undefined;
}

export function SnippetsPanel({ url, fields, secret }: SnippetsPanelProps) {
  const lead = useMemo(() => snippetLead(fields), [fields]);
  return (
    <Container
      header={
        <Header description="Signs a lead with this form’s webhook secret and sends it. Only the client has to be installed.">
          Sample code
        </Header>
      }
    >
      <SnippetTabs
        snippets={SNIPPETS}
        input={{ url, lead }}
        credential="secret"
        setVariable={exportLine(SECRET, secret)}
      />
    </Container>
  );
}
