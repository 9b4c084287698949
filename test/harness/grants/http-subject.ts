import { hash } from 'node:crypto'
import { type Hex, tokenId, withoutErased } from '@heirloom/core'
import { memoryErasures, memoryGrants, memoryNames } from '@heirloom/testkit'
import { expect } from 'vitest'
import { encodeGrant } from '../../../packages/http/src/api/encode-records.ts'
import { namesText } from '../../../packages/http/src/api/signed-texts.ts'
import { deployment, openHarness, post } from '../../../packages/http/test/server-harness.ts'
import { bounds, document, mintsThen, recoverName } from './core-subject.ts'
import type { Outcome, Party } from './model.ts'
import { logged, origin, ownedName, type Subject, secondsOf, type Way } from './subject.ts'

type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
}

type Reply = { readonly statusCode: number; readonly body: string }

const pathOf = (name: string) => `/api/names/${encodeURIComponent(name)}`

/** Plays with a server over HTTP. */
export async function httpSubject(): Promise<Subject> {
  const erasures = memoryErasures()
  const grants = memoryGrants()
  const names = memoryNames()
  const afterMint: Subject['afterMint'] = {}
  const harness = openHarness({
    granting: { bounds, grants },
    names,
    ledgerThrough: (ledger) => mintsThen(ledger, afterMint),
    erasedAt: erasures.find,
    storeThrough: (store) => withoutErased(store, erasures),
  })
  const { server, chain, clock } = harness
  const place = { chainId: deployment.chainId, registry: deployment.registry }
  const codeOf = async (reply: Promise<Reply>): Promise<Outcome> => {
    const { statusCode, body } = await reply
    return statusCode < 300 ? 'done' : JSON.parse(body).code
  }
  /** Sends a request that an account signs, as for names. */
  const send = async (by: Party, { method, path, body }: Call) => {
    const payload = body && Buffer.from(JSON.stringify(body))
    const timestamp = secondsOf({ clock })
    const bodyDigest = payload && (`0x${hash('sha256', payload)}` as const)
    const signed = { account: by.address, timestamp, method, path }
    const message = namesText(
      { ...place, host: 'localhost' },
      { ...signed, ...(bodyDigest && { bodyDigest }) },
    )
    const headers = {
      'x-wallet-address': by.address,
      'x-timestamp': `${timestamp}`,
      'x-signature': await by.wallet.signMessage({ message }),
      ...(payload && { 'content-type': 'application/json' }),
    }
    return server.inject({ method, url: path, headers, ...(payload && { payload }) })
  }
  const ended = ({ statusCode, body }: Reply): number | Outcome => {
    if (statusCode >= 300) return JSON.parse(body).code
    return body === '' ? 0 : (JSON.parse(body).endedGrants ?? 0)
  }
  const headersOf = ({ address }: Party, at: number, signature: Hex) => ({
    'x-wallet-address': address,
    'x-wallet-signature': signature,
    'x-wallet-timestamp': `${at}`,
  })
  const paths: Record<Way, string> = {
    whole: '',
    outline: '/outline',
    part: '/part?pointer=/data/mood',
    search: '/search?q=calm',
  }
  return {
    chain,
    clock,
    place,
    afterMint,
    save: async ({ by, name, recipient, grant, document: saved }) => {
      const path = `${grant === undefined ? '/api' : `/api/granted/${grant}`}/memory/snapshot`
      const own = grant === undefined ? { name, recipient: recipient.address } : {}
      const reply = await send(by, { method: 'POST', path, body: { ...saved, ...own } })
      return reply.statusCode === 201 ? tokenId(reply.json().tokenId) : reply.json().code
    },
    rename: async ({ owner, name }, to) =>
      ended(await send(owner, { method: 'PATCH', path: pathOf(name), body: { name: to } })),
    forget: async ({ owner, name }) =>
      ended(await send(owner, { method: 'DELETE', path: pathOf(name) })),
    recover: (named) => recoverName({ grants, names, clock }, ownedName(named)),
    log: async (by, { name }, grant) => {
      const of = grant === undefined ? pathOf(name) : `/api/granted/${grant}`
      const reply = await send(by, { method: 'GET', path: `${of}/versions?limit=100` })
      if (reply.statusCode !== 200) return reply.json().code
      const items: readonly { tokenId: string; savedBy: string }[] = reply.json().items
      return logged(items.map((it) => ({ ...it, tokenId: tokenId(it.tokenId) })))
    },
    erase: async (of) => {
      const digest = chain.provenance(of)?.digest
      if (digest !== undefined) await erasures.add([digest], clock.now())
    },
    mint: async () =>
      tokenId((await post(harness, '/api/memory/snapshot', document)).json().tokenId),
    deposit: ({ grant, signature, at, proof: signed }) => {
      const proof = { origin, timestamp: at, signature: signed }
      const body = { grant: encodeGrant(grant), signature, label: '', proof }
      return codeOf(post(harness, '/api/grants', body, { host: 'localhost' }))
    },
    revoke: ({ id, grant }, { address: owner }, signature, hasText) => {
      const body = { owner, signature, ...(hasText && { grant: encodeGrant(grant) }) }
      return codeOf(post(harness, `/api/grants/${id}/revoke`, body))
    },
    revokeAll: ({ address: owner }, timestamp, signature) =>
      codeOf(post(harness, '/api/grants/revoke', { owner, timestamp, signature })),
    accept: ({ reader, owner: { address } }) =>
      codeOf(send(reader, { method: 'PUT', path: `/api/accepted-owners/${address}` })),
    ignore: ({ reader, owner: { address } }) =>
      codeOf(send(reader, { method: 'DELETE', path: `/api/accepted-owners/${address}` })),
    received: async (by) => {
      const reply = await send(by, { method: 'GET', path: '/api/grants/received?limit=100' })
      expect([reply.statusCode, reply.body.includes('label')]).toEqual([200, false])
      return (reply.json().items as readonly { readonly id: Hex }[]).map(({ id }) => id)
    },
    open: async ({ by, of, at, grant, way }, signature) => {
      const under = grant === undefined ? '/api' : `/api/granted/${grant}`
      const url = `${under}/memory/${of}${paths[way]}`
      const reply = await server.inject({ url, headers: headersOf(by, at, signature) })
      return reply.statusCode === 200 ? reply.rawPayload.length : reply.json().code
    },
    openings: async (by, of, at, signature) => {
      const url = `/api/memory/${of}/openings?limit=100`
      const reply = await server.inject({ url, headers: headersOf(by, at, signature) })
      if (reply.statusCode !== 200) return reply.json().code
      const { items } = reply.json() as { items: readonly { readonly count: number }[] }
      return items.reduce((sum, it) => sum + it.count, 0)
    },
    close: () => server.close(),
  }
}
