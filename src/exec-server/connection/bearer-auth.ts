import { createHash, timingSafeEqual } from 'node:crypto';
import { type JWTPayload, errors as joseErrors, jwtVerify } from 'jose';
import { authTexts } from './messages.js';

/** How a WebSocket server knows its clients. */
export type WebSocketAuth =
  | { readonly mode: 'none' }
  /** A bearer token, known by its SHA-256 digest: 32 bytes. */
  | { readonly mode: 'token'; readonly digest: Uint8Array }
  /** A JWT signed with HS256. */
  | {
      readonly mode: 'jwt';
      readonly secret: Uint8Array;
      readonly issuer?: string | undefined;
      readonly audience?: string | undefined;
      /** Default: 30. */
      readonly maxClockSkewSeconds?: number | undefined;
    };

const DEFAULT_SKEW_SECONDS = 30;

export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Why a client may not come in, from its `Authorization` header; undefined when it may. Tokens are never in it. */
export async function refusalOf(auth: WebSocketAuth, header: string | undefined): Promise<string | undefined> {
  if (auth.mode === 'none') return undefined;
  if (header === undefined) return authTexts.noToken;
  const token = /^\s*bearer\s+(\S+)\s*$/i.exec(header)?.[1];
  if (token === undefined) return authTexts.badHeader;
  if (auth.mode === 'jwt') return refusalOfJwt(auth, token);
  // Digests have one length and say nothing of the token, so the time that this takes does not either.
  return timingSafeEqual(tokenDigest(token), auth.digest) ? undefined : authTexts.wrongToken;
}

type JwtAuth = Extract<WebSocketAuth, { mode: 'jwt' }>;

async function refusalOfJwt(auth: JwtAuth, token: string): Promise<string | undefined> {
  const clockTolerance = auth.maxClockSkewSeconds ?? DEFAULT_SKEW_SECONDS;
  try {
    const options = { algorithms: ['HS256'], requiredClaims: ['exp'], clockTolerance };
    const { payload } = await jwtVerify(token, auth.secret, options);
    return claimFault(auth, payload);
  } catch (error) {
    if (error instanceof joseErrors.JWTExpired) return authTexts.expiredJwt;
    if (
      error instanceof joseErrors.JWTClaimValidationFailed &&
      error.claim === 'nbf' &&
      error.reason === 'check_failed'
    ) {
      return authTexts.earlyJwt;
    }
    return authTexts.badJwt;
  }
}

function claimFault({ issuer, audience }: JwtAuth, { iss, aud }: JWTPayload): string | undefined {
  if (issuer !== undefined && iss !== issuer) return authTexts.issuer;
  const audiences = Array.isArray(aud) ? aud : [aud];
  if (audience !== undefined && !audiences.includes(audience)) return authTexts.audience;
  return undefined;
}
