import { join } from 'node:path'
import { expect } from 'vitest'
import type { Stranger } from '../docs/stranger.ts'
import { agentOf, downloadAs, post, type Snapshot } from '../process/server.ts'

/** Starts a server in the folder of a stranger: it stores small and large memories, and has the page. */
export async function expectToServe({ folder, serve }: Stranger, command: string): Promise<void> {
  const server = await serve(command)
  for (const length of [100, 3_000_000]) {
    const body = `{"data":{"text":"${'m'.repeat(length)}"},"metadata":{"category":"research"}}`
    const snapshot = await post(server.url, '/api/memory/snapshot', body)
    const { tokenId } = (await snapshot.json()) as Snapshot
    const wallet = agentOf(join(folder, '.heirloom'))
    expect(await (await downloadAs(wallet, server.url, tokenId)).text()).toBe(body)
  }
  expect((await fetch(server.url)).headers.get('content-type')).toContain('text/html')
  await server.end()
}
