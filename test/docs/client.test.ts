import { createClient } from '@heirloom/http/client'
import { walletKeys } from '@heirloom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Examples, openExamples } from '../harness/docs/examples.ts'
import { sharedServer } from '../harness/process/shared-server.ts'
import { read } from './docs.ts'

const page = read('docs/client.md')

const server = sharedServer()
let examples: Examples
let environment: Readonly<Record<string, string>>
beforeAll(async () => {
  examples = await openExamples(page)
  const { registry } = await createClient({ url: server.url }).deployment()
  environment = {
    HEIRLOOM_URL: server.url,
    HEIRLOOM_PRIVATE_KEY: walletKeys[0] ?? '',
    HEIRLOOM_API_KEY: 'not-required',
    RPC_URL: `${server.url}/rpc`,
    REGISTRY_ADDRESS: registry,
    TOKEN: '1',
  }
})
afterAll(() => examples.close())

describe('docs/client.md', () => {
  it('shows programs that run in their order', async () => {
    expect(await examples.run(environment)).toEqual([
      "1 [ 'users prefer short answers' ]\n",
      expect.stringMatching(/^0x[0-9a-f]{64} 115\n$/),
      "0 [ 'learned' ]\n",
      'not for sale: 1\n',
      expect.stringMatching(/^mint \d+-\d+-[0-9a-f]{8}\n$/),
      'token 2\n',
      '1 1\n',
    ])
  })

  it('lists every call, and no other', async () => {
    const calls = Object.keys(createClient({ url: server.url }))
    const table = page.slice(page.indexOf('| call'), page.indexOf('\nThe client checks the bytes'))
    const named = [...table.matchAll(/`(\w+)(?:<\w+>)?\(/g)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(calls.toSorted())
  })
})
