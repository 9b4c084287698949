import { join } from 'node:path'
import { naclCipher, readHeader } from '@heirloom/adapters/cipher'
import { type MintedToken, mintedTokens } from '@heirloom/adapters/internal/minted-tokens'
import { type KeySource, type LoadedKeys, loadKeys, sealingKeysOf } from '@heirloom/adapters/keys'
import {
  type BlobStore,
  type Cipher,
  type Erasures,
  Failure,
  isFailure,
  readSealed,
  readsWithoutErased,
  type TokenId,
  whileOpen,
} from '@heirloom/core'
import { type Config, largestBody } from '../../../config/config.ts'
import type { AgentWallet } from '../../../server/keys/agent-wallet.ts'
import { blobStorageOf } from '../../../server/open-blob-storage.ts'
import { openChain } from '../../../server/open-chain.ts'
import { storageFolder } from '../../../server/whole-folder.ts'

/** The memories that open, and those that do not. */
export type MemoryReport = {
  /** The number of tokens on the chain. */
  readonly tokens: number
  readonly opened: number
  /** Those that are sealed under a destroyed key, as somebody wanted. */
  readonly destroyed: readonly TokenId[]
  /** Those that were erased, as their owners wanted. */
  readonly erased: readonly TokenId[]
  /** Those of others, whose memories were never stored here. */
  readonly foreign: readonly TokenId[]
  /** Those that do not open, and why. */
  readonly failed: readonly { readonly tokenId: TokenId; readonly problem: string }[]
}

export declare namespace verifyMemories {
  type Input = {
    readonly config: Config
    /** A data folder that this process has locked. */
    readonly folder: string
    readonly agent: AgentWallet
    readonly source: KeySource
    readonly erasures: Pick<Erasures, 'find'>
  }
}

/**
 * Opens every memory that the tokens of a chain name, and compares it with the chain.
 *
 * @throws `keys/unusable`, `blob/unavailable`, and the failures of opening a chain
 */
export async function verifyMemories({
  config,
  folder,
  agent: { wallet, key },
  source,
  erasures,
}: verifyMemories.Input): Promise<MemoryReport> {
  const keys = await loadKeys(source)
  const chain = await openChain(config, { wallet, key, folder })
  try {
    await chain.ready
    const minted = mintedTokens({ chain: chain.source, contracts: chain.contracts })
    const place = { folder: join(folder, storageFolder(config)) }
    const storage = await blobStorageOf({ ...config, network: undefined }, place)
    return await whileOpen(storage, ({ local }) =>
      report(minted, {
        local: readsWithoutErased(local, erasures),
        wallet: wallet.address,
        opener: openerOf(keys, config),
      }),
    )
  } finally {
    await chain.close()
  }
}

type Opener = { readonly cipher: Cipher; readonly destroyed: ReadonlySet<string> }

function openerOf(keys: LoadedKeys | undefined, { databaseUrl }: Config): Opener {
  if (keys === undefined) {
    const inBackup = 'the backup has none'
    const inDatabase = 'the database of DATABASE_URL has none; restore its dump first'
    const problem = databaseUrl === undefined ? inBackup : inDatabase
    throw new Failure('keys/unusable', { problem })
  }
  const gone = keys.records.filter(({ facts }) => facts.state === 'destroyed')
  return {
    cipher: naclCipher({ keys: sealingKeysOf(keys), documentLimit: largestBody }),
    destroyed: new Set(gone.map(({ facts }) => facts.id)),
  }
}

type Place = {
  readonly local: Pick<BlobStore, 'get' | 'head'>
  readonly wallet: string
  readonly opener: Opener
}

async function report(
  minted: AsyncIterable<MintedToken>,
  { local, wallet, opener }: Place,
): Promise<MemoryReport> {
  const states: State[] = []
  for await (const token of minted) {
    const isOwn = token.creator.toLowerCase() === wallet.toLowerCase()
    const state = await stateOf(token, local, opener)
    states.push({ tokenId: token.tokenId, state: state === notHere && !isOwn ? 'foreign' : state })
  }
  const those = (name: string) => states.filter(({ state }) => state === name)
  const idsOf = (name: string) => those(name).map(({ tokenId }) => tokenId)
  return {
    tokens: states.length,
    opened: those('opened').length,
    destroyed: idsOf('destroyed'),
    erased: idsOf('erased'),
    foreign: idsOf('foreign'),
    failed: states
      .filter(({ state }) => !['opened', 'destroyed', 'erased', 'foreign'].includes(state))
      .map(({ tokenId, state: problem }) => ({ tokenId, problem })),
  }
}

/** A token, and `opened`, `destroyed`, `erased`, `foreign` or what is wrong with its memory. */
type State = { readonly tokenId: TokenId; readonly state: string }

const notHere = 'its memory is not stored here'

/** Returns what is wrong with the memory of a token, `opened` or `destroyed`. */
async function stateOf(
  { digest, contentHash }: MintedToken,
  local: Place['local'],
  { cipher, destroyed }: Opener,
): Promise<string> {
  try {
    const head = await local.head(digest)
    const { sealingKeyId } = readHeader(head)
    if (destroyed.has(Buffer.from(sealingKeyId).toString('hex'))) return 'destroyed'
    const { context } = cipher.inspect(head)
    const sealed = await readSealed({ blobStore: local, cipher }, { digest, context, head })
    const opened = await cipher.open(sealed, context, local)
    return opened.contentHash === contentHash ? 'opened' : 'its content hash is not on the chain'
  } catch (error) {
    return stateOfFailure(error)
  }
}

function stateOfFailure(error: unknown): string {
  if (isFailure(error, 'blob/not-found')) return notHere
  if (isFailure(error, 'memory/erased')) return 'erased'
  if (isFailure(error, 'blob/corrupt') || isFailure(error, 'bundle/unreadable')) {
    return error.message
  }
  throw error
}
