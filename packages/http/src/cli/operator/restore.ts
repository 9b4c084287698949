import { command, withValue } from '../arguments/command.ts'
import { flaggedOption } from '../connection/hold-back.ts'
import { versionOptions } from '../connection/read-version.ts'
import { isName, restoreName } from '../memories/restore-name.ts'
import type { RestoreReport } from './backup/restore-backup.ts'
import type { MemoryReport } from './backup/verify-memories.ts'

/** Restores a version of a name, or an installation from a backup. */
export const restore = command({
  about: 'Restores a version of a private name, or an installation from a backup.',
  more: [
    'A FROM that is a folder with a backup, a path or a bucket is a backup, and the rest of this is about one. Any other FROM is a name, and so is one with TO, --version or --as-wallet: its last version, or that of --version or behind an @, is downloaded with your wallet, verified, and written to TO or standard output. A file that exists is replaced with --force only.',
    'Reads the same environment as the server. FROM is what heirloom backup wrote to. The folder, DATA_DIR or --into, may hold only the keys that you kept apart: master.keys, agent.key, destroyed.keys, whose sealing keys stay destroyed, and erased.blobs, whose memories stay erased. Every byte is verified before anything gets its place; a damaged part is named, and nothing is restored.',
    'Two copies of an installation must never both write. A restored copy therefore does not start until you say with --as-writer that the original never will again; you may say so later, with the same command. An original on this machine must be stopped, and cannot start afterwards.',
    '--verify opens every memory, for which it needs the master key and the key of the agent wallet, and says how many open and which do not. With --trial nothing is left behind.',
  ],
  words: [
    {
      name: 'FROM',
      about: 'A name such as ada, ada@3 or ada@2026-10-01, a folder, or s3://bucket/prefix.',
      file: true,
    },
    { name: 'TO', about: 'The file to write a version of a name to.', optional: true, file: true },
  ],
  options: {
    version: withValue('N', 'The version of the name, by its number or a day. Default: the last.'),
    force: { type: 'boolean', about: 'Replace the file.' },
    ...flaggedOption,
    ...versionOptions,
    into: { type: 'string', value: 'FOLDER', file: true, about: 'The folder. Default: DATA_DIR.' },
    verify: { type: 'boolean', about: 'Open every memory.' },
    'as-writer': {
      type: 'boolean',
      about: 'Let the copy write, because the original never will again.',
    },
    trial: { type: 'boolean', about: 'Restore and verify, but leave nothing behind.' },
  },
  examples: {
    'Print the last version of a name:': 'heirloom restore ada',
    'Write the first version into a new file:': 'heirloom restore ada --version 1 first.json',
    'Print the last version of a name, signed by your own wallet alone:':
      'heirloom restore diary --as-wallet',
    'Check that every byte of a backup is there, and leave nothing behind:':
      'heirloom restore heirloom-backup --into drill --trial',
    'Restore a copy, which starts once --as-writer is said:':
      'heirloom restore heirloom-backup --into copy',
  },
  isLocal: true,
  run: async (call) => {
    const { words, options, terminal, output } = call
    if (isName(call)) return restoreName(call)
    const { restoreBackup } = await import('./backup/restore-backup.ts')
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

function memoryLines({ tokens, opened, destroyed, erased, foreign, failed }: MemoryReport) {
  const list = (name: string, ids: readonly bigint[]) =>
    ids.length === 0
      ? []
      : [
          `${name}: ${ids.slice(0, namedTokens).join(', ')}${ids.length > namedTokens ? ', …' : ''}.`,
        ]
  return [
    `${opened} of ${tokens} memories open.`,
    ...list(`${destroyed.length} are sealed under destroyed keys`, destroyed),
    ...list(`${erased.length} were erased`, erased),
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
