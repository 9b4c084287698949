import type { ChainRepair, ChainSurvey } from '@heirloom/adapters/chain/repair'
import { command } from '../arguments/command.ts'
import { UsageError } from '../arguments/usage-error.ts'

const options = {
  above: {
    type: 'string',
    value: 'GAS',
    about: "The gas limit above which a stranger's transaction is costly; RPC_GAS when left out.",
  },
  from: {
    type: 'string',
    value: 'ENTRY',
    about: 'The entry from which on everything that strangers sent counts as costly.',
  },
  write: { type: 'boolean', about: 'Repair the chain; without it, nothing is changed.' },
} as const

/** Looks at the journal of the embedded chain, and repairs it. */
export const chain = command({
  about: 'Lists what makes the embedded chain costly to start, or takes it out of its history.',
  more: [
    'It reads DATA_DIR, whose server must be stopped. `status` lists the costly transactions of strangers, without executing any: those with a higher gas limit than /rpc takes. `repair` tries the chain without them: an empty block stands in the place of each, so all other blocks keep their numbers. Your own transactions are never taken out.',
    'With --write it keeps a copy of the journal beside it, chain.sqlite.before-repair-…, and the next start reads the catalogue anew. What those transactions did is lost: tokens that they minted get other owners or none, and what they paid stays where it was.',
  ],
  words: [{ name: 'ACT', about: 'status or repair.', choices: ['status', 'repair'] }],
  options,
  examples: [
    { line: 'heirloom chain status', about: 'What strangers sent that is costly:' },
    { line: 'heirloom chain repair', about: 'What a repair would take out, and lose:' },
    { line: 'heirloom chain repair --write', about: 'Repair it:' },
  ],
  isLocal: true,
  run: async ({ words, options, terminal, output }) => {
    const { chainStatus, repair } = await import('../repair-stored-chain.ts')
    const costly = {
      above: whole('--above', options.above, BigInt),
      from: whole('--from', options.from, Number),
    }
    if (words.ACT === 'status') {
      const survey = await chainStatus(terminal.env, costly)
      await output.answer({ value: survey, lines: statusLines(survey) })
      return 0
    }
    const report = await repair(terminal.env, { ...costly, write: options.write === true })
    await output.answer({ value: report, lines: repairLines(report, options.write === true) })
    return 0
  },
})

function whole<T>(
  name: string,
  text: string | undefined,
  read: (text: string) => T,
): T | undefined {
  if (text === undefined) return undefined
  if (/^[0-9]{1,15}$/.test(text)) return read(text)
  throw new UsageError(`${name} must be a whole number.`)
}

function statusLines({ entries, costly }: ChainSurvey): readonly string[] {
  const found = `The chain has ${entries} transactions; ${costly.length} of strangers are costly.`
  if (costly.length === 0) return [found]
  return [...lines(costly), found, 'Run `heirloom chain repair` to see the chain without them.']
}

/** What a unit of gas takes at most when it is executed: steps are recorded (kilobytes). */
const kilobytes = 0.8

const lines = (costly: ChainSurvey['costly']) =>
  costly.map(({ entry, sender, gas }) => {
    const megabytes = Math.ceil((Number(gas) * kilobytes) / 1024)
    return `entry ${entry}  ${sender}  gas limit ${gas}  at worst ${megabytes} MB`
  })

function repairLines(report: ChainRepair, write: boolean): readonly string[] {
  const { entries, removed, refused, took, backup } = report
  const lost = refused.map(
    (entry) => `entry ${entry} cannot be carried out without those, and is lost`,
  )
  const verb = write ? 'were taken out' : 'would be taken out'
  const found = `${removed.length} of ${entries} transactions ${verb}; the rest executes in ${took} ms.`
  const next =
    backup === undefined
      ? 'Nothing was changed.'
      : `The journal as it was is in ${backup}. Start the server again.`
  return [...lines(removed), ...lost, found, next]
}
