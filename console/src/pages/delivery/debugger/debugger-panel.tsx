import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import LiveRegion from '@cloudscape-design/components/live-region';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { type FormEvent, useEffect, useState } from 'react';
import { errorMessage } from '#console/api/problem.ts';
import { deliveryPath, useChange } from '#console/api/queries.ts';
import type { SignatureExplanation } from '#console/api/types.ts';
import { OwnerButton } from '#console/shared/role.tsx';
import { useUrlParameters } from '#console/shared/url-parameters.ts';
import { Link } from '#console/shell/link.tsx';
import {
  type DebugInput,
  debugRequest,
  type FieldProblems,
  knownTimestamp,
  NO_PARTS,
  partsOfCommand,
  readCommand,
  readParts,
} from './debug-request.ts';
import { CompareSigned, DifferenceView, SignedBytes } from './difference-view.tsx';
import { formatBytes, visiblePieces } from './mark-difference.ts';
import { RejectedRequest, useBodyMatch, useRejection } from './rejected-request.tsx';
import { CommandInput, PartsInput } from './request-input.tsx';
import { describeVerdict, mayComeFromPasting, unexplainedChecks } from './verdict-words.ts';

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
  const explain = useChange<'debugSignature', DebugInput>(({ request }) => ({
    method: 'POST',
    path: `${deliveryPath(formId)}/debug`,
    body: debugRequest(request),
  }));
  const rejection = useRejection(parameters.get('rejection'), formId);
  const timestamp = rejection && knownTimestamp(rejection);
  const match = useBodyMatch(rejection, explain.data && explain.variables?.request.body);
  useEffect(() => {
    if (timestamp !== undefined) setParts((now) => (now.timestamp === '' ? { ...now, timestamp } : now));
  }, [timestamp]);
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
          {rejection && <RejectedRequest rejection={rejection} />}
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
          <OwnerButton variant="primary" formAction="submit" loading={explain.isPending}>
            Check signature
          </OwnerButton>
          {match && (
            <StatusIndicator type={match.isSame ? 'success' : 'warning'}>{match.text}</StatusIndicator>
          )}
        </SpaceBetween>
      </form>
      {explain.data && explain.variables && (
        <Explanation
          explanation={explain.data}
          asked={explain.variables}
          formId={formId}
          isSameBody={match?.isSame === true}
        />
      )}
    </Container>
  );
}

interface ExplanationProps {
  readonly explanation: SignatureExplanation;
  readonly asked: DebugInput;
  readonly formId: string;
  /** The body is known to be the one that was sent. */
  readonly isSameBody: boolean;
}

function Explanation({ explanation, asked, formId, isSameBody }: ExplanationProps) {
  const { request, obstacles } = asked;
  const { difference, signature, mistakes, signed } = explanation;
  const { kind, headline, sentences, besides } = describeVerdict(explanation, request, obstacles);
  const isUnexplained = explanation.decision === 'signature_mismatch' && signature === 'unexplained';
  return (
    <Box padding={{ top: 'l' }}>
      <SpaceBetween size="l">
        <LiveRegion>
          <Alert type={kind} header={headline}>
            {sentences.map((sentence) => (
              <div key={sentence} className="value">
                {sentence}
              </div>
            ))}
            {isUnexplained && <List of={unexplainedChecks(isSameBody)} />}
            {besides.length > 0 && (
              <>
                <div>The request also has these problems:</div>
                <List of={besides} />
              </>
            )}
          </Alert>
        </LiveRegion>
        {mistakes.length > 0 && <Mistakes mistakes={mistakes} formId={formId} />}
        {difference && <DifferenceView difference={difference} expectedByteLength={signed.byteLength} />}
        {signature === 'explained' && !difference && (
          <div>The signed bytes are correct. The problem is the key or the signature’s encoding.</div>
        )}
        {!difference && (
          <div>
            <Box variant="h3">Bytes to sign</Box>
            <Box color="text-body-secondary">
              {formatBytes(signed.byteLength)}: timestamp, dot, body. The first bytes:
            </Box>
            <SignedBytes
              label="Bytes to sign"
              runs={[{ differs: false, pieces: visiblePieces(signed.firstBytes) }]}
            />
          </div>
        )}
        {isUnexplained && <CompareSigned request={request} />}
      </SpaceBetween>
    </Box>
  );
}

function List({ of }: { readonly of: readonly string[] }) {
  return (
    <ul>
      {of.map((sentence) => (
        <li key={sentence} className="value">
          {sentence}
        </li>
      ))}
    </ul>
  );
}

interface MistakesProps {
  readonly mistakes: SignatureExplanation['mistakes'];
  readonly formId: string;
}

/** Together the mistakes produce exactly the signature that was sent. */
function Mistakes({ mistakes, formId }: MistakesProps) {
  return (
    <div>
      <Box variant="h3">{mistakes.length === 1 ? 'Cause' : 'Causes'}</Box>
      <ul>
        {mistakes.map(({ name, explanation, formId: other }) => (
          <li key={name}>
            {explanation}{' '}
            {other !== undefined && other !== formId && (
              <Link href={`/forms/${encodeURIComponent(other)}/delivery`}>That form’s Delivery settings</Link>
            )}
          </li>
        ))}
      </ul>
      {mayComeFromPasting(mistakes) && (
        <Box color="text-body-secondary">
          Copying text often changes whitespace and line endings. If the sender’s bytes don’t have this
          problem, fix the pasted text and check again.
        </Box>
      )}
    </div>
  );
}
