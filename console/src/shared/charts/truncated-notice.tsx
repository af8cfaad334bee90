import Alert from '@cloudscape-design/components/alert';
import { Moment } from '../moment.tsx';

interface TruncatedNoticeProps {
  readonly of: { readonly truncated: boolean; readonly completeFrom: string };
}

export function TruncatedNotice({ of: { truncated, completeFrom } }: TruncatedNoticeProps) {
  if (!truncated) return null;
  return (
    <Alert type="warning">
      There was too much to count it all: before <Moment at={completeFrom} /> some is missing. Choose a
      shorter time.
    </Alert>
  );
}
