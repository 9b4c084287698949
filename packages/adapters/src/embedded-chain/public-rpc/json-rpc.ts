import { isFailure } from '@heirloom/core'
import type { RpcRequest } from '../evm.ts'
import { limitExceeded, RpcError, rpcCode } from './rpc-error.ts'

const batchLimit = 100
/** After so many milliseconds what is left of a batch is refused. */
const longestBatch = 10_000

type Id = string | number | null
type Call = RpcRequest & { readonly id?: Id }
type Fault = { readonly code: number; readonly message: string; readonly data?: string }
type Reply = { readonly jsonrpc: '2.0'; readonly id: Id } & (
  | { readonly result: unknown }
  | { readonly error: Fault }
)

/** What a body of JSON-RPC is answered with. */
export type RpcAnswer = {
  /** The body to print; absent when none was asked for. */
  readonly answer: unknown
  /** Set where nothing was done: after how many seconds the client may try again. */
  readonly retryAfter?: number | undefined
}

type Ask = (request: RpcRequest, client: string) => Promise<unknown>
type Part = { readonly reply: Reply | undefined; readonly retryAfter?: number | undefined }

/** Speaks JSON-RPC 2.0 for `ask`: takes a parsed body of a client. A batch is answered in turn. */
export function jsonRpc(ask: Ask) {
  return async (body: unknown, client: string): Promise<RpcAnswer> => {
    if (Array.isArray(body)) return answerOf(ask, body, client)
    const { reply: answer, retryAfter } = await partOf(ask, body, client)
    return { answer, retryAfter }
  }
}

async function answerOf(ask: Ask, batch: readonly unknown[], client: string): Promise<RpcAnswer> {
  if (batch.length === 0) return { answer: invalid('A batch must hold at least one call.') }
  if (batch.length > batchLimit) {
    return { answer: invalid(`A batch holds at most ${batchLimit} calls.`) }
  }
  const parts: Part[] = []
  const began = performance.now()
  const late: Ask = () => Promise.reject(limitExceeded('The batch took too long', 1))
  for (const call of batch) {
    const isLate = performance.now() - began > longestBatch
    parts.push(await partOf(isLate ? late : ask, call, client))
  }
  const replies = parts.flatMap(({ reply }) => reply ?? [])
  return { answer: replies.length > 0 ? replies : undefined, retryAfter: longest(parts) }
}

/** Returns how long to wait where no part was answered. */
function longest(parts: readonly Part[]): number | undefined {
  const waits = parts.flatMap(({ retryAfter }) => retryAfter ?? [])
  return waits.length === parts.length ? Math.max(...waits) : undefined
}

async function partOf(ask: Ask, call: unknown, client: string): Promise<Part> {
  if (!isCall(call))
    return { reply: invalid('The call is not a JSON-RPC 2.0 request.', idOf(call)) }
  const { id, method, params = [] } = call
  const printed = (outcome: { readonly result: unknown } | { readonly error: Fault }) =>
    id === undefined ? undefined : ({ jsonrpc: '2.0', id, ...outcome } as const)
  try {
    return { reply: printed({ result: await ask({ method, params }, client) }) }
  } catch (error) {
    const retryAfter = error instanceof RpcError ? error.retryAfter : undefined
    return { reply: printed({ error: faultOf(error) }), retryAfter }
  }
}

function isCall(call: unknown): call is Call {
  if (!isRecord(call) || call.jsonrpc !== '2.0' || typeof call.method !== 'string') return false
  const { id, params } = call
  const paramsFit = params === undefined || (typeof params === 'object' && params !== null)
  return paramsFit && (id === undefined || isId(id))
}

/** Whether a value that was parsed is an object, and no list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (id: unknown): id is Id =>
  id === null || typeof id === 'string' || typeof id === 'number'

function idOf(call: unknown): Id {
  const id = isRecord(call) ? call.id : undefined
  return isId(id) ? id : null
}

function invalid(message: string, id: Id = null): Reply {
  return { jsonrpc: '2.0', id, error: { code: rpcCode.invalidRequest, message } }
}

// Only what was said on purpose leaves the process: any other error may hold local facts.
function faultOf(error: unknown): Fault {
  if (error instanceof RpcError) {
    const { code, message, data } = error
    return data === undefined ? { code, message } : { code, message, data }
  }
  const message = isFailure(error) ? error.message : 'The chain met an unexpected error.'
  return { code: rpcCode.internal, message }
}
