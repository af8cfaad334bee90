import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';

interface CopyableProps {
  readonly text: string;
  /** Names what is copied, for screen readers: "webhook URL". */
  readonly what: string;
}

/** A value in full beside a button that copies it. */
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
