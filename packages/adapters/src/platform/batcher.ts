/** A JSON-RPC call. */
export type RpcCall = { readonly method: string; readonly params?: unknown }

/** The response of a node to a call: a result or an error. */
export type RpcResponse = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** The two ways to send calls to a node. */
export type RpcExchange = {
  /** Sends one call in a request of its own. */
  readonly single: (call: RpcCall) => Promise<RpcResponse>
  /**
   * Sends many calls in one request (JSON-RPC 2.0, section 6) and returns the responses in the order
   * of the calls; `undefined` from a node that does not support batches.
   */
  readonly batch: (
    calls: readonly RpcCall[],
  ) => Promise<readonly (RpcResponse | undefined)[] | undefined>
}

/** The number of calls that share a request: some nodes accept no more than a hundred. */
const batchLimit = 100

type PendingCall = { readonly call: RpcCall } & PromiseWithResolvers<RpcResponse>

/**
 * Returns a function that sends all calls of one turn of the event loop in one request, since a
 * request costs both sides far more than a call. A call without a response in the batch is sent by
 * itself, and so is every call to a node that once answered without a list.
 */
export function batcher({ single, batch }: RpcExchange): (call: RpcCall) => Promise<RpcResponse> {
  let pending: PendingCall[] = []
  let supportsBatches = true
  const sendBatch = async (calls: readonly PendingCall[]) => {
    const responses = await batch(calls.map(({ call }) => call))
    supportsBatches &&= responses !== undefined
    calls.forEach(({ call, resolve, reject }, index) => {
      const response = responses?.[index]
      if (response === undefined) single(call).then(resolve, reject)
      else resolve(response)
    })
  }
  const sendAll = () => {
    const all = pending
    pending = []
    for (let start = 0; start < all.length; start += batchLimit) {
      const some = all.slice(start, start + batchLimit)
      sendBatch(some).catch((error: unknown) => {
        for (const { reject } of some) reject(error)
      })
    }
  }
  return (call) => {
    if (!supportsBatches) return single(call)
    const added = { call, ...Promise.withResolvers<RpcResponse>() }
    if (pending.push(added) === 1) setImmediate(sendAll)
    return added.promise
  }
}
