import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { bearerKey } from '../api/bearer-key.ts'
import { createClient } from '../client/client.ts'
import { clientAddressHeader, selfUrl } from './in-process-fetch.ts'
import { mcpServer } from './mcp-server.ts'

/**
 * Returns what answers MCP over HTTP by asking the server itself. Nothing is kept between requests,
 * nobody is told of changes, and who asks may do what their API key lets them do.
 */
export function mcpEndpoint(
  fetchFor: (address: string) => typeof globalThis.fetch,
  complain: (error: unknown) => void,
): McpHttpHandler {
  return createMcpHandler(
    ({ requestInfo }) => {
      const authorization = requestInfo?.headers.get('authorization') ?? undefined
      const apiKey = bearerKey({ authorization })
      const fetch = fetchFor(requestInfo?.headers.get(clientAddressHeader) ?? '')
      // Whoever asked may ask again; the server must not keep itself busy, least of all at its end.
      const client = createClient({ url: selfUrl, fetch, apiKey, retries: 0 })
      return mcpServer({ client, complain }, 'anyone')
    },
    { maxSubscriptions: 0 },
  )
}
