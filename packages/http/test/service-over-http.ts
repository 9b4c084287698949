import {
  account,
  digest,
  documentOf,
  dollars,
  Failure,
  type FailureCode,
  type ForkRoyalty,
  failureCodes,
  fromSeconds,
  hash,
  type Idempotency,
  type Instant,
  instant,
  type JsonText,
  type Listing,
  type MemoryService,
  type Proof,
  salt,
  type TokenId,
  tokenId,
  toSeconds,
  wei,
} from '@heirloom/core'
import { wallets } from '@heirloom/testkit'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { marketOperations } from '../src/api/operations/market.ts'
import { fillPath, routeOf } from '../src/api/operations/paths.ts'
import { type SealSigner, sealHeaders } from './seal-headers.ts'

type Keyed = { readonly idempotency?: Idempotency | undefined }
type Body = Readonly<Record<string, string>>

/**
 * Returns the service over its HTTP API: replies become core values again, and problems become
 * failures with the facts of the reply. Of an idempotency, only the key is sent. A seal is signed by
 * the test wallet that is its creator. Over HTTP the proof of a creator is a part of each seal, so
 * `proveCreator` is that of the service itself.
 */
export function serviceOverHttp(
  app: FastifyInstance,
  { proveCreator, readSalt, now }: serviceOverHttp.Options = withoutSeals,
): MemoryService {
  const read = async (url: string): Promise<Body> =>
    (await acceptedReply(app.inject({ url }))).json()
  return {
    snapshot: snapshot(app),
    save: save(app),
    download: download(app),
    ...parts(app),
    proveCreator,
    readSalt,
    seal: seal(app, now),
    ...writes(app),
    provenance: async ({ tokenId: id }) => {
      const record = await read(`/api/memory/${id}/info`)
      return {
        tokenId: tokenId(text(record, 'tokenId')),
        contentHash: hash(text(record, 'contentHash')),
        digest: digest(text(record, 'storageUri').replace('v2:ipfs://', '')),
        storageUri: text(record, 'storageUri'),
        creator: account(text(record, 'creator')),
        parent: record.parent === '0' ? undefined : tokenId(text(record, 'parent')),
        mintedAt: fromSeconds(Number(record.timestamp)),
      }
    },
    listing: async ({ tokenId: id }) => {
      const terms = await read(`/api/marketplace/listings/${id}`)
      return {
        tokenId: id,
        seller: account(text(terms, 'seller')),
        price: wei(text(terms, 'price')),
        rentalPricePerDay: wei(text(terms, 'rentalPricePerDay')),
        forkPrice: wei(text(terms, 'forkPrice')),
        ...royaltiesIn(terms),
        ...dollarsIn(terms),
      }
    },
  }
}

export declare namespace serviceOverHttp {
  type Options = Pick<MemoryService, 'proveCreator' | 'readSalt'> & { readonly now: () => Instant }
}

const refuseSeals = () => Promise.reject(new Error('This service makes no seals.'))

const withoutSeals: serviceOverHttp.Options = {
  proveCreator: refuseSeals,
  readSalt: refuseSeals,
  now: () => instant(0),
}

/** Returns what a listing says of royalties: its numbers, and whether it can be forked. */
function royaltiesIn(terms: object): ForkRoyalty & Pick<Listing, 'forkRoyaltyBps'> {
  const isOwn = ([name, value]: readonly [string, unknown]) =>
    typeof value === 'number' || (typeof value === 'boolean' && !name.startsWith('isFor'))
  return Object.fromEntries(Object.entries(terms).filter(isOwn)) as never
}

function dollarsIn(terms: object): Pick<Listing, 'dollars'> {
  const { dollars: it } = terms as { readonly dollars?: Body }
  if (it === undefined) return {}
  return {
    dollars: {
      asset: account(text(it, 'asset')),
      price: dollars(text(it, 'price')),
      rentalPricePerDay: dollars(text(it, 'rentalPricePerDay')),
      forkPrice: dollars(text(it, 'forkPrice')),
    },
  }
}

