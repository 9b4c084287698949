import { encodeCard, hash } from '@heirloom/core'
import { expect, test } from 'vitest'
import { contentHashOf, hexOf, sha256 } from '../../../src/client/proof/content-hash.ts'
import { encodeMint } from '../acts/encode-mint.ts'
import { checkSeal, type SealRequest, type SealResponse } from './check-seal.ts'

const salt = `0x${'12'.repeat(32)}` as const
const document = new TextEncoder().encode('{"data":{},"metadata":{"category":"test"}}')
const contentHash = await contentHashOf(salt, document)
const digest = `0x${'34'.repeat(32)}` as const
const other = `0x${'56'.repeat(32)}` as const
const creator = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const stranger = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const registry = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const now = 1_700_000_000_000

const plain: SealRequest = {
  ...{ chainId: 31_337, parent: '7', name: 'memory.json', creator, registry },
  ...{ card: undefined, document, now },
}
const described: SealRequest = { ...plain, card: { title: 'A title' } }

async function honest(request: SealRequest): Promise<SealResponse> {
  const block = request.card && encodeCard({ card: request.card, contentHash: hash(contentHash) })
  const card = block && hexOf(await sha256(new Uint8Array(block)))
  const { chainId, parent } = request
  const data = encodeMint({ creator, contentHash, digest, parent, ...(card && { card }) })
  return {
    ...{ contentHash, salt, storageUri: `v2:ipfs://${digest}`, card: card ?? null, creator },
    chainId,
    ...{ registry, recipient: creator, parentTokenId: parent, expiresAt: now + 3_600_000 },
    transaction: { chainId, to: registry, data, value: '0' },
  } as SealResponse
}

const refused = expect.objectContaining({ code: 'seal/not-as-requested' })

test('accepts what was asked for, with a card and without', async () => {
  for (const request of [plain, described]) {
    const seal = await checkSeal(await honest(request), request)
    expect(seal).toMatchObject({ contentHash, digest, creator, parent: '7', registry })
    expect(seal.card === undefined).toBe(request.card === undefined)
    expect(encodeMint(seal)).toBe((await honest(request)).transaction.data)
  }
})

const mint = (changed: object) =>
  encodeMint({ creator, contentHash, digest, parent: '7', ...changed })

/** The changes of a lying server to its response and its transaction. */
const lies: readonly (readonly [string, object, object?])[] = [
  ['another chain', { chainId: 1 }],
  ['a transaction for another chain', {}, { chainId: 1 }],
  ['another registry', { registry: stranger }],
  ['a call of another contract', {}, { to: stranger }],
  ['a payment', {}, { value: '1' }],
  ['another creator', { creator: stranger }],
  ['another owner', { recipient: stranger }],
  ['another parent', { parentTokenId: '8' }],
  ['a card', { card: other }],
  ['another content hash', { contentHash: other }],
  ['another content', { contentHash: other }, { data: mint({ contentHash: other }) }],
  ['another salt', { salt: other }],
  ['no salt', { salt: undefined }],
  ['a salt that is none', { salt: '0x' }],
  ['another storage', { storageUri: `v2:ipfs://${other}` }],
  ['no storage', { storageUri: 'https://example.org' }],
  ['no content hash', { contentHash: '0x' }],
  ['no time', { expiresAt: now }],
  ['no end', { expiresAt: 'never' }],
  ['calldata with another owner', {}, { data: mint({ creator: stranger }) }],
  ['calldata with another parent', {}, { data: mint({ parent: '8' }) }],
  ['calldata with other content', {}, { data: mint({ contentHash: other }) }],
  ['calldata with a card', {}, { data: mint({ card: other }) }],
  ['calldata with more', {}, { data: `${mint({})}00` }],
  ['no calldata', {}, { data: '0x' }],
  [
    'an approval for all',
    {},
    { data: `0xa22cb465${stranger.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}` },
  ],
]

for (const [what, changed, transaction = {}] of lies) {
  test(`refuses ${what}`, async () => {
    const response = await honest(plain)
    const changedCall = { ...response.transaction, ...transaction }
    const lie = { ...response, ...changed, transaction: changedCall } as SealResponse
    await expect(checkSeal(lie, plain)).rejects.toEqual(refused)
  })
}

test('refuses another card, and none, than the one that was asked for', async () => {
  const elsewhere: SealRequest = { ...plain, card: { title: 'Another title' } }
  await expect(checkSeal(await honest(elsewhere), described)).rejects.toEqual(refused)
  await expect(checkSeal(await honest(plain), described)).rejects.toEqual(refused)
  await expect(checkSeal(await honest(described), plain)).rejects.toEqual(refused)
})
