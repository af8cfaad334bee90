import { makeApp } from '../lib/lead-ingest-app.ts';
import { ContextError } from '../lib/stage.ts';

try {
  makeApp().synth();
} catch (error) {
  if (!(error instanceof ContextError)) throw error;
  console.error(error.message);
  process.exit(1);
}
