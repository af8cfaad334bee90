// The code that the stack deploys, built from this repository. In the package lead-ingest-cdk, prebuilt.ts takes the
// place of this file: package.json says so for the name #assets.

export { consoleCode } from '../console-site/code.ts';
export { lambdaCode } from '../service-function/code.ts';
