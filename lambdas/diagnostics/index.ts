import { diagnosticsDependencies } from './dependencies.ts';
import { makeDiagnosticsRead } from './handler.ts';

export const handler = makeDiagnosticsRead(diagnosticsDependencies(process.env));
