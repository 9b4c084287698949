import { Problem } from './problem.ts'
import { anyRemedy, remedies } from './remedies.ts'

/** A response that is not successful. */
export type FailedResponse = {
  readonly status: number
  readonly body: string
  /** The header, unparsed. */
  readonly retryAfter?: string | null | undefined
}

/** Converts a failed response to a problem. */
export function toResponseProblem({ status, body, retryAfter }: FailedResponse): Problem {
  const { detail, retryable, error, code = codeOf(status) } = parse(body)
  return new Problem(
    detail ?? error?.message ?? sentenceOf(status),
    remedies[code ?? ''] ?? (isBusy(status) ? later : anyRemedy),
    {
      code,
      isRetryable: retryable ?? (status >= 500 || isBusy(status)),
      wait: secondsIn(retryAfter),
    },
  )
}

type ErrorBody = {
  readonly detail?: string
  readonly code?: string
  readonly retryable?: boolean
  /** The error of the chain (JSON-RPC). */
  readonly error?: { readonly message?: string }
}

function parse(body: string): ErrorBody {
  try {
    return JSON.parse(body) as ErrorBody
  } catch {
    return {}
  }
}

const later = 'Wait a moment and try again.'

const isBusy = (status: number): boolean => status === 429 || status === 503

/** Returns a code for the chain and for proxies, which send none. */
const codeOf = (status: number): string | undefined =>
  status === 429 ? 'request/too-many' : undefined

function sentenceOf(status: number): string {
  if (status === 429) return 'Too many requests from this address.'
  if (status === 503) return 'The server is busy or starting.'
  return `The server returned status ${status}.`
}

/** Parses the seconds of a header; a date is not supported. */
function secondsIn(header: string | null | undefined): number | undefined {
  return /^\d{1,6}$/.test(header ?? '') ? Number(header) : undefined
}
