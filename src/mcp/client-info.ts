declare const CODEMODE_VERSION: string | undefined;

/** What a client calls itself when it greets a server. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** Ourselves. The version is written into the bundles by the build; unbundled code has none. */
export const ownClientInfo: ClientInfo = {
  name: 'codemode-run',
  version: typeof CODEMODE_VERSION === 'undefined' ? '0.0.0-unbundled' : CODEMODE_VERSION,
};
