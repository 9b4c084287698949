import { parseOr } from '../text/parse-or.ts'
import { Problem } from './problem.ts'

/** A response that is not successful. */
type FailedResponse = {
  readonly status: number
  readonly body: string
  /** The header, unparsed. */
  readonly retryAfter?: string | null | undefined
}

/** Converts a failed response to a problem. */
export function toResponseProblem({ status, body, retryAfter }: FailedResponse): Problem {
  const { detail, retryable, error, code = codeOf(status) } = parseOr<ErrorBody>(body, {})
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
const secondsIn = (header: string | null | undefined): number | undefined =>
  /^\d{1,6}$/.test(header ?? '') ? Number(header) : undefined

const ownWallet = 'Nothing was paid. Try again to send it with your own wallet.'

/** The remedies of failure codes; `later` is that of any other failure of a busy server. */
const remedies: Readonly<Record<string, string>> = {
  'access/copied':
    'This token shows a copy of another memory and opens nothing. Search for the original by its content hash.',
  'access/denied': 'Connect the wallet that owns or rents it, or that its owner lets read it.',
  'api-key/call-limit': 'Ask the operator to raise the budget of your access key.',
  'api-key/day-limit': 'Try again tomorrow, or ask the operator to raise the limit.',
  'api-key/out-of-scope': 'Ask the operator for an access key that allows this.',
  'blob/corrupt': 'Tell the operator: a copy of the block from another place repairs it.',
  'blob/not-found': 'Tell the operator: the sealed block is missing from the storage.',
  'blob/unavailable': later,
  'bundle/altered': 'Do not trust this memory, and tell the operator.',
  'bundle/malformed': 'Check the file: data and metadata must be JSON objects.',
  'bundle/unreadable': 'Tell the operator: a key is missing.',
  'card/malformed': 'Change the public description as the message says, and send it again.',
  'excerpt/not-in-memory': 'Choose values that are in the memory, and send it again.',
  'catalogue/too-costly': 'Search for longer words, or wait a moment and try again.',
  'grant/not-found': 'Check the address of the owner.',
  'json/malformed': 'Check the file: it is not JSON in UTF-8.',
  'json/too-deep': 'Use fewer levels of nesting in the file.',
  'key-service/unavailable':
    'The server’s wallet cannot sign now, and nothing was paid. Wait a moment and try again.',
  'key-service/wrong-key': 'Tell the operator: the server’s wallet has the wrong key.',
  'ledger/unavailable': 'The chain does not answer; wait a moment and try again.',
  'memory/erased': 'Nothing brings it back. Look for another memory.',
  'memory/listed': 'Take the listing down above, then erase it.',
  'memory/rented': 'Wait until the rental has ended.',
  'memory/shared': 'Buy the other tokens first, or leave the memory.',
  'proof/not-signed': 'Sign with the wallet that is connected, and try again.',
  'proof/stale': 'Check the clock of this device, then sign again.',
  'rating/malformed': 'Change the comment as the message says, and sign it again.',
  'rating/not-paid':
    'Buy, rent or fork it first, wait until that is confirmed, or connect the wallet that paid.',
  'relay/bad-deadline': 'Check the clock of this device, then try again.',
  'relay/day-limit':
    'Nothing was paid. Try again to send it with your own wallet, or wait until tomorrow.',
  ...Object.fromEntries(
    ['failed', 'not-allowed', 'too-costly', 'too-much-gas', 'underpriced'].map((it) => [
      `relay/${it}`,
      ownWallet,
    ]),
  ),
  'relay/not-signed': 'Nothing was paid. Try again, and sign with the wallet that is connected.',
  'request/not-authorized':
    'Creating on this server needs an access key. Ask the operator for one, and enter it here.',
  'request/too-large': 'Choose a smaller file, or ask the operator for a higher limit.',
  'request/too-many':
    'The server limits the requests of each visitor. Wait a moment and try again.',
  'seal/no-room': 'Try again later, or let the server’s wallet make the memory.',
  'seal/not-offered': 'Let the server’s wallet make the memory, or ask the operator.',
  'seal/too-many': 'Mint the sealed memories that wait under Create first, or try again later.',
  'seal/wrong-body': 'The upload was changed on its way. Try again.',
  'service/stopping': 'The server is restarting; wait a moment and try again.',
  'store/unavailable': 'Wait a moment and try again, or tell the operator.',
  'token/not-found': 'You can also search for the memory.',
  'transaction/unconfirmed': 'Check your memories before you try again: it may still be created.',
  'wallet/call-limit': 'Ask the operator to raise the limit of the server’s wallet.',
  'wallet/day-limit': 'Try again tomorrow, or ask the operator to raise the limit.',
  'wallet/short': 'Ask the operator to fund the server’s wallet.',
}

const anyRemedy = 'Try again; if the problem persists, tell the operator.'
