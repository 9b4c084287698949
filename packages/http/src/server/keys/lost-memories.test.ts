import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import {
  blocksIn,
  installation,
  startServer,
  useInstallations,
} from '../../../test/installation.ts'

useInstallations()

/** Returns what a server says of its memories: the part of `/readyz`, and the two gauges. */
async function memoriesOf(url: string) {
  const ready = (await (await fetch(`${url}/readyz`)).json()) as {
    readonly components: { readonly memories: string }
  }
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const gauge = (state: string) =>
    Number(new RegExp(`heirloom_memories_lost{state="${state}"} (\\d+)`).exec(metrics)?.[1])
  return [ready.components.memories, gauge('missing'), gauge('damaged')]
}

test('a server is ready again once lost blobs are restored, without a restart', async () => {
  const folder = installation()
  const blocks = blocksIn(folder)
  const server = await (async () => {
    for (const block of blocks) renameSync(block, `${block}.away`)
    return startServer(folder)
  })()
  onTestFinished(server.close)
  await server.ready
  const { url } = server
  expect(await memoriesOf(url)).toEqual(['memories/lost', 2, 0])
  // The first comes back damaged, as from a bad disk.
  for (const block of blocks) copyFileSync(`${block}.away`, block)
  for (const block of blocks) {
    const bytes = readFileSync(block)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(block, bytes)
  }
  await expect.poll(() => memoriesOf(url)).toEqual(['memories/lost', 0, 2])
  for (const block of blocks) rmSync(block)
  await expect.poll(() => memoriesOf(url)).toEqual(['memories/lost', 2, 0])
  for (const block of blocks) renameSync(`${block}.away`, block)
  await expect.poll(() => memoriesOf(url)).toEqual(['ok', 0, 0])
})
