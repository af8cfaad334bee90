import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';

interface CopyableProps {
  readonly text: string;
  /** Names what is copied, for screen readers: "webhook URL". */
  readonly what: string;
}

export function Copyable({ text, what }: CopyableProps) {
  return (
    <CopyToClipboard
      variant="inline"
      textToCopy={text}
      copyButtonAriaLabel={`Copy ${what}`}
      copySuccessText={`Copied ${what}`}
      copyErrorText={`Couldn’t copy ${what}. Select and copy it manually.`}
    />
  );
}
