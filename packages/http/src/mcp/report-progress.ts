import type { ServerContext } from '@modelcontextprotocol/server'
import type { CallContext } from './tools/tool.ts'

/** Returns the function that reports the progress of a request; absent where its client wants none. */
export function reportTo({ _meta, notify }: ServerContext['mcpReq']): CallContext['report'] {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  return (progress) => {
    const params = { progressToken, ...progress }
    // A client that left gets no notification, and the call itself reports the loss.
    notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}
