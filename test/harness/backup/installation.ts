import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { HostedServer, Snapshot } from '../process/server.ts'

/** Makes an empty folder that is removed when the test ends. */
export function emptyFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Makes a folder with the keys of an installation, which a person keeps apart from its backup. */
export function folderWithKeys(parent: string, original: string, name = 'copy'): string {
  const folder = join(parent, name)
  mkdirSync(folder, { mode: 0o700 })
  for (const key of ['master.keys', 'agent.key']) cpSync(join(original, key), join(folder, key))
  return folder
}

/** A write that a server acknowledged. */
export type Write = { readonly key: string; readonly body: string; readonly tokenId: string }

/** Returns the body of a small memory. */
export const memoryBody = (thought: string): string =>
  JSON.stringify({ data: { thought }, metadata: { category: 'research' } })

/** Makes a snapshot; returns it once it is acknowledged. */
export async function snapshot(
  { url }: Pick<HostedServer, 'url'>,
  key: string,
  thought = 'short',
): Promise<Write> {
  const body = memoryBody(`${key} ${thought}`)
  const response = await fetch(`${url}/api/memory/snapshot`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body,
  })
  if (response.status !== 201) throw new Error(await response.text())
  return { key, body, tokenId: ((await response.json()) as Snapshot).tokenId }
}

/** Writes of several clients, until they are stopped. */
export type Load = { readonly acknowledged: Write[]; readonly stop: () => Promise<void> }

/** Lets several clients write, each one memory after the other, some of them long. */
export function startLoad(server: Pick<HostedServer, 'url'>, clients = 4): Load {
  const acknowledged: Write[] = []
  let stopped = false
  const write = async (client: number) => {
    for (let turn = 0; !stopped; turn += 1) {
      const thought = turn % 9 === 8 ? 'z'.repeat(300_000) : 'short'
      acknowledged.push(await snapshot(server, `${client}-${turn}`, thought))
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, client) => write(client)))
  return {
    acknowledged,
    stop: async () => {
      stopped = true
      await running
    },
  }
}
