import { EventEmitter, once } from 'node:events'
import { onTestFinished } from 'vitest'
import { overHttp } from '../../../test/harness/mcp/mcp.ts'
import { openHarness } from './server-harness.ts'

/** Starts a server over fakes, which is closed after the test. */
export async function startMcpServer(options: Parameters<typeof openHarness>[0] = {}) {
  const harness = openHarness(options)
  const events = new EventEmitter()
  const stopping = once(events, 'stopping')
  harness.server.addHook('preClose', async () => void events.emit('stopping'))
  const url = await harness.server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => harness.server.close())
  return { ...harness, url, stopping }
}

/** Connects an MCP client, which is closed after the test. */
export async function connectMcpClient(...args: Parameters<typeof overHttp>) {
  const client = await overHttp(...args)
  onTestFinished(() => client.close())
  return client
}