type Verb = keyof typeof marketOperations

/** Returns the verbs of the marketplace: what a path does not name is sent as the body. */
function writes(app: FastifyInstance): Pick<MemoryService, Verb> {
  const write =
    (verb: Verb) =>
    async ({ tokenId: id, days: durationDays, idempotency, ...more }: Sent) => {
      const { path } = routeOf(verb)
      const named = path.includes(':tokenId') ? {} : { tokenId: id }
      const body = print({ ...named, ...more, durationDays })
      const url = fillPath(path, () => id)
      return decodeWritten((await acceptedReply(post(app, url, body, idempotency))).json())
    }
  const verbs = Object.keys(marketOperations) as Verb[]
  return Object.fromEntries(verbs.map((verb) => [verb, write(verb)])) as never
}

type Sent = Keyed & { readonly tokenId: TokenId; readonly days?: number }

const decodeWritten = ({ txHash, ...more }: Body) => ({
  txHash,
  ...(more.expiresAt !== undefined && { expiresAt: fromSeconds(Number(more.expiresAt)) }),
  ...(more.tokenId !== undefined && { tokenId: tokenId(more.tokenId) }),
})

function snapshot(app: FastifyInstance): MemoryService['snapshot'] {
  return async ({ bundle, card, parent, recipient, idempotency }) => {
    const others = print({ parentTokenId: parent, recipient, card })
    const body = splice(documentOf(bundle), others)
    const minted = (
      await acceptedReply(post(app, '/api/memory/snapshot', body, idempotency))
    ).json()
    return {
      tokenId: tokenId(minted.tokenId),
      contentHash: hash(minted.contentHash),
      storageUri: minted.storageUri,
      txHash: minted.txHash,
      timestamp: instant(minted.timestamp),
    }
  }
}

/** Saves to the names of the operator, who is the only owner on a loopback host without keys. */
function save(app: FastifyInstance): MemoryService['save'] {
  return async ({ bundle, card, parent, recipient, name, after, idempotency }) => {
    const others = print({ parentTokenId: parent, recipient, card, name, after })
    const body = splice(documentOf(bundle), others)
    const saved = (await acceptedReply(post(app, '/api/memory/snapshot', body, idempotency))).json()
    return {
      tokenId: tokenId(saved.tokenId),
      contentHash: hash(saved.contentHash),
      storageUri: saved.storageUri,
      txHash: saved.txHash,
      timestamp: instant(saved.timestamp),
      version: saved.version,
      isUnchanged: saved.unchanged === true,
    }
  }
}

function seal(app: FastifyInstance, now: () => Instant): MemoryService['seal'] {
  return async ({ bundle, card, creator, parent, recipient }) => {
    const wallet = wallets.find(({ address }) => address === creator)
    if (wallet === undefined) throw new Error('The creator of a seal is a test wallet.')
    const place = (await app.inject({ url: '/api/deployment' })).json()
    const others = print({ parentTokenId: parent, recipient, card })
    const payload = splice(documentOf(bundle), others)
    const headers = await sealHeaders(wallet as SealSigner, payload, {
      place: { ...place, host: place.domain },
      timestamp: toSeconds(now()),
    })
    const url = '/api/memory/seal'
    const sealed = (
      await acceptedReply(app.inject({ method: 'POST', url, headers, payload }))
    ).json()
    return {
      contentHash: hash(sealed.contentHash),
      digest: digest(sealed.storageUri.replace('v2:ipfs://', '')),
      storageUri: sealed.storageUri,
      card: sealed.card === null ? undefined : digest(sealed.card),
      registry: { chainId: sealed.chainId, address: account(sealed.registry) },
      creator: account(sealed.creator),
      recipient: account(sealed.recipient),
      parent: sealed.parentTokenId === '0' ? undefined : tokenId(sealed.parentTokenId),
      documentBytes: documentOf(bundle).length,
    }
  }
}

