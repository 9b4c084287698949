import { isFailure } from '@heirloom/core'
import type { RpcRequest } from './evm.ts'
import { RpcError, rpcCode } from './rpc-error.ts'

const batchLimit = 100

type Id = string | number | null
type Call = RpcRequest & { readonly id?: Id }
type Fault = { readonly code: number; readonly message: string; readonly data?: string }
type Reply = { readonly jsonrpc: '2.0'; readonly id: Id } & (
  | { readonly result: unknown }
  | { readonly error: Fault }
)

/** Speaks JSON-RPC 2.0 for `request`: takes a parsed body and returns the answer to print, if any. */
export function jsonRpc(request: (request: RpcRequest) => Promise<unknown>) {
  return async (body: unknown): Promise<unknown> => {
    if (!Array.isArray(body)) return reply(request, body)
    if (body.length === 0) return invalid('A batch must hold at least one call.')
    if (body.length > batchLimit) return invalid(`A batch holds at most ${batchLimit} calls.`)
    const replies = await Promise.all(body.map((call) => reply(request, call)))
    const wanted = replies.filter((it) => it !== undefined)
    return wanted.length > 0 ? wanted : undefined
  }
}

async function reply(
  request: (request: RpcRequest) => Promise<unknown>,
  call: unknown,
): Promise<Reply | undefined> {
  if (!isCall(call)) return invalid('The call is not a JSON-RPC 2.0 request.', idOf(call))
  const { id, method, params = [] } = call
  const outcome = await request({ method, params }).then(
    (result) => ({ result }),
    (error: unknown) => ({ error: faultOf(error) }),
  )
  return id === undefined ? undefined : { jsonrpc: '2.0', id, ...outcome }
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
