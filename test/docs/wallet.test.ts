import { createClient } from '@heirloom/http/client'
import { openWallet } from '@heirloom/http/wallet'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Examples, openExamples } from '../harness/docs/examples.ts'
import { sharedServer } from '../harness/process/shared-server.ts'
import { read } from './docs.ts'

const page = read('docs/wallet.md')
const words = 'test test test test test test test test test test test junk'
const account = mnemonicToAccount(words)

const server = sharedServer()
let examples: Examples
let environment: Readonly<Record<string, string>>
beforeAll(async () => {
  examples = await openExamples(page)
  const client = createClient({ url: server.url })
  const { registry } = await client.deployment()
  const memory = { data: {}, metadata: { category: 'research' } }
  const { tokenId } = await client.snapshot({ ...memory, recipient: account.address })
  environment = {
    HEIRLOOM_URL: server.url,
    HEIRLOOM_PRIVATE_KEY: `0x${Buffer.from(account.getHdKey().privateKey ?? []).toString('hex')}`,
    RPC_URL: `${server.url}/rpc`,
    REGISTRY_ADDRESS: registry,
    TOKEN: tokenId,
  }
})
afterAll(() => examples.close())

describe('docs/wallet.md', () => {
  it('shows programs that run in their order', async () => {
    expect(await examples.run(environment)).toEqual([
      'true 0\n',
      'listing costs at most some fees\n66\ntrue\n',
      'true 5000000\n',
      '2\n',
      '66\n',
    ])
  })

  it('lists every call, and no other', async () => {
    const wallet = await openWallet({ url: server.url, account })
    const calls = Object.entries(wallet).flatMap(([name, it]) =>
      typeof it === 'function' ? [name] : [],
    )
    const table = page.slice(page.indexOf('| call'), page.indexOf('\nThe first six'))
    const named = [...table.matchAll(/`(\w+)\(/g)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(calls.toSorted())
  })
})
