import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';

interface NewLeadsProps {
  readonly count: number;
  readonly mayBeMore: boolean;
  readonly busy: boolean;
  readonly onShow: () => void;
}

/** Announces new leads. They are shown on request, so that rows don't move while they are read. */
export function NewLeads({ count, mayBeMore, busy, onShow }: NewLeadsProps) {
  return (
    <span role="status">
      {count > 0 && (
        <>
          <StatusIndicator type="info">{newLeadsText(count, mayBeMore)}</StatusIndicator>{' '}
          <Button variant="inline-link" loading={busy} onClick={onShow}>
            Show
          </Button>
        </>
      )}
    </span>
  );
}

function newLeadsText(count: number, mayBeMore: boolean): string {
  if (mayBeMore) return `${count}+ new leads.`;
  return count === 1 ? '1 new lead.' : `${count} new leads.`;
}
