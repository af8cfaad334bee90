import { diagnosticsDependencies, makeDiagnosticsRead } from './handler.ts';

export const handler = makeDiagnosticsRead(diagnosticsDependencies(process.env));
