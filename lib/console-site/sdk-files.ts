/** The folder of the console's origin that other sites load the SDK from. */
export const SDK_FOLDER = 'sdk';
/** Files whose names contain a hash of their content, so they never change. */
export const IMMUTABLE_SDK = `${SDK_FOLDER}/v1-*`;
/** Tells a script without `data-endpoint` where the service is. Known only after deployment. */
export const SDK_SERVICE_FILE = `${SDK_FOLDER}/service.json`;
