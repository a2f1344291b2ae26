import { isRecord } from '../../protocol/guard.js';
import { clip, RpcError, rpcCodes } from '../wire/index.js';
import { missingFieldText, notSandboxText, sandboxText } from './messages.js';

/** There is no sandbox here. Whoever asks for one must not be led to believe that there is. */
export function refuseSandbox(sandbox: unknown): void {
  if (sandbox === undefined || sandbox === null) return;
  const permissions = isRecord(sandbox) ? member(sandbox, 'permissions') : refuse(wrongKind(sandbox));
  const type = isRecord(permissions) ? member(permissions, 'type') : refuse(wrongKind(permissions));
  if (type !== 'disabled') refuse(sandboxText);
}

function member(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : refuse(missingFieldText(name));
}

const wrongKind = (value: unknown): string =>
  notSandboxText(typeof value === 'string' ? `string ${JSON.stringify(clip(value, 80))}` : typeof value);

function refuse(message: string): never {
  throw new RpcError(rpcCodes.invalidParams, message);
}
