import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { walletKeys, wallets } from '@heirloom/testkit'
import { expect, it } from 'vitest'
import { freePort } from '../harness/process/free-port.ts'
import { agentOf, downloadAs, hostServer, post, type Snapshot } from '../harness/process/server.ts'

it('a second server serves a token with only the keys, the chain and the blocks of a peer', async () => {
  const [first, second] = ['first-', 'second-'].map((name) => mkdtempSync(join(tmpdir(), name)))
  const port = await freePort()
  const origin = await hostServer({
    DATA_DIR: first as string,
    IPFS_LISTEN: `/ip4/127.0.0.1/tcp/${port}`,
  })
  try {
    const document = JSON.stringify({
      data: { thought: 'x'.repeat(3 * 2 ** 20) },
      metadata: { category: 'research' },
    })
    const response = await post(origin.url, '/api/memory/snapshot', document)
    const { tokenId } = (await response.json()) as Snapshot
    const { registry, marketplace } = (await (
      await fetch(`${origin.url}/api/deployment`)
    ).json()) as Readonly<Record<string, string>>
    cpSync(join(first as string, 'sealing.keys'), join(second as string, 'sealing.keys'))
    const replica = await hostServer({
      DATA_DIR: second as string,
      RPC_URL: `${origin.url}/rpc`,
      REGISTRY_ADDRESS: registry ?? '',
      MARKETPLACE_ADDRESS: marketplace ?? '',
      AGENT_PRIVATE_KEY: walletKeys[0] as string,
      MASTER_KEYS: readFileSync(join(first as string, 'master.keys'), 'utf8').trim(),
      IPFS_PEERS: `/ip4/127.0.0.1/tcp/${port}`,
    })
    try {
      const owner = agentOf(first as string)
      const downloaded = await downloadAs(owner, replica.url, tokenId)
      expect(downloaded.status).toBe(200)
      expect((await downloaded.text()) === document).toBe(true)
      const stranger = await downloadAs(wallets[0] as never, replica.url, tokenId)
      expect(stranger.status).toBe(403)
    } finally {
      expect(await replica.end()).toBe(0)
    }
  } finally {
    expect(await origin.end()).toBe(0)
    for (const folder of [first, second]) rmSync(folder as string, { recursive: true })
  }
})
