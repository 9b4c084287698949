import { account, toSeconds } from '@heirloom/core'
import fc from 'fast-check'
import { checksumAddress, getAddress, toHex } from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { afterEach, describe, expect, test } from 'vitest'
import {
  agent,
  deployment,
  mintToken,
  openHarness,
  other,
  type ServerHarness,
} from '../../../test/server-harness.ts'
import { type Binding, boundText } from '../../api/signed-texts.ts'
import { createClient } from '../../client/index.ts'
import type { Deployment } from '../../client/responses.ts'
import { systemTimers } from '../../client/transport/retries.ts'

const opened: ServerHarness[] = []
afterEach(async () => {
  for (const harness of opened.splice(0)) await harness.server.close()
})

/** Starts a server with a token that the agent owns. */
async function started(options: Parameters<typeof openHarness>[0] = {}) {
  const harness = openHarness(options)
  opened.push(harness)
  const id = await mintToken(harness)
  const url = await harness.server.listen({ host: '127.0.0.1', port: 0 })
  return { id, url, now: () => toSeconds(harness.clock.now()) }
}

type Started = Awaited<ReturnType<typeof started>>

const bindingOf = ({ url }: Started): Binding => ({ origin: url, ...deployment })

const deploymentOf = async ({ url }: Started) =>
  (await (await fetch(`${url}/api/deployment`)).json()) as Deployment

/** Downloads the token with a proof for a binding, and returns the status and the code. */
async function open(
  server: Started,
  binding: Binding,
  { wallet = agent, late = 0, id = server.id, host = '' } = {},
) {
  const timestamp = server.now() - late
  const message = boundText(binding, { tokenId: id, address: wallet.address, timestamp })
  const reply = await fetch(`${server.url}/api/memory/${server.id}`, {
    headers: {
      ...(host !== '' && { host }),
      'x-wallet-address': wallet.address,
      'x-wallet-signature': await wallet.signMessage({ message }),
      'x-wallet-timestamp': `${timestamp}`,
    },
  })
  const body = (await reply.json()) as { readonly code?: string }
  return [reply.status, body.code]
}

const notSigned = [403, 'proof/not-signed']

describe('a bound proof', () => {
  test('opens a memory on the server that it names', async () => {
    const server = await started()
    expect(await open(server, bindingOf(server))).toEqual([200, undefined])
    const { proofs, origin, domain } = await deploymentOf(server)
    expect({ proofs, origin, domain }).toEqual({
      proofs: ['eip191', 'eip4361'],
      origin: server.url,
      domain: new URL(server.url).host,
    })
  })

  test('opens nothing of another server, chain, pair or token, nor later', async () => {
    const [one, two] = [await started(), await started()]
    const own = bindingOf(two)
    expect(await open(two, bindingOf(one))).toEqual(notSigned)
    expect(await open(two, bindingOf(one), { host: new URL(one.url).host })).not.toEqual([
      200,
      undefined,
    ])
    expect(await open(two, { ...own, chainId: 1 })).toEqual(notSigned)
    expect(await open(two, { ...own, registry: deployment.marketplace })).toEqual(notSigned)
    expect(await open(two, { ...own, origin: own.origin.replace('http:', 'https:') })).toEqual(
      notSigned,
    )
    expect(await open(two, own, { id: '2' })).toEqual(notSigned)
    expect(await open(two, own, { late: 121 })).toEqual([403, 'proof/stale'])
    expect(await open(two, own, { late: 120 })).toEqual([200, undefined])
    expect(await open(two, own, { wallet: other })).toEqual([403, 'access/denied'])
  })

  test('names the public origin of a public server, whatever the Host', async () => {
    const publicUrl = 'https://memories.example'
    const server = await started({
      config: { host: '0.0.0.0', apiKeys: [], publicUrl, requireBoundProof: true },
    })
    expect(await open(server, { ...bindingOf(server), origin: publicUrl })).toEqual([
      200,
      undefined,
    ])
    expect(await open(server, bindingOf(server))).toEqual([403, 'proof/not-bound'])
  })

  test('is not offered by a public server without a known origin', async () => {
    const server = await started({ config: { host: '0.0.0.0' } })
    const offered = await deploymentOf(server)
    expect(offered.proofs).toEqual(['eip191'])
    expect(offered.domain).toBeUndefined()
    expect(await open(server, bindingOf(server))).toEqual(notSigned)
  })

  test('is the only kind that is accepted where it is required', async () => {
    const server = await started({ config: { requireBoundProof: true } })
    const timestamp = `${server.now()}`
    const message = `service:access:${server.id}:${agent.address}:${timestamp}`
    const reply = await fetch(`${server.url}/api/memory/${server.id}`, {
      headers: {
        'x-wallet-address': agent.address,
        'x-wallet-signature': await agent.signMessage({ message }),
        'x-wallet-timestamp': timestamp,
      },
    })
    const { code } = (await reply.json()) as { readonly code: string }
    expect([reply.status, code]).toEqual([403, 'proof/not-bound'])
    expect(await open(server, bindingOf(server))).toEqual([200, undefined])
    const offered = await deploymentOf(server)
    expect(offered.proofs).toEqual(['eip4361'])
  })
})

