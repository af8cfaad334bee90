import { makeSourceSubmission, sourceSubmissionDependencies } from './handler.ts';

export const handler = makeSourceSubmission(sourceSubmissionDependencies(process.env));
