import { BaseError, RpcRequestError } from 'viem'
import { getNodeError } from 'viem/utils'
import { causes } from '../../../platform/error-words.ts'

/** The refusal of a transaction, with the class and the code of the node's answer and its words. */
export class NodeRefusal extends Error {
  /** The class of the refusal, by which the log tells one from another. */
  override readonly name: string
  /** The code of the JSON-RPC error. */
  readonly code: number
  readonly shortMessage: string
  /** Whether another price, a payment to the wallet or the progress of the chain may change it. */
  readonly mayPass: boolean

  constructor(refused: RpcRequestError, error: BaseError) {
    const words = withoutSecrets(refused.details)
    super(words, { cause: error })
    const kind = getNodeError(new BaseError('', { details: refused.details }), {}).name
    this.name = kind === 'UnknownNodeError' ? 'NodeRefusal' : kind
    this.code = refused.code
    this.shortMessage = `The node refused the transaction (code ${refused.code}): ${words}`
    this.mayPass = passing.has(kind) || passingWords.test(refused.details)
  }
}

/** The classes of refusals that say nothing of the call itself. */
const passing: ReadonlySet<string> = new Set([
  'FeeCapTooLowError',
  'InsufficientFundsError',
  'NonceTooHighError',
  'NonceTooLowError',
])

/** The words of such refusals that have no class. */
const passingWords = /underpriced|known|pool|limit exceeded|rate|too many|busy|sync/i

/** Returns the refusal of a transaction that a node answered; `undefined` for any other error. */
export function refusalOf(error: unknown): NodeRefusal | undefined {
  const refused = [...causes(error)].find((cause) => cause instanceof RpcRequestError)
  return refused && error instanceof BaseError ? new NodeRefusal(refused, error) : undefined
}

/** The most characters of a node's words. */
const mostWords = 200

/** Returns the words of a node without addresses of nodes, signed bytes and what may be a key. */
export function withoutSecrets(words: string): string {
  return words
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '…')
    .replace(/(?<![0-9a-zA-Z])(?!0x[0-9a-fA-F]{40}\b)[0-9a-zA-Z_-]{24,}/g, '…')
    .slice(0, mostWords)
}
