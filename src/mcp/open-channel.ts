import type { Channel } from './channel.js';
import type { McpServerConfig } from './server-config.js';
import { StdioChannel, type StdioOptions } from './stdio-channel.js';

export type OpenChannel = (config: McpServerConfig, options: StdioOptions) => Promise<Channel>;

/** The way to a server of this kind. */
export const openChannel: OpenChannel = async (config, options) => {
  if (config.kind === 'stdio') return await StdioChannel.open(config, options);
  const { HttpChannel } = await import('./http-channel.js');
  return await HttpChannel.open(config, options.events);
};
