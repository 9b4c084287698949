import { Failure } from '@heirloom/core'
import { readConfig } from '../../../config/config.ts'
import {
  addLine,
  type MigrationState,
  openJournal,
  type Round,
  type SentStep,
} from '../../../server/migration-journal.ts'
import { keepEarlierMoves } from '../../../server/moved-tokens.ts'
import { type Call, type NamedOptions, UsageError } from '../../arguments/command.ts'
import { promptConfirm } from '../../terminal/prompt.ts'
import { canPrompt } from '../../terminal/terminal.ts'
import { carryNames } from './carry-names.ts'
import { costOf } from './cost.ts'
import { type OpenMigration, openMigration, readEnvironment } from './open-migration.ts'
import { nameLines, type Price, priceLines, reportLines, reportOf, statusLines } from './report.ts'
import { courseWithout, rulesOf, runRound } from './run-round.ts'
import { openMemories } from './side.ts'

type MigrateCall = Call<
  never,
  NamedOptions<'dry-run' | 'status' | 'no-listings' | 'yes', 'to' | 'keys'>
>

/** Runs the command with the file of the new environment. */
export async function runMigrate(call: MigrateCall, to: string): Promise<number> {
  if (call.options.status) return showStatus(call, to)
  const { keys, 'no-listings': noListings } = call.options
  const options = { env: call.terminal.env, to, keys, listings: !noListings }
  await using resources = new AsyncDisposableStack()
  const migration = await openMigration(options, resources)
  const { round, isFinished } = migration.journal.state()
  const isNew = round === undefined || isFinished
  const plan = isNew ? await migration.readRound() : round
  const state = isNew ? addLine(migration.journal.state(), plan) : migration.journal.state()
  const price = await priceOf(migration, plan, state)
  if (call.options['dry-run']) return showPlan(call, { plan, state, price })
  await confirm(call, { plan, state, price })
  const target = await openMemories(migration.side, resources)
  keepEarlierMoves(migration.from.folder, target.folder)
  if (isNew) migration.journal.append(plan)
  const onStep = (line: SentStep, outcome: 'done' | 'failed') =>
    call.output.note(
      `${stepText(line)} ${outcome === 'done' ? 'is done' : 'failed'}: ${line.txHash}`,
    )
  const stale = await runRound({ ...migration, to: target, onStep }, plan)
  const { progress } = migration.journal.state()
  const { from, client } = migration
  const names = await carryNames({ from, to: target, client, moved: progress.moved })
  const report = { ...reportOf(plan, courseWithout(plan, stale), progress), names }
  const lines = [...reportLines(report), ...nameLines(names)]
  await call.output.result({ value: { dryRun: false, ...report }, lines })
  return 0
}

type Shown = { readonly plan: Round; readonly state: MigrationState; readonly price: Price }

async function priceOf(
  { chain: { client, payer } }: OpenMigration,
  round: Round,
  { progress }: MigrationState,
): Promise<Price> {
  const cost = costOf(courseWithout(round, new Set()), progress, rulesOf(round))
  const { maxFeePerGas: feePerGas } = await client.estimateFeesPerGas()
  const balance = await client.getBalance({ address: payer.address })
  return { ...cost, feePerGas, cost: cost.gas * feePerGas, payer: payer.address, balance }
}

async function showPlan({ output }: MigrateCall, { plan, state, price }: Shown): Promise<number> {
  const report = reportOf(plan, courseWithout(plan, new Set()), state.progress)
  const lines = ['Dry run: nothing is sent.', ...reportLines(report), ...priceLines(price)]
  await output.result({ value: { dryRun: true, ...report, price }, lines })
  return 0
}

/** Asks before money is spent. @throws `wallet/short`, `Declined` */
async function confirm(
  { terminal, output, options }: MigrateCall,
  { plan, state, price }: Shown,
): Promise<void> {
  if (options.yes || price.transactions === 0) return
  if (output.json || !canPrompt(terminal)) {
    throw new UsageError('Pass --yes to send the transactions, or run the command on a terminal.')
  }
  const report = reportOf(plan, courseWithout(plan, new Set()), state.progress)
  for (const line of [...reportLines(report), ...priceLines(price)]) await output.note(line)
  await promptConfirm(terminal, `Send ${price.transactions} transactions?`)
}

function stepText({ step }: SentStep): string {
  switch (step.kind) {
    case 'mint':
      return `Minting tokens ${step.tokens.join(', ')}`
    case 'set-up':
      return `Setting up token ${step.tokenId} (${step.forks.length} forks, ${step.rentals.length} rentals)`
    case 'hand-over':
      return `Handing over tokens ${step.tokens.join(', ')}`
    case 'list':
      return `Listing tokens ${step.tokens.join(', ')}`
  }
}

/** Shows what the journal of the new server says. Needs no chain and no key. */
async function showStatus({ output }: MigrateCall, to: string): Promise<number> {
  const config = readConfig(readEnvironment(to))
  const { round, progress, isFinished } = openJournal(config.dataDir).state()
  if (round === undefined) {
    const problem = `names ${config.dataDir}, where no migration was started`
    throw new Failure('config/invalid', { name: 'DATA_DIR', problem })
  }
  const report = reportOf(round, courseWithout(round, new Set()), progress)
  const lines = statusLines(report, isFinished)
  await output.result({ value: { isFinished, ...report }, lines })
  return 0
}
