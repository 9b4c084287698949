import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DeployedPair, Deployments } from '@heirloom/adapters/contracts'
import { replaceFile } from '@heirloom/adapters/internal/data-folder'
import type { NodePool } from '@heirloom/adapters/internal/nodes'
import { Failure, type Hex } from '@heirloom/core'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const address = Type.Unsafe<`0x${string}`>(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }))
const hash = Type.Unsafe<`0x${string}`>(Type.String({ pattern: '^0x[0-9a-f]{64}$' }))
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const pair = { registry: address, marketplace: address }

/** Absent in the records of a version before 0.2.0, whose pair is refused by its code. */
const others = {
  forwarder: Type.Optional(address),
  depositCode: Type.Optional(address),
  /** null for a pair without a dollar. */
  dollar: Type.Optional(Type.Union([address, Type.Null()])),
}
const where = {
  chainId: count,
  /** The hash of the first block, because different chains may share a chain id. */
  genesis: Type.Optional(hash),
}

const record = Type.Object({
  ...where,
  ...pair,
  ...others,
  deployer: address,
  txHash: Type.Optional(hash),
  blockNumber: Type.Optional(count),
  compiler: Type.Object({ version: Type.String(), settings: Type.Unknown() }),
  codeHashes: Type.Object({
    registry: hash,
    marketplace: hash,
    forwarder: Type.Optional(hash),
    depositCode: Type.Optional(hash),
  }),
  recordedAt: Type.String(),
})

const signed = Type.Object({
  ...where,
  ...pair,
  /** Absent for none. */
  dollar: Type.Optional(address),
  deployer: address,
  nonce: count,
  txHashes: Type.Array(hash),
})

/** The record of a finished deployment. */
export type DeploymentRecord = Static<typeof record>

/** The record of a deployment that was signed and is not finished. */
export type SignedRecord = Static<typeof signed>

/** A JSON file with one record, which may not exist. */
export type RecordFile<T> = {
  readonly path: string
  /** @throws `config/invalid` when the file is damaged, `folder/unusable` */
  read(): T | undefined
  /** Writes the record durably. @throws `folder/unusable` */
  write(content: T): void
  /** @throws `folder/unusable` */
  remove(): void
}

/** The dollar that a pair is to be bound to. */
export type DollarChoice = {
  /** Its address, or `usdc` for the USDC of the chain; absent for none. */
  readonly dollar?: Hex | 'usdc' | undefined
  /** Whether it may be another than the USDC of the chain. */
  readonly anyDollar?: boolean | undefined
}

export type Pair = DeployedPair

/** The chain to deploy on, and the files that record its deployment. */
export type DeployTarget = {
  readonly nodes: NodePool
  readonly chainId: number
  readonly genesis: Pair['registry'] | undefined
  readonly on: Deployments
  readonly files: ReturnType<typeof deploymentFiles>
  readonly choice: DollarChoice
  /** Reports progress, one line at a time. */
  readonly report: (line: string) => void
}

/** Returns the folder of deployment records in a data folder. */
export const deploymentsFolder = (dataDir: string): string => join(dataDir, 'deployments')

/** Returns the files that record the deployment on a chain. */
export function deploymentFiles(dataDir: string, chainId: number) {
  const folder = deploymentsFolder(dataDir)
  return {
    record: recordFile(join(folder, `${chainId}.json`), record),
    signed: recordFile(join(folder, `${chainId}.signed.json`), signed),
  }
}

function recordFile<schema extends TSchema>(
  path: string,
  schema: schema,
): RecordFile<Static<schema>> {
  return {
    path,
    read: () => {
      const text = accessFile(path, () =>
        existsSync(path) ? readFileSync(path, 'utf8') : undefined,
      )
      return text === undefined ? undefined : parseRecord(path, schema, text)
    },
    write: (content) =>
      accessFile(path, () => replaceFile(path, `${JSON.stringify(content, undefined, 2)}\n`)),
    remove: () => accessFile(path, () => rmSync(path, { force: true })),
  }
}

function parseRecord<schema extends TSchema>(path: string, schema: schema, text: string) {
  try {
    const value: unknown = JSON.parse(text)
    if (Value.Check(schema, value)) return value
  } catch {
    // Reported below, without the text.
  }
  throw new Failure('config/invalid', {
    name: path,
    problem: 'is damaged; restore it, or remove it to search the chain for the deployment',
  })
}

function accessFile<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new Failure('folder/unusable', { folder: dirname(path), problem }, { cause })
  }
}

/** Returns true when a record belongs to another chain with the same chain id. */
export function isOtherChain({ genesis }: DeployTarget, recorded: string | undefined): boolean {
  return genesis !== undefined && recorded !== undefined && genesis !== recorded
}
