import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createClient } from '@heirloom/http/client'
import { walletKeys, wallets } from '@heirloom/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { sharedServer } from '../harness/process/shared-server.ts'
import { read } from './docs.ts'

const page = read('docs/client.md')
const programs = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code)

const server = sharedServer()
let environment: Readonly<Record<string, string>>
beforeAll(async () => {
  const { registry } = await createClient({ url: server.url }).deployment()
  environment = {
    PATH: process.env.PATH ?? '',
    HEIRLOOM_URL: server.url,
    HEIRLOOM_PRIVATE_KEY: walletKeys[0] ?? '',
    HEIRLOOM_ADDRESS: wallets[0]?.address ?? '',
    HEIRLOOM_API_KEY: 'not-required',
    RPC_URL: `${server.url}/rpc`,
    REGISTRY_ADDRESS: registry,
    TOKEN: '1',
  }
})

/** Runs a program as a reader would, and returns its output. */
async function run(code: string): Promise<string> {
  const args = ['--input-type=module', '--eval', code]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env: environment })
  expect(stderr).toBe('')
  return stdout
}

describe('docs/client.md', () => {
  it('shows programs that run in their order', async () => {
    const printed: string[] = []
    for (const program of programs) printed.push(await run(program))
    expect(printed).toEqual([
      "1 [ 'users prefer short answers' ]\n",
      expect.stringMatching(/^0x[0-9a-f]{64} 115\n$/),
      'not for sale: 1\n',
      expect.stringMatching(/^mint \d+-\d+-[0-9a-f]{8}\n$/),
      'token 2\n',
      '1 1\n',
    ])
  })

  it('lists every call, and no other', async () => {
    const calls = Object.keys(createClient({ url: server.url }))
    const table = page.slice(page.indexOf('| call'), page.indexOf('\nToken ids'))
    const named = [...table.matchAll(/`(\w+)\(/g)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(calls.toSorted())
  })
})
