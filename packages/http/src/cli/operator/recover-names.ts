import { systemClock } from '@heirloom/adapters/clock'
import { sqlGrants } from '@heirloom/adapters/internal/grants'
import { mintedTokens } from '@heirloom/adapters/internal/minted-tokens'
import {
  type NameRecovery,
  nameRecovery,
  type RecoveredVersion,
} from '@heirloom/adapters/internal/name-recovery'
import { type JobStore, sqliteJobStore } from '@heirloom/adapters/job-store'
import { type InspectedKeys, requireOpened, sealingKeysOf } from '@heirloom/adapters/keys'
import {
  type Account,
  account,
  type BlobStore,
  type Digest,
  endGrants,
  type Grants,
  type RecoveredLine,
  recoverLines,
  type TokenId,
} from '@heirloom/core'
import { checksumAddress } from 'viem'
import type { OpenChain } from '../../server/open-chain.ts'
import { jobFile, openJobStore } from '../../server/open-job-store.ts'
import type { Call } from '../arguments/command.ts'
import { withBlobStore } from './doctor/installation.ts'
import { type KeyInstallation, withKeyInstallation, withOwnChain } from './keys/key-installation.ts'
import { lineTokens, type ReadToken, versionSizes } from './line-tokens.ts'
import { type NameReport, type RecoveryReport, reportLines } from './recovery-lines.ts'

type RecoverCall = Pick<Call, 'terminal' | 'output'> & {
  readonly options: { readonly 'dry-run'?: boolean | undefined }
}

/** Writes the names that the memories on the chain were saved to into the tables that lack them. */
export function recoverNames(call: RecoverCall): Promise<number> {
  const dryRun = call.options['dry-run'] === true
  return withKeyInstallation(call, 'change', async (installation, seen) => {
    const report = await withOwnChain(installation, (chain) =>
      recover({ installation, seen, chain, dryRun }),
    )
    const nothing = { dryRun, names: [], leftOut: [], erased: 0, unread: 0 }
    const value = report ?? nothing
    await call.output.result({ value, lines: reportLines(value) })
    return value.names.some(({ left }) => left === 'different' || left === 'held') ? 1 : 0
  })
}

type Recovery = {
  readonly installation: KeyInstallation
  readonly seen: InspectedKeys
  readonly chain: Pick<OpenChain, 'source' | 'contracts' | 'chainId'>
  readonly dryRun: boolean
}

async function recover({ installation, seen, chain, dryRun }: Recovery): Promise<RecoveryReport> {
  const { source, contracts, chainId } = chain
  const registry = { chainId, address: account(contracts.registry) }
  const keys = sealingKeysOf(requireOpened(seen, installation.source))
  const store = await openStore(installation, dryRun)
  try {
    return await withBlobStore(installation, async ({ local }) => {
      const minted = mintedTokens({ chain: source, contracts })
      const tokens = new Map<TokenId, ReadToken>()
      for await (const token of lineTokens({ minted, head: local.head, registry, keys })) {
        tokens.set(token.tokenId, token)
      }
      const grants = dryRun ? undefined : await sqlGrants(store, registry)
      const recovery = nameRecovery(store, registry)
      for (const id of await recovery.refused()) tokens.delete(id)
      return recoverAll({ recovery, grants, tokens, get: local.get, dryRun })
    })
  } finally {
    await store.close()
  }
}

/** Opens the job store; a dry run makes none. */
const openStore = ({ config, folder, has }: KeyInstallation, dryRun: boolean): Promise<JobStore> =>
  dryRun && config.databaseUrl === undefined && !has(jobFile)
    ? sqliteJobStore(':memory:')
    : openJobStore(config, folder)

type Names = {
  readonly recovery: NameRecovery
  /** Absent in a dry run. */
  readonly grants: Grants | undefined
  readonly tokens: ReadonlyMap<TokenId, ReadToken>
  readonly get: BlobStore['get']
  readonly dryRun: boolean
}

async function recoverAll(all: Names): Promise<RecoveryReport> {
  const { tokens, dryRun } = all
  const { lines, leftOut } = recoverLines(tokens.values())
  const names: NameReport[] = []
  for (const line of lines) names.push(await recoverName(all, line))
  const count = (reason: ReadToken['unread']) =>
    new Set([...tokens.values()].filter((it) => it.unread === reason).map((it) => it.digest)).size
  return { dryRun, names, leftOut, erased: count('erased'), unread: count('not-here') }
}

async function recoverName(
  { recovery, grants, tokens, get }: Names,
  { of, versions }: RecoveredLine,
): Promise<NameReport> {
  const stored = await recovery.compare(of, versions)
  const name = { ...of, versions: versions.length }
  if (stored.kind !== 'begun') return { ...name, added: [], left: stored.kind }
  const { missing } = stored
  const byGrant = missing.filter((id) => tokens.get(id)?.isGranted)
  const added = { added: missing, ...(byGrant.length > 0 && { byGrant }) }
  if (grants === undefined || missing.length === 0) return { ...name, ...added }
  const read = versions.map((id) => tokens.get(id) as ReadToken)
  const sizes = await versionSizes(get, read.slice(0, -missing.length), read.slice(-missing.length))
  const rows = read.slice(-missing.length).map((token) => versionOf(of.owner, token, sizes))
  // First, so that no grant of an earlier line is one of this.
  const endedGrants = await endGrants({ grants, clock: systemClock() }, of)
  const isAdded = await recovery.append(of, stored.versions, rows)
  const report = endedGrants === 0 ? name : { ...name, endedGrants }
  return isAdded ? { ...report, ...added } : { ...report, added: [], left: 'held' }
}

/** Returns a version as far as the chain and its bundle tell it. */
function versionOf(
  owner: string,
  token: ReadToken,
  sizes: ReadonlyMap<Digest, number>,
): RecoveredVersion {
  const { tokenId, contentHash, digest, creator, recipient = creator, mintedAt } = token
  return {
    tokenId,
    contentHash,
    digest,
    creator,
    recipient,
    savedAt: mintedAt,
    txHash: undefined,
    documentBytes: token.documentBytes ?? 0,
    storedBytes: sizes.get(digest) ?? 0,
    savedBy: saverOf(owner, token),
  }
}

/** Returns who saved. Only the tables know which key of a tenant it was. */
const saverOf = (owner: string, { creator, savedBy }: ReadToken): string => {
  if (savedBy?.kind === 'account') return checksumAddress(savedBy.name as Account)
  if (owner.startsWith('account ')) return creator
  return owner.startsWith('key ') ? owner.slice('key '.length) : owner
}
