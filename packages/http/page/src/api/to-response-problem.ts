import { Problem } from './problem.ts'
import { anyRemedy, remedies } from './remedies.ts'

/** What came back instead of an answer. */
export type Refusal = {
  readonly status: number
  readonly body: string
  /** The header, as it came. */
  readonly retryAfter?: string | null | undefined
}

/** Returns the problem that a refusal tells of. */
export function refusal({ status, body, retryAfter }: Refusal): Problem {
  const { detail, retryable, error, code = codeOf(status) } = parse(body)
  return new Problem(
    detail ?? error?.message ?? sentenceOf(status),
    remedies[code ?? ''] ?? (isBusy(status) ? later : anyRemedy),
    {
      code,
      isPassing: retryable ?? (status >= 500 || isBusy(status)),
      wait: secondsIn(retryAfter),
    },
  )
}

type Told = {
  readonly detail?: string
  readonly code?: string
  readonly retryable?: boolean
  /** The chain refuses in words of its own (JSON-RPC). */
  readonly error?: { readonly message?: string }
}

function parse(body: string): Told {
  try {
    return JSON.parse(body) as Told
  } catch {
    return {}
  }
}

const later = 'Wait a moment and try again.'

const isBusy = (status: number): boolean => status === 429 || status === 503

/** Only the chain and what stands before the server refuse without a code. */
const codeOf = (status: number): string | undefined =>
  status === 429 ? 'request/too-many' : undefined

function sentenceOf(status: number): string {
  if (status === 429) return 'The server was asked too often from here.'
  if (status === 503) return 'The server is busy or just starting.'
  return `The server refused (status ${status}).`
}

/** Returns the seconds of a header; a date in it is not understood. */
function secondsIn(header: string | null | undefined): number | undefined {
  return /^\d{1,6}$/.test(header ?? '') ? Number(header) : undefined
}
