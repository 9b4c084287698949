import { account, tokenId, toSeconds } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import {
  agent,
  deployment,
  memory,
  openHarness,
  other,
  post,
  proofOf,
} from '../../../test/server-harness.ts'

const before = { chainId: 5, address: account(`0x${'12'.repeat(20)}`) }
const path = `registries/${before.chainId}/${before.address}`

/** Opens a server whose token 1 had the id 7 before. */
async function openMoved() {
  const find = ({ chainId }: { readonly chainId: number }, id: bigint) =>
    chainId === before.chainId && id === 7n ? tokenId('1') : undefined
  const harness = openHarness({ moved: { registries: [before], find } })
  await post(harness, '/api/memory/snapshot', memory)
  const seconds = toSeconds(harness.clock.now())
  const open = async (id: string, proven: string, wallet = agent) => {
    const headers = await proofOf(wallet, proven, seconds)
    const reply = await harness.server.inject({ url: `/api/${path}/memory/${id}`, headers })
    return [reply.statusCode, reply.json().code ?? reply.json()]
  }
  return { ...harness, open }
}

describe('the ids of a registry of before', () => {
  test('open the memory for a proof of the id in the path, and for no other', async () => {
    const { open } = await openMoved()
    expect(await open('7', '7')).toEqual([200, memory])
    expect(await open('7', '1')).toEqual([403, 'proof/not-bound'])
    expect(await open('7', '7', other)).toEqual([403, 'access/denied'])
    expect(await open('1', '1')).toEqual([404, 'token/not-moved'])
  })

  test('lead to the record and the view of the token', async () => {
    const { server } = await openMoved()
    const info = (await server.inject(`/api/${path}/memory/7/info`)).json()
    expect(info).toEqual((await server.inject('/api/memory/1/info')).json())
    const view = await server.inject(`/${path}/token/7`)
    expect([view.statusCode, view.headers.location]).toEqual([307, '/token/1'])
    expect((await server.inject(`/${path}/token/8`)).json()).toMatchObject({
      code: 'token/not-moved',
      facts: { tokenId: '8', chainId: before.chainId, registry: before.address },
    })
    for (const wrong of [
      `0/${before.address}/token/7`,
      '5/0x12/token/7',
      `5/${before.address}/token/07`,
    ])
      expect((await server.inject(`/registries/${wrong}`)).statusCode, wrong).toBe(400)
  })

  test('are those of the own registry where nothing was moved', async () => {
    const harness = openHarness()
    await post(harness, '/api/memory/snapshot', memory)
    const { chainId, registry } = deployment
    const own = await harness.server.inject(`/registries/${chainId}/${registry}/token/1`)
    expect(own.headers.location).toBe('/token/1')
    const none = await harness.server.inject(`/api/${path}/memory/1/info`)
    expect(none.json().code).toBe('token/not-moved')
    const described = (await harness.server.inject('/api/deployment')).json()
    expect(described.earlierRegistries).toEqual([])
  })
})
