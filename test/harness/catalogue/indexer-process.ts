import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { sqlCatalogue } from '@heirloom/adapters/catalogue'
import type { Hex } from 'viem'

/** The options of a process that indexes a chain into a file: when to kill it, and what to copy. */
export type IndexerProcessOptions = {
  readonly rpc: string
  readonly contracts: { readonly registry: Hex; readonly marketplace: Hex }
  readonly db: string
  readonly reorgDepth: number
  /** The commit, from 0, right before which the process kills itself (SIGKILL). */
  readonly killBefore?: number
  /** A folder for copies of the file right before each statement, and for the statements. */
  readonly copies?: string
}

const { rpc, contracts, db, reorgDepth, killBefore, copies } = JSON.parse(
  process.argv[2] ?? '',
) as IndexerProcessOptions

const statements: string[] = []
let commits = 0

function beforeStatement(text: string): void {
  if (text === 'commit' && commits++ === killBefore) process.kill(process.pid, 'SIGKILL')
  if (copies !== undefined) copyTo(join(copies, `${statements.length}.sqlite`))
  statements.push(text)
}

// A process killed at this statement would leave the same bytes in the files.
function copyTo(path: string): void {
  for (const suffix of ['', '-wal']) {
    if (existsSync(`${db}${suffix}`)) copyFileSync(`${db}${suffix}`, `${path}${suffix}`)
  }
}

for (const name of ['run', 'all', 'get'] as const) {
  const inner = StatementSync.prototype[name]
  StatementSync.prototype[name] = function (this: StatementSync, ...values: never[]) {
    beforeStatement(this.sourceSQL)
    return Reflect.apply(inner, this, values) as never
  }
}
const { exec } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (this: DatabaseSync, text: string) {
  beforeStatement(text)
  return Reflect.apply(exec, this, [text])
}

const catalogue = await sqlCatalogue({ chain: new URL(rpc), contracts, db, reorgDepth })
await catalogue.caughtUp()
await catalogue.close()
if (copies !== undefined) {
  copyTo(join(copies, `${statements.length}.sqlite`))
  writeFileSync(join(copies, 'statements.json'), JSON.stringify(statements))
}
