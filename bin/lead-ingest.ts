import { SettingsError } from '../lib/context/kinds.ts';
import { makeApp } from '../lib/lead-ingest-app.ts';

try {
  makeApp().synth();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exit(1);
}
