import ProgressBar from '@cloudscape-design/components/progress-bar';
import type { Surface, WindowUse } from '../../api/types.ts';
import { countLabel } from '../../shared/charts/value-axis.ts';
import { SURFACE_NAMES } from '../../shared/surface-names.ts';

interface LimitUseProps {
  readonly surface: Surface;
  readonly window: string;
  readonly use: WindowUse;
}

export function LimitUse({ surface, window, use: { used, limit } }: LimitUseProps) {
  return (
    <ProgressBar
      label={`${SURFACE_NAMES[surface]}, ${window}`}
      value={Math.min(100, Math.round((used / limit) * 100))}
      additionalInfo={`${countLabel(used)} of ${countLabel(limit)}`}
    />
  );
}