const headersOf = (proof: Proof) => ({
  'x-wallet-address': proof.account,
  'x-wallet-signature': proof.signature,
  'x-wallet-timestamp': `${proof.timestamp}`,
})

function parts(
  app: FastifyInstance,
): Pick<MemoryService, 'isOwn' | 'outline' | 'part' | 'searchIn' | 'selectIn'> {
  const read = (id: TokenId, proof: Proof, call: string) =>
    acceptedReply(app.inject({ url: `/api/memory/${id}/${call}`, headers: headersOf(proof) }))
  return {
    isOwn: async ({ tokenId: id, proof }) => (await read(id, proof, 'own')).json().isOwn,
    outline: async ({ tokenId: id, proof, pointer, depth, width, from }) => {
      const query = new URLSearchParams({
        pointer,
        depth: `${depth}`,
        width: `${width}`,
        from: `${from}`,
      })
      const {
        digest: of,
        documentLength,
        verifiedBy: _,
        ...outline
      } = (await read(id, proof, `outline?${query}`)).json()
      return { digest: digest(of), documentLength, outline }
    },
    part: async ({ tokenId: id, proof, pointer }) => {
      const query = new URLSearchParams({ pointer })
      const { headers, rawPayload } = await read(id, proof, `part?${query}`)
      return {
        digest: digest(`${headers['x-sealed-digest']}`),
        documentLength: Number(headers['x-document-length']),
        text: new Uint8Array(rawPayload) as JsonText,
      }
    },
    searchIn: async ({ tokenId: id, proof, text: q, limit, each, after }) => {
      const more = { ...(each && { each }), ...(after && { after }) }
      const query = new URLSearchParams({ q, limit: `${limit}`, ...more })
      const { verifiedBy: _, ...found } = (await read(id, proof, `search?${query}`)).json()
      return found
    },
    selectIn: async ({ tokenId: id, proof, query: { path }, limit, after }) => {
      const query = new URLSearchParams({ path, limit: `${limit}`, ...(after && { after }) })
      const { verifiedBy: _, ...selected } = (await read(id, proof, `part?${query}`)).json()
      return selected
    },
  }
}

function download(app: FastifyInstance): MemoryService['download'] {
  return async ({ tokenId: id, proof }) => {
    const headers = headersOf(proof)
    const reply = await acceptedReply(
      app.inject({ url: `/api/memory/${id satisfies TokenId}`, headers }),
    )
    return {
      document: new Uint8Array(reply.rawPayload),
      salt: salt(`${reply.headers['x-content-salt']}`),
      contentHash: hash(`${reply.headers['x-content-hash']}`),
    }
  }
}

function post(
  app: FastifyInstance,
  url: string,
  payload: string | Buffer,
  idempotency: Idempotency | undefined,
) {
  // The server computes the fingerprint of a request itself.
  const key = idempotency && { 'idempotency-key': quoted(idempotency.key) }
  const headers = { 'content-type': 'application/json', ...key }
  return app.inject({ method: 'POST', url, headers, payload })
}

/** Returns a reply of success; throws the failure of any other. */
export async function acceptedReply(
  reply: Promise<LightMyRequestResponse>,
): Promise<LightMyRequestResponse> {
  const response = await reply
  if (response.statusCode < 300) return response
  const { code, facts } = response.json()
  if (failureCodes.includes(code)) throw new Failure(code as FailureCode, facts)
  throw new Error(`An answer of ${response.statusCode} that is no problem: ${response.body}`)
}

// The bytes of the document are sent unchanged, so that exactly they are sealed.
function splice(document: Uint8Array, others: string): Buffer {
  if (others === '{}') return Buffer.from(document)
  return Buffer.concat([document.subarray(0, -1), Buffer.from(`,${others.slice(1)}`)])
}

const print = (body: object): string =>
  JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? value.toString() : value))

const quoted = (key: string): string => `"${key.replace(/["\\]/g, '\\$&')}"`

function text(body: Body, member: string): string {
  const value = body[member]
  if (typeof value === 'string') return value
  throw new Error(`The reply has no text ${member}.`)
}
