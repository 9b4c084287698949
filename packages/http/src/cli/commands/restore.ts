import { command } from '../arguments/command.ts'
import type { RestoreReport } from '../backup/restore-backup.ts'
import type { MemoryReport } from '../backup/verify-memories.ts'

/** Restores an installation from a backup. */
export const restore = command({
  about: 'Restores an installation from a backup, into an empty folder.',
  more: [
    'Reads the same environment as the server. FROM is what heirloom backup wrote to. The folder, DATA_DIR or --into, may hold only the keys that you kept apart: master.keys, agent.key, and destroyed.keys, whose sealing keys stay destroyed. Every byte is verified before anything gets its place; a damaged part is named, and nothing is restored.',
    'Two copies of an installation must never both write. A restored copy therefore does not start until you say with --as-writer that the original never will again; you may say so later, with the same command. An original on this machine must be stopped, and cannot start afterwards.',
    '--verify opens every memory, for which it needs the master key and the key of the agent wallet, and says how many open and which do not. With --trial nothing is left behind.',
  ],
  words: [{ name: 'FROM', about: 'A folder, or s3://bucket/prefix.', file: true }],
  options: {
    into: { type: 'string', value: 'FOLDER', file: true, about: 'The folder. Default: DATA_DIR.' },
    verify: { type: 'boolean', about: 'Open every memory.' },
    'as-writer': {
      type: 'boolean',
      about: 'Let the copy write, because the original never will again.',
    },
    trial: { type: 'boolean', about: 'Restore and verify, but leave nothing behind.' },
  },
  examples: [
    {
      line: 'heirloom restore heirloom-backup --into drill --trial',
      about: 'Check that every byte of a backup is there, and leave nothing behind:',
    },
    {
      line: 'heirloom restore heirloom-backup --into copy',
      about: 'Restore a copy, which starts once --as-writer is said:',
    },
  ],
  isLocal: true,
  run: async ({ words, options, terminal, output }) => {
    const { restoreBackup } = await import('../backup/restore-backup.ts')
    const report = await restoreBackup(terminal.env, {
      from: words.FROM,
      into: options.into,
      verify: options.verify === true,
      asWriter: options['as-writer'] === true,
      isTrial: options.trial === true,
    })
    await output.result({ value: report, lines: linesOf(report, options.trial === true) })
    return report.memories === undefined || report.memories.failed.length === 0 ? 0 : 1
  },
})

function linesOf(report: RestoreReport, isTrial: boolean): readonly string[] {
  const { folder, backup, memories, unfinishedJobs, notes } = report
  const time = new Date(backup.takenAt).toISOString()
  const first = isTrial ? 'The backup can be restored:' : `${folder} holds the backup:`
  const jobs = `Writes that had not ended: ${unfinishedJobs}. The chain may have done them since; they are not sent again, and their idempotency keys answer transaction/unknown.`
  return [
    `${first} the installation as it was at ${time}.`,
    ...(memories === undefined ? [] : memoryLines(memories)),
    ...(unfinishedJobs === 0 ? [] : [jobs]),
    ...(isTrial ? [] : [stateLine(report)]),
    ...notes,
  ]
}

/** The tokens that a line names. */
const namedTokens = 20

function memoryLines({ tokens, opened, destroyed, foreign, failed }: MemoryReport) {
  const list = (name: string, ids: readonly bigint[]) =>
    ids.length === 0
      ? []
      : [
          `${name}: ${ids.slice(0, namedTokens).join(', ')}${ids.length > namedTokens ? ', …' : ''}.`,
        ]
  return [
    `${opened} of ${tokens} memories open.`,
    ...list(`${destroyed.length} are sealed under destroyed keys`, destroyed),
    ...list(`${foreign.length} of others are stored elsewhere`, foreign),
    ...failed.slice(0, namedTokens).map((it) => `Token ${it.tokenId} does not open: ${it.problem}`),
    ...(failed.length > namedTokens ? [`${failed.length - namedTokens} more do not open.`] : []),
  ]
}

function stateLine({ isWriter, memories }: RestoreReport): string {
  if (isWriter) return 'This copy writes from now on. Start it with heirloom serve.'
  const again = 'run this command again with --as-writer'
  return memories !== undefined && memories.failed.length > 0
    ? `It does not start yet, because not every memory opens; if that is meant, ${again}.`
    : `It does not start yet: make sure that the original never starts again, then ${again}.`
}
