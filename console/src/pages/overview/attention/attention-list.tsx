import List from '@cloudscape-design/components/list';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { Moment } from '#console/shared/moment.tsx';
import { Link } from '#console/shell/link.tsx';
import type { Attention } from './known.ts';

const SEVERITY_NAMES = { error: 'Serious', warning: 'Warning', info: 'Note' } as const;

export function AttentionList({ items }: { readonly items: readonly Attention[] }) {
  return (
    <List
      ariaLabel="What needs attention"
      items={items}
      disablePaddings
      renderItem={({ id, severity, title, detail, since, link }) => ({
        id,
        content: (
          <StatusIndicator type={severity} iconAriaLabel={SEVERITY_NAMES[severity]} wrapText>
            {title}
          </StatusIndicator>
        ),
        secondaryContent: (
          <>
            <span className="value">{detail}</span>{' '}
            {since && (
              <>
                {since.what} <Moment at={since.at} />.{' '}
              </>
            )}
            <Link href={link.href}>{link.text}</Link>
          </>
        ),
      })}
    />
  );
}
