import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { localMasterKey } from '../../../packages/adapters/src/keys/local-master-key.ts'

/** The folder with a fixture for each state of the tables. */
export const fixturesFolder = join(import.meta.dirname, '../../fixtures/tables')

/** The names of the fixtures: a release, or a day between releases. */
export const fixtureNames: readonly string[] = readdirSync(fixturesFolder)

/** The master key that wraps the sealing keys of each fixture. */
export const fixtureMaster = localMasterKey(Buffer.alloc(32, 1))

/** The tenant of each fixture that has any. */
export const fixtureTenant = {
  name: 'ada',
  address: `0x${'a1'.repeat(20)}`,
  createdAt: 1,
  perDay: '7',
  walletKey: new Uint8Array(32).fill(7),
} as const
