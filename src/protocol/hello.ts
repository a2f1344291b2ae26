import { type Capability, capabilities } from './capability.js';
import { PROTOCOL_VERSION } from './limits.js';
import type { ClientHello, ClientMessage, HostHello } from './message.js';

/** The hello of a client that can do without everything in `optional`. */
export function clientHello(optional: readonly string[] = capabilities, required: readonly string[] = []): ClientHello {
  return {
    type: 'connection/hello',
    supportedVersions: [PROTOCOL_VERSION],
    requiredCapabilities: [...required],
    optionalCapabilities: [...optional].filter((name) => !required.includes(name)).sort(byBytes),
  };
}

/**
 * The host's answer to a client's first message, with the three rejections in the reference's order: not a hello,
 * no common version, an unknown required capability (the first in byte order).
 */
export function answerHello(first: ClientMessage, granted: readonly Capability[] = capabilities): HostHello {
  if (first.type !== 'connection/hello') {
    const message = 'first message must be connection/hello';
    return { type: 'connection/rejected', reason: { type: 'invalidHello', message } };
  }
  if (!first.supportedVersions.includes(PROTOCOL_VERSION)) {
    return {
      type: 'connection/rejected',
      reason: { type: 'noCompatibleVersion', supportedVersions: [PROTOCOL_VERSION] },
    };
  }
  const grantable: ReadonlySet<string> = new Set(granted);
  const [missing] = first.requiredCapabilities.filter((name) => !grantable.has(name)).sort(byBytes);
  if (missing !== undefined) {
    return { type: 'connection/rejected', reason: { type: 'missingRequiredCapability', capability: missing } };
  }
  const asked = [...first.requiredCapabilities, ...first.optionalCapabilities];
  return {
    type: 'connection/ready',
    selectedVersion: PROTOCOL_VERSION,
    capabilities: asked.filter((name) => grantable.has(name)).sort(byBytes),
  };
}

const encoder = new TextEncoder();

/** Byte order of UTF-8, which UTF-16 order is not beyond U+FFFF. */
function byBytes(a: string, b: string): number {
  const left = encoder.encode(a);
  const right = encoder.encode(b);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
