import { hash } from 'node:crypto'
import { createClient } from '@heirloom/http/client'
import { openWallet } from '@heirloom/http/wallet'
import { createWalletClient, type Hex, http, parseAbi } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { publicAccount } from '../copier.ts'
import { agentOf, hostServer, post, startServer } from '../process/server.ts'

/** A server on its embedded chain, and the people of its memories. */
export type OldServer = {
  readonly folder: string
  readonly agent: PrivateKeyAccount
  readonly ann: PrivateKeyAccount
  readonly bob: PrivateKeyAccount
  readonly renter: PrivateKeyAccount
  readonly stranger: PrivateKeyAccount
  /** The private key of Bob. */
  readonly bobsKey: Hex
  /** The content hashes, by token id. */
  readonly hashes: Readonly<Record<string, Hex>>
}

/** Notes that do not compress well, so that what versions share shows. */
const longNotes = Array.from({ length: 2000 }, (_, at) => hash('sha512', `note ${at}`, 'base64'))
const notesOfFirst = 1998

const newAccount = () => privateKeyToAccount(generatePrivateKey())

const free = { price: '0', rentalPricePerDay: '0', forkPrice: '0', forkRoyaltyBps: 0 }

/**
 * Makes 23 tokens and stops the server again. 1: rented out, also to a test account, which rates it;
 * forked, sold to Ann. 2 is a fork of it,
 * 3 of 2, 4 of 3 for Bob. 5: listed by the agent. 6: listed by the agent in dollars. 7: of Ann, listed
 * by herself. 8: made by Bob. 9: a copy of 1. 10: declares 5 as its parent. 11 declares 8. 12 to 20
 * belong to Ann, Bob and the agent in turn. Ann has named Bob as her heir. 21 to
 * 23 are the versions of `ada`, of some 400 kB, each with a note more; the last one is of Ann.
 */
export async function buildOldServer(folder: string, program?: string): Promise<OldServer> {
  const env = { DATA_DIR: folder }
  const server = await (program === undefined ? hostServer(env) : startServer(env, program))
  const { url } = server
  const [ann, renter, stranger] = [newAccount(), newAccount(), newAccount()]
  const bobsKey = generatePrivateKey()
  const bob = privateKeyToAccount(bobsKey)
  const agent = agentOf(folder)
  const people = { folder, agent, ann, bob, bobsKey, renter, stranger }
  const hashes: Record<string, Hex> = {}
  const send = async (path: string, body: object) => {
    const response = await post(url, path, JSON.stringify(body))
    const reply = (await response.json()) as Record<string, string>
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(reply)}`)
    return reply
  }
  const snapshot = async (recipient: Hex | undefined, more: object = {}) => {
    const number = Object.keys(hashes).length + 1
    const memory = { data: { number }, metadata: { category: 'research' } }
    const reply = await send('/api/memory/snapshot', { ...memory, recipient, ...more })
    hashes[reply.tokenId ?? ''] = reply.contentHash as Hex
  }
  const list = (tokenId: string, terms: object) =>
    send('/api/marketplace/list', { tokenId, ...free, ...terms })
  const fork = async (parent: string, recipient: Hex | undefined) => {
    const { tokenId = '' } = await send(`/api/marketplace/fork/${parent}`, { recipient })
    hashes[tokenId] = hashes[parent] as Hex
  }

  await snapshot(undefined, { card: { title: 'The first', category: 'research' } })
  await list('1', { price: '9', rentalPricePerDay: '2', forkPrice: '5', forkRoyaltyBps: 500 })
  await send('/api/marketplace/rent/1', { durationDays: 10, recipient: renter.address })
  await rateFirst(url)
  await fork('1', undefined)
  await send('/api/marketplace/buy/1', { recipient: ann.address })
  await list('2', { forkPrice: '5', forkRoyaltyBps: 300 })
  await fork('2', undefined)
  await list('3', { forkPrice: '5', forkRoyaltyBps: 0 })
  await fork('3', bob.address)
  await snapshot(undefined)
  await list('5', { price: '1000', forkPrice: '70', forkRoyaltyBps: 250 })
  await snapshot(undefined)
  await list('6', { dollars: { price: '5000000', rentalPricePerDay: '0', forkPrice: '0' } })
  await snapshot(ann.address)
  const annsWallet = await openWallet({ url, account: ann, relay: true })
  await annsWallet.nameHeir({ heir: bob.address, silenceDays: 180, noticeDays: 60 })
  await annsWallet.list({ tokenId: '7', ...free, price: '77' })
  const bobsWallet = await openWallet({ url, account: bob, relay: true })
  const memory = { data: { of: 'Bob' }, metadata: { category: 'research' } }
  hashes[8] = (await bobsWallet.snapshot(memory)).contentHash as Hex
  await copyFirst(url)
  hashes[9] = hashes[1] as Hex
  await snapshot(undefined, { parentTokenId: '5' })
  await snapshot(undefined, { parentTokenId: '8' })
  for (let id = 12; id <= 20; id++)
    await snapshot([ann.address, bob.address, undefined][id % 3], {
      card: { title: `Note ${id}`, category: 'research' },
    })
  for (let version = 1; version <= 3; version++) {
    const data = { notes: longNotes.slice(0, notesOfFirst + version - 1) }
    const recipient = version === 3 ? ann.address : undefined
    await snapshot(recipient, { data, name: 'ada', after: version === 1 ? '0' : `${19 + version}` })
  }
  await server.end('SIGTERM')
  return { ...people, hashes }
}

/** Rents the first token with a test account, and rates it. */
async function rateFirst(url: string): Promise<void> {
  const account = publicAccount(4)
  await (await openWallet({ url, account })).rent('1', { durationDays: 1 })
  await createClient({ url, account }).rate({ tokenId: '1', score: 4 })
}

/** Mints the hashes of the first token with the wallet of somebody else. */
async function copyFirst(url: string): Promise<void> {
  const { registry } = (await (await fetch(`${url}/api/deployment`)).json()) as { registry: Hex }
  const info = (await (await fetch(`${url}/api/memory/1/info`)).json()) as Record<string, string>
  const [contentHash, digest] = [info.contentHash, info.storageUri?.replace('v2:ipfs://', '')]
  const copier = publicAccount(3)
  const client = createWalletClient({
    account: copier,
    chain: foundry,
    transport: http(`${url}/rpc`),
  })
  await client.writeContract({
    address: registry,
    abi: parseAbi(['function mint(address, bytes32, bytes32, uint256) returns (uint256)']),
    functionName: 'mint',
    args: [copier.address, contentHash as Hex, digest as Hex, 0n],
  })
}
