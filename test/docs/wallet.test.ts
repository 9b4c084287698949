import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createClient } from '@heirloom/http/client'
import { openWallet } from '@heirloom/http/wallet'
import { mnemonicToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import { sharedServer } from '../harness/process/shared-server.ts'
import { read } from './docs.ts'

const page = read('docs/wallet.md')
const programs = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code)
const words = 'test test test test test test test test test test test junk'
const account = mnemonicToAccount(words)

const server = sharedServer()
let environment: Readonly<Record<string, string>>
beforeAll(async () => {
  const client = createClient({ url: server.url })
  const { registry } = await client.deployment()
  const memory = { data: {}, metadata: { category: 'research' } }
  const { tokenId } = await client.snapshot({ ...memory, recipient: account.address })
  environment = {
    PATH: process.env.PATH ?? '',
    HEIRLOOM_URL: server.url,
    HEIRLOOM_PRIVATE_KEY: `0x${Buffer.from(account.getHdKey().privateKey ?? []).toString('hex')}`,
    RPC_URL: `${server.url}/rpc`,
    REGISTRY_ADDRESS: registry,
    TOKEN: tokenId,
  }
})

/** Runs a program as a reader would, and returns its output. */
async function run(code: string): Promise<string> {
  const args = ['--input-type=module', '--eval', code]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env: environment })
  expect(stderr).toBe('')
  return stdout
}

describe('docs/wallet.md', () => {
  it('shows programs that run in their order', async () => {
    const printed: string[] = []
    for (const program of programs) printed.push(await run(program))
    expect(printed).toEqual([
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
