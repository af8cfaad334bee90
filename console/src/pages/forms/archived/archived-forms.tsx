import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import { useArchivedForms } from '#console/api/queries.ts';
import { WhenRead } from '#console/shared/states.tsx';
import { ArchivedTable } from './archived-table.tsx';

interface ArchivedFormsProps {
  readonly shown: boolean;
  readonly onShow: (show: boolean) => void;
}

/** The way to the leads of archived forms. Not there at all where no form is archived, unless the address asks for it. */
export function ArchivedForms({ shown, onShow }: ArchivedFormsProps) {
  const archived = useArchivedForms();
  const count = archived.data?.forms.length ?? 0;
  if (count === 0 && !shown) return null;
  return (
    <ExpandableSection
      variant="container"
      headerText="Archived forms"
      headerCounter={archived.data ? `(${count})` : ''}
      headerDescription="They take no submissions any more. Their leads stay."
      expanded={shown}
      onChange={({ detail }) => onShow(detail.expanded)}
    >
      {shown && (
        <WhenRead of={archived} what="the archived forms">
          {({ forms }) =>
            forms.length === 0 ? (
              <Box color="text-body-secondary">No form is archived.</Box>
            ) : (
              <ArchivedTable forms={forms} />
            )
          }
        </WhenRead>
      )}
    </ExpandableSection>
  );
}
