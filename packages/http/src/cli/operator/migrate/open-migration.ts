import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { type ContractPair, readHeirPlan } from '@heirloom/adapters/internal/acts'
import { connect, type MigrationChain, pairReader } from '@heirloom/adapters/internal/migration'
import { countRatings } from '@heirloom/adapters/internal/ratings'
import { walletOf } from '@heirloom/adapters/wallet'
import { account, Failure, type MigratingToken, sameAccount, type TokenId } from '@heirloom/core'
import type { LocalAccount, PublicClient } from 'viem'
import { type Config, type Environment, readConfig } from '../../../config/config.ts'
import { readAgentKey } from '../../../config/read-keys.ts'
import { type AgentWallet, configuredWallet } from '../../../server/keys/agent-wallet.ts'
import {
  type Journal,
  type NamedHeir,
  openJournal,
  type Round,
} from '../../../server/migration-journal.ts'
import { openCatalogue } from '../../../server/open-catalogue.ts'
import { readCutOff } from './cut-off.ts'
import { findThere } from './find-there.ts'
import type { Migration } from './run-round.ts'
import { hasJobs, type OpenSide, openChainSide, openSide, type Side } from './side.ts'

/** The settings of a migration. */
type MigrateOptions = {
  /** The environment of the old server. */
  readonly env: Environment
  /** The file with the environment of the new server. */
  readonly to: string
  /** A file with the private keys of further creators and owners; absent for none. */
  readonly keys: string | undefined
  /** Whether listings are carried over whose owners' keys are here. */
  readonly listings: boolean
}

/** Everything of a migration but its round. */
export type OpenMigration = Omit<Migration, 'to' | 'onStep'> & {
  readonly side: Side
  readonly readRound: () => Promise<Round>
}

/** Reads a file of lines `NAME=value`. @throws `config/invalid` */
export const readEnvironment = (file: string): Environment => parseEnv(readText(file))

type Configs = {
  readonly from: Config
  readonly to: Config
  readonly agent: AgentWallet
}

/** Reads the configurations of the old and the new server. @throws `config/invalid` */
function readConfigs({ env, to: file }: MigrateOptions): Configs {
  const to = readConfig(readEnvironment(file))
  const { chain, contracts } = to
  const agent = configuredWallet(to)
  if (chain.kind === 'remote' && contracts !== undefined && agent !== undefined)
    return { from: readConfig(env), to, agent }
  const problem =
    'must set RPC_URL, REGISTRY_ADDRESS, MARKETPLACE_ADDRESS and AGENT_PRIVATE_KEY or AGENT_KEY_SERVICE; heirloom deploy makes a pair'
  throw new Failure('config/invalid', { name: file, problem })
}

/**
 * Opens the old server's installation, and the chain of the new one.
 *
 * @throws `config/invalid`, `folder/in-use`, and what the start of a server may fail with
 */
export async function openMigration(
  options: MigrateOptions,
  resources: AsyncDisposableStack,
): Promise<OpenMigration> {
  const configs = readConfigs(options)
  const from = await openSide(configs.from, resources)
  const side = await openChainSide(configs.to, configs.agent, resources)
  requireOther(from, side, options.to)
  const journal = openJournal(side.folder)
  requireSameMove(journal, from, side)
  const wallets = walletsOf([from.wallet, side.wallet, ...readKeys(options.keys)])
  const chain = chainOf(side, wallets)
  const { client } = chain
  const oldClient = connect(from.chain.source)
  const blobs = { blobStore: from.blobStore, keys: from.keys, erasures: from.erasures }
  const indexed = { config: from.config, folder: from.folder, chain: from.chain }
  const catalogue = await openCatalogue({ ...indexed, observe: () => undefined }, blobs)
  resources.defer(() => catalogue.close())
  return {
    from,
    side,
    client,
    journal,
    chain,
    now: () => Date.now(),
    cardOf: async (id) => (await catalogue.token(id))?.card,
    transferred: (tokens) => findTransferred(oldClient, from, tokens),
    readRound: async () => {
      const old = { from, to: side, client: oldClient, catalogue }
      const found = await readRound(old, { client, journal })
      const signers = [...wallets.values()].map(({ address }) => account(address))
      const heirs = await findHeirs(oldClient, from.chain.contracts, found.tokens)
      const lostRatings = await ratingsOf(from)
      return { ...found, signers, listings: listingsOf(options, side), heirs, lostRatings }
    },
  }
}

