import type { FailureCode } from '@heirloom/core'
import { statusOf } from '../../api/status-of.ts'
import { interruptedCode } from './terminal.ts'

/** Every way a command can end; `docs/cli.md` is compared with it by a test. */
export const exitMeanings: ReadonlyMap<number, string> = new Map([
  [0, 'It is done'],
  [1, 'Something unexpected, or nobody knows yet what became of a transaction'],
  [2, 'The command line, a variable or a file is not as it must be'],
  [3, 'There is no such token'],
  [4, 'Not allowed: the API key, the wallet or its signature'],
  [5, 'The state says no: not offered, too dear, not the owner'],
  [6, 'The wallet of the server cannot pay, or would pass a limit'],
  [7, 'Not available now; worth trying again'],
  [8, 'What was found is not what the chain records'],
  [interruptedCode, 'Interrupted, or a question was answered with no'],
])

const ofCode: Readonly<Record<string, number>> = {
  'blob/corrupt': 8,
  'bundle/altered': 8,
  'bundle/unreadable': 8,
  'client/aborted': interruptedCode,
  'client/no-account': 4,
  'client/not-verified': 8,
  'client/unreachable': 7,
  'command/declined': interruptedCode,
  'command/usage': 2,
  'config/invalid': 2,
  // Sent, but not seen mined: who tries again may pay twice.
  'transaction/unconfirmed': 1,
  'transaction/unknown': 1,
}

const ofStatus: Readonly<Record<number, number>> = {
  ...{ 400: 2, 413: 2, 415: 2, 404: 3, 401: 4, 403: 4, 409: 5, 422: 5, 402: 6 },
  ...{ 429: 7, 502: 7, 503: 7, 504: 7 },
}

type Thrown = {
  readonly code?: unknown
  readonly status?: number | undefined
  readonly retryable?: boolean
}

/** Returns the exit code of what was thrown. */
export function exitCodeOf(error: unknown): number {
  const { code, status, retryable } = Object(error) as Thrown
  const name = String(code)
  if (/^wallet\/|^key\/.*-limit$/.test(name)) return 6
  const answer = statusOf[name as FailureCode] ?? { status, retryable }
  const isPassing = answer.retryable ? 7 : 1
  return ofCode[name] ?? ofStatus[answer.status ?? 0] ?? isPassing
}
