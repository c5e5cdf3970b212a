import { invalidArgument } from '../errors/invalid-argument.js';
import { VernalError } from '../errors/vernal-error.js';
import type { JsonValue } from '../json/json-value.js';
import type { Message } from '../messages/message.js';
import { decodeMessage, encodeMessage } from '../messages/message-codec.js';
import type { PendingApproval } from './approval.js';
import { isSignedWith, signApproval } from './approval-signature.js';
import type { ManagerSettings } from './manager-settings.js';
import type { ToolExecutionResult } from './tool-calling-manager.js';

/** A round with deferred calls as signed data. */
export async function createPendingApproval(
  settings: ManagerSettings,
  result: ToolExecutionResult,
  context: Readonly<Record<string, JsonValue>> = {},
): Promise<PendingApproval> {
  if (result.pendingCalls === undefined)
    throw new VernalError('No call of this round waits for a decision', { code: 'invalid_state', subject: 'result' });
  const now = Date.now();
  const expires = new Date(now + settings.approvalTtlMs);
  const unsigned: Omit<PendingApproval, 'signature'> = {
    version: 1,
    id: crypto.randomUUID(),
    calls: result.pendingCalls,
    messages: result.conversationHistory.map(encodeMessage),
    context,
    createdAt: new Date(now).toISOString(),
    ...(Number.isNaN(expires.getTime()) ? undefined : { expiresAt: expires.toISOString() }),
  };
  return { ...unsigned, signature: await signApproval(unsigned, keyOf(settings)) };
}

/** The conversation of a pending approval, once it is known to be ours and unchanged. Throws `approval_invalid`. */
export async function openPendingApproval(
  settings: ManagerSettings,
  pending: PendingApproval,
): Promise<readonly Message[]> {
  if (!isPendingApproval(pending)) throw refused('is not a pending approval of this version');
  const key = keyOf(settings);
  // Canonical JSON refuses what JSON cannot hold, which nobody can have signed.
  const signed = await isSignedWith(pending, key).catch(() => false);
  if (!signed) throw refused('was changed, or signed with another key');
  if (pending.expiresAt !== undefined && Date.parse(pending.expiresAt) <= Date.now()) throw refused('has expired');
  return pending.messages.map(decodeMessage);
}

function keyOf({ approvalKey }: ManagerSettings): Uint8Array {
  if (approvalKey === undefined)
    throw invalidArgument(
      'approvalKey',
      'is needed to sign and check pending approvals: new ToolCallingManager({ approvalKey })',
    );
  return approvalKey;
}

function refused(fault: string): VernalError {
  return new VernalError(`The pending approval ${fault}; ask for the turn again`, {
    code: 'approval_invalid',
    subject: 'pending',
  });
}

/** It comes from outside, whatever its type says. */
function isPendingApproval(pending: PendingApproval): boolean {
  return (
    typeof pending === 'object' &&
    pending !== null &&
    pending.version === 1 &&
    typeof pending.signature === 'string' &&
    Array.isArray(pending.calls) &&
    Array.isArray(pending.messages)
  );
}
