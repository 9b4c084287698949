import type { RpcRequest } from '../evm.ts'
import { isRecord } from './json-rpc.ts'
import { executes } from './methods.ts'
import { RpcError, rpcCode } from './rpc-error.ts'

type Params = readonly unknown[]

/**
 * Returns the parameters of a request in the one form that the EVM reads, from each form that known
 * clients send.
 *
 * @throws `RpcError` for parameters that are no list, for two different inputs of a call, and for
 * overrides of the block
 */
export function readableParams({ method, params = [] }: RpcRequest): Params {
  if (!Array.isArray(params)) throw refused('Params must be a list.')
  const given = withoutEnd(params, method === 'eth_call' ? isEmpty : isAbsent)
  if (executes(method)) return readableCall(method, given)
  if (method === 'eth_getProof') return withWholeKeys(given)
  return method === 'eth_feeHistory' && given.length === 2 ? [...given, []] : given
}

const refused = (message: string) => new RpcError(rpcCode.invalidParams, message)

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** Without the overrides of a block, which are the fourth parameter of a call, nothing is lost. */
const isEmpty = (value: unknown, at: number): boolean =>
  isAbsent(value) || (at === 3 && isRecord(value) && Object.keys(value).length === 0)

function withoutEnd(params: Params, isLeftOut: (value: unknown, at: number) => boolean): Params {
  const last = params.findLastIndex((value, at) => !isLeftOut(value, at))
  return params.slice(0, last + 1)
}

function readableCall(method: string, params: Params): Params {
  const [call, ...rest] = params
  if (rest.length > 2 && method === 'eth_call') {
    throw refused('This chain does not override the block of a call; leave out the 4th parameter.')
  }
  return isRecord(call) ? [withOneInput(call), ...rest] : params
}

/** Several clients send the input of a call under its old name and its new one. */
function withOneInput(call: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { data, ...others } = call
  if (isAbsent(data) || isAbsent(call.input)) return call
  if (String(data).toLowerCase() === String(call.input).toLowerCase()) return others
  throw refused('The call has two inputs: "data" and "input" differ. Send one of them.')
}

/** Clients write the number of a slot in as few digits as it has; the EVM reads 32 bytes. */
function withWholeKeys([account, keys, ...rest]: Params): Params {
  if (!Array.isArray(keys)) return keys === undefined ? [account] : [account, keys, ...rest]
  return [account, keys.map(wholeKey), ...rest]
}

const wholeKey = (key: unknown): unknown =>
  typeof key === 'string' && /^0x[0-9a-f]{0,63}$/i.test(key)
    ? `0x${key.slice(2).padStart(64, '0')}`
    : key

/** Returns the answer in the form that known clients read: the pending block has what every block has. */
export async function readableAnswer(
  { method, params }: { readonly method: string; readonly params: Params },
  answer: unknown,
  request: (request: RpcRequest) => Promise<unknown>,
): Promise<unknown> {
  if (method !== 'eth_getBlockByNumber' || params[0] !== 'pending' || !isRecord(answer))
    return answer
  const parent = await request({
    method: 'eth_getBlockByHash',
    params: [answer.parentHash, false],
  })
  const number = BigInt((parent as { readonly number: string }).number) + 1n
  return { ...answer, number: `0x${number.toString(16)}`, ...unmined }
}

/** The members that mining decides, as other nodes give them before. */
const unmined = { nonce: `0x${'0'.repeat(16)}`, mixHash: `0x${'0'.repeat(64)}` }

/** Returns an error of the parser of the EVM in words for who sent the request. */
export function explainUnread(error: unknown, { method, params = [] }: RpcRequest): unknown {
  if (!(error instanceof RpcError) || error.code !== rpcCode.invalidParams) return error
  const found = /^(.*) at line \d+ column \d+$/s.exec(error.message)?.[1]
  if (found === undefined) return error
  const count = Array.isArray(params) ? params.length : 0
  if (/expected unit$/.test(found)) return refused(`${method} takes no parameters; send none.`)
  if (/^trailing characters/.test(found))
    return refused(`${method} takes fewer than ${count} parameters; leave out the last.`)
  if (/^invalid length \d+, expected tuple variant/.test(found))
    return refused(`${method} takes more than ${count} parameters; send all of them.`)
  const sent = JSON.stringify(params)
  const shown = sent.length > longestShown ? `${sent.slice(0, longestShown)}…` : sent
  return refused(`${method} cannot read its parameters ${shown}; correct their types and lengths.`)
}

/** The most characters of parameters that a message repeats. */
const longestShown = 200
