import { Construct } from 'constructs';
import { followStream } from './follow-stream.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

export interface LeadStatsProps {
  readonly stage: Stage;
  readonly tables: Tables;
}

/** Counts accepted leads by hour, form and score band, for the overview: off the stream, never in a request. */
export class LeadStats extends Construct {
  constructor(scope: Construct, id: string, { stage, tables }: LeadStatsProps) {
    super(scope, id);
    const stats = new ServiceFunction(this, 'Stats', {
      stage,
      folder: 'stats',
      description: 'Counts accepted leads by hour, form and score band',
    });
    tables.grantCountLeads(stats);
    followStream(stats, tables.leadStream, { batchSize: 100 });
  }
}
