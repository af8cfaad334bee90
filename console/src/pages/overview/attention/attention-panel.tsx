import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { Loading } from '#console/shared/states.tsx';
import type { OverviewReads } from '../use-overview.ts';
import { whatNeedsAttention } from './attention.ts';
import { AttentionList } from './attention-list.tsx';
import { checked } from './checked.ts';
import { Unchecked } from './unchecked.tsx';

const SHOWN_AT_ONCE = 5;

export function AttentionPanel({ reads }: { readonly reads: OverviewReads }) {
  const { now, workspace, forms, deliveries, tokens, diagnostics } = reads;
  const { isWaiting, isNothing, failed } = checked([workspace, forms, deliveries, tokens, diagnostics]);
  const found = whatNeedsAttention({
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
          What needs attention
        </Header>
      }
    >
      {isWaiting ? (
        <Loading what="what needs attention" />
      ) : (
        <SpaceBetween size="m">
          {shown.length > 0 && <AttentionList items={shown} />}
          {rest.length > 0 && (
            <ExpandableSection headerText={`${rest.length} more`}>
              <AttentionList items={rest} />
            </ExpandableSection>
          )}
          {found.length === 0 && failed.length === 0 && (
            <StatusIndicator type="success">Nothing: all is well.</StatusIndicator>
          )}
          {failed.length > 0 && (
            <Unchecked failed={failed} isNothing={isNothing} hasFound={found.length > 0} />
          )}
        </SpaceBetween>
      )}
    </Container>
  );
}
