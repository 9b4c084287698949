import { isFailure } from '@heirloom/core'
import type { RpcRequest } from '../evm.ts'
import { limitExceeded, RpcError, rpcCode } from './rpc-error.ts'

const batchLimit = 100
/** The time after which the rest of a batch is rejected, in milliseconds. */
const batchTimeout = 10_000
/** The characters of JSON after which the rest of a batch is refused. */
export const longestBatch = 2_000_000

/** A number as `JSON.rawJSON` holds it. */
type RawNumber = { readonly rawJSON: string }
type Id = string | number | RawNumber | null
type Call = RpcRequest & { readonly id?: Id }
type ErrorObject = { readonly code: number; readonly message: string; readonly data?: string }
type Reply = { readonly jsonrpc: '2.0'; readonly id: Id } & (
  | { readonly result: unknown }
  | { readonly error: ErrorObject }
)

/** The response to a JSON-RPC body. */
export type RpcResponse = {
  /** The body to send; absent when the request held only notifications. */
  readonly answer: unknown
  /** Set when every call was rejected for now: the seconds after which the client may try again. */
  readonly retryAfter?: number | undefined
}

type Handler = (request: RpcRequest, client: string) => Promise<unknown>
type CallOutcome = { readonly reply: Reply | undefined; readonly retryAfter?: number | undefined }

/**
 * Returns a handler of parsed JSON-RPC 2.0 bodies, which passes each call to `handle`. The calls of a
 * batch are handled one after another.
 */
export function jsonRpc(handle: Handler) {
  return async (body: unknown, client: string): Promise<RpcResponse> => {
    if (Array.isArray(body)) return handleBatch(handle, body, client)
    const { reply: answer, retryAfter } = await handleCall(handle, body, client)
    return { answer, retryAfter }
  }
}

async function handleBatch(
  handle: Handler,
  batch: readonly unknown[],
  client: string,
): Promise<RpcResponse> {
  if (batch.length === 0) return { answer: invalid('A batch must hold at least one call.') }
  if (batch.length > batchLimit) {
    return { answer: invalid(`A batch holds at most ${batchLimit} calls.`) }
  }
  const outcomes: CallOutcome[] = []
  const began = performance.now()
  let left = longestBatch
  const next = () => {
    if (left < 0) return refuseLong
    return performance.now() - began > batchTimeout ? refuseLate : handle
  }
  for (const call of batch) {
    const outcome = await handleCall(next(), call, client)
    left -= JSON.stringify(outcome.reply ?? '').length
    outcomes.push(outcome)
  }
  const replies = outcomes.flatMap(({ reply }) => reply ?? [])
  return { answer: replies.length > 0 ? replies : undefined, retryAfter: longestWait(outcomes) }
}

const refuseLate: Handler = () => Promise.reject(limitExceeded('The batch took too long', 1))

const refuseLong: Handler = async () => {
  const message = `The batch returned more than ${longestBatch} characters; ask for less in one batch.`
  throw new RpcError(rpcCode.limitExceeded, message)
}

/** Returns how long to wait when every call was rejected for now. */
function longestWait(outcomes: readonly CallOutcome[]): number | undefined {
  const waits = outcomes.flatMap(({ retryAfter }) => retryAfter ?? [])
  return waits.length === outcomes.length ? Math.max(...waits) : undefined
}

async function handleCall(handle: Handler, call: unknown, client: string): Promise<CallOutcome> {
  if (!isCall(call))
    return { reply: invalid('The call is not a JSON-RPC 2.0 request.', idOf(call)) }
  const { id, method, params } = call
  const replyWith = (outcome: { readonly result: unknown } | { readonly error: ErrorObject }) =>
    id === undefined ? undefined : ({ jsonrpc: '2.0', id, ...outcome } as const)
  try {
    return { reply: replyWith({ result: await handle({ method, params: params ?? [] }, client) }) }
  } catch (error) {
    const retryAfter = error instanceof RpcError ? error.retryAfter : undefined
    return { reply: replyWith({ error: errorObject(error) }), retryAfter }
  }
}

function isCall(call: unknown): call is Call {
  if (!isRecord(call) || call.jsonrpc !== '2.0' || typeof call.method !== 'string') return false
  const { id, params } = call
  const paramsFit = params === undefined || typeof params === 'object'
  return paramsFit && (id === undefined || isId(id))
}

/** Reports whether a parsed value is an object, and not a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (id: unknown): id is Id =>
  id === null || typeof id === 'string' || typeof id === 'number' || isRawNumber(id)

/** Reports whether a value is a number with all its digits, which only JSON text holds. */
const isRawNumber = (value: unknown): value is RawNumber =>
  (JSON as unknown as { isRawJSON(value: unknown): boolean }).isRawJSON(value)

function idOf(call: unknown): Id {
  const id = isRecord(call) ? call.id : undefined
  return isId(id) ? id : null
}

function invalid(message: string, id: Id = null): Reply {
  return { jsonrpc: '2.0', id, error: { code: rpcCode.invalidRequest, message } }
}

// Only errors made for clients leave the process: any other one may hold local facts.
function errorObject(error: unknown): ErrorObject {
  if (error instanceof RpcError) {
    const { code, message, data } = error
    return data === undefined ? { code, message } : { code, message, data }
  }
  const message = isFailure(error) ? error.message : 'The chain met an unexpected error.'
  return { code: rpcCode.internal, message }
}
