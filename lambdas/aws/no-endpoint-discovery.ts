/**
 * Stands in for @aws-sdk/middleware-endpoint-discovery when a function is bundled. The DynamoDB client only prepares
 * for it: none of its commands looks an endpoint up, so nothing would ever use the cache and the settings left out here.
 */
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};
