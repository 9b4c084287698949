import type { ChainRepair, ChainSurvey } from '@heirloom/adapters/internal/chain-repair'
import { shownValue } from '../../api/shown-value.ts'
import { command, UsageError, withValue } from '../arguments/command.ts'

const options = {
  above: withValue(
    'GAS',
    "The gas limit above which a stranger's transaction is costly. Default: RPC_GAS.",
  ),
  from: withValue(
    'ENTRY',
    'The journal entry from which on all transactions of strangers count as costly.',
  ),
  write: { type: 'boolean', about: 'Repair the chain. Without this option nothing is changed.' },
} as const

/** Lists or removes the costly transactions of the embedded chain. */
export const chain = command({
  about: 'Lists or removes the transactions that make the embedded chain costly to start.',
  more: [
    'Reads DATA_DIR; stop its server first. `status` lists the costly transactions of strangers without executing any: those with a higher gas limit than /rpc accepts. `repair` replays the chain without them: an empty block replaces each, so all other blocks keep their numbers. Your own transactions are never removed.',
    'With --write it first copies the journal to chain.sqlite.before-repair-…, and the next start rebuilds the catalogue. The effects of those transactions are lost: tokens that they minted get other owners or none, and their payments never happened.',
  ],
  words: [{ name: 'ACT', about: 'status or repair.', choices: ['status', 'repair'] }],
  options,
  examples: {
    'List the costly transactions:': 'heirloom chain status',
    'Show what a repair would remove and lose:': 'heirloom chain repair',
    'Repair the chain:': 'heirloom chain repair --write',
  },
  isLocal: true,
  run: async ({ words, options, terminal, output }) => {
    const { repairStoredChain, surveyStoredChain } = await import('./repair-stored-chain.ts')
    const costly = {
      above: readWhole('--above', options.above, BigInt),
      from: readWhole('--from', options.from, Number),
    }
    if (words.ACT === 'status') {
      const survey = await surveyStoredChain(terminal.env, costly)
      await output.result({ value: survey, lines: statusLines(survey) })
      return 0
    }
    const report = await repairStoredChain(terminal.env, {
      ...costly,
      write: options.write === true,
    })
    await output.result({ value: report, lines: repairLines(report, options.write === true) })
  },
})

function readWhole<T>(
  name: string,
  text: string | undefined,
  read: (text: string) => T,
): T | undefined {
  if (text === undefined) return undefined
  if (/^[0-9]{1,15}$/.test(text)) return read(text)
  throw new UsageError(`${name} must be a whole number, such as 30000000${shownValue(text)}.`)
}

function statusLines({ entries, costly }: ChainSurvey): readonly string[] {
  const found = `The chain has ${entries} transactions; ${costly.length} of strangers are costly.`
  if (costly.length === 0) return [found]
  return [...lines(costly), found, 'Run `heirloom chain repair` to see the chain without them.']
}

/** The most memory that one unit of gas takes in kilobytes, because the EVM records each step. */
const kilobytesPerGas = 0.8

const lines = (costly: ChainSurvey['costly']) =>
  costly.map(({ entry, sender, gas }) => {
    const megabytes = Math.ceil((Number(gas) * kilobytesPerGas) / 1024)
    return `entry ${entry}  ${sender}  gas limit ${gas}  at worst ${megabytes} MB`
  })

function repairLines(report: ChainRepair, write: boolean): readonly string[] {
  const { entries, removed, refused, took, backup } = report
  const lost = refused.map(
    (entry) => `entry ${entry} depends on a removed transaction, and is lost`,
  )
  const verb = write ? 'were removed' : 'would be removed'
  const found = `${removed.length} of ${entries} transactions ${verb}; the rest executes in ${took} ms.`
  const next =
    backup === undefined
      ? 'Nothing was changed.'
      : `The old journal is in ${backup}. Start the server again.`
  return [...lines(removed), ...lost, found, next]
}

/** Copies the blocks of a data folder, each into a file of its own. */
export const blocks = command({
  about: 'Copies the blocks of a data folder, each into a file of its own.',
  more: [
    'Reads DATA_DIR; its server may run. A server moves small blocks into one file, compacted.sqlite. Where each block must be a file or an object, as in a bucket, copy them with this command first. A file has the path that `docs/storage.md` describes; one that is there is not written again. A block that does not match its digest is left out, and named.',
  ],
  words: [
    { name: 'ACT', about: 'export.', choices: ['export'] },
    { name: 'FOLDER', about: 'The folder for the copies; created if it does not exist.' },
  ],
  options: {},
  examples: {
    'Copy all blocks:': 'heirloom blocks export blocks',
  },
  isLocal: true,
  run: async ({ words, terminal, output }) => {
    const { exportBlocks } = await import('./export-blocks.ts')
    const report = await exportBlocks(terminal.env, words.FOLDER)
    const { copied, present, damaged } = report
    const found = `Copied ${copied} blocks; ${present} were there before.`
    const lines = damaged.map((name) => `damaged, not copied: ${name}`)
    await output.result({ value: report, lines: [...lines, found] })
    return damaged.length === 0 ? 0 : 1
  },
})
