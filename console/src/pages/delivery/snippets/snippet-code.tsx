import CodeView from '@cloudscape-design/code-view/code-view';
import Box from '@cloudscape-design/components/box';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { exportLine } from './export-line.ts';
import type { Snippet, SnippetInput } from './snippet.ts';
import { useHighlight } from './use-highlight.ts';

interface SnippetCodeProps {
  readonly snippet: Snippet;
  readonly input: SnippetInput;
  readonly secret: string | undefined;
}

export function SnippetCode({ snippet, input, secret }: SnippetCodeProps) {
  const highlight = useHighlight(snippet.id);
  const code = snippet.write(input);
  return (
    <SpaceBetween size="s">
      <div>
        Put the secret into the environment first. It is not in the code, so that the code can be shared.
      </div>
      <Code content={exportLine(secret)} what="export line" />
      <div>
        Save as <Box variant="code">{snippet.fileName}</Box> and run{' '}
        <Box variant="code">{snippet.command}</Box>. Needs {snippet.needs}.
        {snippet.id === 'curl' && ' Or paste it into a terminal as it is.'}
      </div>
      <Code content={code} what={`code for ${snippet.label}`} {...(highlight && { highlight })} />
    </SpaceBetween>
  );
}

interface CodeProps {
  readonly content: string;
  readonly what: string;
  readonly highlight?: NonNullable<ReturnType<typeof useHighlight>>;
}

function Code({ content, what, highlight }: CodeProps) {
  return (
    <CodeView
      content={content.trimEnd()}
      wrapLines
      ariaLabel={what}
      {...(highlight && { highlight })}
      actions={
        <CopyToClipboard
          textToCopy={content}
          copyButtonAriaLabel={`Copy ${what}`}
          copySuccessText={`Copied the ${what}`}
          copyErrorText={`Could not copy the ${what}: select and copy it by hand`}
        />
      }
    />
  );
}
