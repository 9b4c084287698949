import { EventEmitter, once } from 'node:events'
import { afterEach } from 'vitest'
import { overHttp } from '../../../test/harness/mcp/mcp.ts'
import { openWorld } from './server-harness.ts'

const opened: (() => unknown)[] = []
afterEach(async () => {
  while (opened.length > 0) await opened.pop()?.()
})

/** Lets a server over fakes listen until the test is over. */
export async function listening(options: Parameters<typeof openWorld>[0] = {}) {
  const world = openWorld(options)
  const events = new EventEmitter()
  const stopping = once(events, 'stopping')
  world.server.addHook('preClose', async () => void events.emit('stopping'))
  const url = await world.server.listen({ host: '127.0.0.1', port: 0 })
  opened.push(() => world.server.close())
  return { ...world, url, stopping }
}

/** Connects a client of MCP to it. */
export async function connected(...[url, revision, headers]: Parameters<typeof overHttp>) {
  const client = await overHttp(url, revision, headers)
  opened.push(() => client.close())
  return client
}
