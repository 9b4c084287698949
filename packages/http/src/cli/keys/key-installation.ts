import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import {
  inspectKeys,
  type KeySource,
  type KeyStore,
  type MasterKeys,
  type SeenKeys,
} from '@heirloom/adapters/keys'
import { mintedTokens } from '@heirloom/adapters/ledger/minted'
import { walletOf } from '@heirloom/adapters/wallet'
import { Failure, type TokenId } from '@heirloom/core'
import { openChain } from '../../server/open-chain.ts'
import { readConfig } from '../../config/config.ts'
import { type Site, visit } from '../doctor/installation.ts'
import { keyCensus } from '../../server/keys/key-census.ts'
import { readAgentKey } from '../../config/key-text.ts'
import { masterFileOf, masterKeysIn } from '../../server/keys/master-keys.ts'
import { withKeyStore } from '../../server/keys/open-keys.ts'
import {
  agentFile,
  blobFolder,
  hasChain,
  requireNothingMade,
  requireWholeFolder,
} from '../../server/whole-folder.ts'
import type { Call } from '../arguments/command.ts'
import type { Output } from '../terminal/output.ts'

/** The keys of an installation, while they are looked at or changed. */
export type KeySite = Site & {
  readonly source: KeySource
  /** Whether other servers may use the keys meanwhile. */
  readonly isShared: boolean
}

/**
 * Runs an action on the keys of an installation, where there are any. `change` needs the data folder
 * for itself.
 *
 * @throws `config/invalid`, `folder/in-use`, `folder/incomplete` where there are keys and no master
 * key, or no keys and anything that was made with them
 */
export async function withKeySite(
  { terminal, output }: Pick<Call, 'terminal' | 'output'>,
  access: 'look' | 'change',
  act: (site: KeySite, seen: SeenKeys) => Promise<number>,
): Promise<number> {
  const site = visit(readConfig(terminal.env))
  try {
    if (access === 'change' && site.refusal !== undefined) throw site.refusal
    return await withKeyStore(site, async (store) => {
      if ((await store.read()) === undefined) return noKeysYet(output, site, store)
      const source = { store, masters: mastersFor(site, store) }
      const isShared = site.config.databaseUrl !== undefined
      const seen = (await inspectKeys(source)) ?? { epoch: 0, records: [] }
      return act({ ...site, source, isShared }, seen)
    })
  } finally {
    site.leave()
  }
}

async function noKeysYet(output: Output, { folder }: Site, { place }: KeyStore): Promise<number> {
  requireNothingMade(folder, place)
  const lines = ['There are no sealing keys yet; the first start of a server makes them.']
  await output.answer({ value: { keys: [] }, lines })
  return 0
}

function mastersFor({ config, folder }: Site, { place }: KeyStore): MasterKeys {
  const masters = masterKeysIn(config, folder)
  if (masters !== undefined) return masters
  throw new Failure('folder/incomplete', { missing: masterFileOf(config, folder), beside: place })
}

/** The tokens whose memories are stored here, by the id of the key they are sealed under. */
export type Memories = ReadonlyMap<string, readonly TokenId[]>

/**
 * Counts the memories of an installation; its folder must not be in use.
 *
 * @throws `folder/incomplete` where what they are counted by is missing
 */
export async function memoriesOf({ config, folder, has }: Site): Promise<Memories> {
  requireWholeFolder(config, folder)
  if (!has(blobFolder)) requireNothingMade(folder, join(folder, blobFolder))
  if (!has(blobFolder) || (config.chain.kind === 'embedded' && !hasChain(folder))) return new Map()
  const key =
    config.agentKey ?? readAgentKey(agentFile, readFileSync(join(folder, agentFile), 'utf8'))
  const chain = await openChain(config, { wallet: walletOf(key), key, folder })
  try {
    await chain.ready
    const { source, contracts } = chain
    const store = await heliaBlobStore({ folder: join(folder, blobFolder) })
    const minted = (after: TokenId | undefined) => mintedTokens({ chain: source, contracts, after })
    const { byKey, catchUp } = keyCensus({ minted, head: store.headHere })
    await catchUp().finally(() => store.close())
    return byKey
  } finally {
    await chain.close()
  }
}
