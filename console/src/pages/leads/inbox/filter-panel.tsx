import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Modal from '@cloudscape-design/components/modal';
import type { SelectProps } from '@cloudscape-design/components/select';
import { useState } from 'react';
import { Term } from '#console/shared/term.tsx';
import { ENRICHMENT_STATES } from '#enrichment/enrichment-item.ts';
import { ENRICHMENT_NAMES } from '../lead-words.ts';
import { STATUS_NAMES } from './filter-chips.ts';
import { Choice, ScoreInput } from './filter-fields.tsx';
import { type InboxFilter, STATUSES, withSort } from './inbox-filter.ts';
import { PeriodChoice } from './period-choice.tsx';

interface FilterPanelProps {
  readonly filter: InboxFilter;
  readonly forms: SelectProps.Options;
  readonly onChoose: (filter: InboxFilter) => void;
  /** For typed text, which changes with every pause. */
  readonly onType: (filter: InboxFilter) => void;
  readonly onClose: () => void;
}

/** All filters and the order. On a phone it is a dialog, elsewhere a panel above the list. */
export default function FilterPanel({ onClose, ...props }: FilterPanelProps) {
  const [isWide] = useState(() => matchMedia('(min-width: 700px)').matches);
  if (isWide) {
    return (
      <Box padding={{ top: 's' }}>
        <Fields {...props} />
      </Box>
    );
  }
  return (
    <Modal
      visible
      header="Filters"
      closeAriaLabel="Close"
      onDismiss={onClose}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onClose}>
            Show leads
          </Button>
        </Box>
      }
    >
      <Fields {...props} />
    </Modal>
  );
}

const FLAGS = (yes: string, no: string) => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
];
const CLEAN = FLAGS('Clean', 'Not clean');
const REVIEWED = FLAGS('Reviewed', 'Not reviewed');
const ENRICHMENT = ENRICHMENT_STATES.map((value) => ({ value, label: ENRICHMENT_NAMES[value] }));
const STATUS = STATUSES.map((value) => ({ value, label: STATUS_NAMES[value] }));
const flagOf = (value: string | undefined) => (value === undefined ? undefined : value === 'true');

function Fields({ filter, forms, onChoose, onType }: Omit<FilterPanelProps, 'onClose'>) {
  const { minScore, maxScore, sort } = filter;
  const isEmptyRange = minScore !== undefined && maxScore !== undefined && minScore > maxScore;
  return (
    <ColumnLayout columns={5} minColumnWidth={150}>
      <PeriodChoice
        period={filter.period}
        onChoose={(period) =>
          onChoose({ ...filter, period, ...(period === undefined && { sort: undefined }) })
        }
      />
      <Choice
        label="Form"
        all="All forms"
        options={forms}
        chosen={filter.form}
        onChoose={(form) => onChoose({ ...filter, form })}
      />
      <Choice
        label="Status"
        all="All"
        options={STATUS}
        chosen={filter.status}
        onChoose={(value) => onChoose({ ...filter, status: STATUSES.find((status) => status === value) })}
      />
      <Choice
        label="Clean"
        info={<Term name="clean" />}
        all="All"
        options={CLEAN}
        chosen={filter.clean?.toString()}
        onChoose={(value) => onChoose({ ...filter, clean: flagOf(value) })}
      />
      <Choice
        label="Review"
        all="All"
        options={REVIEWED}
        chosen={filter.reviewed?.toString()}
        onChoose={(value) => onChoose({ ...filter, reviewed: flagOf(value) })}
      />
      <Choice
        label="Enrichment"
        all="All"
        options={ENRICHMENT}
        chosen={filter.enrichment}
        onChoose={(value) =>
          onChoose({ ...filter, enrichment: ENRICHMENT_STATES.find((state) => state === value) })
        }
      />
      <ScoreInput
        label="Minimum score"
        placeholder="0"
        value={minScore}
        onType={(score) => onType({ ...filter, minScore: score })}
      />
      <ScoreInput
        label="Maximum score"
        placeholder="100"
        problem={isEmptyRange ? 'Below the minimum.' : undefined}
        value={maxScore}
        onType={(score) => onType({ ...filter, maxScore: score })}
      />
      <Choice
        label="Order"
        all="Newest first"
        options={[{ value: 'score', label: 'Highest score first' }]}
        chosen={sort}
        onChoose={(value) => onChoose(withSort(filter, value === 'score' ? 'score' : undefined))}
      />
    </ColumnLayout>
  );
}
