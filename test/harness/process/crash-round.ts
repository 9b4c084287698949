import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { toHex } from 'viem'
import { vi } from 'vitest'
import { longestWait } from '../../tier.ts'
import {
  agentOf,
  downloadAs,
  post,
  type RunningServer,
  rpc,
  type Snapshot,
  startServer,
} from './server.ts'

/** A snapshot with status 201, and its document. */
type Acknowledged = { readonly snapshot: Snapshot; readonly document: string }

/** All snapshots that a server has acknowledged, and the hashes of its blocks. */
export type ServerHistory = { readonly acknowledged: Acknowledged[]; readonly blocks: string[] }

/** Several clients send at once, so that a kill hits every stage of a snapshot. */
const clients = 4

/**
 * Starts a server on a folder and verifies its history, then sends snapshots and kills the server with
 * SIGKILL `delay` milliseconds after it has acknowledged a few. The next round verifies them.
 */
export async function crashRound(
  folder: string,
  history: ServerHistory,
  delay: number,
): Promise<void> {
  const server = await startServer({ DATA_DIR: folder })
  try {
    await assertDurable(server, folder, history)
    const clientRuns = Promise.all(
      Array.from({ length: clients }, (_, client) => sendSnapshots(server.url, history, client)),
    )
    const goal = history.acknowledged.length + clients
    const killed = vi
      .waitUntil(() => history.acknowledged.length >= goal, { interval: 5, timeout: longestWait })
      .then(() => pause(delay))
      .then(() => server.end('SIGKILL'))
    await Promise.all([clientRuns, killed])
  } finally {
    await server.end('SIGKILL')
  }
}

/** Sends one snapshot after another until the server is gone. */
async function sendSnapshots(
  url: string,
  { acknowledged }: ServerHistory,
  client: number,
): Promise<void> {
  for (let turn = 0; ; turn++) {
    const size = turn % 7 === 6 ? 300_000 : 200
    const document = `{"data":{"client":${client},"turn":${turn},"thought":"${'z'.repeat(size)}"},"metadata":{"category":"research"}}`
    const reply = await post(url, '/api/memory/snapshot', document)
      .then(async (response) => ({ status: response.status, snapshot: await response.json() }))
      .catch(() => undefined)
    if (reply === undefined) return
    assert.equal(reply.status, 201)
    acknowledged.push({ snapshot: reply.snapshot as Snapshot, document })
  }
}

/** Asserts that every acknowledged token, its bundle and every known block still exist. */
export async function assertDurable(
  { url }: RunningServer,
  folder: string,
  { acknowledged, blocks }: ServerHistory,
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
