import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import List from '@cloudscape-design/components/list';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { errorMessage } from '../../api/problem.ts';
import { Moment } from '../../shared/moment.tsx';
import { Loading } from '../../shared/states.tsx';
import { Link } from '../../shell/link.tsx';
import { findAttention, readStatus } from './attention.ts';
import type { Attention } from './attention-secrets.ts';
import type { OverviewReads } from './use-overview.ts';

const SHOWN_AT_ONCE = 5;

export function AttentionPanel({ reads }: { readonly reads: OverviewReads }) {
  const { now, workspace, forms, deliveries, tokens, diagnostics } = reads;
  const { isWaiting, isNothing, failed } = readStatus([workspace, forms, deliveries, tokens, diagnostics]);
  const found = findAttention({
    now,
    workspace: workspace.data,
    forms: forms.data?.forms,
    deliveries: deliveries.data?.deliveries,
    tokens: tokens.data?.tokens,
    diagnostics: diagnostics.data,
  });
  const [shown, rest] = [found.slice(0, SHOWN_AT_ONCE), found.slice(SHOWN_AT_ONCE)];
  return (
    <Container
      header={
        <Header variant="h2" counter={found.length > 0 && !isWaiting ? `(${found.length})` : undefined}>
          Needs attention
        </Header>
      }
    >
      {isWaiting ? (
        <Loading what="alerts" />
      ) : (
        <SpaceBetween size="m">
          {shown.length > 0 && <AttentionList items={shown} />}
          {rest.length > 0 && (
            <ExpandableSection headerText={`${rest.length} more`}>
              <AttentionList items={rest} />
            </ExpandableSection>
          )}
          {found.length === 0 && failed.length === 0 && (
            <StatusIndicator type="success">No issues</StatusIndicator>
          )}
          {failed.length > 0 && (
            <Unchecked failed={failed} isNothing={isNothing} hasFound={found.length > 0} />
          )}
        </SpaceBetween>
      )}
    </Container>
  );
}

const SEVERITY_NAMES = { error: 'Error', warning: 'Warning', info: 'Info' } as const;

function AttentionList({ items }: { readonly items: readonly Attention[] }) {
  return (
    <List
      ariaLabel="Needs attention"
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

interface UncheckedProps {
  readonly failed: readonly { readonly error: unknown; readonly isFetching: boolean; refetch(): unknown }[];
  /** Whether no check could run, and whether the others found something. */
  readonly isNothing: boolean;
  readonly hasFound: boolean;
}

/** Reports checks that couldn't run. */
function Unchecked({ failed, isNothing, hasFound }: UncheckedProps) {
  return (
    <SpaceBetween size="m">
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <StatusIndicator type={isNothing ? 'error' : 'warning'}>
          {isNothing ? 'Checks couldn’t run.' : 'Some checks couldn’t run.'}
        </StatusIndicator>
        <Button
          variant="inline-link"
          loading={failed.some(({ isFetching }) => isFetching)}
          onClick={() => failed.forEach(({ refetch }) => void refetch())}
        >
          Check again
        </Button>
      </SpaceBetween>
      {isNothing && <Box>{errorMessage(failed[0]?.error)}</Box>}
      {!isNothing && !hasFound && <Box>No issues found in the checks that ran.</Box>}
    </SpaceBetween>
  );
}
