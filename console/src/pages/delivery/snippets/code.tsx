import type { CodeViewProps } from '@cloudscape-design/code-view/code-view';
import CodeView from '@cloudscape-design/code-view/code-view';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';

export type Highlight = NonNullable<CodeViewProps['highlight']>;

interface CodeProps {
  readonly content: string;
  /** Names it for the copy button: "export line". */
  readonly what: string;
  readonly highlight?: Highlight;
}

/** Code with a button to copy it. */
export function Code({ content, what, highlight }: CodeProps) {
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
          copyErrorText={`Couldn’t copy the ${what}. Select and copy it manually.`}
        />
      }
    />
  );
}
