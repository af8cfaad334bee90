import Box from '@cloudscape-design/components/box';
import type { Lead } from '../../api/types.ts';
import { keepsFromClean, topSignals, weightText } from '../leads/signals.ts';

const MOST_SHOWN = 4;

/** Why the score is what it is, in a few lines; the page of the lead tells all of it. */
export function ScoreReasons({ signals }: { readonly signals: Lead['signals'] }) {
  const shown = topSignals(signals, MOST_SHOWN);
  if (shown.length === 0) return null;
  const more = signals.length - shown.length;
  return (
    <div>
      <Box variant="awsui-key-label">What the score is made of</Box>
      <ul>
        {shown.map(({ name, weight, explanation }) => (
          <li key={name}>
            {weight === 0 ? '0' : weightText(weight)}: {explanation}
            {keepsFromClean(name) && ' (keeps it from being clean)'}
          </li>
        ))}
        {more > 0 && <li>{more} more, on the page of the lead</li>}
      </ul>
    </div>
  );
}
