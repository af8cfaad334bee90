import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Tabs from '@cloudscape-design/components/tabs';
import { useMemo } from 'react';
import type { Form } from '#console/api/types.ts';
import { useUrlParameters } from '#console/shared/url-parameters.ts';
import { SnippetCode } from './snippet-code.tsx';
import { snippetLead } from './snippet-lead.ts';
import { SNIPPETS } from './snippets.ts';

interface SnippetsPanelProps {
  readonly url: string;
  readonly fields: Form['fields'];
  /** While it is shown. */
  readonly secret: string | undefined;
}

export function SnippetsPanel({ url, fields, secret }: SnippetsPanelProps) {
  const [parameters, choose] = useUrlParameters();
  const chosen = SNIPPETS.find(({ id }) => id === parameters.get('code')) ?? SNIPPETS[0];
  const lead = useMemo(() => snippetLead(fields), [fields]);
  return (
    <Container
      header={
        <Header description="Signs a lead with this form's secret and sends it to this form's address, with nothing to install.">
          Code for your sender
        </Header>
      }
    >
      <Tabs
        ariaLabel="Languages"
        activeTabId={chosen?.id ?? ''}
        onChange={({ detail }) => choose({ code: detail.activeTabId })}
        tabs={SNIPPETS.map((snippet) => ({
          id: snippet.id,
          label: snippet.label,
          content: snippet.id === chosen?.id && (
            <SnippetCode snippet={snippet} input={{ url, lead }} secret={secret} />
          ),
        }))}
      />
    </Container>
  );
}
