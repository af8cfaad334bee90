import CodeView from '@cloudscape-design/code-view/code-view';
import Container from '@cloudscape-design/components/container';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Copyable } from '../../shared/copyable.tsx';
import { curlLine, PLACEHOLDER } from './tokens.ts';

interface TokenAddressProps {
  readonly url: string;
  /** Hidden next to a new token, which has its own command. */
  readonly showCommand: boolean;
}

/** The URL for backends: the same for all tokens, since the token determines the form. */
export function TokenAddress({ url, showCommand }: TokenAddressProps) {
  const command = curlLine(url, PLACEHOLDER);
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="Use the same URL for all server tokens. The token determines the form."
        >
          Where to send leads
        </Header>
      }
    >
      <SpaceBetween size="s">
        <span className="value">
          <Copyable text={url} what="URL" />
        </span>
        {showCommand && (
          <CodeView
            content={command}
            wrapLines
            ariaLabel="Sample command"
            actions={
              <CopyToClipboard
                copyButtonAriaLabel="Copy command"
                textToCopy={command}
                copySuccessText={`Copied. Replace ${PLACEHOLDER} with a server token.`}
                copyErrorText="Couldn’t copy the command. Select and copy it manually."
              />
            }
          />
        )}
      </SpaceBetween>
    </Container>
  );
}
