import type { FailureCode } from '@heirloom/core'
import { statusOf } from '../../api/status-of.ts'
import { interruptedCode } from './terminal.ts'

/** Maps each exit code to its meaning; a test compares `docs/cli.md` with it. */
export const exitMeanings: ReadonlyMap<number, string> = new Map([
  [0, 'Success'],
  [1, 'Unexpected error, a merge with conflicts, or a transaction whose outcome is not known yet'],
  [2, 'Invalid command line, environment variable, file or address of the server'],
  [3, 'No such token, name, version or part of a memory, or its memory was erased'],
  [4, 'Not allowed: wrong API key, wallet or signature'],
  [5, 'Refused in this state: not offered, above the limit, not the owner'],
  [6, 'The wallet cannot pay, or would exceed a spending limit'],
  [7, 'Temporarily unavailable; try again'],
  [8, 'The data is not what the chain records'],
  [9, 'Held back: the memory or file holds text that could mislead its reader'],
  [interruptedCode, 'Interrupted by Ctrl-C, or declined at a prompt'],
])

const ofCode: Readonly<Record<string, number>> = {
  'blob/corrupt': 8,
  'bundle/altered': 8,
  'bundle/unreadable': 8,
  'client/aborted': interruptedCode,
  'client/declined': interruptedCode,
  'client/foreign-contracts': 8,
  'client/no-account': 4,
  'client/no-common-version': 2,
  'client/no-node': 2,
  'client/no-version': 3,
  'client/not-as-requested': 8,
  'client/not-verified': 8,
  'client/unreachable': 7,
  'client/wrong-chain': 2,
  'command/declined': interruptedCode,
  'command/usage': 2,
  'config/invalid': 2,
  'import/unreachable': 7,
  // The address is that of another program, or has a path too many.
  'route/not-found': 2,
  // Sent but not seen in a block: trying again may pay twice.
  'transaction/unconfirmed': 1,
  'transaction/unknown': 1,
}

const ofStatus: Readonly<Record<number, number>> = {
  400: 2,
  413: 2,
  415: 2,
  404: 3,
  410: 3,
  401: 4,
  403: 4,
  409: 5,
  422: 5,
  402: 6,
  429: 7,
  502: 7,
  503: 7,
  504: 7,
}

type Thrown = {
  readonly code?: unknown
  readonly status?: number | undefined
  readonly retryable?: boolean
}

/** Returns the exit code for a thrown value. */
export function exitCodeOf(error: unknown): number {
  const { code, status, retryable } = Object(error) as Thrown
  const name = String(code)
  if (/^wallet\/|^api-key\/.*-limit$/.test(name)) return 6
  if (name === 'client/bad-answer' && status === 404) return 2
  const reply = statusOf[name as FailureCode] ?? { status, retryable }
  const fallback = reply.retryable ? 7 : 1
  return ofCode[name] ?? ofStatus[reply.status ?? 0] ?? fallback
}
