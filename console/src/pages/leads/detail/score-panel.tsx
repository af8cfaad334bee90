import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import type { Lead } from '#console/api/types.ts';
import { Term } from '#console/shared/term.tsx';
import { Link } from '#console/shell/link.tsx';
import { CLEAN_FROM } from '#scoring/weights.ts';
import { Score } from '../lead-marks.tsx';
import { LEARNED_PATH } from '../review/review-words.ts';
import { changeText, type ScoreStep, START, scoreSteps, shortened, whyClean } from './score-steps.ts';

const MAX_SHOWN = 5;

/** The score, whether the lead is clean and why, and how each finding moved the score from 50. */
export function ScorePanel({ lead }: { readonly lead: Lead }) {
  const [whole, setWhole] = useState(false);
  const { steps, others } = scoreSteps(lead);
  const shown = whole ? steps : shortened(steps, MAX_SHOWN);
  return (
    <Container
      header={
        <Header variant="h2" info={<Term name="clean" />}>
          Score <Score {...lead} />
        </Header>
      }
    >
      <SpaceBetween size="xs">
        <StatusIndicator type={lead.clean ? 'success' : 'warning'}>
          {whyClean(lead, CLEAN_FROM)}
        </StatusIndicator>
        <ol className="score-steps" aria-label="How the score came about">
          <li>
            <Scale />
          </li>
          {shown.map((step) => (
            <Step key={step.name} step={step} isDetailed={whole} />
          ))}
          <li>
            <Line title="Score" change={String(lead.score)} isTotal />
          </li>
        </ol>
        {whole && others.length > 0 && (
          <Box variant="small" display="block">
            Found, but worth nothing: {others.join(', ')}.
          </Box>
        )}
        {(shown.length < steps.length || whole) && (
          <Button variant="inline-link" ariaExpanded={whole} onClick={() => setWhole(!whole)}>
            {whole ? 'Show less' : 'Show all findings'}
          </Button>
        )}
      </SpaceBetween>
    </Container>
  );
}

/** Where the score begins, and the limit of clean leads. */
function Scale() {
  return (
    <>
      <Line title="Every lead starts at" change={String(START)} />
      <span className="score-scale">
        <span>0</span>
        <span style={{ insetInlineStart: `${CLEAN_FROM}%` }}>Clean from {CLEAN_FROM}</span>
        <span>100</span>
      </span>
    </>
  );
}

interface StepProps {
  readonly step: ScoreStep;
  readonly isDetailed: boolean;
}

function Step({ step, isDetailed }: StepProps) {
  const { name, title, meaning, from, to, neverClean } = step;
  const [low, high] = from < to ? [from, to] : [to, from];
  return (
    <li>
      <Line title={title} change={changeText(step)} now={to} />
      {/* The words that were found are always shown. */}
      {(isDetailed || meaning?.includes(': ')) && meaning !== undefined && (
        <Box variant="small" display="block">
          {meaning}
        </Box>
      )}
      {neverClean && (
        <Box variant="small" display="block">
          Always rules out a clean lead
        </Box>
      )}
      {name === 'learned' && <Link href={LEARNED_PATH}>What was learned</Link>}
      <span className="score-track" aria-hidden="true">
        <span
          className={to < from ? 'score-bar score-less' : 'score-bar'}
          style={{ insetInlineStart: `${low}%`, inlineSize: `${Math.max(high - low, 1)}%` }}
        />
        <span className="score-limit" style={{ insetInlineStart: `${CLEAN_FROM}%` }} />
      </span>
    </li>
  );
}

interface LineProps {
  readonly title: string;
  readonly change: string;
  /** The score so far. */
  readonly now?: number;
  readonly isTotal?: boolean;
}

function Line({ title, change, now, isTotal }: LineProps) {
  return (
    <span className={isTotal ? 'score-line score-total' : 'score-line'}>
      <span className="value">{title}</span>
      <span>
        {change}
        {now !== undefined && <span className="score-now"> = {now}</span>}
      </span>
    </span>
  );
}
