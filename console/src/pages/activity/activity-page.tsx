import Badge from '@cloudscape-design/components/badge';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import Table from '#console/shared/table.tsx';
import { useArchivedForms, useForms, useRead } from '../../api/queries.ts';
import type { Activity, Operations } from '../../api/schema.ts';
import type { Token } from '../../api/types.ts';
import { CursorPager, useCursorPages } from '../../shared/cursor-pages.tsx';
import { formNames } from '../../shared/forms.ts';
import { Moment } from '../../shared/moment.tsx';
import { useIsViewer } from '../../shared/role.tsx';
import { Empty, Failed } from '../../shared/states.tsx';
import { Link } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { useApiKeys } from '../api-keys/use-api-keys.ts';
import { useDestinations } from '../destinations/use-destinations.ts';
import { useMembers } from '../team/use-members.ts';
import { activityTarget, activityText, type KnownNames } from './activity-words.ts';

const PAGE = 50;

export default function ActivityPage() {
  return (
    <Page
      title="Activity"
      description="Every change in this workspace: who made it, and when. Kept for 400 days."
    >
      <ActivityTable />
    </Page>
  );
}

function ActivityTable() {
  const pages = useCursorPages();
  const read = useRead<Operations['listActivity']['response']>('/settings/activity', {
    limit: PAGE,
    cursor: pages.cursor,
  });
  const names = useKnownNames();
  if (read.data === undefined && !read.isPending) return <Failed error={read.error} what="the activity" />;
  const { activity = [], cursor: next } = read.data ?? {};
  return (
    <Table
      header={<Header variant="h2">Changes</Header>}
      items={activity}
      loading={read.isPending}
      loadingText="Loading the activity"
      trackBy="activityId"
      columnDefinitions={columns(names)}
      ariaLabels={{ tableLabel: 'Changes' }}
      enableKeyboardNavigation
      wrapLines
      pagination={<CursorPager pages={pages} next={next} what="changes" />}
      empty={
        <Empty title="No changes yet">Changes to forms, destinations, people and keys are listed here.</Empty>
      }
    />
  );
}

function useKnownNames(): KnownNames {
  const isViewer = useIsViewer();
  const { data: listed } = useForms();
  const { data: archived } = useArchivedForms();
  const { data: { destinations } = {} } = useDestinations();
  const { data: { members } = {} } = useMembers();
  const { data: { tokens } = {} } = useRead<{ tokens: Token[] }>('/settings/tokens');
  // Only owners see the keys.
  const { data: { apiKeys } = {} } = useApiKeys(!isViewer);
  return {
    forms: listed && archived && formNames([...listed.forms, ...archived.forms]),
    destinations: destinations && new Map(destinations.map((each) => [each.destinationId, each.name])),
    members: members && new Map(members.map((each) => [each.memberId, each.email])),
    tokens: tokens && new Map(tokens.map((each) => [each.tokenId, each.name])),
    keys: apiKeys && new Map(apiKeys.map((each) => [each.keyId, each.name])),
  };
}

function columns(names: KnownNames): TableProps.ColumnDefinition<Activity>[] {
  return [
    { id: 'at', header: 'When', minWidth: 130, cell: ({ at }) => <Moment at={at} /> },
    {
      id: 'who',
      header: 'Who',
      minWidth: 160,
      cell: ({ actor }) => (
        <SpaceBetween direction="horizontal" size="xs">
          <span className="value">{actor.name}</span>
          {actor.kind === 'key' && <Badge>API key</Badge>}
        </SpaceBetween>
      ),
    },
    {
      id: 'what',
      header: 'What',
      isRowHeader: true,
      minWidth: 180,
      cell: ({ action }) => activityText(action),
    },
    {
      id: 'target',
      header: 'Changed item',
      minWidth: 160,
      cell: ({ targets }) => <ActivityTarget targets={targets} names={names} />,
    },
  ];
}

interface ActivityTargetProps {
  readonly targets: Activity['targets'];
  readonly names: KnownNames;
}

function ActivityTarget({ targets, names }: ActivityTargetProps) {
  const target = activityTarget(targets, names);
  if (!target) return '–';
  const text = <span className="value">{target.text}</span>;
  return target.href === undefined ? text : <Link href={target.href}>{text}</Link>;
}
