import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiProblem } from '#console/api/problem.ts';
import type { Form } from '#console/api/types.ts';
import { Loading } from '#console/shared/states.tsx';
import { useUrlParameters } from '#console/shared/url-parameters.ts';
import { Code } from '../snippets/code.tsx';
import {
  endpointOf,
  fallbackUrlOf,
  PAGE_SNIPPETS,
  type PageSnippet,
  type PageSnippetInput,
  pageFields,
  readSdkScript,
} from './page-snippets.ts';

const SDK_PATH = '/sdk';

/** Code to paste into a web page. */
export function BrowserCode({ form }: { readonly form: Form }) {
  const [parameters, choose] = useUrlParameters();
  const sdk = useSdkScript();
  const chosen = PAGE_SNIPPETS.find(({ id }) => id === parameters.get('page-code')) ?? PAGE_SNIPPETS[0];
  const { url, slug, fields, browser } = form;
  const script = sdk.data ?? undefined;
  const input = useMemo(
    () => ({
      endpoint: endpointOf(url),
      sdkUrl: location.origin + SDK_PATH,
      script,
      slug,
      fallbackUrl: fallbackUrlOf(browser.origins),
      fields: pageFields(fields),
    }),
    [url, slug, fields, browser.origins, script],
  );
  return (
    <SpaceBetween size="xs">
      <Box variant="h3">Code for your website</Box>
      <Tabs
        ariaLabel="Ways to send from a page"
        activeTabId={chosen?.id ?? ''}
        onChange={({ detail }) => choose({ 'page-code': detail.activeTabId })}
        tabs={PAGE_SNIPPETS.map((snippet) => ({
          id: snippet.id,
          label: snippet.label,
          content:
            snippet.id === chosen?.id &&
            (sdk.isPending ? <Loading what="the code" /> : <PageCode snippet={snippet} input={input} />),
        }))}
      />
    </SpaceBetween>
  );
}

interface PageCodeProps {
  readonly snippet: PageSnippet;
  readonly input: PageSnippetInput;
}

function PageCode({ snippet, input }: PageCodeProps) {
  return (
    <SpaceBetween size="s">
      <div>
        <Hint id={snippet.id} input={input} />
      </div>
      <Code content={snippet.write(input)} what={`code for ${snippet.label}`} />
    </SpaceBetween>
  );
}

function Hint({ id, input }: { readonly id: string; readonly input: PageSnippetInput }) {
  const { sdkUrl, script, fallbackUrl } = input;
  const fallback = (
    <>
      Replace <Box variant="code">{fallbackUrl}</Box> with an address of yours that accepts the form when
      JavaScript is off or the script is blocked.
    </>
  );
  switch (id) {
    case 'html':
      return (
        <>
          Paste this where the form should be. {fallback}{' '}
          {script && 'The integrity hash makes browsers run exactly this version of the script.'}
        </>
      );
    case 'react':
      return (
        <>
          Save{' '}
          <a href={`${sdkUrl}/v1.module.js`} download>
            v1.module.js
          </a>{' '}
          and{' '}
          <a href={`${sdkUrl}/v1.module.d.ts`} download>
            v1.module.d.ts
          </a>{' '}
          next to this file. {fallback}
        </>
      );
    default:
      return 'For pages that show the outcome themselves. Retry network errors with the same nonce, so that a lead is never stored twice.';
  }
}

/** Null if there is none, or if this page is older than the SDK. */
function useSdkScript() {
  return useQuery({
    queryKey: [`${SDK_PATH}/v1.json`],
    queryFn: async ({ signal }) => {
      const response = await fetch(`${SDK_PATH}/v1.json`, { signal }).catch(() => {
        throw ApiProblem.unreachable();
      });
      if (!response.ok) return null;
      return readSdkScript(await response.json().catch(() => undefined)) ?? null;
    },
  });
}
