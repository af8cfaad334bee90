import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, useState } from 'react';
import { errorMessage } from '#console/api/problem.ts';
import { useChange } from '#console/api/queries.ts';
import type { SignatureExplanation } from '#console/api/types.ts';
import { useUrlParameters } from '#console/shared/url-parameters.ts';
import { deliveryPath } from '../use-delivery.ts';
import { CommandInput } from './command-input.tsx';
import { debugRequest } from './debug-request.ts';
import { Explanation } from './explanation.tsx';
import { PartsInput } from './parts-input.tsx';
import {
  type DebugInput,
  type FieldProblems,
  NO_PARTS,
  partsOfCommand,
  readCommand,
  readParts,
} from './pasted-request.ts';

interface DebuggerPanelProps {
  readonly formId: string;
  readonly url: string;
}

export function DebuggerPanel({ formId, url }: DebuggerPanelProps) {
  const [parameters, choose] = useUrlParameters();
  const isCommand = parameters.get('debug') === 'curl';
  const [parts, setParts] = useState(NO_PARTS);
  const [command, setCommand] = useState('');
  const [problems, setProblems] = useState<FieldProblems>({});
  const explain = useChange<DebugInput, SignatureExplanation>(({ request }) => ({
    method: 'POST',
    path: `${deliveryPath(formId)}/debug`,
    body: debugRequest(request),
  }));
  /** A result must not outlive the input it belongs to. */
  const forget = () => {
    setProblems({});
    explain.reset();
  };
  const paste = (kind: 'parts' | 'curl') => {
    forget();
    choose({ debug: kind === 'curl' ? kind : undefined });
  };

  function ask(event: FormEvent) {
    event.preventDefault();
    const read = isCommand ? readCommand(command, url) : readParts(parts);
    setProblems(read.asked ? {} : read.problems);
    if (read.asked && !explain.isPending) explain.mutate(read.asked);
  }

  return (
    <Container
      header={
        <Header description="Paste a request to find out why its signature is rejected. Diagnostics doesn’t store bodies, so copy it from the sender’s log.">
          Signature debugger
        </Header>
      }
    >
      <form onSubmit={ask} noValidate>
        <SpaceBetween size="m">
          <SegmentedControl
            label="Input"
            selectedId={isCommand ? 'curl' : 'parts'}
            onChange={({ detail }) => paste(detail.selectedId === 'curl' ? 'curl' : 'parts')}
            options={[
              { id: 'parts', text: 'Timestamp, signature and body' },
              { id: 'curl', text: 'curl command' },
            ]}
          />
          {isCommand ? (
            <CommandInput
              url={url}
              command={command}
              problem={problems.command}
              onChange={(text) => {
                setCommand(text);
                forget();
              }}
              onGiveParts={() => {
                setParts(partsOfCommand(command));
                paste('parts');
              }}
            />
          ) : (
            <PartsInput
              parts={parts}
              problems={problems}
              onChange={(changed) => {
                setParts(changed);
                forget();
              }}
              onCommand={(text) => {
                setCommand(text);
                paste('curl');
              }}
            />
          )}
          {explain.error && <Alert type="error">{errorMessage(explain.error)}</Alert>}
          <Button variant="primary" formAction="submit" loading={explain.isPending}>
            {' '}
            Check signature{' '}
          </Button>
        </SpaceBetween>
      </form>
      {explain.data && explain.variables && (
        <Explanation explanation={explain.data} asked={explain.variables} formId={formId} />
      )}
    </Container>
  );
}