function chainOf(
  { chain, wallet, config }: Side,
  wallets: ReadonlyMap<string, LocalAccount>,
): MigrationChain {
  return {
    client: connect(chain.source),
    chainId: chain.chainId,
    pair: chain.contracts,
    confirmations: config.confirmations,
    payer: wallet,
    walletOf: (of) => {
      const found = wallets.get(of.toLowerCase())
      if (found === undefined) throw new Error(`The key of ${of} is not here.`)
      return found
    },
  }
}

const walletsOf = (all: readonly LocalAccount[]): ReadonlyMap<string, LocalAccount> =>
  new Map(all.map((wallet) => [wallet.address.toLowerCase(), wallet]))

/** A pair without a dollar takes no listing in dollars. */
function listingsOf({ listings }: MigrateOptions, { chain }: Side): Round['listings'] {
  if (!listings) return 'none'
  return chain.contracts.dollar === undefined ? 'native' : 'all'
}

type Old = readCutOff.Input
type New = Pick<Migration, 'client' | 'journal'>

type Found = Omit<Round, 'signers' | 'listings' | 'heirs' | 'lostRatings'>

/** Reads what there is to carry over, and what was carried over before. */
async function readRound(old: Old, { client, journal }: New): Promise<Found> {
  const { from, to } = old
  const state = await readCutOff(old)
  const { progress, abandoned } = journal.state()
  const all = await pairReader(client, to.chain.contracts).tokens()
  const there = all.filter(({ tokenId }) => !abandoned.has(tokenId))
  const { moved, disputed } = findThere(state.tokens, there, progress.moved)
  const tokens = state.tokens.map((token) =>
    disputed.has(token.tokenId) && token.obstacle === undefined
      ? { ...token, obstacle: 'there-with-another-owner' as const }
      : token,
  )
  const { cutOff, lostRentals } = state
  const place = { from: from.registry, to: to.registry, cutOff, lostRentals }
  return { kind: 'round', ...place, tokens, moved: [...moved] }
}

const ratingsOf = async (side: OpenSide): Promise<number> =>
  hasJobs(side) ? countRatings(await side.jobStore(), side.registry) : 0

async function findTransferred(
  client: Parameters<typeof pairReader>[0],
  { chain }: OpenSide,
  tokens: readonly MigratingToken[],
): Promise<readonly TokenId[]> {
  const reader = pairReader(client, chain.contracts)
  const changed: TokenId[] = []
  for (const { tokenId, owner } of tokens)
    if (!sameAccount((await reader.token(tokenId)).owner, owner)) changed.push(tokenId)
  return changed
}

function requireOther(from: Side, { registry }: Side, name: string): void {
  if (registry.chainId !== from.registry.chainId) return
  if (!sameAccount(registry.address, from.registry.address)) return
  const problem = `names the registry ${registry.address}, which the memories are in already`
  throw new Failure('config/invalid', { name, problem })
}

function requireSameMove({ state }: Journal, from: Side, to: Side): void {
  const { round } = state()
  if (round === undefined) return
  const same = (one: Side['registry'], other: Side['registry']) =>
    one.chainId === other.chainId && sameAccount(account(one.address), other.address)
  if (same(round.from, from.registry) && same(round.to, to.registry)) return
  const problem = `holds the journal of a migration from the registry ${round.from.address} to ${round.to.address}; use another DATA_DIR for this one`
  throw new Failure('config/invalid', { name: to.folder, problem })
}

function readKeys(file: string | undefined): readonly LocalAccount[] {
  if (file === undefined) return []
  const lines = readText(file)
    .split('\n')
    .map((line) => line.trim())
  return lines.filter((line) => line !== '').map((line) => walletOf(readAgentKey(file, line)))
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Failure('config/invalid', { name: file, problem: 'cannot be read' }, { cause })
  }
}

/** The number of accounts that are asked for at the same time. */
const atOnce = 16

/**
 * Returns the owners of tokens who have named an heir in a registry, with what they arranged.
 *
 * @throws `ledger/unavailable`
 */
async function findHeirs(
  client: PublicClient,
  pair: ContractPair,
  tokens: readonly Pick<MigratingToken, 'owner'>[],
): Promise<readonly NamedHeir[]> {
  const owners = [...new Set(tokens.map(({ owner }) => owner))]
  const found: NamedHeir[] = []
  for (let first = 0; first < owners.length; first += atOnce) {
    const some = owners.slice(first, first + atOnce)
    const readings = await Promise.all(some.map((owner) => readHeirPlan(client, pair, owner)))
    for (const { plan } of readings) {
      if (plan === undefined) continue
      const { account, heir, silenceDays, noticeDays } = plan
      found.push({ account, heir, silenceDays, noticeDays })
    }
  }
  return found
}
