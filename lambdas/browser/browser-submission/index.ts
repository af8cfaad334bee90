import { browserSubmissionDependencies, makeBrowserSubmission } from './handler.ts';

export const handler = makeBrowserSubmission(browserSubmissionDependencies(process.env));
