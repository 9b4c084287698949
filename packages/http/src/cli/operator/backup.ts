import { command } from '../arguments/command.ts'
import type { BackupReport } from './backup/back-up.ts'

/** Saves an installation. */
export const backup = command({
  about: 'Saves an installation into a folder or a bucket, also while its server runs.',
  more: [
    'Reads the same environment as the server, on its machine. TO is a folder apart from DATA_DIR, or s3://bucket/prefix with the options of BLOB_URL. The first backup saves all; later ones to the same place only what has changed. A crash leaves the backup before it whole. While the server writes, a backup takes its time. Run one at a time.',
    'The backup is of one moment: whatever was acknowledged by then is in it. It holds the chain, the jobs, the sealed memories and the wrapped sealing keys, and never a master key nor the key of the agent wallet. Keep those apart: without them nobody can use the backup. Jobs in DATABASE_URL are not in it; save that database first.',
    'It exits with 1 when a stored block is damaged; the backup then has everything else, and the block as an earlier backup saved it.',
  ],
  words: [{ name: 'TO', about: 'A folder, or s3://bucket/prefix.', file: true }],
  options: {
    'with-bucket': {
      type: 'boolean',
      about: 'Also save the memories that are in the bucket of BLOB_URL.',
    },
  },
  examples: {
    'Save the installation in .heirloom:': 'heirloom backup heirloom-backup',
    'Save what changed since, and print how many bytes that was:': `heirloom backup heirloom-backup --json | jq .added.bytes`,
  },
  isLocal: true,
  run: async ({ words, options, terminal, output }) => {
    const { backUp } = await import('./backup/back-up.ts')
    // A server on this machine comes first.
    terminal.comeLast()
    const startedAt = performance.now()
    const withBucket = options['with-bucket'] === true
    const report = await backUp(terminal.env, { to: words.TO, withBucket })
    const milliseconds = Math.round(performance.now() - startedAt)
    const { config: _, keepApart, ...value } = report
    await output.result({
      value: { ...value, milliseconds, keepApart },
      lines: linesOf(report, milliseconds),
    })
    return report.damaged.length === 0 ? 0 : 1
  },
})

function linesOf(report: BackupReport, milliseconds: number): readonly string[] {
  const { manifest, place, added, damaged, lost, keepApart } = report
  const { count, bytes } = manifest.blocks
  const all = bytes + manifest.files.reduce((sum, { length }) => sum + length, 0)
  return [
    `${place} holds ${blocksText(count)} and ${manifest.files.length} files, ${megabytes(all)}, of ${new Date(manifest.takenAt).toISOString()}.`,
    `New in it: ${blocksText(added.blocks)}, ${megabytes(added.bytes)} in all, in ${milliseconds} ms.`,
    ...missingLines(report),
    ...damaged.map((digest) => `Damaged on this disk, and not saved: block ${digest}.`),
    ...(lost === 0
      ? []
      : [`Gone, here and in the backup: ${blocksText(lost)} of earlier backups.`]),
    `Not in it, and needed to use it: ${keepApart.join(', ')}. Keep copies apart from it.`,
  ]
}

function missingLines({ manifest, config }: BackupReport): readonly string[] {
  const elsewhere =
    config.blobStore?.kind === 's3' ? 'the bucket of BLOB_URL' : 'the store of BLOB_STORE'
  return [
    ...(manifest.jobs === 'database'
      ? ['Not in it: the jobs. Save the database of DATABASE_URL before each backup.']
      : []),
    ...(manifest.blobs === 'elsewhere'
      ? [`Not in it: the memories, which are in ${elsewhere}.`]
      : []),
  ]
}

const blocksText = (count: number): string => (count === 1 ? '1 block' : `${count} blocks`)

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
