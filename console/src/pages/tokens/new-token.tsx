import CodeView from '@cloudscape-design/code-view/code-view';
import Container from '@cloudscape-design/components/container';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ListedForm, Token } from '../../api/types.ts';
import { ShownOnce } from '../../shared/shown-once.tsx';
import { useShownOnce } from '../../shared/shown-once-memory.tsx';
import { curlLine, tokenUrl } from './tokens.ts';

export type MadeToken = Token & { readonly token: string };

interface NewTokenProps {
  readonly made: MadeToken;
  readonly forms: readonly ListedForm[];
  /** Created just now, on this page. */
  readonly isNew: boolean;
  readonly onStored: () => void;
}

/** Shows a new token, which can't be shown again. */
export function NewToken({ made, forms, isNew, onStored }: NewTokenProps) {
  const form = forms.find(({ formId }) => formId === made.formId) ?? forms[0];
  const command = form && curlLine(tokenUrl(form.url), made.token);
  return (
    <SpaceBetween size="s">
      <ShownOnce
        title={`Server token “${made.name}” created`}
        value={made.token}
        what="token"
        takesFocus={isNew}
        onStored={onStored}
      />
      {command && (
        <Container
          header={
            <Header
              variant="h2"
              description="Run this in a terminal. 202 means accepted. For anything else, see Diagnostics."
            >
              Send your first lead
            </Header>
          }
        >
          <CodeView
            content={command}
            wrapLines
            actions={
              <CopyToClipboard
                copyButtonAriaLabel="Copy command"
                textToCopy={command}
                copySuccessText="Copied the command"
                copyErrorText="Couldn’t copy the command. Select and copy it manually."
              />
            }
          />
        </Container>
      )}
    </SpaceBetween>
  );
}

/** New tokens that the owner hasn't confirmed yet, newest first. */
export function useNewTokens() {
  const { value = [], isNew, showWith, leave } = useShownOnce<readonly MadeToken[]>('tokens');
  return {
    tokens: value,
    isNew,
    show: (made: MadeToken) => showWith((shown = []) => [made, ...shown]),
    putAway: (tokenId: string) =>
      leave((shown = []) => {
        const left = shown.filter((token) => token.tokenId !== tokenId);
        return left.length === 0 ? undefined : left;
      }),
  };
}
