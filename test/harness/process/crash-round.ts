import assert from 'node:assert/strict'
import { toHex } from 'viem'
import {
  agentOf,
  downloadAs,
  post,
  type RunningServer,
  rpc,
  type Snapshot,
  startServer,
} from './server.ts'

/** A snapshot that was answered with 201, and the document it must come back as. */
type Acknowledged = { readonly snapshot: Snapshot; readonly document: string }

/** Everything a server ever acknowledged, and the block hashes that were seen. */
export type Memory = { readonly acknowledged: Acknowledged[]; readonly blocks: string[] }

/** How many clients send at once, so that a kill meets every stage of a snapshot. */
const clients = 4

/**
 * Streams snapshots at a server, kills it with SIGKILL after `delay` milliseconds, starts it again
 * on the same folder and asserts that nothing acknowledged was lost or changed.
 */
export async function crashRound(folder: string, memory: Memory, delay: number): Promise<void> {
  const server = await startServer({ DATA_DIR: folder })
  try {
    await assertKept(server, folder, memory)
    const streams = Promise.all(
      Array.from({ length: clients }, (_, client) => stream(server.url, memory, client)),
    )
    const killed = new Promise((resolve) => setTimeout(resolve, delay)).then(() =>
      server.end('SIGKILL'),
    )
    await Promise.all([streams, killed])
  } finally {
    await server.end('SIGKILL')
  }
}

/** Sends one snapshot after another until the server is gone. */
async function stream(url: string, { acknowledged }: Memory, client: number): Promise<void> {
  for (let turn = 0; ; turn++) {
    const size = turn % 7 === 6 ? 300_000 : 200
    const document = `{"data":{"client":${client},"turn":${turn},"thought":"${'z'.repeat(size)}"},"metadata":{"category":"research"}}`
    const answer = await post(url, '/api/memory/snapshot', document)
      .then(async (response) => ({ status: response.status, snapshot: await response.json() }))
      .catch(() => undefined)
    if (answer === undefined) return
    assert.equal(answer.status, 201)
    acknowledged.push({ snapshot: answer.snapshot as Snapshot, document })
  }
}

/** Asserts that every acknowledged token, its bundle and every block seen before are there. */
export async function assertKept(
  { url }: RunningServer,
  folder: string,
  { acknowledged, blocks }: Memory,
): Promise<void> {
  for (const [number, hash] of blocks.entries()) {
    assert.equal(await blockHash(url, number), hash, `block ${number} is the same`)
  }
  for (let number = blocks.length; ; number++) {
    const hash = await blockHash(url, number)
    if (hash === undefined) break
    blocks.push(hash)
  }
  const agent = agentOf(folder)
  for (const { snapshot, document } of acknowledged) {
    const { tokenId, contentHash, storageUri, txHash } = snapshot
    const info = await (await fetch(`${url}/api/memory/${tokenId}/info`)).json()
    assert.partialDeepStrictEqual(info, { tokenId, contentHash, storageUri, parent: '0' })
    const receipt = await rpc<{ status: string }>(url, 'eth_getTransactionReceipt', [txHash])
    assert.equal(receipt.status, '0x1')
    assert.equal(await (await downloadAs(agent, url, tokenId)).text(), document)
  }
}

async function blockHash(url: string, number: number): Promise<string | undefined> {
  const params = [toHex(number), false]
  return (await rpc<{ hash: string } | null>(url, 'eth_getBlockByNumber', params))?.hash
}