describe('a client', () => {
  /** Returns the text that a client signs for a server. */
  async function signedFor(
    server: Started,
    url: string,
    change: (offered: object) => object = (it) => it,
  ) {
    const texts: string[] = []
    const signMessage = ({ message }: { readonly message: string }) => {
      texts.push(message)
      return agent.signMessage({ message })
    }
    const passed = async (input: unknown, init?: RequestInit) => {
      const reply = await fetch(`${input}`.replace(url, server.url), init)
      if (!`${input}`.endsWith('/api/deployment')) return reply
      return Response.json(change((await reply.json()) as object))
    }
    const client = createClient({
      url,
      account: { address: agent.address, signMessage },
      fetch: passed as typeof fetch,
      timers: { ...systemTimers, now: () => server.now() * 1000 },
    })
    await client.download(server.id)
    await client.download(server.id)
    return texts[0]
  }

  test('signs the bound text if the server offers it for the configured URL', async () => {
    const server = await started({ config: { requireBoundProof: true } })
    expect(await signedFor(server, server.url)).toMatch(/wants you to sign in/)
  })

  test('signs no text that names another server', async () => {
    const server = await started()
    expect(await signedFor(server, 'http://elsewhere.example')).toMatch(/^service:access:/)
    const lie = (offered: object) => ({ ...offered, origin: 'https://victim.example' })
    expect(await signedFor(server, server.url, lie)).toMatch(/^service:access:/)
    expect(await signedFor(server, server.url, () => ({}))).toMatch(/^service:access:/)
  })
})

describe('its text', () => {
  const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((it) => getAddress(toHex(it)))
  const origin = fc.constantFrom(
    'https://a.example',
    'http://127.0.0.1:3000',
    'http://localhost:8080',
  )

  test('is one of EIP-4361, as viem writes and reads it', () =>
    fc.assert(
      fc.property(
        fc.record({
          origin,
          chainId: fc.integer({ min: 1, max: 2 ** 40 }),
          registry: address,
        }),
        fc.record({
          tokenId: fc.bigInt({ min: 1n, max: 2n ** 42n }).map(String),
          address,
          timestamp: fc.integer({ min: 1_000_000_000, max: 4_000_000_000 }),
        }),
        (binding, claim) => {
          const text = boundText(binding, claim)
          const parsed = parseSiweMessage(text)
          expect(parsed).toMatchObject({
            domain: new URL(binding.origin).host,
            address: checksumAddress(account(claim.address)),
            chainId: binding.chainId,
            uri: `${binding.origin}/api/memory/${claim.tokenId}`,
            resources: [`eip155:${binding.chainId}/erc721:${binding.registry}/${claim.tokenId}`],
            issuedAt: new Date(claim.timestamp * 1000),
            expirationTime: new Date((claim.timestamp + 120) * 1000),
          })
          expect(createSiweMessage(parsed as Parameters<typeof createSiweMessage>[0])).toBe(text)
        },
      ),
    ))
})
