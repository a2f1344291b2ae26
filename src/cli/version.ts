declare const CODEMODE_VERSION: string | undefined;

/** Written into the bundle by the build; unbundled code, as the tests run it, has none. */
export const version: string = typeof CODEMODE_VERSION === 'undefined' ? '0.0.0-unbundled' : CODEMODE_VERSION;
