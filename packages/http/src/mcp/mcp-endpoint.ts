import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { bearerKey } from '../api/headers.ts'
import { defaultSets, parseToolSets, type ToolSet } from '../api/tool-sets.ts'
import { createClient } from '../client/client.ts'
import { clientAddressHeader, selfUrl } from './in-process-fetch.ts'
import { mcpServer } from './mcp-server.ts'

/**
 * Creates the handler of MCP over HTTP, which calls the routes of the server in process. It is
 * stateless, sends no notifications, and has the rights of the API key of each request.
 */
export function mcpEndpoint(
  createFetch: (address: string) => typeof globalThis.fetch,
  reportError: (error: unknown) => void,
): McpHttpHandler {
  return createMcpHandler(
    ({ requestInfo }) => {
      const authorization = requestInfo?.headers.get('authorization') ?? undefined
      const apiKey = bearerKey({ authorization })
      const fetch = createFetch(requestInfo?.headers.get(clientAddressHeader) ?? '')
      // The MCP client can retry; retries here would load the server and delay its shutdown.
      const client = createClient({ url: selfUrl, fetch, apiKey, retries: 0 })
      return mcpServer({ client, reportError }, { reaches: ['anyone'], sets: setsOf(requestInfo) })
    },
    { maxSubscriptions: 0 },
  )
}

/** Returns the sets that a request names in its query, which the route has checked. */
function setsOf(request: Request | undefined): readonly ToolSet[] {
  const named = new URL(request?.url ?? selfUrl).searchParams.get('tools')
  return parseToolSets(named ?? '') ?? defaultSets
}
