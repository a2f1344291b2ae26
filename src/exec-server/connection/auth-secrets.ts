import { readFile } from 'node:fs/promises';
import { fileProblem } from '../../names/file-problem.js';
import { tokenDigest, type WebSocketAuth } from './bearer-auth.js';
import { badDigest, emptySecret, shortSecret, unreadableSecret } from './messages.js';

/** A shorter secret of HS256 can be guessed. */
const MIN_SECRET_BYTES = 32;

/** The bearer token that is in a file, without the white space around it. */
export async function authFromTokenFile(path: string): Promise<WebSocketAuth> {
  return { mode: 'token', digest: tokenDigest(await secretText(path)) };
}

export function authFromTokenDigest(hex: string): WebSocketAuth {
  const digits = hex.trim();
  if (!/^[\da-f]{64}$/i.test(digits)) throw badDigest();
  return { mode: 'token', digest: Buffer.from(digits, 'hex') };
}

export interface JwtRules {
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
  readonly maxClockSkewSeconds?: number | undefined;
}

export async function authFromSecretFile(path: string, rules: JwtRules = {}): Promise<WebSocketAuth> {
  const secret = Buffer.from(await secretText(path));
  if (secret.length < MIN_SECRET_BYTES) throw shortSecret(path, MIN_SECRET_BYTES);
  return { mode: 'jwt', secret, ...rules };
}

async function secretText(path: string): Promise<string> {
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw unreadableSecret(path, fileProblem(path, path, error), error);
  }
  if (text === '') throw emptySecret(path);
  return text;
}
