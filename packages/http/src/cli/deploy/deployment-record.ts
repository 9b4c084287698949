import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { replaceFile } from '@heirloom/adapters/data-folder'
import { Failure } from '@heirloom/core'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const address = Type.Unsafe<`0x${string}`>(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }))
const hash = Type.Unsafe<`0x${string}`>(Type.String({ pattern: '^0x[0-9a-f]{64}$' }))
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const pair = { registry: address, marketplace: address }
const where = {
  chainId: count,
  /** The hash of the chain's first block: ids are no proof that two chains are one. */
  genesis: Type.Optional(hash),
}

const record = Type.Object({
  ...where,
  ...pair,
  deployer: address,
  txHash: Type.Optional(hash),
  blockNumber: Type.Optional(count),
  compiler: Type.Object({ version: Type.String(), settings: Type.Unknown() }),
  codeHashes: Type.Object({ registry: hash, marketplace: hash }),
  recordedAt: Type.String(),
})

const signed = Type.Object({
  ...where,
  ...pair,
  deployer: address,
  nonce: count,
  txHashes: Type.Array(hash),
})

/** What is kept of a deployment that was made. */
export type DeploymentRecord = Static<typeof record>

/** What is kept of a deployment from its signature until its record. */
export type SignedRecord = Static<typeof signed>

/** A file that holds one thing, or is not there. */
export type Kept<T> = {
  readonly path: string
  /** @throws `config/invalid` when the file is damaged, `folder/unusable` */
  read(): T | undefined
  /** Returns once the thing outlives a crash. @throws `folder/unusable` */
  write(thing: T): void
  /** @throws `folder/unusable` */
  remove(): void
}

/** The folder of deployment records in a data folder. */
export const deploymentsFolder = (dataDir: string): string => join(dataDir, 'deployments')

/** Returns the files in which the deployment on a chain is kept. */
export function deploymentFiles(dataDir: string, chainId: number) {
  const folder = deploymentsFolder(dataDir)
  return {
    record: kept(join(folder, `${chainId}.json`), record),
    signed: kept(join(folder, `${chainId}.signed.json`), signed),
  }
}

function kept<schema extends TSchema>(path: string, schema: schema): Kept<Static<schema>> {
  return {
    path,
    read: () => {
      const text = usable(path, () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined))
      return text === undefined ? undefined : parsed(path, schema, text)
    },
    write: (thing) =>
      usable(path, () => replaceFile(path, `${JSON.stringify(thing, undefined, 2)}\n`)),
    remove: () => usable(path, () => rmSync(path, { force: true })),
  }
}

function parsed<schema extends TSchema>(path: string, schema: schema, text: string) {
  try {
    const value: unknown = JSON.parse(text)
    if (Value.Check(schema, value)) return value
  } catch {
    // Told below, without the text.
  }
  throw new Failure('config/invalid', {
    name: path,
    problem: 'is damaged; restore it, or remove it to have the deployment looked for on the chain',
  })
}

function usable<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new Failure('folder/unusable', { folder: dirname(path), problem }, { cause })
  }
}
